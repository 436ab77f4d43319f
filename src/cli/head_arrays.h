// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of many heads as plain arrays.
#pragma once

#include "attention/input.h"
#include "core/run.h"
#include "io/numbers_file.h"

#include <string>
#include <vector>

namespace attenscope {

/// Heads, layers and batch elements of one block.
struct HeadSelection {
    int block = 0;
    Range layers;
    Range elements;
    Range heads;
};

/// Names of all arrays there are, in the order of the computation: "scores", …, "weights", "output", "logsumexp", "entropy", "layer_output".
[[nodiscard]] std::vector<std::string> arrayNames();
/// Those that a block has under a spec. "layer_output" needs all heads and W_o.
[[nodiscard]] std::vector<std::string> availableArrays(const AttentionBlock &block, const AttentionSpec &spec, const HeadSelection &heads);

/// Computes the arrays @p names, all of them available, in double precision. Shapes: layers, elements (where the block has several), heads,
/// then queries × keys, queries × dimensions or queries; layer_output has no axis of heads. Masked weights are 0, masked scores in
/// "masked" are -inf; what a recorded row lacks is NaN. The caller has check()ed block and spec. Errors: memory, cancelled.
Result<std::vector<NumbersArray>> computeArrays(const AttentionInput &input, const AttentionSpec &spec, const HeadSelection &heads,
    const std::vector<std::string> &names, const Run &run = {});

} // namespace attenscope
