// SPDX-License-Identifier: GPL-3.0-or-later
// Peaks: the largest weights of a map that does not fit in memory, without looking at most of it.
#pragma once

#include "attention/field.h"

#include <optional>
#include <vector>

namespace attenscope {

struct Peak {
    Index row = 0;
    Index col = 0;
    double weight = 0.0; ///< Exact.

    friend bool operator==(const Peak &, const Peak &) = default;
};

struct PeakOptions {
    std::size_t most = 32; ///< How many are found.
    std::optional<Index>
        firstPosition; ///< The key at which query 0 stands: cells of a query's own key are left out. Nothing: there is no such key.
    bool leavesOutFirstKey = true;
    std::size_t mostOfKey = 2; ///< So many of one key are named: a sink, which most queries see, would fill the list.
};

/// The largest weights of @p weights, the largest first. Two of them are farther apart than peakDistance() in one direction at least: of a
/// bright line or spot only the largest cell is named. NaN, masked and absent cells and those not above 0 are no peaks.
/// Best first: the largest weight of a block bounds every cell in it, so a block is looked into only when no other can hold a larger one. Holds
/// a map of at most 1,024 x 1,024 blocks, and one block. Errors: memory, cancelled.
Result<std::vector<Peak>> findPeaks(const MapField &weights, const PeakOptions &options, const Run &run = {});

/// Cells around a peak, in both directions, in which no other is named: a 64th of the longer side.
[[nodiscard]] Index peakDistance(Index rows, Index cols);

} // namespace attenscope
