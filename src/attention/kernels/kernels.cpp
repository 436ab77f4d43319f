// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of the streaming pass in Google Highway: compiled once for each instruction set, chosen at run time.

// The idea. Queries lie across the lanes of vectors and stay there; keys and values go by as they are in memory.
//
//                 Q packed          S                                 P packed          O
//              query 0 1 … 15   query 0 1 … 15                    query 0 1 … 15   query 0 1 … 15
//   K row      ┌─────────────┐   ┌─────────────┐       V row      ┌─────────────┐   ┌─────────────┐
//   k₀ ────────▶ q₀  q₀ … q₀ │ + │             │       v₀ v₁ … ──▶│ p   p  …  p │ + │ o₀  o₀ … o₀ │
//   k₁ ────────▶ q₁  q₁ … q₁ │ = │ s   s  …  s │ key   of one key  │ of that key │ = │ o₁  o₁ … o₁ │ dimension
//   …          │ dimensions  │   │             │                  │             │   │ …           │
//              └─────────────┘   └─────────────┘                  └─────────────┘   └─────────────┘
//
//   for each block of keys:    S = K Q              one number of K is broadcast, times a vector of queries
//                              m' = max(m, S)       a vector maximum: no lane needs another
//                              P = 2^(S - m')       in place of S
//                              l = l 2^(m - m') + Σ P
//                              O = O 2^(m - m') + Vᵀ P      one number of V is broadcast, times a vector of weights
//   at the end:                output = O / l,  log-sum-exp = (m + log₂ l) ln 2
//
// Both products are the same loop: six rows times four vectors of sums that stay in registers. S never leaves the first-level cache,
// K and V are read where they are, no sum runs across lanes, and memory is O(n) whatever n is. Milakov & Gimelshein 2018
// (arXiv:1805.02867) for the running softmax, Dao et al. 2022 (arXiv:2205.14135) for the tiles; docs/streaming.md tells more.

#include "attention/kernels/kernels.h"

#include <algorithm>
#include <type_traits>

// Their vectors have no size that the compiler knows.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "attention/kernels/kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// After highway.h, because it is for the same target.
#include <hwy/contrib/math/math-inl.h>

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
constexpr Index tileRows = 6;

/// A factor of a product as it lies in memory: number (row, depth) is at row · rowStep + depth · depthStep.
template <typename Number>
struct Left {
    const Number *numbers;
    Index rowStep;
    Index depthStep;
};

/// out[row][lane] = Σ left(row, t) · right[t][lane], plus factor[lane] · out[row][lane] if there is a factor.
template <int rows, int vectors, typename Number>
HWY_NOINLINE void multiplyTile(
    Left<Number> left, const Number *right, Index rightStride, Index depth, const Number *factor, Number *out, Index outStride)
{
    constexpr Tag<Number> numbers;
    constexpr Index step = HWY_LANES(Number);
    Vec<Number> sums[rows][vectors];
    HWY_UNROLL(8)
    for (int row = 0; row < rows; ++row)
        HWY_UNROLL(8)
    for (int v = 0; v < vectors; ++v)
        sums[row][v] = factor ? hn::Mul(hn::LoadU(numbers, factor + v * step), hn::LoadU(numbers, out + row * outStride + v * step))
                              : hn::Zero(numbers);
    const Number *number = left.numbers;
    for (Index t = 0; t < depth; ++t, number += left.depthStep, right += rightStride) {
        Vec<Number> across[vectors];
        HWY_UNROLL(8)
        for (int v = 0; v < vectors; ++v)
            across[v] = hn::LoadU(numbers, right + v * step);
        HWY_UNROLL(8)
        for (int row = 0; row < rows; ++row) {
            const Vec<Number> same = hn::Set(numbers, number[row * left.rowStep]);
            HWY_UNROLL(8)
            for (int v = 0; v < vectors; ++v)
                sums[row][v] = hn::MulAdd(same, across[v], sums[row][v]);
        }
    }
    HWY_UNROLL(8)
    for (int row = 0; row < rows; ++row)
        HWY_UNROLL(8)
    for (int v = 0; v < vectors; ++v)
        hn::StoreU(sums[row][v], numbers, out + row * outStride + v * step);
}

/// multiplyTile() for any number of rows.
template <int vectors, typename Number>
void multiplyRows(
    Left<Number> left, const Number *right, Index rightStride, Index depth, Index rows, const Number *factor, Number *out, Index outStride)
{
    const auto multiplyNext = [&](auto count) HWY_ATTR {
        multiplyTile<count(), vectors>(left, right, rightStride, depth, factor, out, outStride);
        rows -= count();
        left.numbers += count() * left.rowStep;
        out += count() * outStride;
    };
    while (rows >= tileRows)
        multiplyNext(std::integral_constant<int, tileRows>());
    if (rows >= 4)
        multiplyNext(std::integral_constant<int, 4>());
    if (rows >= 2)
        multiplyNext(std::integral_constant<int, 2>());
    if (rows >= 1)
        multiplyNext(std::integral_constant<int, 1>());
}

/// multiplyRows() for some vectors of a tile.
void multiply(const Left<float> &left, const float *right, Index depth, Index rows, const float *factor, const Range &vectors, float *out)
{
    const Index offset = vectors.first * lanes;
    right += offset;
    out += offset;
    factor = factor ? factor + offset : nullptr;
    switch (vectors.size()) {
    case 1:
        return multiplyRows<1>(left, right, width, depth, rows, factor, out, width);
    case 2:
        return multiplyRows<2>(left, right, width, depth, rows, factor, out, width);
#if ATTENSCOPE_WIDE_TILES
    case 3:
        return multiplyRows<3>(left, right, width, depth, rows, factor, out, width);
    case 4:
        return multiplyRows<4>(left, right, width, depth, rows, factor, out, width);
#endif
    default:
        return;
    }
}

void products(const float *tile, Index depth, const float *rows, Index count, const Range &vectors, float *out)
{
    multiply({ rows, depth, 1 }, tile, depth, count, nullptr, vectors, out);
}

void addValues(const float *weights, Index count, const float *values, Index dims, const float *factor, const Range &vectors, float *sums)
{
    multiply({ values, 1, dims }, weights, count, dims, factor, vectors, sums);
}

void matrixProduct(const double *left, Index leftStride, const double *right, Index rightStride, Index rows, Index depth, Index cols,
    double *out, Index outStride)
{
    constexpr Index panel = tileVectors * HWY_LANES(double);
    for (Index col = 0; col < cols; col += panel)
        multiplyRows<tileVectors>(Left<double>{ left, leftStride, 1 }, right + col, rightStride, depth, rows,
            static_cast<const double *>(nullptr), out + col, outStride);
}

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

/// The largest of @p largest and a column of vectors. Four at a time, because a maximum takes four cycles but two can start in one.
HWY_INLINE V largestOf(const float *scores, Index count, V largest)
{
    V others[3] = { largest, largest, largest };
    Index key = 0;
    for (; key + 4 <= count; key += 4, scores += 4 * width) {
        largest = hn::Max(largest, hn::LoadU(tag, scores));
        others[0] = hn::Max(others[0], hn::LoadU(tag, scores + width));
        others[1] = hn::Max(others[1], hn::LoadU(tag, scores + 2 * width));
        others[2] = hn::Max(others[2], hn::LoadU(tag, scores + 3 * width));
    }
    for (; key < count; ++key, scores += width)
        largest = hn::Max(largest, hn::LoadU(tag, scores));
    return hn::Max(hn::Max(largest, others[0]), hn::Max(others[1], others[2]));
}

void addScores(float *scores, Index count, const Range &vectors, RunningSoftmax &running)
{
    const V least = hn::Set(tag, leastExponent);
    for (Index place = vectors.first * lanes; place < vectors.end * lanes; place += lanes) {
        const V before = hn::LoadU(tag, running.reference.data() + place);
        const V largest = largestOf(scores + place, count, hn::LoadU(tag, running.largest.data() + place));
        const V reference = hn::Max(before, largest);
        V sum = hn::Zero(tag);
        V moment = hn::Zero(tag);
        float *score = scores + place;
        for (Index key = 0; key < count; ++key, score += width) {
            // A difference first and then a power, never a difference of products, which would lose the digits that count. NaN and
            // +inf make the exponent NaN and stay in the moment, whatever the bits of the power become.
            const V exponent = atLeast(least, hn::Sub(hn::LoadU(tag, score), reference));
            const V power = powerOfTwo(exponent);
            hn::StoreU(power, tag, score);
            sum = hn::Add(sum, power);
            moment = hn::MulAdd(power, exponent, moment);
        }
        const V fall = hn::Sub(before, reference);
        const V factor = powerOfTwo(atLeast(least, fall));
        const V sumBefore = hn::LoadU(tag, running.sum.data() + place);
        const V momentBefore = hn::MulAdd(sumBefore, fall, hn::LoadU(tag, running.moment.data() + place));
        hn::StoreU(largest, tag, running.largest.data() + place);
        hn::StoreU(reference, tag, running.reference.data() + place);
        hn::StoreU(hn::MulAdd(factor, sumBefore, sum), tag, running.sum.data() + place);
        hn::StoreU(hn::MulAdd(factor, momentBefore, moment), tag, running.moment.data() + place);
        hn::StoreU(factor, tag, running.factor.data() + place);
    }
}

void unitScores(const float *tile, Index units, const float *rows, Index count, const float *v, const Range &vectors, float *out)
{
    for (Index row = 0; row < count; ++row, rows += units, out += width) {
        for (Index place = vectors.first * lanes; place < vectors.end * lanes; place += lanes) {
            V sum = hn::Zero(tag);
            for (Index unit = 0; unit < units; ++unit) {
                const V inner = hn::Add(hn::LoadU(tag, tile + unit * width + place), hn::Set(tag, rows[unit]));
                sum = hn::MulAdd(hn::Set(tag, v[unit]), tanh(inner), sum);
            }
            hn::StoreU(sum, tag, out + place);
        }
    }
}

void applySteps(const ScoreSteps &steps, Index count, const Range &vectors, float *scores)
{
    const V scale = hn::Set(tag, steps.scale);
    const V cap = hn::Set(tag, steps.cap);
    const V slope = hn::Set(tag, -steps.slope);
    const V factor = hn::Set(tag, steps.factor);
    for (Index key = 0; key < count; ++key) {
        const float distance = steps.firstDistance - static_cast<float>(key);
        for (Index place = vectors.first * lanes; place < vectors.end * lanes; place += lanes) {
            float *score = scores + key * width + place;
            V x = hn::LoadU(tag, score);
            if (steps.isLog)
                x = logarithm(x);
            x = hn::Mul(x, scale);
            if (steps.cap > 0.0F)
                x = hn::Mul(cap, tanh(hn::Div(x, cap)));
            if (steps.bias)
                x = hn::Add(x, hn::LoadU(tag, steps.bias + key * width + place));
            if (steps.slope != 0.0F)
                x = hn::MulAdd(slope, hn::Abs(hn::Iota(tag, distance + static_cast<float>(place))), x);
            hn::StoreU(hn::Mul(x, factor), tag, score);
        }
    }
}

void foldScores(const float *scores, const Range &keys, int level, const Range &vectors, float *cells)
{
    for (Index key = keys.first; key < keys.end;) {
        const Index cell = key >> level;
        const Index count = std::min(keys.end, (cell + 1) << level) - key;
        for (Index place = vectors.first * lanes; place < vectors.end * lanes; place += lanes) {
            float *largest = cells + cell * width + place;
            hn::StoreU(largestOf(scores + place, count, hn::LoadU(tag, largest)), tag, largest);
        }
        key += count;
        scores += count * width;
    }
}

void weights(float *scores, Index count, const float *reference, const float *factor)
{
    const V least = hn::Set(tag, leastExponent);
    for (Index place = 0; place < width; place += lanes) {
        const V own = hn::LoadU(tag, reference + place);
        const V ownFactor = hn::LoadU(tag, factor + place);
        float *score = scores + place;
        for (Index cell = 0; cell < count; ++cell, score += width)
            hn::StoreU(hn::Mul(powerOfTwo(atLeast(least, hn::Sub(hn::LoadU(tag, score), own))), ownFactor), tag, score);
    }
}

float largestMagnitude(const float *numbers, Index count)
{
    V largest = hn::Zero(tag);
    Index place = 0;
    for (; place + lanes <= count; place += lanes) {
        const V magnitude = hn::Abs(hn::LoadU(tag, numbers + place));
        largest = hn::IfThenElse(hn::Gt(magnitude, largest), magnitude, largest);
    }
    float result = hn::GetLane(hn::MaxOfLanes(tag, largest));
    for (; place < count; ++place) {
        const float magnitude = numbers[place] < 0.0F ? -numbers[place] : numbers[place];
        result = magnitude > result ? magnitude : result;
    }
    return result;
}

bool areFinite(const float *numbers, Index count)
{
    const V infinity = hn::Inf(tag);
    Index place = 0;
    auto all = hn::Lt(hn::Zero(tag), infinity);
    for (; place + lanes <= count; place += lanes)
        all = hn::And(all, hn::Lt(hn::Abs(hn::LoadU(tag, numbers + place)), infinity));
    bool result = hn::AllTrue(tag, all);
    for (; place < count; ++place)
        result = result && hn::GetLane(hn::Abs(hn::Set(tag, numbers[place]))) < hn::GetLane(infinity);
    return result;
}

} // namespace

const Kernels *table()
{
    static const Kernels own{ hwy::TargetName(HWY_TARGET), width, lanes, 6144 / width, &products, &unitScores, &applySteps, &addScores,
        &addValues, &foldScores, &weights, &largestMagnitude, &areFinite, &matrixProduct, tileVectors * HWY_LANES(double) };
    return &own;
}

} // namespace attenscope::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace attenscope {

HWY_EXPORT(table);

const Kernels &kernels()
{
    return *HWY_DYNAMIC_DISPATCH(table)();
}

void RunningSoftmax::start(bool hasOne)
{
    largest.fill(none);
    reference.fill(hasOne ? 0.0F : none);
    sum.fill(0.0F);
    moment.fill(0.0F);
}

} // namespace attenscope

#endif
