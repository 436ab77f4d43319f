// SPDX-License-Identifier: GPL-3.0-or-later
// Matrices of shown cells, and sums with the numbers put in.
#include "views/steps/steps_parts.h"

#include "views/readout_text.h"
#include "views/steps/steps_words.h"

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

/// Place of @p index among the shown ones.
std::optional<std::size_t> placeOf(const FoldedAxis &axis, std::optional<Index> index)
{
    if (!index)
        return std::nullopt;
    const auto found = std::lower_bound(axis.shown.begin(), axis.shown.end(), *index);
    if (found == axis.shown.end() || *found != *index)
        return std::nullopt;
    return static_cast<std::size_t>(found - axis.shown.begin());
}

/// As stepNumber(), but small numbers have no exponent, which would widen the whole matrix.
QString cellText(double number, int decimals)
{
    const QString text = stepNumber(number, decimals);
    if (!text.contains(QLatin1Char('e')) || std::abs(number) >= 1.0)
        return text;
    return QString::number(number, 'f', decimals).replace(QLatin1Char('-'), QChar(0x2212));
}

} // namespace

namespace steps {

Reader rowOf(const SharedMatrix &matrix, Index row)
{
    return [matrix, row](Index col) { return matrix.at(row, col); };
}

Reader colOf(const SharedMatrix &matrix, Index col)
{
    return [matrix, col](Index row) { return matrix.at(row, col); };
}

Reader reader(const Vector &numbers)
{
    return [&numbers](Index place) { return numbers(place); };
}

bool hasPreparedQuery(const AttentionSpec &spec)
{
    return spec.score != ScoreFunction::ScaledDot && spec.score != ScoreFunction::Dot;
}

SharedMatrix scoreMatrix(const AttentionSpec &spec, const HeadOperands &operands, bool isQuery)
{
    const ScoreParameters &parameters = spec.parameters;
    const auto turned = [](const Matrix &matrix) { return SharedMatrix(Matrix(matrix.transpose())); };
    switch (spec.score) {
    case ScoreFunction::General:
        return parameters.w;
    case ScoreFunction::Additive:
        return turned((isQuery ? parameters.wDec : parameters.wEnc).toMatrix());
    case ScoreFunction::Concat: {
        const Matrix w = parameters.w.toMatrix();
        return turned(isQuery ? Matrix(w.leftCols(operands.q.cols())) : Matrix(w.rightCols(operands.k.cols())));
    }
    default:
        return {};
    }
}

QString scoreMatrixName(const AttentionSpec &spec, bool isQuery)
{
    switch (spec.score) {
    case ScoreFunction::General:
        return QStringLiteral("W");
    case ScoreFunction::Additive:
        return isQuery ? QStringLiteral("W_decᵀ") : QStringLiteral("W_encᵀ");
    default:
        return isQuery ? stepsWords("left Wᵀ") : stepsWords("right Wᵀ");
    }
}

QString scoreLeftName(const AttentionSpec &spec)
{
    if (spec.score == ScoreFunction::General)
        return QStringLiteral("Q W");
    return spec.score == ScoreFunction::Linear ? QStringLiteral("φ(Q)") : QStringLiteral("Q");
}

QString scoreRightName(const AttentionSpec &spec)
{
    return spec.score == ScoreFunction::Linear ? QStringLiteral("φ(K)ᵀ") : QStringLiteral("Kᵀ");
}

FoldedAxis GridMaker::axis(StepAxis kind, Index size) const
{
    const Index pinned = kind == StepAxis::Queries ? walk.row
        : kind == StepAxis::Keys                   ? position.key
        : kind == dimAxis(position.step)           ? position.dim
                                                   : 0;
    return folded(size, folds.limitOf(kind), pinned);
}

void GridMaker::add(StepGrid grid, const QString &op)
{
    if (!page.grids.empty())
        page.operators << op;
    page.grids.push_back(std::move(grid));
}

QStringList GridMaker::names(StepAxis kind, const FoldedAxis &shown) const
{
    QStringList result;
    if (kind != StepAxis::Queries && kind != StepAxis::Keys)
        return result;
    const auto &tokens = kind == StepAxis::Queries ? content.block().queryTokens : content.block().keyTokens;
    for (const Index place : shown.shown)
        result << readout::tokenText(tokens, place);
    return result;
}

QString GridMaker::sizeText(StepAxis kind, Index size) const
{
    const QString count = readout::counted(size);
    if (kind == StepAxis::Queries)
        return size == 1 ? stepsWords("1 query") : stepsWords("%1 queries").arg(count);
    if (kind == StepAxis::Keys)
        return size == 1 ? stepsWords("1 key") : stepsWords("%1 keys").arg(count);
    return count;
}

StepGrid GridMaker::grid(const QString &name, StepAxis rowAxis, Index rows, StepAxis colAxis, Index cols, const CellReader &read,
    At activeRow, At activeCol) const
{
    StepGrid result;
    result.name = name;
    result.shape = rowAxis == StepAxis::None ? sizeText(colAxis, cols)
                                             : QStringLiteral("%1 × %2").arg(sizeText(rowAxis, rows), sizeText(colAxis, cols));
    result.rowAxis = rowAxis;
    result.colAxis = colAxis;
    result.rows = rowAxis == StepAxis::None ? FoldedAxis{ 1, { 0 } } : axis(rowAxis, rows);
    result.cols = axis(colAxis, cols);
    result.rowNames = names(rowAxis, result.rows);
    result.colNames = names(colAxis, result.cols);
    result.activeRow = placeOf(result.rows, activeRow);
    result.activeCol = placeOf(result.cols, activeCol);
    const int decimals = std::max(1, content.decimals - 2);
    for (std::size_t row = 0; row < result.rows.shown.size(); ++row) {
        for (std::size_t col = 0; col < result.cols.shown.size(); ++col) {
            StepCell cell;
            if (const auto number = read(result.rows.shown[row], result.cols.shown[col])) {
                cell.text = cellText(*number, decimals);
                cell.exact = readout::exact(*number);
            }
            cell.isActive = (activeRow || activeCol) && (!activeRow || result.activeRow == row) && (!activeCol || result.activeCol == col);
            result.cells.push_back(std::move(cell));
        }
    }
    return result;
}

StepGrid GridMaker::matrixGrid(
    const QString &name, StepAxis rowAxis, StepAxis colAxis, const SharedMatrix &matrix, At activeRow, At activeCol) const
{
    return grid(
        name, rowAxis, matrix.rows(), colAxis, matrix.cols(), [&](Index row, Index col) { return matrix.at(row, col); }, activeRow,
        activeCol);
}

StepGrid GridMaker::matrixGrid(
    const QString &name, StepAxis rowAxis, StepAxis colAxis, const Matrix &matrix, At activeRow, At activeCol) const
{
    return grid(
        name, rowAxis, matrix.rows(), colAxis, matrix.cols(), [&](Index row, Index col) { return matrix(row, col); }, activeRow, activeCol);
}

StepGrid GridMaker::rowGrid(const QString &name, StepAxis colAxis, Index size, const Reader &numbers, At active) const
{
    StepGrid result = grid(
        name, StepAxis::None, 1, colAxis, size, [&](Index, Index col) { return numbers(col); }, {}, active);
    result.rowNames = QStringList{ content.queryName() };
    return result;
}

StepGrid GridMaker::keysGrid(const QString &name, const Vector &numbers, bool hidesMasked, At active) const
{
    StepGrid result = rowGrid(name, StepAxis::Keys, numbers.size(), reader(numbers), active);
    for (std::size_t col = 0; col < result.cols.shown.size(); ++col)
        result.cells[col].isMasked = hidesMasked && !walk.visible[static_cast<std::size_t>(result.cols.shown[col])];
    return result;
}

StepGrid GridMaker::mapGrid(const QString &name, const Vector &numbers) const
{
    const auto known = [&](Index key) { return key <= position.key ? std::optional(numbers(key)) : std::nullopt; };
    // Where not all rows are there the others would be empty space.
    if (!folds.hasMapRows || content.block().queries > static_cast<Index>(folds.limitOf(StepAxis::Queries))) {
        StepGrid result = grid(
            name, StepAxis::None, 1, StepAxis::Keys, numbers.size(), [&](Index, Index key) { return known(key); }, {}, position.key);
        result.rowNames = QStringList{ content.queryName() };
        return result;
    }
    return grid(
        name, StepAxis::Queries, content.block().queries, StepAxis::Keys, numbers.size(),
        [&](Index row, Index key) { return row == walk.row ? known(key) : std::nullopt; }, walk.row, position.key);
}

QString GridMaker::product(StepAxis kind, Index size, const Reader &left, const Reader &right, At biasAt, const Vector &bias) const
{
    const FoldedAxis shown = axis(kind, size);
    QStringList terms;
    Index hidden = 0;
    for (std::size_t at = 0; at <= shown.shown.size(); ++at) {
        if ((hidden = shown.hiddenBefore(at)) > 0)
            terms << stepsWords("… %1 more").arg(readout::counted(hidden));
        if (at == shown.shown.size())
            break;
        const Index place = shown.shown[at];
        // What is masked is not added.
        if (kind == StepAxis::Keys && !walk.visible[static_cast<std::size_t>(place)])
            continue;
        const double first = left(place);
        terms << (terms.isEmpty() ? operand(first) : inner(first)) + QStringLiteral("·") + inner(right(place));
    }
    if (biasAt && bias.size() > 0)
        terms << inner(bias(*biasAt));
    return terms.isEmpty() ? QStringLiteral("0") : terms.join(QStringLiteral(" + "));
}

QString GridMaker::operand(double number) const
{
    return stepNumber(number, std::max(1, content.decimals - 1));
}

QString GridMaker::inner(double number) const
{
    const QString text = operand(number);
    return text.startsWith(QChar(0x2212)) ? QLatin1Char('(') + text + QLatin1Char(')') : text;
}

QString GridMaker::place(const QString &what) const
{
    return stepsWords("query %1").arg(content.queryName()) + (what.isEmpty() ? QString() : QStringLiteral(" · ") + what);
}

QString GridMaker::keyPlace() const
{
    return stepsWords("key %1").arg(content.keyName(position.key));
}

QString GridMaker::dimPlace() const
{
    return stepsWords("number %1").arg(position.dim);
}

void GridMaker::put(const QString &caption, const QString &arithmetic, double result)
{
    page.caption = caption;
    page.arithmetic = arithmetic + QStringLiteral(" = ");
    page.result = stepResult(result, content.decimals);
}

} // namespace steps

} // namespace attenscope
