// SPDX-License-Identifier: GPL-3.0-or-later
// Attention across layers: rollout and flow. Abnar & Zuidema 2020, arXiv:2005.00928.
#pragma once

#include "attention/field.h"

namespace attenscope {

/// A layer as one step from its input to its output, with the residual connection that attention runs beside:
/// residual · I + (1 - residual) · mean of the heads, rowsNormalized(): rows sum to 1 whatever those of
/// the heads sum to. Keys that a head does not see count as 0.
/// @p heads are maps of weights of one size, at least one. Errors: not as many queries as keys, memory, cancelled.
Result<Matrix> residualAttention(const std::vector<MapFieldPtr> &heads, double residual = 0.5, const Run &run = {});

/// Attention rollout up to a layer: its residualAttention() times the rollout of the layer below; the first layer's is its
/// residualAttention(). n³ multiplications, in parallel by rows. NaN spreads to the rows that look at it. Errors: memory, cancelled.
Result<Matrix> rollout(const Matrix &layer, const Matrix &below, const Run &run = {});

/// Attention flow: (i, j) is the maximum flow from position i of the last layer to position j of the input, where @p layers
/// (residualAttention() of each, the first layer first) are the capacities. Rows @p sources only; results start with row sources.first.
/// One maximum flow (Dinic 1970) for each pair, in parallel by rows: see flowCost(). A weight that is NaN or negative carries nothing.
/// Errors: memory, cancelled.
Result<Matrix> attentionFlow(const std::vector<Matrix> &layers, Range sources, const Run &run = {});
/// About how many edges attentionFlow() looks at for one source; a processor does some 10⁸ a second. Grows with n³ and layers².
[[nodiscard]] double flowCost(Index layers, Index n);

/// Each row divided by its sum; a row that sums to 0 stays, one with NaN or infinity is NaN.
[[nodiscard]] Matrix rowsNormalized(Matrix matrix);

} // namespace attenscope
