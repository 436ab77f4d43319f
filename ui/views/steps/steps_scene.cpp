// SPDX-License-Identifier: GPL-3.0-or-later
// Places of formula, matrices, arithmetic and row, and what is at a point.
#include "views/steps/steps_scene.h"

#include "state/formula.h"
#include "views/readout_text.h"
#include "views/steps/steps_paint.h"

#include <QCoreApplication>
#include <QFontInfo>
#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

constexpr std::size_t mostPlaces = 10;
constexpr std::size_t leastPlaces = 3;

QString tr(const char *words)
{
    return QCoreApplication::translate("Steps", words);
}

double widest(const QFontMetricsF &metrics, const QStringList &texts)
{
    double width = 0.0;
    for (const QString &text : texts)
        width = std::max(width, metrics.horizontalAdvance(text));
    return width;
}

} // namespace

double StepStyle::size(double window, double projector) const
{
    const double pixels = font.pixelSize() > 0 ? font.pixelSize() : QFontInfo(font).pixelSize();
    return window + (projector - window) * (pixels - 13.0) / 7.0;
}

QFont StepStyle::sized(double window, double projector, bool isBold) const
{
    QFont result = font;
    result.setPixelSize(std::max(1, qRound(size(window, projector))));
    result.setBold(isBold);
    return result;
}

StepScene::StepScene(const StepContent &content, const StepPosition &position, const StepFolds &folds, const StepStyle &style, QSizeF room)
    : m_style(style)
    , m_position(position)
    , m_folds(folds)
    , m_formula(mathBox(formulaOf(content.block(), content.spec())))
{
    for (m_folds.limit = mostPlaces; m_folds.limit >= leastPlaces; --m_folds.limit) {
        m_page = stepPage(content, m_position, m_folds);
        layOut(room);
        if ((m_size.width() <= room.width() && m_size.height() <= room.height()) || m_folds.limit == leastPlaces)
            return;
    }
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
    const double pad = m_style.size(16, 24);
    const double gap = m_style.size(16, 20) + spare;
    attenscope::layOut(m_formula, m_style.font, m_style.size(22, 44));
    const double formulaPad = m_style.size(4, 8);
    double y = pad + formulaPad + spare / 2.0;
    m_formulaOrigin = { (room.width() - m_formula.width) / 2.0, std::round(y + m_formula.ascent) };
    y += m_formula.ascent + m_formula.descent + formulaPad + gap;
    const QPointF end = placeGrids(std::round(y), room.width());
    y = placeArithmetic(std::round(end.y() + gap), room.width());
    m_chips.clear();
    if (!m_page.chips.empty())
        y = placeChips(std::round(y + gap), room.width());
    m_size = { std::max(room.width(), end.x() + pad), std::ceil(y + pad) };
    return m_size.height();
}

QPointF StepScene::placeGrids(double top, double width)
{
    const QFontMetricsF cells(m_style.sized(13, 26, true));
    const QFontMetricsF labels(m_style.sized(12, 20, true));
    const QFontMetricsF titles(m_style.sized(15, 26));
    const QFontMetricsF notes(m_style.sized(12, 17));
    const double pad = m_style.size(16, 24);
    const double rowHeight = std::ceil(m_style.size(28, 56));
    const double headHeight = std::ceil(titles.height() + m_style.size(8, 12) + labels.height());
    const double between = std::ceil(m_style.size(32, 56));
    const double padding = m_style.size(8, 14);
    m_grids.clear();
    double x = pad;
    double y = top;
    double right = 0.0;
    double bottom = top;
    std::size_t lineStart = 0;
    // In the middle where there is room.
    const auto endLine = [&](double lineRight) {
        const double shift = std::max(0.0, std::floor((width - pad - lineRight) / 2.0));
        for (std::size_t at = lineStart; at < m_grids.size(); ++at) {
            GridPlace &place = m_grids[at];
            place.cells.rx() += shift;
            place.op.rx() += shift;
            place.right += shift;
            for (QRectF &column : place.columns)
                column.translate(shift, 0.0);
        }
        right = std::max(right, lineRight + shift);
        lineStart = m_grids.size();
    };
    for (const StepGrid &grid : m_page.grids) {
        GridPlace place;
        QStringList texts;
        for (const StepCell &cell : grid.cells)
            texts << cell.text;
        const double named = std::min(m_style.size(72, 110), widest(labels, grid.colNames));
        const double cellWidth = std::ceil(std::max({ m_style.size(28, 56), widest(cells, texts) + padding, named + padding }));
        place.names = grid.rowNames.isEmpty() ? 0.0 : std::ceil(std::min(m_style.size(96, 150), widest(labels, grid.rowNames)) + padding);
        std::vector<double> lefts;
        double length = 0.0;
        for (std::size_t col = 0; col < grid.cols.shown.size(); ++col) {
            if (const Index hidden = grid.cols.hiddenBefore(col); hidden > 0)
                length += std::ceil(notes.horizontalAdvance(tr("%1 more").arg(readout::counted(hidden))) + padding);
            lefts.push_back(length);
            length += cellWidth;
        }
        const double title = titles.horizontalAdvance(grid.name) + m_style.size(8, 12) + notes.horizontalAdvance(grid.shape);
        const double gridWidth = place.names + std::max(length, std::ceil(title));
        const bool isFirst = m_grids.empty();
        if (!isFirst && x + between + gridWidth > width - pad && lineStart < m_grids.size()) {
            endLine(x);
            x = pad;
            y = bottom + m_style.size(16, 24);
        }
        if (!isFirst) {
            place.op = { x + between / 2.0, 0.0 };
            x += between;
        }
        place.cells = { x + place.names, y + headHeight };
        for (const double left : lefts)
            place.columns.emplace_back(place.cells.x() + left, place.cells.y(), cellWidth, 0.0);
        double down = place.cells.y();
        for (std::size_t row = 0; row < grid.rows.shown.size(); ++row) {
            if (grid.rows.hiddenBefore(row) > 0)
                down += std::ceil(rowHeight * 0.75);
            place.rows.emplace_back(0.0, down, 0.0, rowHeight);
            down += rowHeight;
        }
        place.right = x + gridWidth;
        place.bottom = down;
        // Beside what both have; at the start of a line beside the matrix itself.
        const double beside = lineStart < m_grids.size() ? std::min(down, m_grids.back().bottom) : down;
        place.op.setY((place.cells.y() + beside) / 2.0);
        x = place.right;
        bottom = std::max(bottom, down);
        m_grids.push_back(std::move(place));
    }
    endLine(x);
    return { right, bottom };
}

double StepScene::placeArithmetic(double y, double width)
{
    const double pad = m_style.size(16, 24);
    const double inside = m_style.size(12, 20);
    const double textWidth = width - 2.0 * pad - 2.0 * inside;
    const double height = paintedHeight(m_style, m_page, textWidth) + 2.0 * inside;
    m_arithmetic = QRectF(pad, y, width - 2.0 * pad, std::ceil(height));
    return m_arithmetic.bottom();
}

double StepScene::placeChips(double y, double width)
{
    const double pad = m_style.size(16, 24);
    const double spacing = m_style.size(8, 12);
    const QFontMetricsF titles(m_style.sized(12, 17));
    const QFontMetricsF numbers(m_style.sized(14, 26, true));
    const QFontMetricsF names(m_style.sized(12, 17));
    m_chipsTitle = y;
    y += titles.height() + m_style.size(4, 6);
    double chipWidth = 0.0;
    for (const StepChip &chip : m_page.chips) {
        const QString text = chip.before.isEmpty() ? chip.after : chip.before + QStringLiteral(" → ") + chip.after;
        chipWidth
            = std::max(chipWidth, numbers.horizontalAdvance(text) + std::min(names.horizontalAdvance(chip.name), m_style.size(72, 110)));
    }
    chipWidth = std::ceil(chipWidth + m_style.size(32, 48));
    const double room = width - 2.0 * pad;
    const auto perRow = static_cast<std::size_t>(std::max(1.0, std::floor((room + spacing) / (chipWidth + spacing))));
    const std::size_t count = std::min(perRow, m_page.chips.size());
    const double stretched = std::floor((room + spacing) / static_cast<double>(count) - spacing);
    const double used = std::min(stretched, chipWidth * 1.6);
    const double height = std::ceil(m_style.size(36, 60));
    const double foldWidth = std::ceil(titles.horizontalAdvance(tr("… %1 more").arg(QStringLiteral("00,000"))));
    double x = pad;
    for (std::size_t place = 0; place < m_page.chips.size(); ++place) {
        if (m_page.hiddenChips[place] > 0)
            x += foldWidth + spacing;
        if (x + used > width - pad + 0.5 && x > pad) {
            x = pad;
            y += height + spacing;
            if (m_page.hiddenChips[place] > 0)
                x += foldWidth + spacing;
        }
        m_chips.emplace_back(x, y, used, height);
        x += used + spacing;
    }
    return y + height;
}

std::optional<StepHit> StepScene::hitAt(QPointF point) const
{
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
        const auto more = [](Index hidden) { return tr("%1 more: click to show up to 48 of them").arg(readout::counted(hidden)); };
        if (isInRows && row == place.rows.end())
            return StepHit{ {}, {}, grid.rowAxis, more(grid.rows.size - static_cast<Index>(grid.rows.shown.size())) };
        if (isInCols && col == place.columns.end() && point.x() < place.columns.back().right())
            return StepHit{ {}, {}, grid.colAxis, more(grid.cols.size - static_cast<Index>(grid.cols.shown.size())) };
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
        if (!m_chips[place].contains(point))
            continue;
        StepHit hit{ m_position, {}, {}, {} };
        hit.position->key = m_page.chips[place].key;
        return hit;
    }
    return std::nullopt;
}

} // namespace attenscope
