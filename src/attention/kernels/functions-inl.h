// SPDX-License-Identifier: GPL-3.0-or-later
// Powers, logarithms and hyperbolic tangents of vectors.

// Read once for each instruction set.
#if defined(ATTENSCOPE_FUNCTIONS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTENSCOPE_FUNCTIONS_INL_H
#undef ATTENSCOPE_FUNCTIONS_INL_H
#else
#define ATTENSCOPE_FUNCTIONS_INL_H
#endif

#include "attention/kernels/tile-inl.h"

#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace attenscope::HWY_NAMESPACE {
namespace {

/// x, but at least @p least; NaN stays NaN.
HWY_INLINE V atLeast(V least, V x)
{
#if HWY_TARGET == HWY_EMU128 || HWY_TARGET == HWY_SCALAR
    return hn::IfThenElse(hn::Lt(x, least), least, x);
#else
    // On x86 the second operand wins if one is NaN, elsewhere NaN does.
    return hn::Max(least, x);
#endif
}

/// Exponents that are smaller have the power 0; it is also the smallest for which what powerOfTwo() does to the bits is right.
constexpr float leastExponent = -127.0F;

/// 2^x for x from leastExponent on, where it is exactly 0, and exactly 1 for 0. Relative error below 1e-7. Adding 1.5 · 2^23 rounds x to
/// an integer in the lowest bits, where a shift makes it the exponent; what is left, -1/2 to 1/2, goes through a polynomial.
HWY_INLINE V powerOfTwo(V x)
{
    const V rounder = hn::Set(tag, 12582912.0F);
    const V rounded = hn::Add(x, rounder);
    const V rest = hn::Sub(x, hn::Sub(rounded, rounder));
    V power = hn::Set(tag, 1.559467817e-04F);
    power = hn::MulAdd(power, rest, hn::Set(tag, 1.340664390e-03F));
    power = hn::MulAdd(power, rest, hn::Set(tag, 9.617692973e-03F));
    power = hn::MulAdd(power, rest, hn::Set(tag, 5.550310551e-02F));
    power = hn::MulAdd(power, rest, hn::Set(tag, 2.402265278e-01F));
    power = hn::MulAdd(power, rest, hn::Set(tag, 6.931472150e-01F));
    power = hn::MulAdd(power, rest, hn::Set(tag, 1.0F));
    return hn::BitCast(tag, hn::Add(hn::BitCast(intTag, power), hn::ShiftLeft<23>(hn::BitCast(intTag, rounded))));
}

/// The library's own is for numbers from 0 up.
HWY_INLINE V logarithm(V x)
{
    const V infinity = hn::Inf(tag);
    const auto isZero = hn::Eq(x, hn::Zero(tag));
    return hn::IfThenElse(isZero, hn::Neg(infinity), hn::IfThenElse(hn::Lt(hn::Abs(x), infinity), hn::Log(tag, x), x));
}

/// The library's own is for numbers that are not too large. From 10 on the float nearest to tanh is 1.
HWY_INLINE V tanh(V x)
{
    const V most = hn::Set(tag, 10.0F);
    const V near = hn::Max(hn::Neg(most), hn::Min(x, most));
    return hn::IfThenElse(hn::Eq(x, x), hn::Tanh(tag, near), x);
}

} // namespace
} // namespace attenscope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
