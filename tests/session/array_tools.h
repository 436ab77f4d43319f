// SPDX-License-Identifier: GPL-3.0-or-later
// Small arrays for tests of sets of tensors.
#pragma once

#include "session/tensor_set.h"

#include <span>
#include <string>
#include <vector>

namespace attenscope::test {

inline Tensor tensorOf(std::vector<Index> shape, const std::vector<double> &numbers)
{
    const auto bytes = std::as_bytes(std::span(numbers));
    return { bytesInMemory({ bytes.begin(), bytes.end() }), 0, ElementType::F64, std::move(shape) };
}

/// Element e (in C order) is e.
inline Tensor counting(const std::vector<Index> &shape)
{
    Index count = 1;
    for (const Index size : shape)
        count *= size;
    std::vector<double> numbers(static_cast<std::size_t>(count));
    for (std::size_t place = 0; place < numbers.size(); ++place)
        numbers[place] = static_cast<double>(place);
    return tensorOf(shape, numbers);
}

/// A set of counting arrays, all from the file "test.npz".
inline TensorSet setOf(const std::vector<std::pair<std::string, std::vector<Index>>> &arrays)
{
    TensorSet set;
    for (const auto &[name, shape] : arrays)
        set.tensors.push_back({ name, "test.npz", counting(shape) });
    return set;
}

inline std::vector<std::string> numbered(Index count)
{
    std::vector<std::string> names;
    for (Index place = 0; place < count; ++place)
        names.push_back("t" + std::to_string(place));
    return names;
}

} // namespace attenscope::test
