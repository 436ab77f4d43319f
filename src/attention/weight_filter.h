// SPDX-License-Identifier: GPL-3.0-or-later
// WeightFilter: which weights of a row are shown. It hides and never rescales.
#pragma once

#include "core/matrix.h"

#include <span>
#include <vector>

namespace attenscope {

/// All three hold at once. The defaults hide nothing.
struct WeightFilter {
    double threshold = 0.0; ///< Weights below are hidden.
    Index mostKeys = 0; ///< Only so many of the largest of each row (top k); of equal ones the first. 0: all.
    double share
        = 1.0; ///< Only the fewest of the largest whose sum is at least this share of the row's (top p, nucleus: Holtzman et al. 2020, arXiv:1904.09751). 1: all.

    [[nodiscard]] bool hides() const { return threshold > 0.0 || mostKeys > 0 || share < 1.0; }
    friend bool operator==(const WeightFilter &, const WeightFilter &) = default;
};

/// What a filter leaves of one row.
struct FilteredRow {
    std::vector<Index> shown; ///< Columns, ascending; NaN is always shown, masked and absent cells never.
    Index hidden = 0; ///< Visible keys with a weight other than 0 that the filter hides.
    double hiddenWeight = 0.0; ///< Their sum.
};

/// @p cells as MapField::row() gives them.
[[nodiscard]] FilteredRow filterRow(std::span<const double> cells, const WeightFilter &filter);

} // namespace attenscope
