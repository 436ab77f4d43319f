// SPDX-License-Identifier: GPL-3.0-or-later
// Vectors of an instruction set, and how many of them a tile has.

// Read once for each instruction set.
#if defined(ATTENSCOPE_TILE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTENSCOPE_TILE_INL_H
#undef ATTENSCOPE_TILE_INL_H
#else
#define ATTENSCOPE_TILE_INL_H
#endif

#include "core/matrix.h"

#include <hwy/highway.h>

#include <type_traits>

#undef ATTENSCOPE_WIDE_TILES
#define ATTENSCOPE_WIDE_TILES ((HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3) || HWY_ARCH_ARM_A64 || HWY_TARGET == HWY_SCALAR)

HWY_BEFORE_NAMESPACE();
namespace attenscope::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <typename Number>
using Tag = hn::ScalableTag<Number>;
template <typename Number>
using Vec = hn::Vec<Tag<Number>>;
using V = Vec<float>;

constexpr Tag<float> tag;
constexpr hn::RebindToSigned<Tag<float>> intTag;
constexpr Index lanes = HWY_LANES(float);
// Sums for 6 rows fill the registers: 32 of them hold 24 sums, 16 hold 12.
constexpr int tileVectors = ATTENSCOPE_WIDE_TILES ? 4 : 2;
constexpr Index width = tileVectors * lanes;

/// Calls use(n) with the number of @p vectors, at least one, as a constant.
template <typename Use>
HWY_INLINE void withCount(const Range &vectors, const Use &use)
{
    switch (vectors.size()) {
    case 1:
        return use(std::integral_constant<int, 1>());
    case 2:
        return use(std::integral_constant<int, 2>());
#if ATTENSCOPE_WIDE_TILES
    case 3:
        return use(std::integral_constant<int, 3>());
    case 4:
        return use(std::integral_constant<int, 4>());
#endif
    default:
        return;
    }
}

} // namespace
} // namespace attenscope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
