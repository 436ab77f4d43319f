// SPDX-License-Identifier: GPL-3.0-or-later
// Exact and tiled: the same input through whole matrices and through one pass, with times, memory and difference.
#pragma once

#include "attention/operands.h"

#include <cstdint>
#include <optional>

namespace attenscope {

/// One length of the sequence, both ways: in single precision, as on a graphics card, and with the same vectorised loops, so that what differs is
/// what is held, not how it is computed. Times are the shortest of a few where one is too short to be measured.
struct TiledComparison {
    struct Way {
        double seconds = 0.0;
        /// Peak of what the program had allocated while this ran, less what it had before, by the allocator's own count; the lowest of a few runs. Nothing
        /// where that cannot be asked.
        std::optional<std::uint64_t> bytes;
    };
    Index n = 0;
    Way whole; ///< Scores and weights as n x n matrices; masked cells are computed as well and then hidden.
    Way tiled; ///< stream().
    double largestDifference = 0.0; ///< Of any number of the two outputs.
};

/// headOfLength() both ways. Errors: whole matrices would take more than half of the available memory (said before anything is made), cancelled.
Result<TiledComparison> compareTiled(const HeadOperands &own, Index n, std::uint64_t seed, const Run &run = {});
/// What the whole matrices of compareTiled() take: scores and weights.
[[nodiscard]] std::uint64_t wholeBytes(Index n);

/// How long a head is on its own: the smaller of its queries and keys.
[[nodiscard]] Index ownLength(const HeadOperands &own);
/// A square head of @p n queries and keys after the model of @p own. Up to its own length the first n of its own queries, keys and values, with their
/// mask; beyond it seeded normal numbers of the same widths. Score, scale, soft cap, temperature, ALiBi and softmax are its own; beyond its own length the
/// rule of the mask (see longerMask()), and no additive bias. Without values: normal numbers, as wide as the keys.
[[nodiscard]] HeadOperands headOfLength(const HeadOperands &own, Index n, std::uint64_t seed);
/// What is left of @p mask for other tokens: its rule, where that is not made for one number of tokens.
[[nodiscard]] MaskSpec longerMask(const MaskSpec &mask);
/// A head of @p columns for those who have none: scaled dot product, no mask, length 0.
[[nodiscard]] HeadOperands plainHead(Index columns);

/// Bytes that are allocated in this program now, by the allocator's own count (mallinfo2); nothing where that is not known.
[[nodiscard]] std::optional<std::uint64_t> allocatedBytes();

} // namespace attenscope
