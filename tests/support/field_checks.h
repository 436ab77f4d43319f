// SPDX-License-Identifier: GPL-3.0-or-later
// Comparing map fields: exact cells with what is expected, and colours with folds of the exact cells done by hand.
#pragma once

#include "attention/field.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace attenscope {

inline const double maskedCell = cell::masked<double>();
inline const double absentCell = cell::absent<double>();

/// Folding as its definition says, cell by cell.
inline double foldedByHand(const Matrix &exact, const CellRect &cells, Fold fold)
{
    std::vector<double> numbers;
    bool hasNan = false;
    bool hasMasked = false;
    for (Index row = cells.rows.first; row < cells.rows.end; ++row) {
        for (Index col = cells.cols.first; col < cells.cols.end; ++col) {
            const double value = exact(row, col);
            hasNan = hasNan || cell::kind(value) == cell::Kind::Nan;
            hasMasked = hasMasked || cell::kind(value) == cell::Kind::Masked;
            if (cell::kind(value) == cell::Kind::Number)
                numbers.push_back(value);
        }
    }
    if (hasNan)
        return std::numeric_limits<double>::quiet_NaN();
    if (numbers.empty())
        return hasMasked ? maskedCell : absentCell;
    double sum = 0.0;
    double best = numbers.front();
    for (const double number : numbers) {
        sum += number;
        if (fold == Fold::Max ? number > best : std::abs(number) > std::abs(best))
            best = number;
    }
    return fold == Fold::Mean ? sum / static_cast<double>(numbers.size()) : best;
}

[[nodiscard]] inline Matrix exactCells(const MapField &field)
{
    Matrix cells(field.rows(), field.cols());
    for (Index row = 0; row < cells.rows(); ++row)
        field.row(row, 0, std::span(cells.data() + row * cells.cols(), static_cast<std::size_t>(cells.cols())));
    return cells;
}

inline bool isClose(float color, double exact, double tolerance)
{
    if (cell::kind(color) != cell::kind(exact))
        return false;
    return std::isnan(exact) || color == cell::toFloat(exact) || std::abs(color - exact) <= tolerance;
}

/// Reads @p cells at @p level and compares every folded cell.
inline void compareRead(const MapField &field, const CellRect &cells, int level, Fold fold, double tolerance)
{
    MatrixF read;
    QVERIFY(field.read(cells, level, fold, read));
    const Matrix exact = exactCells(field);
    const Index size = Index{ 1 } << level;
    QCOMPARE(read.rows(), (cells.rows.size() + size - 1) / size);
    QCOMPARE(read.cols(), (cells.cols.size() + size - 1) / size);
    for (Index row = 0; row < read.rows(); ++row) {
        for (Index col = 0; col < read.cols(); ++col) {
            const Range rows{ cells.rows.first + row * size, std::min(cells.rows.end, cells.rows.first + (row + 1) * size) };
            const Range cols{ cells.cols.first + col * size, std::min(cells.cols.end, cells.cols.first + (col + 1) * size) };
            const double expected = foldedByHand(exact, { rows, cols }, fold);
            if (!isClose(read(row, col), expected, tolerance))
                QFAIL(qPrintable(QStringLiteral("(%1, %2): %3, not %4").arg(row).arg(col).arg(read(row, col)).arg(expected)));
        }
    }
}

/// Whether the field has these cells, row by row, in number and kind.
inline bool hasCells(const MapField &field, const std::vector<double> &expected)
{
    for (Index row = 0; row < field.rows(); ++row)
        for (Index col = 0; col < field.cols(); ++col) {
            const double want = expected[static_cast<std::size_t>(row * field.cols() + col)];
            const double have = field.at(row, col);
            if (cell::kind(have) != cell::kind(want) || (!std::isnan(want) && have != want))
                return false;
        }
    return true;
}

} // namespace attenscope
