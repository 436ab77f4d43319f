// SPDX-License-Identifier: GPL-3.0-or-later
// The streaming pass: blocks of queries against blocks of keys, online softmax, pooled overview.
#include "attention/stream.h"

#include "attention/fold.h"
#include "attention/linear_stream.h"
#include "attention/row_kernel.h"
#include "attention/score_blocks.h"
#include "attention/visible_rows.h"
#include "core/memory.h"
#include "core/parallel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <span>
#include <string>

namespace attenscope {

namespace {

constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();
/// Scores are in base 2: the processor's own power.
constexpr double log2e = std::numbers::log2e;
constexpr double ln2 = std::numbers::ln2;
/// Keys of a partly masked block are looked at so many at a time: what none of them shows is not computed.
constexpr Index stripKeys = 16;

/// Rows that one thread takes at a time. Many keys do not stay in the cache until the next tile comes: more tiles share them then.
Index queryBlock(Index keys)
{
    return keys >= 4096 ? 256 : keys >= 1024 ? 128 : 64;
}

/// foldMax() of a cell of the overview and a number, in line: there are as many as cells in a short map.
float withWeight(float before, float weight)
{
    return before >= weight || cell::kind(before) == cell::Kind::Nan ? before : weight;
}

/// The values of a head as floats, if they are wanted. Keys whose value is not finite are taken out, so that a weight of zero never meets NaN in a
/// product.
struct Values {
    MatrixF finite;
    std::vector<Index> oddKeys;

    Values(const SharedMatrix &v, bool areWanted, const Run &run)
    {
        if (!areWanted)
            return;
        FloatRows rows = floatRows(v, { 0, v.rows() }, run);
        finite = std::move(rows.numbers);
        if (rows.magnitude.isFinite())
            return;
        for (Index key = 0; key < finite.rows(); ++key) {
            if (Magnitude(finite.row(key).data(), finite.cols()).isFinite())
                continue;
            oddKeys.push_back(key);
            finite.row(key).setZero();
        }
    }
};

/// What has been summed of one row.
struct Totals {
    Totals(const RunningSoftmax &running, std::size_t place, bool hasOne)
        : reference(running.reference[place])
        , sum(running.sum[place])
        , sumWithOne(sum + (hasOne ? std::exp2(-reference) : 0.0))
        , isNan(std::isnan(running.moment[place]))
        , isOdd(isNan || (sum == 0.0 && !hasOne))
    {
    }

    /// Of what has been summed to what it is.
    [[nodiscard]] float factor() const { return static_cast<float>(1.0 / sumWithOne); }

    double reference;
    double sum;
    double sumWithOne;
    bool isNan;
    bool isOdd; ///< NaN, no key, or scores that float cannot tell from no key.
};

/// What a tile of queries needs while the keys go by. Arrays are [key, dimension or cell][query].
struct TileState {
    ScoreBlocks::Tile queries;
    std::vector<VisibleRows> visible; ///< Of the queries of each vector.
    bool needsMoment = true; ///< For the entropy, or to find NaN.
    RunningSoftmax running;
    TileNumbers output; ///< Not yet divided by the sums.
    TileNumbers largest; ///< Largest score per overview cell, then its weight.
    std::vector<Totals> totals; ///< Per query, at the end.

    [[nodiscard]] Index rowCount() const { return queries.rows.size(); }
    [[nodiscard]] const VisibleRows &visibleTo(Index vector) const { return visible[static_cast<std::size_t>(vector)]; }
};

/// Memory of one thread at work: some hundred numbers per query of a tile, and one per cell of the overview.
struct Workspace {
    std::vector<TileState> tiles;
    TileNumbers scores; ///< Of a tile and a key block, then unnormalised weights.
    TileNumbers cells; ///< Overview cells of a vector of queries, row by row.
};

class StreamPass {
public:
    StreamPass(const HeadOperands &operands, Range rows, const StreamOptions &options, const Run &run, StreamResult &result)
        : m_operands(operands)
        , m_run(run)
        , m_rows(rows)
        , m_result(result)
        , m_level(std::countr_zero(static_cast<std::uint64_t>(result.pool)))
        , m_wantsWeights(options.wantsWeights)
        , m_hasOne(operands.spec.normalization == Normalization::Softmax1)
        , m_kernels(kernels())
        , m_scores(operands, { 0, operands.scoreK.rows() }, Stage::Tempered, log2e, run)
        , m_values(operands.v, options.wantsOutput, run)
    {
    }

    /// Rows [rows), at most a query block; those of one overview row come from one thread.
    void runBlock(Range rows);

private:
    void start(TileState &tile, Range rows) const;
    void addKeys(TileState &tile, Range keys, TileNumbers &scores) const;
    void addStrip(TileState &tile, Range keys, Range vectors, bool isWhole, TileNumbers &scores) const;
    void addOddValues(TileState &tile, Range keys, const TileNumbers &weights) const;
    void finish(TileState &tile, TileNumbers &cells);
    void finishRow(const TileState &tile, Index place);
    void finishExactly(Index row);
    void finishOverview(TileState &tile, TileNumbers &cells);
    [[nodiscard]] float *overviewRow(Index row) { return m_result.overview.data() + (row >> m_level) * m_result.overview.cols(); }
    [[nodiscard]] bool hasOverview() const { return m_result.overview.size() > 0; }
    [[nodiscard]] const std::vector<Range> &visibleKeys(const TileState &tile, Index place) const
    {
        return tile.visibleTo(place / m_kernels.lanes).of(place % m_kernels.lanes);
    }
    [[nodiscard]] std::size_t tileSize(Index count) const { return static_cast<std::size_t>(count * m_scores.width()); }

    const HeadOperands &m_operands;
    const Run &m_run;
    Range m_rows;
    StreamResult &m_result;
    int m_level; ///< The overview's pool is 2^level.
    bool m_wantsWeights;
    bool m_hasOne;
    const Kernels &m_kernels;
    ScoreBlocks m_scores;
    Values m_values;
};

void StreamPass::runBlock(Range rows)
{
    // Kept by the thread: taking and clearing it anew would cost more than a small head.
    thread_local Workspace work;
    const auto tiles = static_cast<std::size_t>((rows.size() + m_scores.width() - 1) / m_scores.width());
    work.tiles.resize(std::max(work.tiles.size(), tiles));
    work.scores.resize(std::max(work.scores.size(), tileSize(m_scores.keyBlock())));
    const std::span used(work.tiles.data(), tiles);
    Range seen{ m_operands.scoreK.rows(), 0 };
    Index first = rows.first;
    for (TileState &tile : used) {
        start(tile, { first, std::min(rows.end, first + m_scores.width()) });
        first += m_scores.width();
        for (Index vector = 0; vector < m_scores.vectorsOf(tile.rowCount()).end; ++vector) {
            const Range hull = tile.visibleTo(vector).hull();
            seen = { std::min(seen.first, hull.first), std::max(seen.end, hull.end) };
        }
    }
    // The tiles share a block of keys while it is in the cache.
    for (Index key = seen.first; key < seen.end; key += m_scores.keyBlock()) {
        if (m_run.stopped())
            return;
        for (TileState &tile : used)
            addKeys(tile, { key, std::min(seen.end, key + m_scores.keyBlock()) }, work.scores);
    }
    for (TileState &tile : used)
        finish(tile, work.cells);
}

void StreamPass::start(TileState &tile, Range rows) const
{
    m_scores.pack(rows, tile.queries);
    const Index vectors = m_scores.vectorsOf(rows.size()).end;
    tile.visible.resize(std::max(tile.visible.size(), static_cast<std::size_t>(vectors)));
    for (Index vector = 0; vector < vectors; ++vector) {
        const Index first = rows.first + vector * m_kernels.lanes;
        tile.visible[static_cast<std::size_t>(vector)].set(m_operands.mask, { first, std::min(rows.end, first + m_kernels.lanes) });
    }
    tile.needsMoment = m_wantsWeights || !m_scores.areNumbers(tile.queries);
    tile.running.start(m_hasOne);
    // Sums of nothing are 0, and only vectors that have queries are written.
    const Index dims = m_values.finite.cols();
    tile.output.resize(tileSize(dims));
    m_kernels.products(nullptr, 0, nullptr, dims, { 0, vectors }, tile.output.data());
    tile.largest.assign(tileSize(m_result.overview.cols()), -std::numeric_limits<float>::infinity());
}

/// Cuts what is masked from a block of keys: whole strips of keys, and vectors of queries at the sides of a strip.
void StreamPass::addKeys(TileState &tile, Range keys, TileNumbers &scores) const
{
    using Share = VisibleRows::Share;
    const Index vectors = m_scores.vectorsOf(tile.rowCount()).end;
    /// The vectors that see some of the keys, and whether all of them see all.
    struct Part {
        Range vectors;
        bool isWhole = true;
    };
    const auto partOf = [&](Range part) {
        Part result{ { vectors, 0 } };
        for (Index vector = 0; vector < vectors; ++vector) {
            const Share own = tile.visibleTo(vector).share(part);
            if (own != Share::None)
                result.vectors = { std::min(result.vectors.first, vector), vector + 1 };
            result.isWhole = result.isWhole && (own == Share::All || (own == Share::None && result.vectors.size() == 0));
        }
        return result;
    };
    const Part all = partOf(keys);
    if (all.isWhole)
        return addStrip(tile, keys, all.vectors, true, scores);
    Range gathered{ keys.first, keys.first };
    Part same;
    for (Index first = keys.first; first < keys.end; first += stripKeys) {
        const Range strip{ first, std::min(keys.end, first + stripKeys) };
        const Part part = partOf(strip);
        if (part.vectors != same.vectors) {
            addStrip(tile, gathered, same.vectors, same.isWhole, scores);
            gathered.first = strip.first;
            same = part;
        }
        gathered.end = strip.end;
        same.isWhole = same.isWhole && part.isWhole;
    }
    addStrip(tile, gathered, same.vectors, same.isWhole, scores);
}

void StreamPass::addStrip(TileState &tile, Range keys, Range vectors, bool isWhole, TileNumbers &scores) const
{
    if (keys.size() == 0 || vectors.size() == 0)
        return;
    m_scores.compute(tile.queries, keys, vectors, scores.data());
    for (Index vector = vectors.first; vector < vectors.end && !isWhole; ++vector) {
        const VisibleRows &visible = tile.visibleTo(vector);
        if (visible.share(keys) == VisibleRows::Share::All)
            continue;
        const Index start = vector * m_kernels.lanes;
        for (Index place = start; place < std::min(tile.rowCount(), start + m_kernels.lanes); ++place)
            visible.forEachHidden(place - start, keys, [&](Index first, Index end) {
                for (Index key = first; key < end; ++key)
                    scores[tileSize(key - keys.first) + static_cast<std::size_t>(place)] = -std::numeric_limits<float>::infinity();
            });
    }
    if (hasOverview())
        m_kernels.foldScores(scores.data(), keys, m_level, vectors, tile.largest.data());
    const auto addScores = tile.needsMoment ? m_kernels.addScoresAndMoment : m_kernels.addScores;
    addScores(scores.data(), keys.size(), vectors, tile.running);
    const Index dims = m_values.finite.cols();
    if (dims == 0)
        return;
    m_kernels.addValues(scores.data(), keys.size(), m_values.finite.data() + keys.first * dims, dims, tile.running.factor.data(), vectors,
        tile.output.data());
    addOddValues(tile, keys, scores);
}

void StreamPass::addOddValues(TileState &tile, Range keys, const TileNumbers &weights) const
{
    auto key = std::lower_bound(m_values.oddKeys.begin(), m_values.oddKeys.end(), keys.first);
    for (; key != m_values.oddKeys.end() && *key < keys.end; ++key) {
        std::vector<float> value(static_cast<std::size_t>(m_values.finite.cols()));
        m_operands.v.readRow(*key, 0, std::span(value));
        for (Index place = 0; place < tile.rowCount(); ++place) {
            if (!tile.visibleTo(place / m_kernels.lanes).isVisible(place % m_kernels.lanes, *key))
                continue;
            const float weight = weights[tileSize(*key - keys.first) + static_cast<std::size_t>(place)];
            float *output = tile.output.data() + place;
            for (const float number : value) {
                *output += weight * number;
                output += m_scores.width();
            }
        }
    }
}

void StreamPass::finish(TileState &tile, TileNumbers &cells)
{
    tile.totals.clear();
    for (Index place = 0; place < tile.rowCount(); ++place)
        tile.totals.emplace_back(tile.running, static_cast<std::size_t>(place), m_hasOne);
    if (m_result.output.size() > 0) {
        // Of no more keys: only the factor counts.
        const Index dims = m_result.output.cols();
        for (std::size_t place = 0; place < tile.totals.size(); ++place)
            tile.running.factor[place] = tile.totals[place].factor();
        m_kernels.addValues(nullptr, 0, nullptr, dims, tile.running.factor.data(), m_scores.vectorsOf(tile.rowCount()), tile.output.data());
        float *output = m_result.output.data() + (tile.queries.rows.first - m_rows.first) * dims;
        m_kernels.transpose(tile.output.data(), m_scores.width(), dims, tile.rowCount(), output, dims);
    }
    for (Index place = 0; place < tile.rowCount(); ++place)
        finishRow(tile, place);
    if (hasOverview())
        finishOverview(tile, cells);
}

/// All but the output of a row that is as it should be.
void StreamPass::finishRow(const TileState &tile, Index place)
{
    const Totals &totals = tile.totals[static_cast<std::size_t>(place)];
    const Index row = tile.queries.rows.first + place;
    const Index slot = row - m_rows.first;
    const auto setRow = [&](float logSumExp, float number) {
        m_result.logSumExp(slot) = logSumExp;
        if (m_wantsWeights)
            m_result.entropy(slot) = m_result.largest(slot) = number;
        if (m_result.output.size() > 0)
            m_result.output.row(slot).setConstant(number);
    };
    if (visibleKeys(tile, place).empty())
        return setRow(-std::numeric_limits<float>::infinity(), 0.0F);
    if (totals.isNan && !m_scores.mayOverflow(tile.queries))
        return setRow(notANumber, notANumber);
    if (totals.isOdd)
        return finishExactly(row);
    const double logSum = std::log(totals.sumWithOne);
    m_result.logSumExp(slot) = static_cast<float>(totals.reference * ln2 + logSum);
    if (!m_wantsWeights)
        return;
    const RunningSoftmax &running = tile.running;
    const auto lane = static_cast<std::size_t>(place);
    const double entropy = (totals.sum * logSum - static_cast<double>(running.moment[lane]) * ln2) / totals.sumWithOne;
    m_result.entropy(slot) = static_cast<float>(std::max(0.0, entropy));
    m_result.largest(slot)
        = static_cast<float>(std::exp2(static_cast<double>(running.largest[lane]) - totals.reference) / totals.sumWithOne);
}

/// The largest scores of the rows' cells become weights and go into the overview.
void StreamPass::finishOverview(TileState &tile, TileNumbers &cells)
{
    RunningSoftmax::Lanes factor{};
    for (std::size_t place = 0; place < tile.totals.size(); ++place)
        factor[place] = tile.totals[place].factor();
    const Index cols = m_result.overview.cols();
    m_kernels.weights(tile.largest.data(), cols, tile.running.reference.data(), factor.data());
    cells.resize(std::max(cells.size(), static_cast<std::size_t>(cols * m_kernels.lanes)));
    for (Index place = 0; place < tile.rowCount(); ++place) {
        const Index lane = place % m_kernels.lanes;
        if (lane == 0)
            m_kernels.transpose(tile.largest.data() + place, m_scores.width(), cols, m_kernels.lanes, cells.data(), cols);
        const Totals &own = tile.totals[static_cast<std::size_t>(place)];
        if (own.isOdd && !(own.isNan && !m_scores.mayOverflow(tile.queries)))
            continue; // finishExactly() has done it
        const float *weights = cells.data() + lane * cols;
        float *out = overviewRow(tile.queries.rows.first + place);
        Index done = 0;
        for (const Range &keys : visibleKeys(tile, place)) {
            const Index end = ((keys.end - 1) >> m_level) + 1;
            for (Index cell = std::max(done, keys.first >> m_level); cell < end; ++cell)
                out[cell] = own.isNan ? cell::foldMax(out[cell], notANumber) : withWeight(out[cell], weights[cell]);
            done = end;
        }
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
    if (m_wantsWeights)
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
    if (m_wantsWeights)
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
    static const std::string purpose = "Computing a head";
    if (Result<void> fits = checkMemory(bytes, purpose); !fits)
        return fits.error();
    result.logSumExp.resize(rows.size());
    result.output.resize(valueCols > 0 ? rows.size() : 0, valueCols);
    result.overview.setConstant(overviewRows, overviewCols, cell::masked<float>());

    if (!options.wantsWeights && !hasOverview) {
        if (const std::optional<std::vector<Index>> ends = prefixEnds(operands, rows)) {
            if (!streamLinear(operands, rows, *ends, run, result))
                return Error::cancelled();
            return result;
        }
    }
    result.entropy.resize(options.wantsWeights ? rows.size() : 0);
    result.largest.resize(result.entropy.size());
    StreamPass pass(operands, rows, options, run, result);
    DoneCount done(run, rows.size());
    const int level = std::countr_zero(static_cast<std::uint64_t>(result.pool));
    const auto work = [&](const Range &block) {
        pass.runBlock(block);
        done.add(block.size());
    };
    if (!forEachStripe({ rows, {} }, level, queryBlock(keys), run, std::cref(work)))
        return Error::cancelled();
    return result;
}

Result<StreamResult> stream(const HeadOperands &operands, const StreamOptions &options, const Run &run)
{
    return streamRows(operands, { 0, operands.scoreQ.rows() }, options, run);
}

} // namespace attenscope
