// SPDX-License-Identifier: GPL-3.0-or-later
// Overflow-safe sizes of tensors.
#include "io/tensor_place.h"

#include "core/text.h"

#include <algorithm>
#include <limits>

namespace attenscope {

std::optional<std::uint64_t> checkedBytes(std::span<const Index> shape, std::size_t elementBytes)
{
    // Strides are products too, so a zero must not hide an overflow beside it.
    auto bytes = static_cast<Index>(elementBytes);
    bool isEmpty = false;
    for (const Index size : shape) {
        if (size < 0 || __builtin_mul_overflow(bytes, std::max<Index>(size, 1), &bytes))
            return std::nullopt;
        isEmpty = isEmpty || size == 0;
    }
    return isEmpty ? 0 : static_cast<std::uint64_t>(bytes);
}

std::string atStart(std::string name)
{
    if (!name.empty() && name.front() >= 'a' && name.front() <= 'z')
        name.front() = static_cast<char>(name.front() - 'a' + 'A');
    return name;
}

Result<Tensor> placeTensor(
    const std::shared_ptr<const ByteSource> &bytes, ByteRange range, const TensorLayout &layout, const std::string &name)
{
    const auto needed = checkedBytes(layout.shape, elementSize(layout.type));
    if (!needed) {
        return Error{ "The shape of " + name + " is impossible.",
            "It says " + shapeText(layout.shape) + ", more numbers than any file can hold.", "Save the file again.", {} };
    }
    const auto count = [](std::uint64_t number) { return groupedCount(static_cast<std::int64_t>(number)); };
    if (*needed > range.size()) {
        return Error{ "The file ends too early.",
            atStart(name) + " should end at byte " + count(range.first + *needed) + "; the file has " + count(range.end) + ".",
            "Download or save it again.", {} };
    }
    if (*needed < range.size()) {
        return Error{ "The file goes on after its numbers.",
            atStart(name) + " with the shape " + shapeText(layout.shape) + " takes " + count(*needed) + " bytes; there are "
                + count(range.size()) + ".",
            "Save one array per .npy file, several in one .npz file.", {} };
    }
    return Tensor(bytes, range.first, layout.type, layout.shape, layout.isBigEndian);
}

} // namespace attenscope
