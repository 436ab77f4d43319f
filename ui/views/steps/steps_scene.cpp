// SPDX-License-Identifier: GPL-3.0-or-later
// Places of formula, matrices, arithmetic and row, and what is at a point.
#include "views/steps/steps_scene.h"

#include "state/formula.h"
#include "views/steps/steps_paint.h"
#include "views/steps/steps_words.h"

#include <QFontInfo>
#include <QFontMetricsF>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attenscope {

namespace {

double widest(const QFontMetricsF &metrics, const QStringList &texts)
{
    double width = 0.0;
    for (const QString &text : texts)
        width = std::max(width, metrics.horizontalAdvance(text));
    return width;
}

QString unfoldTip(StepAxis axis, Index hidden)
{
    return stepsWords("%1: click to show up to 48 of them").arg(foldText(axis, hidden));
}

} // namespace

int StepStyle::letters() const
{
    return font.pixelSize() > 0 ? font.pixelSize() : QFontInfo(font).pixelSize();
}

StepStyle StepStyle::withLetters(int pixels) const
{
    StepStyle result = *this;
    result.font.setPixelSize(pixels);
    return result;
}

double StepStyle::size(double window, double projector) const
{
    return window + (projector - window) * (letters() - 13.0) / 7.0;
}

QFont StepStyle::sized(double window, double projector, bool isBold) const
{
    QFont result = font;
    result.setPixelSize(std::max({ 1, least, qRound(size(window, projector)) }));
    result.setBold(isBold);
    return result;
}

void StepScene::layOut(QSizeF room)
{
    const double height = place(room, 0.0);
    // What is left over goes between the parts.
    const double spare = std::min(std::floor((room.height() - height) / 4.0), m_style.size(24, 48));
    if (spare > 0.0)
        place(room, spare);
}

double StepScene::place(QSizeF room, double spare)
{
    const double gap = (m_isDense ? m_style.size(10, 14) : m_style.size(16, 20)) + spare;
    attenscope::layOut(m_formula, m_style.font, m_style.size(22, 44));
    const double formulaPad = m_style.size(4, 8);
    double y = (m_isDense ? m_style.size(8, 12) : pad()) + formulaPad + spare / 2.0;
    m_formulaOrigin = { (room.width() - m_formula.width) / 2.0, std::round(y + m_formula.ascent) };
    y += m_formula.ascent + m_formula.descent + formulaPad + gap;
    const QPointF end = placeGrids(std::round(y), room.width());
    y = placeArithmetic(std::round(end.y() + gap), room.width());
    m_chips.clear();
    if (!m_page.chips.empty())
        y = placeChips(std::round(y + gap), room.width());
    m_size = { std::max(room.width(), end.x() + pad()), std::ceil(y + (m_isDense ? m_style.size(8, 12) : pad())) };
    return m_size.height();
}

double StepScene::rowHeight() const
{
    const double letters = QFontMetricsF(m_style.sized(13, 26, true)).height();
    return std::ceil(m_isDense ? std::max(letters + m_style.size(4, 6), m_style.size(22, 44)) : m_style.size(28, 56));
}

StepScene::GridSize StepScene::measured(const StepGrid &grid) const
{
    const QFontMetricsF cells(m_style.sized(13, 26, true));
    const QFontMetricsF labels(m_style.sized(12, 20, true));
    const QFontMetricsF titles(m_style.sized(15, 26));
    const QFontMetricsF notes(m_style.sized(12, 17));
    const double padding = m_isTight ? m_style.size(4, 6) : m_style.size(8, 14);
    GridSize size;
    QStringList texts;
    for (const StepCell &cell : grid.cells)
        texts << cell.text;
    const double named = std::min(m_isTight ? m_style.size(40, 60) : m_style.size(72, 110), widest(labels, grid.colNames));
    size.cell = std::ceil(std::max({ m_style.size(28, 56), widest(cells, texts) + padding, named + padding }));
    // Half a position would be another one.
    const double tight = std::max(m_style.size(36, 56), labels.horizontalAdvance(QStringLiteral("000000")));
    size.names = grid.rowNames.isEmpty()
        ? 0.0
        : std::ceil(std::min(m_isTight ? tight : m_style.size(96, 150), widest(labels, grid.rowNames)) + m_style.size(8, 12));
    double length = 0.0;
    for (std::size_t col = 0; col < grid.cols.shown.size(); ++col) {
        if (const Index hidden = grid.cols.hiddenBefore(col); hidden > 0)
            length += std::ceil(notes.horizontalAdvance(columnFoldText(grid.colAxis, hidden)) + m_style.size(8, 14));
        size.lefts.push_back(length);
        length += size.cell;
    }
    const double title = titles.horizontalAdvance(grid.name) + m_style.size(8, 12) + notes.horizontalAdvance(grid.shape);
    size.width = size.names + std::max(length, std::ceil(title));
    return size;
}

void StepScene::moveUp(GridPlace &place, double by)
{
    place.cells.ry() -= by;
    place.op.ry() -= by;
    place.bottom -= by;
    for (QRectF &column : place.columns)
        column.translate(0.0, -by);
    for (QRectF &row : place.rows)
        row.translate(0.0, -by);
}

QPointF StepScene::placeGrids(double top, double width)
{
    const QFontMetricsF labels(m_style.sized(12, 20, true));
    const QFontMetricsF titles(m_style.sized(15, 26));
    const double height = rowHeight();
    const double labelHeight = std::ceil(labels.height() + m_style.size(4, 6));
    const double headHeight = std::ceil(titles.height() + m_style.size(4, 6)) + labelHeight;
    const double between = betweenGrids();
    m_grids.clear();
    double x = pad();
    double y = top;
    double right = 0.0;
    double bottom = top;
    std::size_t lineStart = 0;
    // In the middle where there is room.
    const auto endLine = [&](double lineRight) {
        const double shift = std::max(0.0, std::floor((width - pad() - lineRight) / 2.0));
        for (std::size_t at = lineStart; at < m_grids.size(); ++at) {
            GridPlace &place = m_grids[at];
            place.cells.rx() += shift;
            place.op.rx() += shift;
            place.right += shift;
            for (QRectF &column : place.columns)
                column.translate(shift, 0.0);
        }
        // Without names above its columns a line begins with the cells.
        const auto isLabelled = [this](std::size_t at) {
            const StepGrid &grid = m_page.grids[at];
            return !grid.colNames.isEmpty() || static_cast<Index>(grid.cols.shown.size()) < grid.cols.size;
        };
        bool hasLabels = false;
        for (std::size_t at = lineStart; at < m_grids.size(); ++at)
            hasLabels = hasLabels || isLabelled(at);
        for (std::size_t at = lineStart; at < m_grids.size() && !hasLabels; ++at)
            moveUp(m_grids[at], labelHeight);
        for (std::size_t at = lineStart; at < m_grids.size(); ++at) {
            m_grids[at].labels = hasLabels ? labelHeight : 0.0;
            bottom = std::max(bottom, m_grids[at].bottom);
        }
        right = std::max(right, lineRight + shift);
        lineStart = m_grids.size();
    };
    for (const StepGrid &grid : m_page.grids) {
        const GridSize size = measured(grid);
        GridPlace place;
        place.names = size.names;
        const bool isFirst = m_grids.empty();
        if (!isFirst && x + between + size.width > width - pad() && lineStart < m_grids.size()) {
            endLine(x);
            x = pad();
            y = bottom + (m_isDense ? m_style.size(8, 12) : m_style.size(16, 24));
        }
        if (!isFirst) {
            place.op = { x + between / 2.0, 0.0 };
            x += between;
        }
        place.cells = { x + place.names, y + headHeight };
        for (const double left : size.lefts)
            place.columns.emplace_back(place.cells.x() + left, place.cells.y(), size.cell, 0.0);
        double down = place.cells.y();
        for (std::size_t row = 0; row < grid.rows.shown.size(); ++row) {
            if (grid.rows.hiddenBefore(row) > 0)
                down += std::ceil(height * 0.75);
            place.rows.emplace_back(0.0, down, 0.0, height);
            down += height;
        }
        place.right = x + size.width;
        place.bottom = down;
        // Beside what both have; at the start of a line beside the matrix itself.
        const double beside = lineStart < m_grids.size() ? std::min(down, m_grids.back().bottom) : down;
        place.op.setY((place.cells.y() + beside) / 2.0);
        x = place.right;
        m_grids.push_back(std::move(place));
    }
    endLine(x);
    return { right, bottom };
}

double StepScene::placeArithmetic(double y, double width)
{
    const double inside = m_style.size(12, 20);
    const double textWidth = width - 2.0 * pad() - 2.0 * inside;
    const double height = paintedHeight(m_style, m_page, textWidth) + 2.0 * inside;
    m_arithmetic = QRectF(pad(), y, width - 2.0 * pad(), std::ceil(height));
    return m_arithmetic.bottom();
}

double StepScene::placeChips(double y, double width)
{
    const double spacing = m_isDense ? m_style.size(6, 8) : m_style.size(8, 12);
    const QFontMetricsF titles(m_style.sized(12, 17));
    const QFontMetricsF numbers(m_style.sized(14, 26, true));
    const QFontMetricsF names(m_style.sized(12, 17));
    m_chipsTitle = y;
    m_chipFolds.clear();
    y += titles.height() + m_style.size(4, 6);
    double chipWidth = 0.0;
    for (const StepChip &chip : m_page.chips) {
        const QString text = chip.before.isEmpty() ? chip.after : chip.before + QStringLiteral(" → ") + chip.after;
        chipWidth
            = std::max(chipWidth, numbers.horizontalAdvance(text) + std::min(names.horizontalAdvance(chip.name), m_style.size(72, 110)));
    }
    chipWidth = std::ceil(chipWidth + m_style.size(32, 48));
    const double room = width - 2.0 * pad();
    const auto perRow = static_cast<std::size_t>(std::max(1.0, std::floor((room + spacing) / (chipWidth + spacing))));
    const std::size_t count = std::min(perRow, m_page.chips.size());
    const double stretched = std::floor((room + spacing) / static_cast<double>(count) - spacing);
    const double used = std::min(stretched, chipWidth * 1.6);
    const double height = std::ceil(m_isDense ? numbers.height() + m_style.size(6, 10) : m_style.size(36, 60));
    double x = pad();
    for (std::size_t place = 0; place < m_page.chips.size(); ++place) {
        const Index hidden = m_page.hiddenChips[place];
        const double fold
            = hidden == 0 ? 0.0 : std::ceil(titles.horizontalAdvance(QStringLiteral("… ") + foldText(StepAxis::Keys, hidden)));
        if (x + (hidden == 0 ? 0.0 : fold + spacing) + used > width - pad() + 0.5 && x > pad()) {
            x = pad();
            y += height + spacing;
        }
        m_chipFolds.push_back(hidden == 0 ? QRectF() : QRectF(x, y, fold, height));
        if (hidden > 0)
            x += fold + spacing;
        m_chips.emplace_back(x, y, used, height);
        x += used + spacing;
    }
    return y + height;
}

QRectF StepScene::arithmeticIn(const QRectF &visible) const
{
    const double below = m_style.size(8, 12);
    // A long sum would hide everything else.
    if (visible.isNull() || m_arithmetic.bottom() + below <= visible.bottom() || m_arithmetic.height() > visible.height() / 2.0)
        return m_arithmetic;
    return m_arithmetic.translated(0.0, visible.bottom() - below - m_arithmetic.bottom());
}

QRectF StepScene::activeRow() const
{
    for (const StepAxis axis : { StepAxis::Keys, StepAxis::Queries }) {
        for (std::size_t number = 0; number < m_grids.size(); ++number) {
            const StepGrid &grid = m_page.grids[number];
            const GridPlace &place = m_grids[number];
            if (grid.rowAxis != axis || !grid.activeRow)
                continue;
            const QRectF &row = place.rows[*grid.activeRow];
            return { place.cells.x(), row.y(), place.right - place.cells.x(), row.height() };
        }
    }
    return {};
}

QRectF StepScene::activeColumn() const
{
    for (std::size_t number = 0; number < m_grids.size(); ++number) {
        const StepGrid &grid = m_page.grids[number];
        const GridPlace &place = m_grids[number];
        if (grid.colAxis != StepAxis::Keys || !grid.activeCol)
            continue;
        const QRectF &column = place.columns[*grid.activeCol];
        return { column.x(), place.cells.y(), column.width(), place.bottom - place.cells.y() };
    }
    return {};
}

std::optional<StepHit> StepScene::hitAt(QPointF point, const QRectF &visible) const
{
    if (arithmeticIn(visible).contains(point))
        return std::nullopt;
    const auto contains = [](double from, double length, double at) { return at >= from && at < from + length; };
    for (std::size_t number = 0; number < m_grids.size(); ++number) {
        const StepGrid &grid = m_page.grids[number];
        const GridPlace &place = m_grids[number];
        if (point.x() < place.cells.x() - place.names || point.x() >= place.right || point.y() >= place.bottom)
            continue;
        const auto row = std::find_if(
            place.rows.begin(), place.rows.end(), [&](const QRectF &rect) { return contains(rect.y(), rect.height(), point.y()); });
        const auto col = std::find_if(
            place.columns.begin(), place.columns.end(), [&](const QRectF &rect) { return contains(rect.x(), rect.width(), point.x()); });
        const bool isInRows = point.y() >= place.cells.y();
        const bool isInCols = point.x() >= place.cells.x();
        const auto unfolding = [](StepAxis axis, const FoldedAxis &places) {
            return StepHit{ {}, {}, axis, unfoldTip(axis, places.size - static_cast<Index>(places.shown.size())) };
        };
        if (isInRows && row == place.rows.end())
            return unfolding(grid.rowAxis, grid.rows);
        if (isInCols && col == place.columns.end() && point.x() < place.columns.back().right())
            return unfolding(grid.colAxis, grid.cols);
        if (!isInRows || (isInCols && col == place.columns.end()))
            continue;
        StepHit hit{ m_position, {}, {}, {} };
        const auto go = [&](StepAxis axis, Index index) {
            if (axis == StepAxis::Keys)
                hit.position->key = index;
            else if (axis == StepAxis::Queries)
                hit.query = index;
            else if (axis != StepAxis::None && axis == dimAxis(m_position.step))
                hit.position->dim = index;
        };
        const auto rowPlace = static_cast<std::size_t>(row - place.rows.begin());
        go(grid.rowAxis, grid.rows.shown[rowPlace]);
        if (isInCols) {
            const auto colPlace = static_cast<std::size_t>(col - place.columns.begin());
            go(grid.colAxis, grid.cols.shown[colPlace]);
            hit.tip = grid.cell(rowPlace, colPlace).exact;
        }
        return hit;
    }
    for (std::size_t place = 0; place < m_chips.size(); ++place) {
        if (m_chipFolds[place].contains(point)) {
            const Index hidden = std::accumulate(m_page.hiddenChips.begin(), m_page.hiddenChips.end(), Index{ 0 });
            return StepHit{ {}, {}, StepAxis::Keys, unfoldTip(StepAxis::Keys, hidden) };
        }
        if (!m_chips[place].contains(point))
            continue;
        StepHit hit{ m_position, {}, {}, {} };
        hit.position->key = m_page.chips[place].key;
        return hit;
    }
    return std::nullopt;
}

} // namespace attenscope
