// SPDX-License-Identifier: GPL-3.0-or-later
// Linear attention without its map: what the keys and values sum up to, and every row from that.
#pragma once

#include "attention/stream.h"

#include <optional>
#include <vector>

namespace attenscope {

/// For each of the rows how many keys it sees, if linear attention can be computed from sums over keys: the weights are φ(q)·φ(k) as
/// they are, and each row sees the first keys, no fewer than the row before it. Else nothing.
[[nodiscard]] std::optional<std::vector<Index>> prefixEnds(const HeadOperands &operands, Range rows);

/// Fills log-sum-exp and output of the rows, which have their sizes. output = φ(q)ᵀS / φ(q)ᵀz with S = Σ φ(k) vᵀ and z = Σ φ(k) over the
/// keys that the row sees (Katharopoulos et al. 2020, arXiv:2006.16236), in double precision. @p ends is of prefixEnds(). False if stopped.
[[nodiscard]] bool streamLinear(
    const HeadOperands &operands, Range rows, const std::vector<Index> &ends, const Run &run, StreamResult &result);

} // namespace attenscope
