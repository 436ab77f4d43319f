// SPDX-License-Identifier: GPL-3.0-or-later
// Folding cells into coarser maps.
#include "attention/fold.h"

#include "core/parallel.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace attenscope {

namespace {

Index folded(Index size, int level)
{
    return (size + (Index{ 1 } << level) - 1) >> level;
}

} // namespace

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

void FoldedMap::addTile(const Range &rows, const Range &cols, CellTiles::Kinds kinds, float *block)
{
    if (kinds == CellTiles::Kinds::Hidden)
        addHidden(rows, cols);
    else if (kinds == CellTiles::Kinds::Mixed)
        addMixed(rows, cols, block);
    else if (m_level == 0)
        kernels().transpose(block, CellTiles::width(), cols.size(), rows.size(),
            m_out.data() + (rows.first - m_cells.rows.first) * m_out.cols() + (cols.first - m_cells.cols.first), m_out.cols());
    else if (m_fold == Fold::Mean)
        addSums(rows, cols, block);
    else
        addNumbers(rows, cols, block);
}

Range FoldedMap::foldedRows(const Range &rows) const
{
    return { (rows.first - m_cells.rows.first) >> m_level, ((rows.end - 1 - m_cells.rows.first) >> m_level) + 1 };
}

Range FoldedMap::foldedCols(const Range &cols) const
{
    return { (cols.first - m_cells.cols.first) >> m_level, ((cols.end - 1 - m_cells.cols.first) >> m_level) + 1 };
}

/// Calls use(folded row, first place in the tile, places).
template <typename Use>
void FoldedMap::forEachFoldedRow(const Range &rows, const Use &use) const
{
    const Range folded = foldedRows(rows);
    for (Index row = folded.first; row < folded.end; ++row) {
        const Range all = rowsOf(row);
        const Index first = std::max(all.first, rows.first);
        use(row, first - rows.first, std::min(all.end, rows.end) - first);
    }
}

void FoldedMap::addHidden(const Range &rows, const Range &cols)
{
    const Range folded = foldedCols(cols);
    for (Index row = foldedRows(rows).first; row < foldedRows(rows).end; ++row)
        for (Index col = folded.first; col < folded.end; ++col)
            if (std::isnan(m_out(row, col)))
                m_out(row, col) = cell::foldOdd(m_out(row, col), cell::masked<float>());
}

void FoldedMap::addMixed(const Range &rows, const Range &cols, const float *block)
{
    std::vector<float> turned(static_cast<std::size_t>(rows.size() * cols.size()));
    kernels().transpose(block, CellTiles::width(), cols.size(), rows.size(), turned.data(), cols.size());
    for (Index row = rows.first; row < rows.end; ++row)
        add(row, cols.first, { turned.data() + (row - rows.first) * cols.size(), static_cast<std::size_t>(cols.size()) });
}

/// Down the columns with the fold of the streaming pass, which knows the largest number only: of x and of -x, the largest magnitude is one of the two.
void FoldedMap::addNumbers(const Range &rows, const Range &cols, float *block)
{
    const Kernels &kernel = kernels();
    const Range folded = foldedCols(cols);
    const Index start = m_cells.cols.first + (folded.first << m_level);
    const Range places{ cols.first - start, cols.end - start };
    const Range vectors{ 0, (rows.size() + kernel.lanes - 1) / kernel.lanes };
    const auto fold = [&](std::vector<float> &largest) {
        largest.assign(static_cast<std::size_t>(folded.size() * kernel.width), -std::numeric_limits<float>::infinity());
        kernel.foldScores(block, places, m_level, vectors, largest.data());
    };
    std::vector<float> largest;
    std::vector<float> lowest;
    fold(largest);
    const bool isOfMagnitude = m_fold == Fold::MaxMagnitude;
    if (isOfMagnitude) {
        Eigen::Map<Eigen::ArrayXf> cells(block, cols.size() * kernel.width);
        cells = -cells;
        fold(lowest);
    }
    forEachFoldedRow(rows, [&](Index row, Index place, Index count) {
        for (Index col = 0; col < folded.size(); ++col) {
            const auto most = [&](const std::vector<float> &of) {
                return Eigen::Map<const Eigen::ArrayXf>(of.data() + col * kernel.width + place, count).maxCoeff();
            };
            float best = most(largest);
            float &target = m_out(row, folded.first + col);
            if (isOfMagnitude) {
                const float opposite = most(lowest);
                best = opposite > best ? -opposite : best;
                target = cell::foldMaxMagnitude(target, best);
            } else {
                target = cell::foldMax(target, best);
            }
        }
    });
}

void FoldedMap::addSums(const Range &rows, const Range &cols, const float *block)
{
    const Index width = CellTiles::width();
    Eigen::ArrayXf sums(width);
    for (Index col = cols.first; col < cols.end;) {
        const Index folded = (col - m_cells.cols.first) >> m_level;
        const Index end = std::min(cols.end, m_cells.cols.first + ((folded + 1) << m_level));
        const Index count = end - col;
        sums.setZero();
        for (; col < end; ++col, block += width)
            sums += Eigen::Map<const Eigen::ArrayXf>(block, width);
        forEachFoldedRow(rows, [&](Index row, Index place, Index places) {
            m_sums(row, folded) += static_cast<double>(sums.segment(place, places).sum());
            m_counts(row, folded) += static_cast<double>(places * count);
        });
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
    const auto work = [&](Index place) {
        // From the end: rows of a causal map are the longer the later, and a long task that starts last leaves the other threads idle.
        const Index task = tasks - 1 - place;
        const Index end = std::min(cells.rows.end, cells.rows.first + (task + 1) * taskRows);
        for (Index first = cells.rows.first + task * taskRows; first < end && !run.stopped(); first += rowsPerTask)
            body({ first, std::min(end, first + rowsPerTask) });
    };
    // By reference: a function of its own would take memory for what it refers to.
    parallelFor(tasks, std::cref(work));
    return !run.stopped();
}

bool foldTiles(const CellTiles &tiles, const CellRect &cells, int level, Fold fold, MatrixF &out, const Run &run)
{
    FoldedMap folded(cells, level, fold, out);
    const bool isFinished = forEachStripe(cells, level, CellTiles::width(), run, [&](const Range &stripe) {
        const auto rows = cells.cols.size() > 0 ? tiles.rows(stripe, run) : nullptr;
        if (!rows)
            return;
        std::vector<float> block(CellTiles::blockSize());
        for (Index first = cells.cols.first; first < cells.cols.end && !run.stopped(); first += CellTiles::blockCols()) {
            const Range cols{ first, std::min(cells.cols.end, first + CellTiles::blockCols()) };
            folded.addTile(stripe, cols, rows->read(cols, block.data()), block.data());
        }
    });
    folded.finish();
    return isFinished;
}

} // namespace attenscope
