// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers that are the same to the last bit, NaN too.
#pragma once

#include <cstddef>
#include <cstring>

namespace attenscope {

/// Of vectors, arrays and matrices.
template <typename Numbers>
[[nodiscard]] bool sameBits(const Numbers &a, const Numbers &b)
{
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(*a.data())) == 0;
}

} // namespace attenscope
