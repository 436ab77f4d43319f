// SPDX-License-Identifier: GPL-3.0-or-later
// The streaming pass: blocks of queries against blocks of keys, online softmax, pooled overview.
#include "attention/stream.h"

#include "attention/fold.h"
#include "attention/row_kernel.h"
#include "attention/score_blocks.h"
#include "core/memory.h"
#include "core/parallel.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>

namespace attenscope {

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();
/// exp() of less is below the normal floats: nothing beside the largest term, 1, and slow to compute with.
constexpr float leastExponent = -87.0F;

/// The values of a head as floats. Keys whose value is not finite are taken out, so that a weight of zero never meets NaN in a product.
struct Values {
    MatrixF finite;
    std::vector<Index> oddKeys;

    explicit Values(const SharedMatrix &v)
        : finite(v.toMatrixF())
    {
        for (Index key = 0; key < finite.rows(); ++key) {
            if (finite.row(key).allFinite())
                continue;
            oddKeys.push_back(key);
            finite.row(key).setZero();
        }
    }
};

/// Running softmax of one row. Milakov & Gimelshein 2018: everything is relative to the largest score so far.
struct RunningRow {
    float max = -infinity;
    double sum = 0.0; ///< Σ exp(score - reference).
    double moment = 0.0; ///< Σ exp(score - reference) · (score - reference), for the entropy.
    float reference = -infinity; ///< max, or with softmax1 at least 0.
    bool isNan = false;

    /// Moves the reference up; the factor for what has been summed.
    float raise(float blockMax)
    {
        max = std::max(max, blockMax);
        const float next = std::max(reference, max);
        if (next == reference)
            return 1.0F;
        const double step = static_cast<double>(reference) - next;
        const double factor = reference == -infinity ? 0.0 : std::exp(step);
        moment = reference == -infinity ? 0.0 : factor * (moment + sum * step);
        sum *= factor;
        reference = next;
        return static_cast<float>(factor);
    }
};

class StreamPass {
public:
    StreamPass(const HeadOperands &operands, Range rows, const StreamOptions &options, const Run &run, StreamResult &result)
        : m_operands(operands)
        , m_run(run)
        , m_rows(rows)
        , m_result(result)
        , m_level(std::countr_zero(static_cast<std::uint64_t>(result.pool)))
        , m_hasOne(operands.spec.normalization == Normalization::Softmax1)
        , m_scores(operands, { 0, operands.scoreK.rows() })
        , m_values(options.wantsOutput ? operands.v : SharedMatrix())
    {
    }

    /// Rows [rows), at most a query block; those of one overview row come from one thread.
    void runBlock(Range rows);

private:
    struct Block;
    void addKeys(Block &block, Range keys) const;
    static void addScores(Block &block, Index place, Index count);
    void addOddValues(Block &block, Range keys) const;
    void poolScores(Block &block, Range keys) const;
    void finishRow(Block &block, Index place);
    void finishExactly(Index row);
    void finishWeights(const Block &block, Index place);
    [[nodiscard]] float *overviewRow(Index row) { return m_result.overview.data() + (row >> m_level) * m_result.overview.cols(); }
    [[nodiscard]] bool hasOverview() const { return m_result.overview.size() > 0; }

    const HeadOperands &m_operands;
    const Run &m_run;
    Range m_rows;
    StreamResult &m_result;
    int m_level; ///< The overview's pool is 2^level.
    bool m_hasOne;
    ScoreBlocks m_scores;
    Values m_values;
};

/// What one query block needs while the keys go by.
struct StreamPass::Block {
    Block(Range queryRows, const ScoreBlocks &scores, const Mask &mask)
        : rows(queryRows)
        , queries(scores.queries(queryRows))
        , visible(mask, queryRows)
        , running(static_cast<std::size_t>(queryRows.size()))
    {
    }

    Range rows;
    MatrixF queries;
    VisibleRows visible;
    std::vector<RunningRow> running;
    MatrixF weights{ ScoreBlocks::queryBlock, ScoreBlocks::keyBlock }; ///< Scores, then unnormalised weights of the key block.
    MatrixF output; ///< Not yet divided by the sums.
    MatrixF largest; ///< Largest score per overview cell; masked where no key of the cell is visible.
    Eigen::Array<float, 1, ScoreBlocks::keyBlock> terms; ///< Of one row of the key block.
};

void StreamPass::runBlock(Range rows)
{
    const Index keys = m_operands.scoreK.rows();
    Block block(rows, m_scores, m_operands.mask);
    block.output.setZero(rows.size(), m_values.finite.cols());
    if (m_hasOne)
        for (RunningRow &running : block.running)
            running.reference = 0.0F;
    if (hasOverview()) {
        block.largest.setConstant(rows.size(), m_result.overview.cols(), cell::masked<float>());
        for (Index place = 0; place < rows.size(); ++place)
            for (const Range &visible : block.visible.of(place))
                block.largest.row(place)
                    .segment(visible.first >> m_level, ((visible.end - 1) >> m_level) - (visible.first >> m_level) + 1)
                    .setConstant(-infinity);
    }
    for (Index first = 0; first < keys; first += ScoreBlocks::keyBlock) {
        if (m_run.stopped())
            return;
        addKeys(block, { first, std::min(keys, first + ScoreBlocks::keyBlock) });
    }
    for (Index place = 0; place < rows.size(); ++place)
        finishRow(block, place);
}

void StreamPass::addKeys(Block &block, Range keys) const
{
    const VisibleRows::Share share = block.visible.share(keys);
    if (share == VisibleRows::Share::None)
        return;
    m_scores.compute(Stage::Tempered, block.queries, block.rows.first, keys, block.weights);
    if (share == VisibleRows::Share::Some)
        for (Index place = 0; place < block.rows.size(); ++place)
            block.visible.forEachHidden(place, keys,
                [&](Index first, Index end) { block.weights.row(place).segment(first - keys.first, end - first).setConstant(-infinity); });
    if (hasOverview())
        poolScores(block, keys);
    for (Index place = 0; place < block.rows.size(); ++place)
        addScores(block, place, keys.size());
    if (block.output.size() == 0)
        return;
    block.output.noalias()
        += block.weights.topLeftCorner(block.rows.size(), keys.size()) * m_values.finite.middleRows(keys.first, keys.size());
    addOddValues(block, keys);
}

/// One row of the block's scores joins the running softmax and becomes unnormalised weights.
void StreamPass::addScores(Block &block, Index place, Index count)
{
    RunningRow &running = block.running[static_cast<std::size_t>(place)];
    auto cells = block.weights.row(place).head(count).array();
    auto terms = block.terms.head(count);
    const float blockMax = cells.maxCoeff<Eigen::PropagateNaN>();
    running.isNan = running.isNan || std::isnan(blockMax) || blockMax == infinity;
    if (running.isNan || blockMax == -infinity) {
        cells.setZero();
        return;
    }
    const float factor = running.raise(blockMax);
    if (factor != 1.0F)
        block.output.row(place) *= factor;
    cells -= running.reference;
    terms = cells.exp();
    // Selected, not multiplied: the vectorised exp(-inf) is not 0. And after exp(), which a selection would keep from being vectorised.
    for (Index key = 0; key < count; ++key) {
        const bool isNothing = cells(key) < leastExponent;
        terms(key) = isNothing ? 0.0F : terms(key);
        cells(key) = isNothing ? 0.0F : cells(key);
    }
    running.sum += static_cast<double>(terms.sum());
    running.moment += static_cast<double>((terms * cells).sum());
    cells = terms;
}

void StreamPass::addOddValues(Block &block, Range keys) const
{
    auto key = std::lower_bound(m_values.oddKeys.begin(), m_values.oddKeys.end(), keys.first);
    Eigen::RowVectorXf value(block.output.cols());
    for (; key != m_values.oddKeys.end() && *key < keys.end; ++key) {
        m_operands.v.readRow(*key, 0, std::span(value.data(), static_cast<std::size_t>(value.size())));
        for (Index place = 0; place < block.rows.size(); ++place)
            if (block.visible.isVisible(place, *key))
                block.output.row(place) += block.weights(place, *key - keys.first) * value;
    }
}

void StreamPass::poolScores(Block &block, Range keys) const
{
    for (Index place = 0; place < block.rows.size(); ++place) {
        float *largest = block.largest.data() + place * block.largest.cols();
        const float *scores = block.weights.data() + place * block.weights.cols();
        // A comparison with masked is false: such a cell stays.
        const auto larger = [](float cell, float score) { return score > cell ? score : cell; };
        if (m_level == 0) {
            std::transform(largest + keys.first, largest + keys.end, scores, largest + keys.first, larger);
            continue;
        }
        for (Index key = keys.first; key < keys.end;) {
            float &cell = largest[key >> m_level];
            const Index end = std::min(keys.end, ((key >> m_level) + 1) << m_level);
            for (; key < end; ++key)
                cell = larger(cell, scores[key - keys.first]);
        }
    }
}

void StreamPass::finishRow(Block &block, Index place)
{
    const Index row = block.rows.first + place;
    const Index slot = row - m_rows.first;
    const RunningRow &running = block.running[static_cast<std::size_t>(place)];
    const bool seesNothing = block.visible.of(place).empty();
    const bool isOdd = running.isNan || running.max == -infinity;
    if (!seesNothing && isOdd && m_scores.mayOverflow(block.queries.row(place)))
        return finishExactly(row);
    if (running.isNan) {
        m_result.logSumExp(slot) = m_result.entropy(slot) = m_result.largest(slot) = notANumber;
        if (block.output.size() > 0)
            m_result.output.row(slot).setConstant(notANumber);
    } else if (running.max == -infinity) {
        m_result.logSumExp(slot) = m_hasOne && !seesNothing ? 0.0F : -infinity;
        m_result.entropy(slot) = m_result.largest(slot) = 0.0F;
        if (block.output.size() > 0)
            m_result.output.row(slot).setZero();
    } else {
        const double sum = running.sum + (m_hasOne ? std::exp(-static_cast<double>(running.reference)) : 0.0);
        const double logSum = std::log(sum);
        m_result.logSumExp(slot) = static_cast<float>(running.reference + logSum);
        m_result.entropy(slot) = static_cast<float>(std::max(0.0, (running.sum * logSum - running.moment) / sum));
        m_result.largest(slot) = static_cast<float>(std::exp(static_cast<double>(running.max) - running.reference) / sum);
        if (block.output.size() > 0)
            m_result.output.row(slot) = block.output.row(place) / static_cast<float>(sum);
    }
    if (hasOverview())
        finishWeights(block, place);
}

/// The largest scores of the row's cells become weights and go into the overview.
void StreamPass::finishWeights(const Block &block, Index place)
{
    const RunningRow &running = block.running[static_cast<std::size_t>(place)];
    const double sum = running.sum + (m_hasOne ? std::exp(-static_cast<double>(running.reference)) : 0.0);
    const Eigen::ArrayXf weights = (block.largest.row(place).transpose().array() - running.reference).exp() / static_cast<float>(sum);
    const float *scores = block.largest.data() + place * block.largest.cols();
    float *cells = overviewRow(block.rows.first + place);
    for (Index col = 0; col < weights.size(); ++col) {
        if (std::isnan(scores[col]))
            continue;
        const bool isNothing = scores[col] < running.reference + leastExponent;
        const float weight = running.isNan ? notANumber : isNothing ? 0.0F : weights(col);
        cells[col] = m_level == 0 ? weight : cell::foldMax(cells[col], weight);
    }
}

/// A row whose scores leave the range of float.
void StreamPass::finishExactly(Index row)
{
    const Index slot = row - m_rows.first;
    RowKernel kernel(m_operands);
    kernel.start(row);
    std::vector<double> weights(static_cast<std::size_t>(m_operands.scoreK.rows()));
    m_result.logSumExp(slot) = static_cast<float>(kernel.weights(weights).logSumExp);
    m_result.entropy(slot) = static_cast<float>(entropyOf(weights));
    float largest = 0.0F;
    for (const Range &keys : kernel.visible()) {
        for (Index key = keys.first; key < keys.end; ++key) {
            const float weight = cell::toFloat(weights[static_cast<std::size_t>(key)]);
            largest = cell::foldMax(largest, weight);
            if (hasOverview())
                overviewRow(row)[key >> m_level] = cell::foldMax(overviewRow(row)[key >> m_level], weight);
        }
    }
    m_result.largest(slot) = largest;
    if (m_result.output.size() == 0)
        return;
    std::vector<double> output(static_cast<std::size_t>(m_result.output.cols()));
    kernel.output(weights, output);
    for (std::size_t col = 0; col < output.size(); ++col)
        m_result.output(slot, static_cast<Index>(col)) = static_cast<float>(output[col]);
}

std::uint64_t bytesOf(Index rows, Index cols)
{
    return saturatingProduct(saturatingProduct(static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(cols)), sizeof(float));
}

} // namespace

Index overviewPool(Index queries, Index keys, Index size)
{
    const Index longest = std::max(queries, keys);
    Index pool = 1;
    while ((longest + pool - 1) / pool > std::max<Index>(size, 1))
        pool *= 2;
    return pool;
}

Result<StreamResult> streamRows(const HeadOperands &operands, Range rows, const StreamOptions &options, const Run &run)
{
    const Index keys = operands.scoreK.rows();
    const bool isWhole = rows == Range{ 0, operands.scoreQ.rows() };
    const Index valueCols = options.wantsOutput ? operands.v.cols() : 0;
    StreamResult result;
    const bool hasOverview = options.overviewSize > 0 && isWhole;
    result.pool = hasOverview ? overviewPool(rows.size(), keys, options.overviewSize) : 1;
    const auto pooled = [&result](Index count) { return (count + result.pool - 1) / result.pool; };
    const Index overviewRows = hasOverview ? pooled(rows.size()) : 0;
    const Index overviewCols = hasOverview ? pooled(keys) : 0;
    const std::uint64_t bytes
        = bytesOf(keys, operands.scoreK.cols() + valueCols) + bytesOf(rows.size(), valueCols + 3) + bytesOf(overviewRows, overviewCols);
    if (Result<void> fits = checkMemory(bytes, "Computing a head"); !fits)
        return fits.error();
    for (VectorF *vector : { &result.logSumExp, &result.entropy, &result.largest })
        vector->resize(rows.size());
    result.output.resize(valueCols > 0 ? rows.size() : 0, valueCols);
    result.overview.setConstant(overviewRows, overviewCols, cell::masked<float>());

    StreamPass pass(operands, rows, options, run, result);
    std::atomic<Index> done = 0;
    const int level = std::countr_zero(static_cast<std::uint64_t>(result.pool));
    const bool isFinished = forEachStripe({ rows, {} }, level, ScoreBlocks::queryBlock, run, [&](const Range &block) {
        pass.runBlock(block);
        const Index before = done.fetch_add(block.size());
        // Whole per cents only: progress crosses threads.
        if (100 * (before + block.size()) / rows.size() != 100 * before / rows.size())
            run.report(static_cast<double>(before + block.size()) / static_cast<double>(rows.size()));
    });
    if (!isFinished)
        return Error::cancelled();
    return result;
}

Result<StreamResult> stream(const HeadOperands &operands, const StreamOptions &options, const Run &run)
{
    return streamRows(operands, { 0, operands.scoreQ.rows() }, options, run);
}

} // namespace attenscope
