// SPDX-License-Identifier: GPL-3.0-or-later
// The vectorised inner loops of the streaming pass, for the best instruction set that the processor has.
#pragma once

#include "core/matrix.h"

#include <array>
#include <new>
#include <vector>

namespace attenscope {

/// Gives memory from the start of a line of the cache on.
template <typename Number>
struct LineAllocator {
    using value_type = Number;
    static constexpr std::align_val_t line{ 64 };

    LineAllocator() = default;
    template <typename Other>
    explicit LineAllocator(const LineAllocator<Other> &)
    {
    }
    [[nodiscard]] Number *allocate(std::size_t count) { return static_cast<Number *>(::operator new(count * sizeof(Number), line)); }
    void deallocate(Number *numbers, std::size_t) { ::operator delete(numbers, line); }
    friend bool operator==(const LineAllocator &, const LineAllocator &) = default;
};

/// Numbers of a tile. No vector of them lies in two lines of the cache, which takes twice as long to load and store.
using TileNumbers = std::vector<float, LineAllocator<float>>;

/// Running softmax of the queries of a tile, one number per query. Scores are in base 2: a weight is 2^(score - reference) / sum.
struct alignas(64) RunningSoftmax {
    static constexpr std::size_t mostQueries = 64;
    using Lanes = std::array<float, mostQueries>;

    Lanes largest; ///< Largest score so far; `none` before the first.
    Lanes reference; ///< The same, or with softmax1 at least 0.
    Lanes sum; ///< Σ 2^(score - reference); 0 if nothing but -inf was seen.
    Lanes
        moment; ///< Σ 2^(score - reference) · (score - reference), for the entropy; NaN once a score was NaN or +inf. 0 without addScoresAndMoment().
    Lanes factor; ///< By what sums of before the last block are to be multiplied.

    /// Below every score that counts, and far enough from -inf to subtract from.
    static constexpr float none = -1e30F;
    void start(bool hasOne);
};

/// What happens to a block of scores after the products, in this order.
struct ScoreSteps {
    bool isLog = false; ///< Natural logarithm.
    float scale = 1.0F;
    float cap = 0.0F; ///< cap · tanh(x / cap); 0: none.
    const float *bias = nullptr; ///< Added; laid out as the scores.
    float slope = 0.0F; ///< Times |position of the query - position of the key|, subtracted.
    float firstDistance = 0.0F; ///< Position of query 0 of the tile minus position of key 0 of the block.
    float factor = 1.0F;
};

/// Works on tiles: a few queries side by side in vectors, one query per lane. Arrays of a tile are [dimension or key][query], `width`
/// numbers a row. Ranges are of a tile's vectors; the others are left alone. Additions are in a fixed order.
struct Kernels {
    const char *name; ///< Of the instruction set.
    Index width; ///< Queries of a tile: a whole number of vectors, a multiple of 4, at most RunningSoftmax::mostQueries.
    Index lanes; ///< Floats of a vector.
    Index keyBlock; ///< Keys for which the scores of a tile stay in the first-level cache.

    /// out[row][lane] = Σ_t rows[row][t] · tile[t][lane]: keys times queries are scores.
    void (*products)(const float *tile, Index depth, const float *rows, Index count, const Range &vectors, float *out);
    /// out[row][lane] = Σ_t v[t] · tanh(tile[t][lane] + rows[row][t]): additive and concat scores.
    void (*unitScores)(const float *tile, Index units, const float *rows, Index count, const float *v, const Range &vectors, float *out);
    void (*applySteps)(const ScoreSteps &steps, Index count, const Range &vectors, float *scores);
    /// Takes a block of scores into the running softmax and turns them into 2^(score - reference); -inf becomes 0. No score is NaN or +inf.
    void (*addScores)(float *scores, Index count, const Range &vectors, RunningSoftmax &running);
    /// The same bits, and the moment. Scores may be anything.
    void (*addScoresAndMoment)(float *scores, Index count, const Range &vectors, RunningSoftmax &running);
    /// sums[dim][lane] = factor[lane] · sums[dim][lane] + Σ_key weights[key][lane] · values[key][dim].
    void (*addValues)(
        const float *weights, Index count, const float *values, Index dims, const float *factor, const Range &vectors, float *sums);
    /// to[col][row] = from[row][col]: into a tile and out of it.
    void (*transpose)(const float *from, Index fromStride, Index rows, Index cols, float *to, Index toStride);
    /// cells[key >> level][lane] becomes the largest of itself and the scores of its keys. @p scores starts with key keys.first.
    void (*foldScores)(const float *scores, const Range &keys, int level, const Range &vectors, float *cells);
    /// 2^(score - reference[lane]) · factor[lane], in place, all lanes.
    void (*weights)(float *scores, Index count, const float *reference, const float *factor);
    /// The largest |x|; NaN if one is NaN, 0 of nothing.
    float (*largestMagnitude)(const float *numbers, Index count);
    /// left (rows x depth) · right (depth x cols), row-major with strides. @p cols is a multiple of panel.
    void (*matrixProduct)(const double *left, Index leftStride, const double *right, Index rightStride, Index rows, Index depth, Index cols,
        double *out, Index outStride);
    Index panel; ///< Doubles: width of a column panel of matrixProduct.
};

/// Those of the best instruction set, chosen once at run time. Google Highway's SetSupportedTargetsForTest() changes the choice.
[[nodiscard]] const Kernels &kernels();

} // namespace attenscope
