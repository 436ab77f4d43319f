// SPDX-License-Identifier: GPL-3.0-or-later
// Exact and tiled: the same input through whole matrices and through one pass, with times, memory and difference.
#pragma once

#include "core/matrix.h"
#include "core/result.h"
#include "core/run.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace attenscope {

/// One length of the sequence, both ways. Single precision, as on a graphics card.
struct TiledComparison {
    struct Way {
        double seconds = 0.0;
        /// Peak of what the program had allocated while this ran, less what it had before, by the allocator's own count; nothing where that cannot be
        /// asked.
        std::optional<std::uint64_t> bytes;
    };
    Index n = 0;
    Way whole; ///< Scores and weights as n x n matrices.
    Way tiled; ///< stream().
    double largestDifference = 0.0; ///< Of any number of the two outputs.
};

/// Q, K and V of @p n rows and @p d columns of seeded normal numbers, scaled dot product, no mask. Errors: whole matrices would take more than half of the
/// available memory (said before they are made), cancelled.
Result<TiledComparison> compareTiled(Index n, Index d, std::uint64_t seed, const Run &run = {});
/// What the whole matrices of compareTiled() take: scores and weights.
[[nodiscard]] std::uint64_t wholeBytes(Index n);

/// Bytes that are allocated in this program now, by the allocator's own count (mallinfo2); nothing where that is not known.
[[nodiscard]] std::optional<std::uint64_t> allocatedBytes();

} // namespace attenscope
