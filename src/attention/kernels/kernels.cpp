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
#include <bit>
#include <cstdint>
#include <type_traits>

// Their vectors have no size that the compiler knows.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "attention/kernels/kernels.cpp"
#include <hwy/cache_control.h>
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

/// addScores() for some vectors side by side: their chains of operations are independent of each other and fill the pipelines.
template <int vectors, bool hasMoment>
HWY_NOINLINE void addScoresOf(float *scores, Index count, Index place, RunningSoftmax &running)
{
    const V least = hn::Set(tag, leastExponent);
    V before[vectors];
    V largest[vectors];
    V others[vectors];
    HWY_UNROLL(4)
    for (int v = 0; v < vectors; ++v) {
        before[v] = hn::LoadU(tag, running.reference.data() + place + v * lanes);
        largest[v] = others[v] = hn::LoadU(tag, running.largest.data() + place + v * lanes);
    }
    scores += place;
    const float *score = scores;
    Index key = 0;
    for (; key + 2 <= count; key += 2, score += 2 * width) {
        HWY_UNROLL(4)
        for (int v = 0; v < vectors; ++v) {
            largest[v] = hn::Max(largest[v], hn::LoadU(tag, score + v * lanes));
            others[v] = hn::Max(others[v], hn::LoadU(tag, score + width + v * lanes));
        }
    }
    V reference[vectors];
    V sum[vectors];
    V moment[vectors];
    HWY_UNROLL(4)
    for (int v = 0; v < vectors; ++v) {
        if (key < count)
            others[v] = hn::Max(others[v], hn::LoadU(tag, score + v * lanes));
        largest[v] = hn::Max(largest[v], others[v]);
        reference[v] = hn::Max(before[v], largest[v]);
        sum[v] = moment[v] = hn::Zero(tag);
    }
    for (key = 0; key < count; ++key, scores += width) {
        HWY_UNROLL(4)
        for (int v = 0; v < vectors; ++v) {
            // A difference first and then a power, never a difference of products, which would lose the digits that count. NaN and
            // +inf make the exponent NaN and stay in the moment, whatever the bits of the power become.
            const V exponent = atLeast(least, hn::Sub(hn::LoadU(tag, scores + v * lanes), reference[v]));
            const V power = powerOfTwo(exponent);
            hn::StoreU(power, tag, scores + v * lanes);
            sum[v] = hn::Add(sum[v], power);
            if (hasMoment)
                moment[v] = hn::MulAdd(power, exponent, moment[v]);
        }
    }
    HWY_UNROLL(4)
    for (int v = 0; v < vectors; ++v, place += lanes) {
        const V fall = hn::Sub(before[v], reference[v]);
        const V factor = powerOfTwo(atLeast(least, fall));
        const V sumBefore = hn::LoadU(tag, running.sum.data() + place);
        hn::StoreU(largest[v], tag, running.largest.data() + place);
        hn::StoreU(reference[v], tag, running.reference.data() + place);
        hn::StoreU(hn::MulAdd(factor, sumBefore, sum[v]), tag, running.sum.data() + place);
        hn::StoreU(factor, tag, running.factor.data() + place);
        if (hasMoment) {
            const V momentBefore = hn::MulAdd(sumBefore, fall, hn::LoadU(tag, running.moment.data() + place));
            hn::StoreU(hn::MulAdd(factor, momentBefore, moment[v]), tag, running.moment.data() + place);
        }
    }
}

template <bool hasMoment>
void addScores(float *scores, Index count, const Range &vectors, RunningSoftmax &running)
{
    withCount(vectors, [&](auto many) HWY_ATTR { addScoresOf<many(), hasMoment>(scores, count, vectors.first * lanes, running); });
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
    // As bits numbers without a sign are in order, and NaN is above infinity.
    constexpr std::int32_t allButSign = 0x7fffffff;
    const auto bitsOf = [numbers](Index place)
                            HWY_ATTR { return hn::And(hn::BitCast(intTag, hn::LoadU(tag, numbers + place)), hn::Set(intTag, allButSign)); };
    auto largest = hn::Zero(intTag);
    auto other = largest;
    Index place = 0;
    for (; place + 2 * lanes <= count; place += 2 * lanes) {
        largest = hn::Max(largest, bitsOf(place));
        other = hn::Max(other, bitsOf(place + lanes));
    }
    std::int32_t result = hn::GetLane(hn::MaxOfLanes(intTag, hn::Max(largest, other)));
    for (; place < count; ++place)
        result = std::max(result, std::bit_cast<std::int32_t>(numbers[place]) & allButSign);
    return std::bit_cast<float>(result);
}

} // namespace

const Kernels *table()
{
    static const Kernels own{ hwy::TargetName(HWY_TARGET), width, lanes, 4096 / width, &products, &unitScores, &applySteps,
        &addScores<false>, &addScores<true>, &addValues, &transpose, &foldScores, &weights, &largestMagnitude, &matrixProduct,
        tileVectors * HWY_LANES(double) };
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
