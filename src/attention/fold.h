// SPDX-License-Identifier: GPL-3.0-or-later
// Folding cells: many become one, and it stays known whether they were numbers, NaN, masked or absent.
#pragma once

#include "attention/cell_tiles.h"
#include "attention/field.h"

#include <functional>
#include <span>

namespace attenscope {

namespace cell {

/// What a fold of two cells is where at least one is not a number: NaN over numbers over masked over absent.
[[nodiscard]] inline float foldOdd(float a, float b)
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

[[nodiscard]] inline float foldMax(float a, float b)
{
    return std::isunordered(a, b) ? foldOdd(a, b) : (b > a ? b : a);
}

/// The one farther from zero; of x and -x the positive one, so that the order does not matter.
[[nodiscard]] inline float foldMaxMagnitude(float a, float b)
{
    if (std::isunordered(a, b))
        return foldOdd(a, b);
    const float first = std::abs(a);
    const float second = std::abs(b);
    return second > first || (second == first && b > a) ? b : a;
}

} // namespace cell

/// Collects the cells of a rectangle, in any order, into their folded map. Different folded rows may be filled by different threads.
class FoldedMap {
public:
    /// Resizes @p out; everything is absent until add()ed.
    FoldedMap(const CellRect &cells, int level, Fold fold, MatrixF &out);

    /// Cells of row @p row from column @p firstCol on, inside the rectangle.
    void add(Index row, Index firstCol, std::span<const float> cells);
    /// The same for the cells of some rows and columns that come as CellTiles has them; @p block is overwritten.
    void addTile(const Range &rows, const Range &cols, CellTiles::Kinds kinds, float *block);
    /// Turns sums into means; after the last add().
    void finish();

    /// Rows of the rectangle that make up folded row @p index.
    [[nodiscard]] Range rowsOf(Index index) const;

private:
    template <typename Combine>
    void combine(Index row, Index firstCol, std::span<const float> cells, const Combine &combineTwo);
    void addToMean(Index row, Index firstCol, std::span<const float> cells);
    void addHidden(const Range &rows, const Range &cols);
    void addMixed(const Range &rows, const Range &cols, const float *block);
    void addNumbers(const Range &rows, const Range &cols, float *block);
    void addSums(const Range &rows, const Range &cols, const float *block);
    [[nodiscard]] Range foldedRows(const Range &rows) const;
    [[nodiscard]] Range foldedCols(const Range &cols) const;
    template <typename Use>
    void forEachFoldedRow(const Range &rows, const Use &use) const;

    CellRect m_cells;
    int m_level;
    Fold m_fold;
    MatrixF &m_out;
    Matrix m_sums; ///< Mean only.
    Matrix m_counts;
};

/// Splits the folded rows of a rectangle into tasks of whole folded rows with about @p rowsPerTask rows or more, calls
/// @p body(rows) for at most @p rowsPerTask rows at a time, in parallel. False if stopped.
bool forEachStripe(const CellRect &cells, int level, Index rowsPerTask, const Run &run, const std::function<void(const Range &)> &body);

/// MapField::read() of the field that @p tiles are of; @p cells lie inside what they were made for.
bool foldTiles(const CellTiles &tiles, const CellRect &cells, int level, Fold fold, MatrixF &out, const Run &run);

} // namespace attenscope
