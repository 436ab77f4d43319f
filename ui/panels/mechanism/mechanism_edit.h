// SPDX-License-Identifier: GPL-3.0-or-later
// How an edit of the mechanism is carried into a session, the second mechanism of a comparison included.
#pragma once

#include "session/presets.h"
#include "state/document.h"

namespace attenscope {

/// Makes @p next the mechanism. While comparing causal with unmasked (Session::comparisonFollows) every setting that changes changes in the
/// comparison too where both had the same, so that it stays a comparison of masks when the temperature is dragged. Any other comparison is frozen.
void editMechanism(Document &document, const AttentionSpec &next, const QString &name, const QString &mergeKey = {});

/// Makes @p preset the mechanism of the open input (and, for the preset of a source, the source what it says), as one step; one that is not usable
/// changes nothing. A comparison stays as it is. The notes and offers of what is returned are to be shown.
AppliedPreset usePreset(Document &document, const Preset &preset);
/// Gives the input what a preset needs, and makes that the mechanism.
void takeOffer(Document &document, const PresetOffer &offer);

/// @p spec with what differs between @p before and @p after set as in @p after, where @p spec had it as in @p before.
[[nodiscard]] AttentionSpec withSameChange(AttentionSpec spec, const AttentionSpec &before, const AttentionSpec &after);

/// Columns of one head's Q and K: what √d_k is of. 0 for recorded blocks.
[[nodiscard]] Index keyDimension(const AttentionBlock &block, const AttentionSpec &spec);

/// Columns of W_q, which the query heads share, in @p session's own input, which may be newer than @p block, the last valid one; 0: there is no W_q.
[[nodiscard]] Index sharedColumns(const Session &session, const AttentionBlock &block);

/// The number of heads is the one of the last valid picture, and typed tokens have got an embedding that it cannot share: that is said beside the
/// embedding, and not beside the heads too.
[[nodiscard]] bool isEmbeddingAtFault(const Document &document);

/// The divisors of @p number next to @p wanted: the largest below and the smallest above, ascending, without @p wanted itself.
[[nodiscard]] std::vector<int> nearestDivisors(int number, int wanted);

} // namespace attenscope
