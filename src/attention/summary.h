// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers that sum up a head: entropy and largest weight.
#pragma once

#include "attention/field.h"

namespace attenscope {

/// Means over the rows that see at least one key.
struct HeadSummary {
    double entropy = 0.0; ///< Mean of -Σ w ln w, nats. Ghader & Monz 2017, arXiv:1710.03348.
    double largest = 0.0; ///< Mean of the largest weight of each row: the confidence of Voita et al. 2019, arXiv:1905.09418.
    double effectiveKeys = 0.0; ///< Mean of exp(entropy), not exp of the mean.
    Index rows = 0; ///< How many rows were counted.
    Index nanRows = 0; ///< Rows with NaN, left out.

    friend bool operator==(const HeadSummary &, const HeadSummary &) = default;
};

/// From the per-row entropies and largest weights. @p isCounted tells which rows see a key.
[[nodiscard]] HeadSummary summarize(const VectorF &entropy, const VectorF &largest, const Mask &mask);
/// From exact rows of weights.
Result<HeadSummary> summarize(const MapField &weights, const Run &run = {});

} // namespace attenscope
