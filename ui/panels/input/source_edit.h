// SPDX-License-Identifier: GPL-3.0-or-later
// What every tab does when its kind of input takes the place of another.
#pragma once

#include "session/session.h"

#include <QString>

namespace attenscope {

/// Prepares @p session for a source of another kind: names it, and drops the 0/1 masks and the padding, which are made for the size of the old input.
void startOtherSource(Session &session, const QString &name);

/// What a document is called whose input was typed, until it is saved.
[[nodiscard]] QString typedTokensName();
[[nodiscard]] QString typedMatricesName();

/// New documents to type into: the example's mechanism without tokens, and zeros.
[[nodiscard]] Session newTokens();
[[nodiscard]] Session newMatrices();

/// After an edit of @p session's input by hand: a sample that has been changed is no longer that sample and takes @p name, until it is as it was.
/// Other names stay.
void nameOwnInput(Session &session, const QString &name);

/// Keys of a second sequence are not later or earlier than queries, so a causal mask is dropped with the change to cross-attention and comes back
/// with self-attention. Not while comparing, where masks are what is looked at.
class CausalMaskOfSelf {
public:
    /// Call with the session that is about to become self- or cross-attention.
    void follow(Session &session, bool isCross);

private:
    bool m_isDropped = false;
};

} // namespace attenscope
