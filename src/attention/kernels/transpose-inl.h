// SPDX-License-Identifier: GPL-3.0-or-later
// Rows become columns: into a tile and out of it.

// Read once for each instruction set.
#if defined(ATTENSCOPE_TRANSPOSE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTENSCOPE_TRANSPOSE_INL_H
#undef ATTENSCOPE_TRANSPOSE_INL_H
#else
#define ATTENSCOPE_TRANSPOSE_INL_H
#endif

#include "attention/kernels/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace attenscope::HWY_NAMESPACE {
namespace {

#if HWY_TARGET != HWY_SCALAR
/// transpose() of as many rows as a vector has numbers, four columns at a time. Each block of four numbers of a vector is of another row, four rows
/// from the next; pairs of numbers change places, then pairs of pairs, and a column is one vector.
template <typename Wide>
HWY_INLINE Index transposeRows(Wide wide, const float *from, Index fromStride, Index cols, float *to, Index toStride)
{
    constexpr hn::Repartition<double, Wide> pairs;
    constexpr int blocks = hn::MaxLanes(Wide()) / 4;
    const auto asPairs = [](auto x) HWY_ATTR { return hn::BitCast(hn::Repartition<double, Wide>(), x); };
    const auto asFloats = [](auto x) HWY_ATTR { return hn::BitCast(Wide(), x); };
    Index col = 0;
    for (; col + 4 <= cols; col += 4, from += 4, to += 4 * toStride) {
        const auto rowsFrom = [&](Index first) HWY_ATTR {
            auto rows = hn::LoadDup128(wide, from + (4 * (blocks - 1) + first) * fromStride);
            HWY_UNROLL(4)
            for (int block = blocks - 1; block > 0; --block) {
                const auto before = hn::LoadDup128(wide, from + (4 * (block - 1) + first) * fromStride);
                rows = hn::IfThenElse(hn::FirstN(wide, static_cast<std::size_t>(4 * block)), before, rows);
            }
            return rows;
        };
        const auto a = rowsFrom(0);
        const auto b = rowsFrom(1);
        const auto c = rowsFrom(2);
        const auto d = rowsFrom(3);
        const auto abLower = asPairs(hn::InterleaveLower(wide, a, b));
        const auto abUpper = asPairs(hn::InterleaveUpper(wide, a, b));
        const auto cdLower = asPairs(hn::InterleaveLower(wide, c, d));
        const auto cdUpper = asPairs(hn::InterleaveUpper(wide, c, d));
        hn::StoreU(asFloats(hn::InterleaveLower(pairs, abLower, cdLower)), wide, to);
        hn::StoreU(asFloats(hn::InterleaveUpper(pairs, abLower, cdLower)), wide, to + toStride);
        hn::StoreU(asFloats(hn::InterleaveLower(pairs, abUpper, cdUpper)), wide, to + 2 * toStride);
        hn::StoreU(asFloats(hn::InterleaveUpper(pairs, abUpper, cdUpper)), wide, to + 3 * toStride);
    }
    return col;
}
#endif

void transpose(const float *from, Index fromStride, Index rows, Index cols, float *to, Index toStride)
{
    Index row = 0;
#if HWY_TARGET != HWY_SCALAR
    const auto byRows = [&](auto wide, Index count) HWY_ATTR {
        for (; row + count <= rows; row += count) {
            const float *in = from + row * fromStride;
            for (Index col = transposeRows(wide, in, fromStride, cols, to + row, toStride); col < cols; ++col)
                for (Index place = 0; place < count; ++place)
                    to[col * toStride + row + place] = in[place * fromStride + col];
        }
    };
    byRows(tag, lanes);
    byRows(hn::FixedTag<float, 4>(), 4);
#endif
    for (; row < rows; ++row)
        for (Index col = 0; col < cols; ++col)
            to[col * toStride + row] = from[row * fromStride + col];
}

} // namespace
} // namespace attenscope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
