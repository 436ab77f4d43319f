// SPDX-License-Identifier: GPL-3.0-or-later
// Folding cells into coarser maps.
#include "attention/fold.h"

#include "core/parallel.h"

#include <algorithm>

namespace attenscope {

namespace {

Index folded(Index size, int level)
{
    return (size + (Index{ 1 } << level) - 1) >> level;
}

} // namespace

float cell::foldOdd(float a, float b)
{
    const auto rank = [](float value) {
        switch (kind(value)) {
        case Kind::Absent:
            return 0;
        case Kind::Masked:
            return 1;
        case Kind::Number:
            return 2;
        case Kind::Nan:
            break;
        }
        return 3;
    };
    return rank(b) > rank(a) ? b : a;
}

FoldedMap::FoldedMap(const CellRect &cells, int level, Fold fold, MatrixF &out)
    : m_cells(cells)
    , m_level(level)
    , m_fold(fold)
    , m_out(out)
{
    m_out.setConstant(folded(cells.rows.size(), level), folded(cells.cols.size(), level), cell::absent<float>());
    if (fold == Fold::Mean && level > 0) {
        m_sums.setZero(m_out.rows(), m_out.cols());
        m_counts.setZero(m_out.rows(), m_out.cols());
    }
}

Range FoldedMap::rowsOf(Index index) const
{
    const Index first = m_cells.rows.first + (index << m_level);
    return { first, std::min(m_cells.rows.end, first + (Index{ 1 } << m_level)) };
}

void FoldedMap::add(Index row, Index firstCol, std::span<const float> cells)
{
    if (m_level == 0)
        std::copy(cells.begin(), cells.end(), m_out.data() + (row - m_cells.rows.first) * m_out.cols() + (firstCol - m_cells.cols.first));
    else if (m_fold == Fold::Max)
        combine(row, firstCol, cells, [](float a, float b) { return cell::foldMax(a, b); });
    else if (m_fold == Fold::MaxMagnitude)
        combine(row, firstCol, cells, [](float a, float b) { return cell::foldMaxMagnitude(a, b); });
    else
        addToMean(row, firstCol, cells);
}

template <typename Combine>
void FoldedMap::combine(Index row, Index firstCol, std::span<const float> cells, const Combine &combineTwo)
{
    float *out = m_out.data() + ((row - m_cells.rows.first) >> m_level) * m_out.cols();
    const Index size = Index{ 1 } << m_level;
    Index position = firstCol - m_cells.cols.first;
    for (std::size_t place = 0; place < cells.size();) {
        float &target = out[position >> m_level];
        const auto end = std::min(cells.size(), place + static_cast<std::size_t>(size - (position & (size - 1))));
        float best = target;
        position += static_cast<Index>(end - place);
        for (; place < end; ++place)
            best = combineTwo(best, cells[place]);
        target = best;
    }
}

void FoldedMap::addToMean(Index row, Index firstCol, std::span<const float> cells)
{
    const Index foldedRow = (row - m_cells.rows.first) >> m_level;
    Index position = firstCol - m_cells.cols.first;
    for (const float value : cells) {
        const Index foldedCol = position++ >> m_level;
        if (cell::kind(value) == cell::Kind::Number) {
            m_sums(foldedRow, foldedCol) += value;
            m_counts(foldedRow, foldedCol) += 1.0;
        } else {
            m_out(foldedRow, foldedCol) = cell::foldOdd(m_out(foldedRow, foldedCol), value);
        }
    }
}

void FoldedMap::finish()
{
    for (Index row = 0; row < m_counts.rows(); ++row)
        for (Index col = 0; col < m_counts.cols(); ++col)
            if (m_counts(row, col) > 0.0 && cell::kind(m_out(row, col)) != cell::Kind::Nan)
                m_out(row, col) = static_cast<float>(m_sums(row, col) / m_counts(row, col));
}

bool forEachStripe(const CellRect &cells, int level, Index rowsPerTask, const Run &run, const std::function<void(const Range &)> &body)
{
    const Index taskRows = std::max(Index{ 1 } << level, rowsPerTask >> level << level);
    const Index tasks = (cells.rows.size() + taskRows - 1) / taskRows;
    parallelFor(tasks, [&](Index place) {
        // From the end: rows of a causal map are the longer the later, and a long task that starts last leaves the other threads idle.
        const Index task = tasks - 1 - place;
        const Index end = std::min(cells.rows.end, cells.rows.first + (task + 1) * taskRows);
        for (Index first = cells.rows.first + task * taskRows; first < end && !run.stopped(); first += rowsPerTask)
            body({ first, std::min(end, first + rowsPerTask) });
    });
    return !run.stopped();
}

} // namespace attenscope
