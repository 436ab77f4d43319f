// SPDX-License-Identifier: GPL-3.0-or-later
// Tensor: an n-dimensional array somewhere (memory, a mapped file), seen through a shape and strides, read as numbers on demand.
#pragma once

#include "core/matrix.h"
#include "core/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attenscope {

/// How one element is stored.
enum class ElementType { F64, F32, F16, BF16, I64, I32, I16, I8, U64, U32, U16, U8, Bool };

/// Bytes of one element.
[[nodiscard]] std::size_t elementSize(ElementType type);
/// "F32" and so on, as safetensors spells them.
[[nodiscard]] std::string_view elementName(ElementType type);

/// Bytes that do not change and outlive every tensor on them. Thread-safe.
class ByteSource {
public:
    ByteSource() = default;
    ByteSource(const ByteSource &) = delete;
    ByteSource &operator=(const ByteSource &) = delete;
    virtual ~ByteSource() = default;

    [[nodiscard]] virtual std::uint64_t size() const = 0;
    /// Copies [offset, offset + out.size()) to @p out. Where bytes have gone (a mapped file was cut short by another program) they
    /// come as 0xff, which every floating-point type reads as NaN, and error() tells from then on.
    virtual void read(std::uint64_t offset, std::span<std::byte> out) const = 0;
    /// Whether read() only copies, without touching a disk.
    [[nodiscard]] virtual bool isInMemory() const { return false; }
    /// The first failure of read(), if there was one.
    [[nodiscard]] virtual std::optional<Error> error() const { return std::nullopt; }
};

/// Bytes in memory.
[[nodiscard]] std::shared_ptr<const ByteSource> bytesInMemory(std::vector<std::byte> bytes);

/// Shared, immutable view of elements in a ByteSource. Cheap to copy. The default one has no elements.
class Tensor {
public:
    Tensor() = default;
    /// C order from @p offset. The caller has checked that the product of @p shape does not overflow and lies inside @p bytes.
    Tensor(std::shared_ptr<const ByteSource> bytes, std::uint64_t offset, ElementType type, std::vector<Index> shape,
        bool isBigEndian = false);
    /// A copy of @p matrix as F64.
    [[nodiscard]] static Tensor fromMatrix(const Matrix &matrix);

    [[nodiscard]] ElementType type() const { return m_type; }
    [[nodiscard]] const std::vector<Index> &shape() const { return m_shape; }
    [[nodiscard]] int axes() const { return static_cast<int>(m_shape.size()); }
    /// Product of the shape; 1 for no axes.
    [[nodiscard]] Index elements() const;
    [[nodiscard]] std::uint64_t bytes() const;
    [[nodiscard]] const std::shared_ptr<const ByteSource> &source() const { return m_bytes; }

    /// The same elements with the axes in another order: axis a of the result is axis order[a] of this one.
    [[nodiscard]] Tensor transposed(std::span<const int> order) const;
    /// The sub-tensor at @p position of the first axis.
    [[nodiscard]] Tensor at(Index position) const;
    /// Elements [range) of the axis.
    [[nodiscard]] Tensor sliced(int axis, Range range) const;
    /// A view with the same elements in C order and another shape of the same product; only for tensors in C order.
    [[nodiscard]] Tensor reshaped(std::vector<Index> shape) const;
    [[nodiscard]] bool isContiguous() const;

    /// Reads out.size() elements of a 2-D view: row @p row from column @p firstCol on, then the rows after it.
    void readRow(Index row, Index firstCol, std::span<double> out) const;
    void readRow(Index row, Index firstCol, std::span<float> out) const;
    /// All elements in C order.
    [[nodiscard]] std::vector<double> toNumbers() const;
    /// The same as they are stored, bit by bit, little-endian.
    [[nodiscard]] std::vector<std::byte> toBytes() const;

    /// Same shape, type and place, or same numbers (bit by bit, so that NaN equals itself).
    friend bool operator==(const Tensor &a, const Tensor &b);

private:
    template <typename Number>
    void readStrided(std::uint64_t firstElement, Index stride, std::span<Number> out) const;

    std::shared_ptr<const ByteSource> m_bytes;
    std::uint64_t m_offset = 0;
    ElementType m_type = ElementType::F64;
    bool m_isBigEndian = false;
    std::vector<Index> m_shape{ 0 };
    std::vector<Index> m_strides{ 1 }; ///< In elements.
};

/// IEEE 754 half and bfloat16 bits to single precision, exact.
[[nodiscard]] float halfToFloat(std::uint16_t bits);
[[nodiscard]] float bfloatToFloat(std::uint16_t bits);

} // namespace attenscope
