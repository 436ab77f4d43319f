// SPDX-License-Identifier: GPL-3.0-or-later
// How much heads differ: the Jensen-Shannon divergence of their rows.
#pragma once

#include "attention/field.h"

namespace attenscope {

/// Jensen-Shannon divergences of every two heads, added up over rows. Clark et al. 2019, arXiv:1906.04341. Nats: a row adds 0 to ln 2.
struct HeadDivergences {
    Matrix sum; ///< Heads x heads, symmetric, zero on the diagonal.
    Matrix rows; ///< Rows that counted: both heads have a distribution there (RowKind in attention/summary.h).

    /// sum / rows; 0 where no row counted.
    [[nodiscard]] Matrix mean() const;
};

/// All @p heads are maps of weights of one size. Holds one row of every head at a time; cost about heads² / 2 · rows · keys logarithms,
/// in parallel; reports progress. The same bits on any number of threads. Errors: memory, cancelled.
Result<HeadDivergences> headDivergences(const std::vector<MapFieldPtr> &heads, const Run &run = {});

} // namespace attenscope
