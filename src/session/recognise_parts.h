// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of recognise(): what numbers in names count, and what lists of tokens name.
#pragma once

#include "session/tensor_set.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace attenscope {

/// Numbers above are no places of anything.
inline constexpr std::int64_t numberLimit = 1'000'000;

/// Recorded weights whose name differs from those of its group only in numbers.
struct NumberedArray {
    std::vector<std::int64_t> numbers;
    std::vector<Index> shape;
};

/// The arrays of @p group with the numbers in their names, else in the names of their files.
[[nodiscard]] std::vector<NumberedArray> numberedArrays(const TensorSet &set, const std::vector<std::size_t> &group);

/// Whether the numbers at @p place are valid and differ.
[[nodiscard]] bool varies(const std::vector<NumberedArray> &arrays, std::size_t place);

/// Which number counts steps of generation. They have one query each, but for the first, which may have those of the prompt, and keys that
/// become more; where keys stay as many (cross-attention), only @p countsSteps, by number, or @p known, the place in the names of another
/// block, tells them from layers. Arrays that contradict each other are steps too if they can be nothing else. Nothing: there are no steps.
[[nodiscard]] std::optional<std::size_t> stepPlace(
    const std::vector<NumberedArray> &arrays, const std::vector<bool> &countsSteps, std::optional<std::size_t> known);

/// The queries and keys that tokens of no named block are for.
struct NamedAxes {
    BlockRole block = BlockRole::Plain;
    Index queries = 0;
    Index keys = 0;
};

/// Fills in the uses of the token lists: by their names, else by how many tokens they have.
void recogniseTokenLists(const TensorSet &set, const std::optional<NamedAxes> &axes, std::vector<TensorUse> &uses);

} // namespace attenscope
