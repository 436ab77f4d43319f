// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of the streaming pass in Google Highway: compiled once for each instruction set with the files *-inl.h, chosen at run time.

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

// Their vectors have no size that the compiler knows.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "attention/kernels/kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// After highway.h, because they are for the same target.
#include "attention/kernels/functions-inl.h"
#include "attention/kernels/products-inl.h"
#include "attention/kernels/tile-inl.h"
#include "attention/kernels/transpose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace attenscope::HWY_NAMESPACE {
namespace {

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
