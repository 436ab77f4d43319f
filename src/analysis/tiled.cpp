// SPDX-License-Identifier: GPL-3.0-or-later
// Both ways to the same output, measured.
#include "analysis/tiled.h"

#include "attention/score_blocks.h"
#include "attention/stream.h"
#include "attention/visible_rows.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/random.h"

#include <malloc.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <limits>
#include <numbers>

namespace attenscope {

namespace {

/// A time is the shortest of a few runs: as many as fit into the time, at least so many unless they are long.
constexpr int fewestTimes = 3;
constexpr int mostTimes = 20;
constexpr double enoughSeconds = 0.05;
constexpr double longSeconds = 1.0;

/// The largest amount that allocatedBytes() has shown since it began, less the amount then.
class MemoryPeak {
public:
    MemoryPeak()
        : m_before(allocatedBytes())
        , m_peak(m_before.value_or(0))
    {
    }
    /// From any thread.
    void look()
    {
        const std::uint64_t now = m_before ? allocatedBytes().value_or(0) : 0;
        std::uint64_t peak = m_peak;
        while (now > peak && !m_peak.compare_exchange_weak(peak, now)) { }
    }
    [[nodiscard]] std::optional<std::uint64_t> bytes() const { return m_before ? std::optional(m_peak - *m_before) : std::nullopt; }

private:
    std::optional<std::uint64_t> m_before;
    std::atomic<std::uint64_t> m_peak;
};

class Stopwatch {
public:
    [[nodiscard]] double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count(); }

private:
    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

/// Attention as the formula is written: all scores, then all weights, then the output. Vaswani et al. 2017. The matrices stand in tiles of a few queries
/// side by side, as the kernels want them. Empty if stopped.
MatrixF wholeAttention(const HeadOperands &head, MemoryPeak &peak, const Run &run)
{
    const Index n = head.scoreQ.rows();
    const Range keys{ 0, head.scoreK.rows() };
    const Kernels &loops = kernels();
    const ScoreBlocks blocks(head, keys, Stage::Tempered, std::numbers::log2e);
    const MatrixF values = floatRows(head.v, keys).numbers;
    const bool hasOne = head.spec.normalization == Normalization::Softmax1;
    const Index width = blocks.width();
    const Index tiles = (n + width - 1) / width;
    const auto rowsOf = [&](Index tile) { return Range{ tile * width, std::min(n, (tile + 1) * width) }; };
    const auto forTiles = [&](const std::function<void(Index tile)> &body) {
        parallelFor(tiles, [&](Index tile) {
            if (!run.stopped())
                body(tile);
        });
    };
    // Tile by tile, [key][query].
    MatrixF scores(tiles, keys.size() * width);
    forTiles([&](Index tile) {
        const Range rows = rowsOf(tile);
        float *out = scores.data() + tile * scores.cols();
        ScoreBlocks::Tile packed;
        blocks.pack(rows, packed);
        for (Index key = 0; key < keys.end; key += blocks.keyBlock())
            blocks.compute(packed, { key, std::min(keys.end, key + blocks.keyBlock()) }, blocks.vectorsOf(rows.size()), out + key * width);
        const VisibleRows visible(head.mask, rows);
        for (Index place = 0; place < rows.size(); ++place)
            visible.forEachHidden(place, keys, [&](Index first, Index end) {
                for (Index key = first; key < end; ++key)
                    out[key * width + place] = -std::numeric_limits<float>::infinity();
            });
    });
    run.report(0.7);
    MatrixF weights(scores.rows(), scores.cols());
    MatrixF output = MatrixF::Zero(n, values.cols());
    forTiles([&](Index tile) {
        const Range rows = rowsOf(tile);
        const Range vectors = blocks.vectorsOf(rows.size());
        float *own = weights.data() + tile * weights.cols();
        std::copy_n(scores.data() + tile * scores.cols(), weights.cols(), own);
        RunningSoftmax running{};
        running.start(hasOne);
        loops.addScoresAndMoment(own, keys.size(), vectors, running);
        std::vector<float> sums(static_cast<std::size_t>(values.cols() * width), 0.0F);
        loops.addValues(own, keys.size(), values.data(), values.cols(), running.factor.data(), vectors, sums.data());
        for (Index place = 0; place < rows.size(); ++place) {
            const auto lane = static_cast<std::size_t>(place);
            const float sum = running.sum[lane] + (hasOne ? std::exp2(-running.reference[lane]) : 0.0F);
            for (Index dim = 0; dim < values.cols() && sum > 0.0F; ++dim)
                output(rows.first + place, dim) = sums[static_cast<std::size_t>(dim * width) + lane] / sum;
        }
    });
    peak.look();
    return run.stopped() ? MatrixF() : output;
}

/// @p once says what memory it took. Once, and again while it takes too little to be measured: the shortest time, and the least memory, since the count is
/// of the whole program.
template <typename Once>
TiledComparison::Way measured(const Run &run, const Once &once)
{
    TiledComparison::Way best{ std::numeric_limits<double>::infinity(), {} };
    double sum = 0.0;
    const auto isEnough = [&](int times) {
        // One alone may have been disturbed.
        const double enough = times < fewestTimes ? longSeconds : enoughSeconds;
        return times >= mostTimes || sum >= enough || run.stopped();
    };
    for (int times = 0; times == 0 || !isEnough(times); ++times) {
        const Stopwatch watch;
        const std::optional<std::uint64_t> bytes = once();
        best.seconds = std::min(best.seconds, watch.seconds());
        sum += watch.seconds();
        if (bytes)
            best.bytes = std::min(best.bytes.value_or(*bytes), *bytes);
    }
    return best;
}

SharedMatrix firstRows(const SharedMatrix &matrix, Index count)
{
    return count == matrix.rows() ? matrix : SharedMatrix(matrix.rowRange({ 0, count }));
}

/// The upper left corner of a mask.
Mask corner(const Mask &mask, Index n)
{
    if (mask.isFull())
        return { n, n };
    if (mask.queries() == n && mask.keys() == n)
        return mask;
    MaskSpec cells;
    cells.allowed = BitMatrix(n, n, false);
    std::vector<Range> visible;
    for (Index row = 0; row < n; ++row) {
        mask.visible(row, visible);
        for (const Range &keys : visible)
            for (Index key = keys.first; key < std::min(keys.end, n); ++key)
                cells.allowed.set(row, key, true);
    }
    AttentionBlock square;
    square.queries = square.keys = n;
    return { square, cells, 0 };
}

} // namespace

std::optional<std::uint64_t> allocatedBytes()
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    // Sanitizers have allocators of their own.
    return std::nullopt;
#else
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#endif
}

std::uint64_t wholeBytes(Index n)
{
    const auto size = static_cast<std::uint64_t>(n);
    return saturatingProduct(saturatingProduct(size, size), 2 * sizeof(float));
}

Index ownLength(const HeadOperands &own)
{
    return std::min(own.scoreQ.rows(), own.scoreK.rows());
}

MaskSpec longerMask(const MaskSpec &mask)
{
    MaskSpec rule = mask;
    rule.usesInputMask = false;
    rule.paddedKeys = 0;
    rule.allowed = {};
    if (rule.rule == MaskRule::BlockSparse || rule.rule == MaskRule::Document)
        rule.rule = MaskRule::None;
    return rule;
}

HeadOperands plainHead(Index columns)
{
    HeadOperands head;
    head.q = head.scoreQ = head.k = head.scoreK = head.v = SharedMatrix(Matrix(0, columns));
    head.scale = 1.0 / std::sqrt(static_cast<double>(columns));
    return head;
}

HeadOperands headOfLength(const HeadOperands &own, Index n, std::uint64_t seed)
{
    Random random(seed);
    HeadOperands head = own;
    const bool isOwn = n <= ownLength(own);
    if (isOwn) {
        head.scoreQ = firstRows(own.scoreQ, n);
        head.scoreK = firstRows(own.scoreK, n);
        head.mask = corner(own.mask, n);
    } else {
        const auto numbers = [&](Index columns) {
            Matrix matrix = random.normalMatrix(n, columns);
            // φ is elu + 1, and positive.
            if (own.spec.score == ScoreFunction::Linear)
                matrix = matrix.unaryExpr([](double x) { return x > 0.0 ? x + 1.0 : std::exp(x); });
            return SharedMatrix(matrix);
        };
        head.scoreQ = numbers(own.scoreQ.cols());
        head.scoreK = numbers(own.scoreK.cols());
        AttentionBlock square;
        square.queries = square.keys = n;
        head.mask = Mask(square, longerMask(own.spec.mask), 0);
        head.spec.bias = {};
        head.alibiOffset = 0;
    }
    head.q = head.scoreQ;
    head.k = head.scoreK;
    if (isOwn && !own.v.isEmpty())
        head.v = firstRows(own.v, n);
    else
        head.v = SharedMatrix(random.normalMatrix(n, own.v.isEmpty() ? own.k.cols() : own.v.cols()));
    return head;
}

Result<TiledComparison> compareTiled(const HeadOperands &own, Index n, std::uint64_t seed, const Run &run)
{
    if (Result<void> fits = checkMemory(wholeBytes(n), "Scores and weights as whole matrices"); !fits)
        return fits.error();
    const HeadOperands head = headOfLength(own, n, seed);
    TiledComparison result;
    result.n = n;

    std::optional<StreamResult> tiled;
    std::optional<Error> failure;
    result.tiled = measured(run, [&] {
        tiled.reset();
        MemoryPeak peak;
        // Progress comes from the workers while their blocks are allocated.
        const auto look = [&](double fraction) {
            peak.look();
            run.report(0.5 * fraction);
        };
        Result<StreamResult> once = stream(head, { true, 0 }, Run{ run.stop, look });
        peak.look();
        if (once)
            tiled = std::move(*once);
        else
            failure = once.error();
        return peak.bytes();
    });
    if (failure)
        return *failure;

    MatrixF whole;
    result.whole = measured(run, [&] {
        whole.resize(0, 0);
        MemoryPeak peak;
        whole = wholeAttention(head, peak, run);
        return peak.bytes();
    });
    if (run.stopped())
        return Error::cancelled();
    result.largestDifference = (whole - tiled->output).cwiseAbs().maxCoeff();
    return result;
}

} // namespace attenscope
