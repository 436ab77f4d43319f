// SPDX-License-Identifier: GPL-3.0-or-later
// Best-first search for the largest weights, bounded by folded maxima.
#include "attention/peaks.h"

#include "attention/stream.h"
#include "core/memory.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <queue>
#include <tuple>

namespace attenscope {

namespace {

constexpr Index mostBlocks = 1024; // on a side

/// A block that may hold a cell as large as bound, or, once it has been looked into, its largest cell.
struct Candidate {
    float bound = 0.0F;
    Index row = 0;
    Index col = 0;
    bool isCell = false;

    /// Of equal ones the first in reading order is the better, so that the answer is always the same.
    friend bool operator<(const Candidate &a, const Candidate &b)
    {
        return std::tie(a.bound, b.row, b.col, b.isCell) < std::tie(b.bound, a.row, a.col, a.isCell);
    }
};

class PeakSearch {
public:
    PeakSearch(const MapField &weights, const PeakOptions &options, const Run &run)
        : m_weights(weights)
        , m_options(options)
        , m_run(run)
        , m_level(std::countr_zero(static_cast<std::uint64_t>(overviewPool(weights.rows(), weights.cols(), mostBlocks))))
        , m_distance(peakDistance(weights.rows(), weights.cols()))
    {
    }

    Result<std::vector<Peak>> find();

private:
    [[nodiscard]] bool findBounds();
    [[nodiscard]] std::optional<Candidate> largestIn(const Candidate &block);
    [[nodiscard]] CellRect cellsOf(const Candidate &block) const;
    [[nodiscard]] bool isLeftOut(Index row, Index col) const
    {
        return (m_options.leavesOutFirstKey && col == 0) || (m_options.firstPosition && col == row + *m_options.firstPosition);
    }
    /// Whether as many cells of key @p col are named as may be.
    [[nodiscard]] bool isKeyFull(Index col) const
    {
        const auto named = std::count_if(m_peaks.begin(), m_peaks.end(), [col](const Peak &peak) { return peak.col == col; });
        return static_cast<std::size_t>(named) >= m_options.mostOfKey;
    }
    [[nodiscard]] bool isNearPeak(const CellRect &cells) const;

    const MapField &m_weights;
    const PeakOptions &m_options;
    const Run &m_run;
    int m_level;
    Index m_distance;
    std::priority_queue<Candidate> m_candidates;
    std::vector<Peak> m_peaks;
    MatrixF m_block;
};

/// Every block with the largest weight in it; false if stopped.
bool PeakSearch::findBounds()
{
    constexpr Index rowsAtOnce = 32; // of blocks
    const Index side = Index{ 1 } << m_level;
    const Index stripe = rowsAtOnce * side;
    MatrixF bounds;
    for (Index first = 0; first < m_weights.rows(); first += stripe) {
        const CellRect cells{ { first, std::min(m_weights.rows(), first + stripe) }, { 0, m_weights.cols() } };
        if (!m_weights.read(cells, m_level, Fold::Max, bounds, { m_run.stop, {} }) || m_run.stopped())
            return false;
        for (Index row = 0; row < bounds.rows(); ++row) {
            for (Index col = 0; col < bounds.cols(); ++col) {
                // NaN hides what else is in its block.
                const float bound
                    = cell::kind(bounds(row, col)) == cell::Kind::Nan ? std::numeric_limits<float>::infinity() : bounds(row, col);
                if (bound > 0.0F)
                    m_candidates.push({ bound, first + row * side, col * side });
            }
        }
        m_run.report(0.5 * static_cast<double>(cells.rows.end) / static_cast<double>(m_weights.rows()));
    }
    return true;
}

CellRect PeakSearch::cellsOf(const Candidate &block) const
{
    const Index side = block.isCell ? 1 : Index{ 1 } << m_level;
    return { { block.row, std::min(m_weights.rows(), block.row + side) }, { block.col, std::min(m_weights.cols(), block.col + side) } };
}

/// Whether all of @p cells are too near to one that has been found.
bool PeakSearch::isNearPeak(const CellRect &cells) const
{
    return std::any_of(m_peaks.begin(), m_peaks.end(), [&](const Peak &peak) {
        const auto isNear = [this](const Range &range, Index position) {
            return range.first >= position - m_distance && range.end - 1 <= position + m_distance;
        };
        return isNear(cells.rows, peak.row) && isNear(cells.cols, peak.col);
    });
}

/// The largest cell that may still be named.
std::optional<Candidate> PeakSearch::largestIn(const Candidate &block)
{
    const CellRect cells = cellsOf(block);
    if (!m_weights.read(cells, 0, Fold::Max, m_block, { m_run.stop, {} }))
        return std::nullopt;
    std::optional<Candidate> largest;
    std::vector<bool> isFull;
    for (Index col = cells.cols.first; col < cells.cols.end; ++col)
        isFull.push_back(isKeyFull(col));
    for (Index row = cells.rows.first; row < cells.rows.end; ++row) {
        for (Index col = cells.cols.first; col < cells.cols.end; ++col) {
            const float weight = m_block(row - cells.rows.first, col - cells.cols.first);
            // Not a number of any kind is not above 0.
            if (!(weight > (largest ? largest->bound : 0.0F)) || isFull[static_cast<std::size_t>(col - cells.cols.first)]
                || isLeftOut(row, col) || isNearPeak({ { row, row + 1 }, { col, col + 1 } }))
                continue;
            largest = Candidate{ weight, row, col, true };
        }
    }
    return largest;
}

Result<std::vector<Peak>> PeakSearch::find()
{
    const auto blocks = static_cast<std::uint64_t>(mostBlocks * mostBlocks);
    if (Result<void> fits = checkMemory(blocks * (sizeof(Candidate) + sizeof(float)), "Finding peaks"); !fits)
        return fits.error();
    if (!findBounds())
        return Error::cancelled();
    const Index side = Index{ 1 } << m_level;
    while (!m_candidates.empty() && m_peaks.size() < m_options.most) {
        if (m_run.stopped())
            return Error::cancelled();
        const Candidate best = m_candidates.top();
        m_candidates.pop();
        if (isNearPeak(cellsOf(best)) || (best.isCell && isKeyFull(best.col))) {
            // Found before the peak beside it or the last of its key was named: there may be others in its block.
            const Candidate block{ best.bound, best.row / side * side, best.col / side * side };
            if (best.isCell && !isNearPeak(cellsOf(block)))
                m_candidates.push(block);
            continue;
        }
        if (!best.isCell) {
            if (const auto largest = largestIn(best))
                m_candidates.push(*largest);
            continue;
        }
        m_peaks.push_back({ best.row, best.col, m_weights.at(best.row, best.col) });
        m_run.report(0.5 + 0.5 * static_cast<double>(m_peaks.size()) / static_cast<double>(m_options.most));
    }
    if (m_run.stopped())
        return Error::cancelled();
    // Single precision may have mixed up neighbours in the list.
    std::stable_sort(m_peaks.begin(), m_peaks.end(), [](const Peak &a, const Peak &b) { return a.weight > b.weight; });
    return std::move(m_peaks);
}

} // namespace

Index peakDistance(Index rows, Index cols)
{
    constexpr Index share = 64;
    return std::max(rows, cols) / share;
}

Result<std::vector<Peak>> findPeaks(const MapField &weights, const PeakOptions &options, const Run &run)
{
    return PeakSearch(weights, options, run).find();
}

} // namespace attenscope
