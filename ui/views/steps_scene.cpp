// SPDX-License-Identifier: GPL-3.0-or-later
// Places of formula, matrices, arithmetic and row, and what is at a point.
#include "views/steps_scene.h"

#include "state/formula.h"
#include "views/readout_text.h"
#include "views/steps_paint.h"

#include <QCoreApplication>
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
    , m_formula(mathBox(formulaOf(content.block(), content.spec)))
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
    const double pad = m_style.size(16, 24);
    const double gap = m_style.size(16, 20);
    attenscope::layOut(m_formula, m_style.font, m_style.size(22, 44));
    const double formulaPad = m_style.size(8, 14);
    double y = pad + formulaPad;
    m_formulaOrigin = { 0.0, y + m_formula.ascent };
    y += m_formula.ascent + m_formula.descent + formulaPad + gap;

    const QSizeF grids = placeGrids({ pad, y });
    const double width = std::max(room.width(), grids.width() + 2.0 * pad);
    // In the middle where there is room.
    const double shift = std::floor((width - 2.0 * pad - grids.width()) / 2.0);
    for (GridPlace &place : m_grids) {
        place.cells.rx() += shift;
        place.right += shift;
        for (QRectF &column : place.columns)
            column.translate(shift, 0.0);
    }
    m_formulaOrigin.setX((width - m_formula.width) / 2.0);
    y += grids.height() + gap;
    y = placeArithmetic(y, width);
    if (!m_page.chips.empty())
        y = placeChips(y + gap, width);
    m_size = { width, std::ceil(y + pad) };
}

QSizeF StepScene::placeGrids(QPointF origin)
{
    const QFontMetricsF cells(m_style.sized(13, 26, true));
    const QFontMetricsF labels(m_style.sized(12, 20, true));
    const QFontMetricsF titles(m_style.sized(15, 26));
    const QFontMetricsF notes(m_style.sized(12, 17));
    const double rowHeight = std::ceil(m_style.size(28, 56));
    const double titleHeight = std::ceil(titles.height() + m_style.size(2, 4));
    const double labelHeight = std::ceil(labels.height() + m_style.size(4, 6));
    const double between = std::ceil(m_style.size(32, 56));
    const double padding = m_style.size(8, 14);
    m_grids.clear();
    double x = origin.x();
    double bottom = origin.y();
    for (const StepGrid &grid : m_page.grids) {
        GridPlace place;
        QStringList texts;
        for (const StepCell &cell : grid.cells)
            texts << cell.text;
        const double most = m_style.size(72, 110);
        const double named = std::min(most, widest(labels, grid.colNames));
        const double cellWidth = std::ceil(std::max({ m_style.size(28, 56), widest(cells, texts) + padding, named + padding }));
        place.names = grid.rowNames.isEmpty() ? 0.0 : std::ceil(std::min(m_style.size(96, 150), widest(labels, grid.rowNames)) + padding);
        if (!m_grids.empty())
            x += between;
        place.cells = { x + place.names, origin.y() + titleHeight + labelHeight };
        double at = place.cells.x();
        for (std::size_t col = 0; col <= grid.cols.shown.size(); ++col) {
            if (const Index hidden = grid.cols.hiddenBefore(col); hidden > 0)
                at += std::ceil(notes.horizontalAdvance(tr("%1 more").arg(readout::counted(hidden))) + padding);
            if (col == grid.cols.shown.size())
                break;
            place.columns.emplace_back(at, place.cells.y(), cellWidth, 0.0);
            at += cellWidth;
        }
        double down = place.cells.y();
        for (std::size_t row = 0; row <= grid.rows.shown.size(); ++row) {
            if (grid.rows.hiddenBefore(row) > 0)
                down += std::ceil(rowHeight * 0.75);
            if (row == grid.rows.shown.size())
                break;
            place.rows.emplace_back(0.0, down, 0.0, rowHeight);
            down += rowHeight;
        }
        const double title = titles.horizontalAdvance(grid.name) + m_style.size(8, 12) + notes.horizontalAdvance(grid.shape);
        place.right = std::max(at, place.cells.x() + std::ceil(title));
        place.bottom = down;
        x = place.right;
        bottom = std::max(bottom, down);
        m_grids.push_back(std::move(place));
    }
    return { x - origin.x(), bottom - origin.y() };
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
    m_chips.clear();
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
