// SPDX-License-Identifier: GPL-3.0-or-later
// Token labels at the axes of maps: drawing them and finding them under the mouse.
#include "views/map/map_scene.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

// Logical pixels at scale 1.
constexpr double rowLabelGap = 12.0;
constexpr double columnLabelGap = 8.0;
constexpr int litCharacters = 40;
constexpr double rotation = -60.0;

/// Draws a label with its left end at the origin, centred on the line y = 0.
void paintLabel(QPainter &painter, const MapScene &scene, const AxisLabel &label, const QFontMetricsF &metrics, bool isLit)
{
    const MapStyle &style = scene.style;
    const double baseline = metrics.capHeight() / 2.0;
    if (isLit) {
        const double width = metrics.horizontalAdvance(label.text());
        const double half = metrics.height() / 2.0 + style.px(3.0);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(style.theme.accent);
        painter.drawRoundedRect(QRectF(-style.px(6.0), -half, width + style.px(12.0), 2.0 * half), style.px(3.0), style.px(3.0));
        painter.setPen(style.theme.panel);
        painter.drawText(QPointF(0.0, baseline), label.text());
        return;
    }
    double x = 0.0;
    if (!label.token.isEmpty() && !label.position.isEmpty()) {
        painter.setPen(style.theme.secondaryText);
        painter.drawText(QPointF(0.0, baseline), label.position);
        x = metrics.horizontalAdvance(label.position + u' ');
    }
    painter.setPen(style.theme.text);
    painter.drawText(QPointF(x, baseline), label.token.isEmpty() ? label.position : label.token);
}

/// Whether the name says the position too: always where labels do, and for lit ones where not every token is named.
bool hasPosition(const AxisForm &form, bool isLit)
{
    return form.hasPositions || (isLit && form.stride > 1);
}

} // namespace

void MapScene::forgetDrawing()
{
    kinds = {};
    foldedCells = 1;
    isFoldEven = true;
    estimates.clear();
    lacksNumbers = false;
    neededTiles = 0;
    missingTiles = 0;
}

void paintRowLabel(QPainter &painter, const MapScene &scene, std::size_t panel, Index row, bool isLit)
{
    const MapLayout &layout = scene.layout;
    const QFont font = scene.style.font(layout.tokenPixels);
    const QFontMetricsF metrics(font);
    const AxisLabel label = scene.content.rowLabel(row, hasPosition(layout.rows, isLit), isLit ? litCharacters : 12);
    const double width = metrics.horizontalAdvance(label.text());
    const double right = layout.maps[panel].left() - scene.style.px(rowLabelGap);
    const double y = layout.rectFromCells(panel, QRectF(0.0, static_cast<double>(row), 1.0, 1.0)).center().y();
    painter.save();
    painter.setFont(font);
    // A long name that is lit starts at the edge of the view and may cover the map rather than leave the picture.
    painter.translate(std::max(right - width, scene.style.px(10.0)), y);
    paintLabel(painter, scene, label, metrics, isLit);
    painter.restore();
}

double paintColumnLabel(QPainter &painter, const MapScene &scene, std::size_t panel, Index col, bool isLit, double free)
{
    const MapLayout &layout = scene.layout;
    const QFont font = scene.style.font(layout.tokenPixels);
    const QFontMetricsF metrics(font);
    const bool isRotated = layout.cols.isRotated;
    const AxisLabel label = scene.content.colLabel(col, hasPosition(layout.cols, isLit), isLit && !isRotated ? litCharacters : 12);
    const double x = layout.rectFromCells(panel, QRectF(static_cast<double>(col), 0.0, 1.0, 1.0)).center().x();
    const double y = layout.maps[panel].top() - scene.style.px(columnLabelGap);
    const double width = metrics.horizontalAdvance(label.text());
    // Level names at the ends stay over the map.
    const double last = layout.size.width() - scene.style.px(10.0) - width;
    const double left = std::max(layout.maps[panel].left(), std::min(x - width / 2.0, last));
    if (!isRotated && left < free)
        return free;
    painter.save();
    painter.setFont(font);
    if (isRotated) {
        painter.translate(x, y - metrics.capHeight() / 4.0);
        painter.rotate(rotation);
    } else {
        painter.translate(left, y - metrics.capHeight() / 2.0 - scene.style.px(2.0));
    }
    paintLabel(painter, scene, label, metrics, isLit);
    painter.restore();
    return left + width + scene.style.px(4.0);
}

std::optional<MapHit> hitAt(const MapScene &scene, QPointF point)
{
    const MapLayout &layout = scene.layout;
    if (layout.isEmpty())
        return std::nullopt;
    const auto clamped
        = [](double position, Index count) { return std::clamp<Index>(static_cast<Index>(std::floor(position)), 0, count - 1); };
    for (std::size_t panel = 0; panel < layout.maps.size(); ++panel) {
        const QRectF &map = layout.maps[panel];
        const QPointF cell = layout.cellFromPoint(panel, point);
        const bool isInRows = point.y() >= map.top() && point.y() < map.bottom();
        if (map.contains(point) && isInRows && point.x() < map.right())
            return MapHit{ panel, { clamped(cell.y(), scene.content.rows()), clamped(cell.x(), scene.content.cols()) }, false };
        if (!scene.style.hasLabels)
            continue;
        const double widestRow = layout.tokenPixels * (layout.rows.hasPositions ? scene.extents.rowsWithPosition : scene.extents.rows);
        if (panel == 0 && isInRows && point.x() < map.left() && point.x() > map.left() - widestRow - scene.style.px(2.0 * rowLabelGap))
            return MapHit{ panel, { clamped(cell.y(), scene.content.rows()), -1 }, true };
        const double above = map.top() - point.y();
        const double fontHeight = layout.tokenPixels * 1.3;
        const double widest = layout.tokenPixels * (layout.cols.hasPositions ? scene.extents.colsWithPosition : scene.extents.cols);
        const double height = layout.cols.isRotated ? widest * std::sqrt(3.0) / 2.0 + fontHeight : fontHeight + scene.style.px(12.0);
        if (above <= 0.0 || above > height)
            continue;
        // Along the slope of the names down to the axis.
        const double x = layout.cols.isRotated ? point.x() - above / std::sqrt(3.0) : point.x();
        if (x >= map.left() && x < map.right())
            return MapHit{ panel, { -1, clamped(layout.cellFromPoint(panel, QPointF(x, map.top())).x(), scene.content.cols()) }, true };
    }
    return std::nullopt;
}

} // namespace attenscope
