// SPDX-License-Identifier: GPL-3.0-or-later
// The pattern of a head of the document in words, or why it has no name.
#pragma once

#include "state/document.h"

#include <QString>

#include <optional>

namespace attenscope {

struct HeadPattern {
    std::optional<Pattern> pattern; ///< Nothing where there is no name.
    QString name; ///< "Previous token"; "–": there will be none; "…": not yet.
    QString rule; ///< The rule that gave the name, or why there is none.
};

/// Of the main result under the document's rules. Seeded, untrained heads have no name.
[[nodiscard]] HeadPattern headPattern(const Document &document, const HeadRef &head);
/// The same, where its summary is at hand; null: not ready.
[[nodiscard]] HeadPattern headPattern(const Document &document, const HeadRef &head, const HeadSummary *summary);

} // namespace attenscope
