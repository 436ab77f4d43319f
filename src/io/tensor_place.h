// SPDX-License-Identifier: GPL-3.0-or-later
// Checking that a tensor's shape is possible and that its numbers lie inside the file.
#pragma once

#include "core/tensor.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace attenscope {

/// Bytes of @p shape, or nothing where a size is negative or the product (zeros counted as ones) overflows.
[[nodiscard]] std::optional<std::uint64_t> checkedBytes(std::span<const Index> shape, std::size_t elementBytes);

/// Bytes [first, end) of a file or of a part of it.
struct ByteRange {
    std::uint64_t first = 0;
    std::uint64_t end = 0;

    [[nodiscard]] std::uint64_t size() const { return end - first; }
};

/// How a tensor is stored.
struct TensorLayout {
    ElementType type = ElementType::F64;
    std::vector<Index> shape; ///< In C order.
    bool isBigEndian = false;
};

/// @p name, such as "the array" or "tensor q", as the beginning of a sentence.
[[nodiscard]] std::string atStart(std::string name);

/// The tensor that fills exactly @p range of @p bytes. Errors, naming it @p name as within a sentence: an impossible shape, too few bytes, too many.
Result<Tensor> placeTensor(
    const std::shared_ptr<const ByteSource> &bytes, ByteRange range, const TensorLayout &layout, const std::string &name);

} // namespace attenscope
