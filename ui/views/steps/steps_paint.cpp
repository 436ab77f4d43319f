// SPDX-License-Identifier: GPL-3.0-or-later
// Painting a step's page.
#include "views/steps/steps_paint.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QTextLayout>

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

/// Breaks the lines of @p layout at @p width; returns their height.
double breakLines(QTextLayout &layout, double width)
{
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.beginLayout();
    double height = 0.0;
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width);
        line.setPosition({ 0.0, height });
        height += line.height();
    }
    layout.endLayout();
    return height;
}

/// How many places are folded, underlined because a click shows them.
void paintFold(QPainter &painter, const StepStyle &style, const QRectF &box, Qt::Alignment alignment, const QString &text)
{
    QFont font = style.sized(12, 17);
    font.setUnderline(true);
    painter.setFont(font);
    painter.setPen(style.theme.secondaryText);
    painter.drawText(box, static_cast<int>(alignment) | Qt::TextSingleLine, text);
}

} // namespace

double paintedHeight(const StepStyle &style, const StepPage &page, double width)
{
    const QFont notes = style.sized(12, 17);
    double height = QFontMetricsF(notes).height() + style.size(4, 8);
    QTextLayout arithmetic(page.arithmetic + page.result, style.sized(18, 36));
    height += breakLines(arithmetic, width);
    if (!page.remark.isEmpty()) {
        QTextLayout remark(page.remark, notes);
        height += style.size(4, 8) + breakLines(remark, width);
    }
    return height;
}

void paintMaskedGround(QPainter &painter, const Theme &theme, const QRectF &rect)
{
    constexpr double period = 8.5;
    painter.fillRect(rect, theme.maskedGround);
    painter.setPen(QPen(theme.maskedHatch, 1));
    const double width = rect.width();
    const double height = rect.height();
    for (double at = period / 2.0; at < width + height; at += period) {
        painter.drawLine(QPointF(rect.left() + std::max(0.0, at - height), rect.top() + std::min(at, height)),
            QPointF(rect.left() + std::min(at, width), rect.top() + std::max(0.0, at - width)));
    }
}

void StepScene::paint(QPainter &painter, const QRectF &visible) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    paintFormula(painter);
    for (std::size_t number = 0; number < m_grids.size(); ++number) {
        paintGrid(painter, m_page.grids[number], m_grids[number]);
        if (number == 0)
            continue;
        const QPointF middle = m_grids[number].op;
        painter.setFont(m_style.sized(18, 36));
        painter.setPen(m_style.theme.secondaryText);
        painter.drawText(QRectF(middle.x() - 50.0, middle.y() - 50.0, 100.0, 100.0), Qt::AlignCenter,
            m_page.operators[static_cast<qsizetype>(number) - 1]);
    }
    paintChips(painter);
    paintArithmetic(painter, visible);
}

void StepScene::paintFormula(QPainter &painter) const
{
    QRectF lit;
    for (const Symbol symbol : m_page.lit)
        lit = lit.united(symbolRect(m_formula, symbol, m_formulaOrigin));
    if (!lit.isNull()) {
        const double around = m_style.size(3, 5);
        painter.setPen(QPen(m_style.theme.accent, m_style.size(1, 2)));
        painter.setBrush(m_style.theme.accentGround);
        painter.drawRoundedRect(lit.adjusted(-around, -around, around, around), 4, 4);
    }
    paintMath(painter, m_formula, m_formulaOrigin, m_style.font, lit.isNull() ? m_style.theme.text : m_style.theme.secondaryText,
        m_page.lit, m_style.theme.accent);
}

void StepScene::paintGrid(QPainter &painter, const StepGrid &grid, const GridPlace &place) const
{
    const Theme &theme = m_style.theme;
    const QFont titleFont = m_style.sized(15, 26);
    const QFontMetricsF titles(titleFont);
    const QFont noteFont = m_style.sized(12, 17);
    const QFontMetricsF labels(m_style.sized(12, 20));
    const double labelTop = place.cells.y() - place.labels;
    const double titleBase = labelTop - m_style.size(4, 6);
    QFont italic = titleFont;
    italic.setItalic(true);
    painter.setFont(italic);
    painter.setPen(theme.text);
    painter.drawText(QPointF(place.cells.x(), titleBase), grid.name);
    painter.setFont(noteFont);
    painter.setPen(theme.secondaryText);
    painter.drawText(QPointF(place.cells.x() + titles.horizontalAdvance(grid.name) + m_style.size(8, 12), titleBase), grid.shape);

    const auto isActiveRow = [&](std::size_t row) { return grid.activeRow == row; };
    const auto isActiveCol = [&](std::size_t col) { return grid.activeCol == col; };
    const auto drawLabel = [&](const QRectF &box, const QString &name, bool isActive, Qt::Alignment alignment) {
        painter.setFont(m_style.sized(12, 20, isActive));
        painter.setPen(isActive ? theme.accent : theme.secondaryText);
        painter.drawText(box, alignment, painter.fontMetrics().elidedText(name, Qt::ElideRight, qRound(box.width())));
    };
    for (std::size_t col = 0; col < place.columns.size(); ++col) {
        const QRectF &column = place.columns[col];
        if (!grid.colNames.isEmpty())
            drawLabel({ column.x(), labelTop, column.width(), labels.height() }, grid.colNames[static_cast<qsizetype>(col)],
                isActiveCol(col), Qt::AlignHCenter | Qt::AlignVCenter);
    }
    for (std::size_t row = 0; row < place.rows.size(); ++row) {
        const QRectF &line = place.rows[row];
        if (!grid.rowNames.isEmpty())
            drawLabel({ place.cells.x() - place.names, line.y(), place.names - m_style.size(8, 12), line.height() },
                grid.rowNames[static_cast<qsizetype>(row)], isActiveRow(row), Qt::AlignRight | Qt::AlignVCenter);
        for (std::size_t col = 0; col < place.columns.size(); ++col) {
            const StepCell &cell = grid.cell(row, col);
            const QRectF box(place.columns[col].x(), line.y(), place.columns[col].width(), line.height());
            const QRectF inside = box.adjusted(0.5, 0.5, -0.5, -0.5);
            if (cell.isMasked)
                paintMaskedGround(painter, theme, inside);
            painter.setPen(QPen(theme.line, 1));
            painter.setBrush(cell.isMasked ? Qt::NoBrush : QBrush(cell.isActive ? theme.accentGround : theme.panel));
            painter.drawRect(inside);
            painter.setFont(m_style.sized(13, 26, cell.isActive));
            painter.setPen(cell.isActive ? theme.text : theme.secondaryText);
            painter.drawText(box, Qt::AlignCenter, cell.text);
        }
    }
    for (std::size_t col = 0; col <= place.columns.size(); ++col) {
        const Index hidden = grid.cols.hiddenBefore(col);
        if (hidden == 0)
            continue;
        const double from = col == 0 ? place.cells.x() : place.columns[col - 1].right();
        const double to = col == place.columns.size() ? place.right : place.columns[col].x();
        paintFold(painter, m_style, { from, labelTop, to - from, place.cells.y() - labelTop }, Qt::AlignHCenter | Qt::AlignBottom,
            columnFoldText(grid.colAxis, hidden));
        painter.setFont(m_style.sized(13, 26));
        for (const QRectF &row : place.rows)
            painter.drawText(QRectF(from, row.y(), to - from, row.height()), Qt::AlignCenter, QStringLiteral("…"));
    }
    for (std::size_t row = 0; row <= place.rows.size(); ++row) {
        const Index hidden = grid.rows.hiddenBefore(row);
        if (hidden == 0)
            continue;
        const double from = row == 0 ? place.cells.y() : place.rows[row - 1].bottom();
        const double to = row == place.rows.size() ? place.bottom : place.rows[row].y();
        paintFold(painter, m_style, { place.cells.x(), from, place.right - place.cells.x(), to - from }, Qt::AlignVCenter | Qt::AlignLeft,
            QStringLiteral("… ") + foldText(grid.rowAxis, hidden));
    }
    if (!grid.activeRow && !grid.activeCol)
        return;
    const QRectF first(place.columns[grid.activeCol.value_or(0)].x(), place.rows[grid.activeRow.value_or(0)].y(), 0.0, 0.0);
    const double right = place.columns[grid.activeCol.value_or(place.columns.size() - 1)].right();
    const double bottom = place.rows[grid.activeRow.value_or(place.rows.size() - 1)].bottom();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.accent, m_style.size(2, 3), Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(QRectF(first.topLeft(), QPointF(right, bottom)));
}

void StepScene::paintArithmetic(QPainter &painter, const QRectF &visible) const
{
    const Theme &theme = m_style.theme;
    const QRectF place = arithmeticIn(visible);
    if (place != m_arithmetic)
        painter.fillRect(
            QRectF(visible.left(), place.top() - m_style.size(8, 12), visible.width(), visible.bottom() - place.top() + 100.0), theme.view);
    painter.setPen(QPen(theme.accent, m_style.size(1, 2)));
    painter.setBrush(theme.panel);
    painter.drawRoundedRect(place.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    const double inside = m_style.size(12, 20);
    const QRectF box = place.adjusted(inside, inside, -inside, -inside);
    const QFont notes = m_style.sized(12, 17);
    painter.setFont(notes);
    painter.setPen(theme.secondaryText);
    double y = box.top() + QFontMetricsF(notes).ascent();
    painter.drawText(QPointF(box.left(), y), m_page.caption);
    y = box.top() + QFontMetricsF(notes).height() + m_style.size(4, 8);
    QTextLayout arithmetic(m_page.arithmetic + m_page.result, m_style.sized(18, 36));
    QTextLayout::FormatRange result;
    result.start = static_cast<int>(m_page.arithmetic.size());
    result.length = static_cast<int>(m_page.result.size());
    result.format.setForeground(theme.accent);
    result.format.setFontWeight(QFont::Bold);
    arithmetic.setFormats({ result });
    const double height = breakLines(arithmetic, box.width());
    painter.setPen(theme.text);
    arithmetic.draw(&painter, { box.left(), y });
    if (m_page.remark.isEmpty())
        return;
    QTextLayout remark(m_page.remark, notes);
    breakLines(remark, box.width());
    painter.setPen(theme.secondaryText);
    remark.draw(&painter, { box.left(), y + height + m_style.size(4, 8) });
}

void StepScene::paintChips(QPainter &painter) const
{
    if (m_page.chips.empty())
        return;
    const Theme &theme = m_style.theme;
    const double pad = m_style.size(16, 24);
    const QFont notes = m_style.sized(12, 17);
    const QFontMetricsF noteMetrics(notes);
    painter.setFont(notes);
    painter.setPen(theme.secondaryText);
    painter.drawText(QPointF(pad, m_chipsTitle + noteMetrics.ascent()), m_page.chipsTitle);
    const double inside = m_style.size(8, 14);
    for (std::size_t place = 0; place < m_chips.size(); ++place) {
        const StepChip &chip = m_page.chips[place];
        const QRectF &box = m_chips[place];
        if (const Index hidden = m_page.hiddenChips[place]; hidden > 0)
            paintFold(painter, m_style, m_chipFolds[place].adjusted(0.0, 0.0, 2.0, 0.0), Qt::AlignVCenter,
                QStringLiteral("… ") + foldText(StepAxis::Keys, hidden));
        painter.setPen(QPen(chip.isActive ? theme.accent : theme.line, m_style.size(1, 2)));
        painter.setBrush(chip.isActive ? theme.accentGround : theme.panel);
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
        const QRectF text = box.adjusted(inside, 0.0, -inside, 0.0);
        painter.setFont(notes);
        painter.setPen(theme.secondaryText);
        painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter, noteMetrics.elidedText(chip.name, Qt::ElideRight, m_style.size(72, 110)));
        // The new number at the right, what it was before it.
        const QFont bold = m_style.sized(14, 26, true);
        painter.setFont(bold);
        painter.setPen(chip.isActive ? theme.accent : theme.text);
        painter.drawText(text, Qt::AlignRight | Qt::AlignVCenter, chip.after);
        if (chip.before.isEmpty())
            continue;
        painter.setFont(m_style.sized(14, 26));
        painter.setPen(theme.secondaryText);
        const QRectF before = text.adjusted(0.0, 0.0, -QFontMetricsF(bold).horizontalAdvance(chip.after), 0.0);
        painter.drawText(
            before, Qt::AlignRight | Qt::AlignVCenter, chip.after.isEmpty() ? chip.before : chip.before + QStringLiteral(" → "));
    }
}

} // namespace attenscope
