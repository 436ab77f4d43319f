// SPDX-License-Identifier: GPL-3.0-or-later
// What is found in all layers of a block together: rollout, flow, and how much its heads differ; with what each costs.
#pragma once

#include "analysis/divergence.h"
#include "analysis/layers.h"
#include "attention/attention_result.h"

#include <memory>
#include <optional>
#include <vector>

namespace attenscope {

/// The layers of one block for one element of the batch, from the first to @p lastLayer.
struct LayerStack {
    std::shared_ptr<const AttentionResult> result; ///< Heads that are not ready in it are made.
    int block = 0;
    int element = 0;
    int lastLayer = 0;

    [[nodiscard]] const AttentionBlock &attentionBlock() const { return result->input->blocks[static_cast<std::size_t>(block)]; }
    [[nodiscard]] int heads() const { return headCount(attentionBlock(), result->spec); }
    /// All heads, layer by layer.
    [[nodiscard]] std::vector<HeadRef> allHeads() const;
};

/// The layers with the residual share 0.5, as Abnar & Zuidema 2020 take it, each the mean of its heads. Errors: as residualAttention().
inline constexpr double residualShare = 0.5;
/// rollout() of the last layer. Row i: how much of each input position is in position i above. Rows sum to 1, or
/// are NaN where they go back to a weight that is NaN or infinite.
Result<Matrix> stackRollout(const LayerStack &stack, const Run &run = {});
/// attentionFlow() from every position of the last layer, 0 to 1; rows that go back to a weight that is NaN or infinite are NaN.
Result<Matrix> stackFlow(const LayerStack &stack, const Run &run = {});
/// headDivergences() of stack.allHeads().
Result<HeadDivergences> stackDivergences(const LayerStack &stack, const Run &run = {});

/// Whether the matrices that a rollout and a flow hold at once have room, asked before anything is read. Errors: memory, with the size.
Result<void> checkRolloutMemory(const LayerStack &stack);
Result<void> checkFlowMemory(const LayerStack &stack);

/// About how many seconds each takes with all threads on a processor of today: right within a factor of three or so.
[[nodiscard]] double rolloutSeconds(const LayerStack &stack);
[[nodiscard]] double flowSeconds(const LayerStack &stack);
[[nodiscard]] double divergenceSeconds(const LayerStack &stack);

/// Why a layer of the stack does not lead to the next, so that there is no rollout and no flow; nothing where it does.
[[nodiscard]] std::optional<Error> whyNoRollout(const LayerStack &stack);
/// Why heads cannot be compared: there is only one.
[[nodiscard]] std::optional<Error> whyNoDivergences(const LayerStack &stack);

} // namespace attenscope
