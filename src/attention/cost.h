// SPDX-License-Identifier: GPL-3.0-or-later
// What a mechanism costs: cells, multiply-adds, bytes and path lengths, exactly, with the formulas in words.
#pragma once

#include "attention/mask.h"

#include <cstdint>
#include <optional>
#include <string>

namespace attenscope {

/// A number with the formula that gave it. Amounts stop at the largest number of 64 bits.
struct Cost {
    std::uint64_t amount = 0;
    std::string formula; ///< "H · cells · (d_k + d_v)"
    std::string numbers; ///< The same with the numbers in it: "4 · 55 · (8 + 8)"
};

/// What costs depend on, apart from the mechanism.
struct CostShape {
    Index queries = 1;
    Index keys = 1;
    int layers = 1;
    int batch = 1;
    int heads = 1;
    int kvHeads = 1;
    Index dQ = 1; ///< Width of a head's queries.
    Index dK = 1;
    Index dV = 1; ///< 0: no values.
    Index dAtt = 1; ///< Of additive and concat scores.
    int bytesPerNumber = 2; ///< 2: half precision, as models run.

    friend bool operator==(const CostShape &, const CostShape &) = default;
};
/// The shape of @p block under @p spec; the block is not recorded, and both fit.
[[nodiscard]] CostShape costShape(const AttentionBlock &block, const AttentionSpec &spec);
/// The same with @p n queries and keys.
[[nodiscard]] CostShape withLength(CostShape shape, Index n);

/// Cells that @p mask lets through, counted row by row.
[[nodiscard]] std::uint64_t visibleCells(const Mask &mask);
/// Cells that the rule of @p spec lets through among n queries and n keys, in closed form: causal n (n + 1) / 2, and so on. Padding and own
/// matrices are of one input and do not count. Nothing for a block layout, which is of one size.
[[nodiscard]] std::optional<Cost> visibleCells(const MaskSpec &spec, Index n);

/// Multiply-adds of scores and weighted values, all heads, layers and batch elements, for @p cells visible cells of a head. Projections to
/// q, k and v are not in it; those of the score function are. Linear attention works on its sums: Katharopoulos et al. 2020.
[[nodiscard]] Cost multiplyAdds(ScoreFunction score, const CostShape &shape, std::uint64_t cells);
/// Bytes that the scores of all heads of a layer take at once: queries x keys, or for Flash one tile and two numbers for each of its rows
/// (Dao et al. 2022), or for Linear the sums S and z.
[[nodiscard]] Cost scoreBytes(const AttentionSpec &spec, const CostShape &shape);
/// Bytes of a key/value cache with @p kvHeads key/value heads: layers · kvHeads · (d_k + d_v) · n · batch · bytes. Ainslie et al. 2023.
[[nodiscard]] Cost cacheBytes(const CostShape &shape, int kvHeads);

/// How many layers it takes at most until what one token has reaches another one, for n tokens, among those that can be reached at all; 0 if no
/// token sees another. Vaswani et al. 2017, table 1. Nothing for a block layout.
[[nodiscard]] std::optional<Cost> longestPath(const MaskSpec &spec, Index n);
/// The same of a recurrent network: n, one step for each token.
[[nodiscard]] Cost recurrentPath(Index n);

/// A number of key/value heads between one and @p heads, for comparing the three: @p wanted if it is between, else the divisor nearest to
/// √heads. Nothing if there is none.
[[nodiscard]] std::optional<int> groupedHeads(int heads, int wanted);

} // namespace attenscope
