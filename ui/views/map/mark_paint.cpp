// SPDX-License-Identifier: GPL-3.0-or-later
// Bands over the current row and column, the frame of the picked cell, lit names.
#include "views/map/mark_paint.h"

namespace attenscope {

namespace {

// Logical pixels at scale 1.
constexpr double leastBand = 4.0;
constexpr double leastFramedCell = 8.0;
constexpr double ringRadius = 9.0;

void paintBand(QPainter &painter, const MapStyle &style, const QRectF &band, bool isRow)
{
    const double line = style.px(1.0);
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (std::min(band.width(), band.height()) < style.px(leastBand)) {
        const QPointF middle = band.center();
        const QRectF edge = isRow ? QRectF(band.left(), style.snapped(middle.y() - 1.5 * line), band.width(), 3.0 * line)
                                  : QRectF(style.snapped(middle.x() - 1.5 * line), band.top(), 3.0 * line, band.height());
        painter.fillRect(edge, Qt::white);
        painter.fillRect(isRow ? edge.adjusted(0.0, line, 0.0, -line) : edge.adjusted(line, 0.0, -line, 0.0), Qt::black);
        return;
    }
    const QRectF snapped(
        QPointF(style.snapped(band.left()), style.snapped(band.top())), QPointF(style.snapped(band.right()), style.snapped(band.bottom())));
    const auto outline = [&](double inset, double width, const QColor &color) {
        const QRectF outer = snapped.adjusted(inset, inset, -inset, -inset);
        painter.fillRect(QRectF(outer.left(), outer.top(), outer.width(), width), color);
        painter.fillRect(QRectF(outer.left(), outer.bottom() - width, outer.width(), width), color);
        painter.fillRect(QRectF(outer.left(), outer.top(), width, outer.height()), color);
        painter.fillRect(QRectF(outer.right() - width, outer.top(), width, outer.height()), color);
    };
    outline(-line, line, Qt::black);
    outline(0.0, line, Qt::white);
}

void paintRing(QPainter &painter, const MapStyle &style, const QPointF &middle)
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(Qt::black, style.px(3.0)));
    painter.drawEllipse(middle, style.px(ringRadius), style.px(ringRadius));
    painter.setPen(QPen(Qt::white, style.px(1.5)));
    painter.drawEllipse(middle, style.px(ringRadius), style.px(ringRadius));
    painter.setRenderHint(QPainter::Antialiasing, false);
}

/// Small cells are seen by a ring, unless @p isExact.
void paintFrame(QPainter &painter, const MapStyle &style, const QRectF &cell, bool isExact)
{
    painter.setBrush(Qt::NoBrush);
    if (std::min(cell.width(), cell.height()) < style.px(leastFramedCell) && !isExact) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(Qt::white, style.px(4.0)));
        painter.drawEllipse(cell.center(), style.px(ringRadius), style.px(ringRadius));
        painter.setPen(QPen(Qt::black, style.px(2.0)));
        painter.drawEllipse(cell.center(), style.px(ringRadius), style.px(ringRadius));
        painter.setRenderHint(QPainter::Antialiasing, false);
        return;
    }
    const auto outline = [&](double outside, double width, const QColor &color) {
        const QRectF outer(QPointF(style.snapped(cell.left()) - outside, style.snapped(cell.top()) - outside),
            QPointF(style.snapped(cell.right()) + outside, style.snapped(cell.bottom()) + outside));
        painter.fillRect(QRectF(outer.left(), outer.top(), outer.width(), width), color);
        painter.fillRect(QRectF(outer.left(), outer.bottom() - width, outer.width(), width), color);
        painter.fillRect(QRectF(outer.left(), outer.top(), width, outer.height()), color);
        painter.fillRect(QRectF(outer.right() - width, outer.top(), width, outer.height()), color);
    };
    outline(style.px(3.0), style.px(1.0), Qt::white);
    outline(style.px(2.0), style.px(2.0), Qt::black);
    outline(0.0, style.px(1.0), Qt::white);
}

} // namespace

void paintMarks(QPainter &painter, const MapScene &scene)
{
    const MapLayout &layout = scene.layout;
    const MapStyle &style = scene.style;
    if (layout.isEmpty() || !style.hasPick)
        return;
    const bool hasDimensions = scene.content.hasDimensions();
    const auto current = scene.current();
    // The picked key is no dimension of the output: there only the row is shared.
    const bool showsColumn
        = current && current->col >= 0 && current->col < scene.content.cols() && (!hasDimensions || scene.hovered.has_value());
    const bool showsRow = current && current->row >= 0 && current->row < scene.content.rows();
    for (std::size_t panel = 0; panel < layout.maps.size(); ++panel) {
        painter.save();
        painter.setClipRect(layout.maps[panel].adjusted(-style.px(3.0), -style.px(3.0), style.px(3.0), style.px(3.0)));
        const QRectF &shown = layout.shown;
        for (const CellRef &listed : hasDimensions ? std::vector<CellRef>() : scene.listed) {
            const QRectF cell(static_cast<double>(listed.col), static_cast<double>(listed.row), 1.0, 1.0);
            if (shown.intersects(cell) && listed != scene.picked)
                paintRing(painter, style, layout.rectFromCells(panel, cell).center());
        }
        if (showsRow)
            paintBand(painter, style,
                layout.rectFromCells(panel, QRectF(shown.left(), static_cast<double>(current->row), shown.width(), 1.0)), true);
        if (showsColumn)
            paintBand(painter, style,
                layout.rectFromCells(panel, QRectF(static_cast<double>(current->col), shown.top(), 1.0, shown.height())), false);
        if (scene.picked && scene.picked->row >= 0 && scene.picked->col >= 0 && !hasDimensions) {
            const QRectF cell(static_cast<double>(scene.picked->col), static_cast<double>(scene.picked->row), 1.0, 1.0);
            const QRectF rect = layout.rectFromCells(panel, cell);
            // The ring around a small cell may leave the map.
            const bool isRing = std::min(rect.width(), rect.height()) < style.px(leastFramedCell);
            const double reach = style.px(isRing ? ringRadius + 3.0 : 3.0);
            painter.setClipRect(layout.maps[panel].adjusted(-reach, -reach, reach, reach));
            if (shown.intersects(cell))
                paintFrame(painter, style, rect, scene.rubberBand.has_value());
        }
        painter.restore();
    }
    if (current && style.hasLabels) {
        painter.setRenderHint(QPainter::TextAntialiasing);
        if (showsRow && static_cast<double>(current->row) + 0.5 > layout.shown.top()
            && static_cast<double>(current->row) + 0.5 < layout.shown.bottom())
            paintRowLabel(painter, scene, 0, current->row, true);
        for (std::size_t panel = 0; showsColumn && panel < layout.maps.size(); ++panel) {
            if (static_cast<double>(current->col) + 0.5 > layout.shown.left()
                && static_cast<double>(current->col) + 0.5 < layout.shown.right())
                paintColumnLabel(painter, scene, panel, current->col, true);
        }
    }
    if (scene.rubberBand)
        paintFrame(painter, style, *scene.rubberBand, true);
}

} // namespace attenscope
