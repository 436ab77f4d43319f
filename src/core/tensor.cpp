// SPDX-License-Identifier: GPL-3.0-or-later
// Reading tensors: element types, byte order, strides.
#include "core/tensor.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

namespace attenscope {

namespace {

struct TypeInfo {
    ElementType type;
    std::size_t size;
    std::string_view name;
};

constexpr std::array<TypeInfo, 13> typeTable{ {
    { ElementType::F64, 8, "F64" },
    { ElementType::F32, 4, "F32" },
    { ElementType::F16, 2, "F16" },
    { ElementType::BF16, 2, "BF16" },
    { ElementType::I64, 8, "I64" },
    { ElementType::I32, 4, "I32" },
    { ElementType::I16, 2, "I16" },
    { ElementType::I8, 1, "I8" },
    { ElementType::U64, 8, "U64" },
    { ElementType::U32, 4, "U32" },
    { ElementType::U16, 2, "U16" },
    { ElementType::U8, 1, "U8" },
    { ElementType::Bool, 1, "BOOL" },
} };

class MemoryBytes final : public ByteSource {
public:
    explicit MemoryBytes(std::vector<std::byte> bytes)
        : m_bytes(std::move(bytes))
    {
    }
    [[nodiscard]] std::uint64_t size() const override { return m_bytes.size(); }
    void read(std::uint64_t offset, std::span<std::byte> out) const override
    {
        assert(offset + out.size() <= m_bytes.size());
        std::memcpy(out.data(), m_bytes.data() + offset, out.size());
    }
    [[nodiscard]] bool isInMemory() const override { return true; }

private:
    std::vector<std::byte> m_bytes;
};

template <typename Stored>
Stored load(const std::byte *place, bool swap)
{
    std::array<std::byte, sizeof(Stored)> raw;
    std::memcpy(raw.data(), place, sizeof(Stored));
    if (swap)
        std::reverse(raw.begin(), raw.end());
    return std::bit_cast<Stored>(raw);
}

template <typename Stored, typename Number>
void convert(const std::byte *place, std::size_t step, bool swap, std::span<Number> out)
{
    if constexpr (std::is_same_v<Stored, Number>) {
        if (!swap && step == sizeof(Stored)) {
            std::memcpy(out.data(), place, out.size_bytes());
            return;
        }
    }
    for (Number &number : out) {
        number = static_cast<Number>(load<Stored>(place, swap));
        place += step;
    }
}

template <typename Number>
void convertAll(ElementType type, const std::byte *place, std::size_t step, bool swap, std::span<Number> out)
{
    switch (type) {
    case ElementType::F64:
        return convert<double>(place, step, swap, out);
    case ElementType::F32:
        return convert<float>(place, step, swap, out);
    case ElementType::F16:
    case ElementType::BF16:
        for (Number &number : out) {
            const auto bits = load<std::uint16_t>(place, swap);
            number = type == ElementType::F16 ? halfToFloat(bits) : bfloatToFloat(bits);
            place += step;
        }
        return;
    case ElementType::I64:
        return convert<std::int64_t>(place, step, swap, out);
    case ElementType::I32:
        return convert<std::int32_t>(place, step, swap, out);
    case ElementType::I16:
        return convert<std::int16_t>(place, step, swap, out);
    case ElementType::I8:
        return convert<std::int8_t>(place, step, swap, out);
    case ElementType::U64:
        return convert<std::uint64_t>(place, step, swap, out);
    case ElementType::U32:
        return convert<std::uint32_t>(place, step, swap, out);
    case ElementType::U16:
        return convert<std::uint16_t>(place, step, swap, out);
    case ElementType::U8:
        return convert<std::uint8_t>(place, step, swap, out);
    case ElementType::Bool:
        for (Number &number : out) {
            number = *place == std::byte{ 0 } ? Number{ 0 } : Number{ 1 };
            place += step;
        }
        return;
    }
}

/// Numbers of a 2-D view from a place on, row after row; @p read is given the first element, the stride and where they go.
template <typename Number, typename Read>
void readRows(
    const std::vector<Index> &shape, const std::vector<Index> &strides, Index row, Index firstCol, std::span<Number> out, const Read &read)
{
    assert(shape.size() == 2 && row >= 0 && row < shape[0] && firstCol >= 0);
    assert(row * shape[1] + firstCol + static_cast<Index>(out.size()) <= shape[0] * shape[1]);
    // Rows without a gap between them are as one.
    const Index rowEnd = strides[0] == shape[1] * strides[1] ? shape[0] * shape[1] : shape[1];
    for (; !out.empty(); ++row, firstCol = 0) {
        const std::size_t count = std::min(out.size(), static_cast<std::size_t>(rowEnd - firstCol));
        read(static_cast<std::uint64_t>(row * strides[0] + firstCol * strides[1]), strides[1], out.first(count));
        out = out.subspan(count);
    }
}

const TypeInfo &infoOf(ElementType type)
{
    return typeTable[static_cast<std::size_t>(type)];
}

std::vector<Index> denseStrides(const std::vector<Index> &shape)
{
    std::vector<Index> strides(shape.size());
    Index stride = 1;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        strides[axis] = stride;
        stride *= std::max<Index>(shape[axis], 1);
    }
    return strides;
}

} // namespace

std::size_t elementSize(ElementType type)
{
    return infoOf(type).size;
}

std::string_view elementName(ElementType type)
{
    return infoOf(type).name;
}

std::shared_ptr<const ByteSource> bytesInMemory(std::vector<std::byte> bytes)
{
    return std::make_shared<MemoryBytes>(std::move(bytes));
}

Tensor::Tensor(std::shared_ptr<const ByteSource> bytes, std::uint64_t offset, ElementType type, std::vector<Index> shape, bool isBigEndian)
    : m_bytes(std::move(bytes))
    , m_offset(offset)
    , m_type(type)
    , m_isBigEndian(isBigEndian)
    , m_shape(std::move(shape))
    , m_strides(denseStrides(m_shape))
{
}

Tensor Tensor::fromMatrix(const Matrix &matrix)
{
    const auto *first = reinterpret_cast<const std::byte *>(matrix.data());
    const std::size_t size = static_cast<std::size_t>(matrix.size()) * sizeof(double);
    return { bytesInMemory(std::vector<std::byte>(first, first + size)), 0, ElementType::F64, { matrix.rows(), matrix.cols() } };
}

Index Tensor::elements() const
{
    Index product = 1;
    for (const Index size : m_shape)
        product *= size;
    return product;
}

std::uint64_t Tensor::bytes() const
{
    return static_cast<std::uint64_t>(elements()) * elementSize(m_type);
}

Tensor Tensor::transposed(std::span<const int> order) const
{
    assert(order.size() == m_shape.size());
    Tensor result = *this;
    for (std::size_t axis = 0; axis < order.size(); ++axis) {
        result.m_shape[axis] = m_shape[static_cast<std::size_t>(order[axis])];
        result.m_strides[axis] = m_strides[static_cast<std::size_t>(order[axis])];
    }
    return result;
}

Tensor Tensor::at(Index position) const
{
    assert(!m_shape.empty() && position >= 0 && position < m_shape.front());
    Tensor result = *this;
    result.m_offset += static_cast<std::uint64_t>(position * m_strides.front()) * elementSize(m_type);
    result.m_shape.erase(result.m_shape.begin());
    result.m_strides.erase(result.m_strides.begin());
    return result;
}

Tensor Tensor::sliced(int axis, Range range) const
{
    const auto place = static_cast<std::size_t>(axis);
    assert(place < m_shape.size() && range.first >= 0 && range.end <= m_shape[place]);
    Tensor result = *this;
    result.m_offset += static_cast<std::uint64_t>(range.first * m_strides[place]) * elementSize(m_type);
    result.m_shape[place] = range.size();
    return result;
}

Tensor Tensor::reshaped(std::vector<Index> shape) const
{
    assert(isContiguous());
    Tensor result = *this;
    result.m_shape = std::move(shape);
    result.m_strides = denseStrides(result.m_shape);
    assert(result.elements() == elements());
    return result;
}

bool Tensor::isContiguous() const
{
    const std::vector<Index> dense = denseStrides(m_shape);
    for (std::size_t axis = 0; axis < m_shape.size(); ++axis)
        if (m_shape[axis] > 1 && m_strides[axis] != dense[axis])
            return false;
    return true;
}

template <typename Number>
void Tensor::readStrided(std::uint64_t firstElement, Index stride, std::span<Number> out) const
{
    if (out.empty())
        return;
    const std::size_t size = elementSize(m_type);
    const bool swap = m_isBigEndian != (std::endian::native == std::endian::big);
    if constexpr (std::is_same_v<Number, float>) {
        if (m_type == ElementType::F32 && stride == 1 && !swap) {
            m_bytes->read(m_offset + firstElement * size, std::as_writable_bytes(out));
            return;
        }
    }
    // In pieces, and one by one where elements are far apart (a row of a transposed matrix): what lies between is not copied.
    constexpr std::size_t pieceBytes = 1U << 16U;
    constexpr std::size_t farApart = 256;
    const std::size_t step = static_cast<std::size_t>(stride) * size;
    const std::size_t perPiece = step > farApart ? 1 : pieceBytes / std::max(step, size);
    // Most rows are short, and taking memory would take longer than reading them.
    std::array<std::byte, 4096> few;
    std::vector<std::byte> many;
    for (std::size_t first = 0; first < out.size(); first += perPiece) {
        const std::size_t count = std::min(perPiece, out.size() - first);
        const std::size_t bytes = (count - 1) * step + size;
        if (bytes > few.size())
            many.resize(bytes);
        const std::span<std::byte> piece = bytes > few.size() ? std::span(many) : std::span(few).first(bytes);
        m_bytes->read(m_offset + firstElement * size + first * step, piece);
        convertAll(m_type, piece.data(), step, swap, out.subspan(first, count));
    }
}

void Tensor::readRow(Index row, Index firstCol, std::span<double> out) const
{
    readRows(m_shape, m_strides, row, firstCol, out, [this](auto... part) { readStrided(part...); });
}

void Tensor::readRow(Index row, Index firstCol, std::span<float> out) const
{
    readRows(m_shape, m_strides, row, firstCol, out, [this](auto... part) { readStrided(part...); });
}

std::vector<double> Tensor::toNumbers() const
{
    std::vector<double> numbers(static_cast<std::size_t>(elements()));
    if (numbers.empty())
        return numbers;
    if (isContiguous()) {
        readStrided<double>(0, 1, numbers);
        return numbers;
    }
    const Index last = m_shape.back();
    std::vector<Index> position(m_shape.size(), 0);
    for (std::size_t done = 0; done < numbers.size(); done += static_cast<std::size_t>(last)) {
        Index element = 0;
        for (std::size_t axis = 0; axis + 1 < m_shape.size(); ++axis)
            element += position[axis] * m_strides[axis];
        readStrided(
            static_cast<std::uint64_t>(element), m_strides.back(), std::span(numbers).subspan(done, static_cast<std::size_t>(last)));
        for (std::size_t axis = m_shape.size() - 1; axis-- > 0;) {
            if (++position[axis] < m_shape[axis])
                break;
            position[axis] = 0;
        }
    }
    return numbers;
}

std::vector<std::byte> Tensor::toBytes() const
{
    const std::size_t size = elementSize(m_type);
    std::vector<std::byte> bytes(this->bytes());
    if (bytes.empty())
        return bytes;
    if (isContiguous()) {
        m_bytes->read(m_offset, bytes);
    } else {
        std::vector<Index> position(m_shape.size(), 0);
        for (std::size_t done = 0; done < bytes.size(); done += size) {
            Index element = 0;
            for (std::size_t axis = 0; axis < m_shape.size(); ++axis)
                element += position[axis] * m_strides[axis];
            m_bytes->read(m_offset + static_cast<std::uint64_t>(element) * size, std::span(bytes).subspan(done, size));
            for (std::size_t axis = m_shape.size(); axis-- > 0;) {
                if (++position[axis] < m_shape[axis])
                    break;
                position[axis] = 0;
            }
        }
    }
    if (m_isBigEndian) {
        for (auto element = bytes.begin(); element != bytes.end(); element += static_cast<std::ptrdiff_t>(size))
            std::reverse(element, element + static_cast<std::ptrdiff_t>(size));
    }
    return bytes;
}

bool operator==(const Tensor &a, const Tensor &b)
{
    if (a.m_shape != b.m_shape || a.m_type != b.m_type)
        return false;
    if (a.m_bytes == b.m_bytes && a.m_offset == b.m_offset && a.m_strides == b.m_strides && a.m_isBigEndian == b.m_isBigEndian)
        return true;
    const std::vector<double> first = a.toNumbers();
    const std::vector<double> second = b.toNumbers();
    return first.empty() || std::memcmp(first.data(), second.data(), first.size() * sizeof(double)) == 0;
}

float halfToFloat(std::uint16_t bits)
{
    const std::uint32_t sign = (bits & 0x8000U) << 16U;
    const std::uint32_t exponent = (bits >> 10U) & 0x1fU;
    const std::uint32_t fraction = bits & 0x3ffU;
    if (exponent == 0x1f)
        return std::bit_cast<float>(sign | 0x7f800000U | (fraction << 13U));
    if (exponent == 0) {
        const float magnitude = static_cast<float>(fraction) * 0x1p-24F;
        return sign != 0 ? -magnitude : magnitude;
    }
    return std::bit_cast<float>(sign | ((exponent + 112U) << 23U) | (fraction << 13U));
}

float bfloatToFloat(std::uint16_t bits)
{
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U);
}

} // namespace attenscope
