// SPDX-License-Identifier: GPL-3.0-or-later
// Both ways to the same output, measured.
#include "analysis/tiled.h"

#include "attention/stream.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/random.h"

#include <malloc.h>

#include <atomic>
#include <chrono>

namespace attenscope {

namespace {

constexpr Index rowsPerTask = 32;

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

/// Attention as the formula is written: all scores, then all weights, then the output. Vaswani et al. 2017. Empty if stopped.
MatrixF wholeAttention(const MatrixF &q, const MatrixF &k, const MatrixF &v, MemoryPeak &peak, const Run &run)
{
    const Index n = q.rows();
    const float scale = 1.0F / std::sqrt(static_cast<float>(q.cols()));
    const auto forRows = [&](const std::function<void(Index first, Index count)> &body) {
        parallelFor((n + rowsPerTask - 1) / rowsPerTask, [&](Index task) {
            if (!run.stopped())
                body(task * rowsPerTask, std::min(rowsPerTask, n - task * rowsPerTask));
        });
    };
    MatrixF scores(n, k.rows());
    forRows([&](Index first, Index count) {
        scores.middleRows(first, count).noalias() = q.middleRows(first, count) * k.transpose();
        scores.middleRows(first, count) *= scale;
    });
    run.report(0.6);
    MatrixF weights(n, k.rows());
    forRows([&](Index first, Index count) {
        for (Index row = first; row < first + count; ++row) {
            weights.row(row) = (scores.row(row).array() - scores.row(row).maxCoeff()).exp();
            weights.row(row) /= weights.row(row).sum();
        }
    });
    run.report(0.8);
    MatrixF output(n, v.cols());
    forRows([&](Index first, Index count) { output.middleRows(first, count).noalias() = weights.middleRows(first, count) * v; });
    peak.look();
    return run.stopped() ? MatrixF() : output;
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

Result<TiledComparison> compareTiled(Index n, Index d, std::uint64_t seed, const Run &run)
{
    if (Result<void> fits = checkMemory(wholeBytes(n), "Scores and weights as whole matrices"); !fits)
        return fits.error();
    Random random(seed);
    HeadOperands head;
    head.q = head.scoreQ = SharedMatrix(random.normalMatrix(n, d));
    head.k = head.scoreK = SharedMatrix(random.normalMatrix(n, d));
    head.v = SharedMatrix(random.normalMatrix(n, d));
    head.scale = 1.0 / std::sqrt(static_cast<double>(d));
    head.mask = Mask(n, n);
    TiledComparison result;
    result.n = n;

    MemoryPeak tiledPeak;
    const Stopwatch tiledTime;
    // Progress comes from the workers while their blocks are allocated.
    const Result<StreamResult> tiled = stream(head, { true, 0 }, Run{ run.stop, [&](double fraction) {
                                                                         tiledPeak.look();
                                                                         run.report(0.5 * fraction);
                                                                     } });
    if (!tiled)
        return tiled.error();
    result.tiled = { tiledTime.seconds(), tiledPeak.bytes() };

    MemoryPeak wholePeak;
    const Stopwatch wholeTime;
    const MatrixF whole = wholeAttention(head.q.toMatrixF(), head.k.toMatrixF(), head.v.toMatrixF(), wholePeak, run);
    if (run.stopped())
        return Error::cancelled();
    result.whole = { wholeTime.seconds(), wholePeak.bytes() };
    result.largestDifference = (whole - tiled->output).cwiseAbs().maxCoeff();
    return result;
}

} // namespace attenscope
