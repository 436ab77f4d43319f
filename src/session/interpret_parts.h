// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of interpret(): the tensors of a block by role, and what is added to a block once it has its data.
#pragma once

#include "session/tensor_axes.h"
#include "session/tensor_set.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace attenscope {

/// The used tensors of one block by role, in the order of their steps, then layers.
struct BlockTensors {
    struct Entry {
        const NamedTensor *tensor = nullptr;
        TensorUse use;
    };
    std::map<TensorRole, std::vector<Entry>> entries;

    [[nodiscard]] bool has(TensorRole role) const { return entries.contains(role); }
};

/// The tensors that @p uses puts into @p block.
[[nodiscard]] BlockTensors tensorsOf(const TensorSet &set, const std::vector<TensorUse> &uses, BlockRole block);
/// The tensors of a role as matrices; one that is not there for no tensors. Errors: as TensorStack::make(), and two arrays for the same layer.
Result<TensorStack> stackOf(const BlockTensors &tensors, TensorRole role);
/// The same of tensors of one role, one or one per layer; not empty.
Result<TensorStack> stackOf(std::span<const BlockTensors::Entry> entries);

/// The data of a block: role, sizes, data. Errors: shapes that contradict each other.
Result<AttentionBlock> makeBlock(const BlockTensors &tensors, BlockRole role, const std::vector<Index> &rowLengths);

/// Recorded weights in one array (or one per layer) per step of generation, @p entries in the order of the steps: their queries follow one another,
/// rows become longer. Views of the arrays; nothing is copied. Errors: as stackOf(), and a step that does not go on where the one before ends.
Result<AttentionBlock> makeDecoded(std::span<const BlockTensors::Entry> entries, BlockRole role);

/// Key padding and masks: those of the block's own, else those that can be meant for it. One that does not fit is not used, with a note.
void addMasks(AttentionBlock &block, const TensorSet &set, const std::vector<TensorUse> &uses, std::vector<std::string> &notes);

/// Names of the queries and keys; @p typedQueries and @p typedKeys come first.
void nameTokens(AttentionBlock &block, const TensorSet &set, const std::vector<TensorUse> &uses,
    const std::vector<std::string> &typedQueries, const std::vector<std::string> &typedKeys, std::vector<std::string> &notes);

} // namespace attenscope
