// SPDX-License-Identifier: GPL-3.0-or-later
// What the parts of check() share: finding the first problem, and saying it.
#pragma once

#include "attention/input.h"
#include "attention/mask.h"
#include "core/text.h"

namespace attenscope {

using Problem = std::optional<SpecProblem>;

/// The first check that finds something decides; later ones may rely on what the earlier ones have seen.
template <typename... Checks>
[[nodiscard]] Problem firstOf(const Checks &...checks)
{
    Problem found;
    static_cast<void>((... || (found = checks()).has_value()));
    return found;
}

[[nodiscard]] Problem problem(SpecPart part, std::string what, std::string where = {}, std::string remedy = {});
/// "1 column", "3 columns".
[[nodiscard]] std::string counted(Index count, const std::string &noun);
/// "3 × 4".
[[nodiscard]] std::string shapeOf(Index rows, Index cols);
[[nodiscard]] std::string shapeOf(const SharedMatrix &matrix);
/// Columns of one head's queries and keys. There is at least one head and one key/value head.
struct Widths {
    Index q = 0;
    Index k = 0;
};
[[nodiscard]] Widths widthsOf(const AttentionBlock &block, const AttentionSpec &spec);
/// Whether a score pairs the numbers of query and key, so that they must be of one width.
[[nodiscard]] bool pairsNumbers(ScoreFunction score);

/// Score parameters, scale, soft cap, temperature, bias, RoPE and block sizes; the data have been checked.
[[nodiscard]] Problem checkSteps(const AttentionBlock &block, const AttentionSpec &spec);

} // namespace attenscope
