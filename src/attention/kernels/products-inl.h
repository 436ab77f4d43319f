// SPDX-License-Identifier: GPL-3.0-or-later
// Products of tiles: scores from queries and keys, outputs from weights and values, and matrices in double precision.

// Read once for each instruction set.
#if defined(ATTENSCOPE_PRODUCTS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTENSCOPE_PRODUCTS_INL_H
#undef ATTENSCOPE_PRODUCTS_INL_H
#else
#define ATTENSCOPE_PRODUCTS_INL_H
#endif

#include "attention/kernels/tile-inl.h"

#include <hwy/cache_control.h>

HWY_BEFORE_NAMESPACE();
namespace attenscope::HWY_NAMESPACE {
namespace {

constexpr int tileRows = 6;
constexpr Index lineNumbers = 16; // Floats of a line of the cache.

/// The left factor of a product as it lies in memory: its rows one after the other, or (turned) its columns.
template <typename Number, bool isTurned>
struct Left {
    const Number *numbers;
    Index stride;

    [[nodiscard]] HWY_INLINE Index rowStep() const { return isTurned ? 1 : stride; }
    [[nodiscard]] HWY_INLINE Index depthStep() const { return isTurned ? stride : 1; }
};

/// The distance between rows of a tile, which the compiler is to know: then the loops need few registers for addresses.
using TileStride = std::integral_constant<Index, width>;

/// out[row][lane] = Σ_t left(row, t) · right[t][lane], plus factor[lane] · out[row][lane] if there is a factor.
template <int rows, int vectors, bool hasFactor, typename Number, bool isTurned, typename Stride>
HWY_INLINE void multiplyTile(
    Left<Number, isTurned> left, const Number *right, Stride rightStride, Index depth, const Number *factor, Number *out, Stride outStride)
{
    constexpr Tag<Number> numbers;
    constexpr Index step = HWY_LANES(Number);
    Vec<Number> sums[rows][vectors];
    HWY_UNROLL(16)
    for (int row = 0; row < rows; ++row)
        HWY_UNROLL(8)
    for (int v = 0; v < vectors; ++v)
        sums[row][v] = hasFactor ? hn::Mul(hn::LoadU(numbers, factor + v * step), hn::LoadU(numbers, out + row * outStride + v * step))
                                 : hn::Zero(numbers);
    const Number *number = left.numbers;
    for (Index t = 0; t < depth; ++t, number += left.depthStep(), right += rightStride) {
        // The rows of values are too far apart for the processor to guess what comes after the six numbers of each.
        if (isTurned)
            hwy::Prefetch(number + lineNumbers);
        Vec<Number> across[vectors];
        HWY_UNROLL(8)
        for (int v = 0; v < vectors; ++v)
            across[v] = hn::LoadU(numbers, right + v * step);
        HWY_UNROLL(16)
        for (int row = 0; row < rows; ++row) {
            const Vec<Number> same = hn::Set(numbers, number[row * left.rowStep()]);
            HWY_UNROLL(8)
            for (int v = 0; v < vectors; ++v)
                sums[row][v] = hn::MulAdd(same, across[v], sums[row][v]);
        }
    }
    HWY_UNROLL(16)
    for (int row = 0; row < rows; ++row)
        HWY_UNROLL(8)
    for (int v = 0; v < vectors; ++v)
        hn::StoreU(sums[row][v], numbers, out + row * outStride + v * step);
}

/// multiplyTile() for fewer than twice @p most rows.
template <int most, int vectors, bool hasFactor, typename Number, bool isTurned, typename Stride>
HWY_INLINE void multiplyRest(Left<Number, isTurned> left, const Number *right, Stride rightStride, Index depth, Index rows,
    const Number *factor, Number *out, Stride outStride)
{
    if (rows >= most) {
        multiplyTile<most, vectors, hasFactor>(left, right, rightStride, depth, factor, out, outStride);
        rows -= most;
        left.numbers += most * left.rowStep();
        out += most * outStride;
    }
    if constexpr (most > 1)
        multiplyRest<most / 2, vectors, hasFactor>(left, right, rightStride, depth, rows, factor, out, outStride);
}

/// multiplyTile() for any number of rows. Not inlined itself: its loops need all registers.
template <int vectors, bool hasFactor, typename Number, bool isTurned, typename Stride>
HWY_NOINLINE void multiplyRows(Left<Number, isTurned> left, const Number *right, Stride rightStride, Index depth, Index rows,
    const Number *factor, Number *out, Stride outStride)
{
    // An addition waits four cycles for the one before it: of single vectors it takes more rows to keep the processor busy.
    constexpr int most = vectors == 1 ? 2 * tileRows : tileRows;
    for (; rows >= most; rows -= most) {
        multiplyTile<most, vectors, hasFactor>(left, right, rightStride, depth, factor, out, outStride);
        left.numbers += most * left.rowStep();
        out += most * outStride;
    }
    multiplyRest<most * 2 / 3, vectors, hasFactor>(left, right, rightStride, depth, rows, factor, out, outStride);
}

/// multiplyRows() for some vectors of a tile.
template <bool hasFactor, bool isTurned>
void multiply(
    const Left<float, isTurned> &left, const float *right, Index depth, Index rows, const float *factor, const Range &vectors, float *out)
{
    const Index offset = vectors.first * lanes;
    withCount(vectors, [&](auto count) HWY_ATTR {
        multiplyRows<count(), hasFactor>(
            left, right + offset, TileStride(), depth, rows, hasFactor ? factor + offset : nullptr, out + offset, TileStride());
    });
}

void products(const float *tile, Index depth, const float *rows, Index count, const Range &vectors, float *out)
{
    multiply<false>(Left<float, false>{ rows, depth }, tile, depth, count, nullptr, vectors, out);
}

void addValues(const float *weights, Index count, const float *values, Index dims, const float *factor, const Range &vectors, float *sums)
{
    multiply<true>(Left<float, true>{ values, dims }, weights, count, dims, factor, vectors, sums);
}

void matrixProduct(const double *left, Index leftStride, const double *right, Index rightStride, Index rows, Index depth, Index cols,
    double *out, Index outStride)
{
    constexpr Index panel = tileVectors * HWY_LANES(double);
    for (Index col = 0; col < cols; col += panel)
        multiplyRows<tileVectors, false>(Left<double, false>{ left, leftStride }, right + col, rightStride, depth, rows,
            static_cast<const double *>(nullptr), out + col, outStride);
}

} // namespace
} // namespace attenscope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
