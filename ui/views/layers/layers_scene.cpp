// SPDX-License-Identifier: GPL-3.0-or-later
// Maps of positions and of heads, drawn with the parts of the heat map.
#include "views/layers/layers_scene.h"

#include "core/text.h"
#include "views/map/color_scale.h"
#include "views/map/mark_paint.h"

#include <QCoreApplication>
#include <QFontInfo>
#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

constexpr double bodyPixels = 13.0;
constexpr double leastCellWithNumber = 32.0;
constexpr double leastCellWithGap = 16.0;

/// The next larger number of heads that divides a layer's, or that layers divide.
Index inLayers(Index stride, Index heads)
{
    if (stride >= heads)
        return (stride + heads - 1) / heads * heads;
    while (heads % stride != 0)
        ++stride;
    return stride;
}

MatrixF floatsOf(const MapField &field)
{
    MatrixF cells;
    field.read({ { 0, field.rows() }, { 0, field.cols() } }, 0, Fold::Max, cells);
    return cells;
}

/// The pixels of one direction of a map whose cells [shown.first, …) start at @p start and are @p cell wide.
struct PixelAxis {
    Index first = 0; ///< Pixel where the map starts.
    PixelSpan span;

    PixelAxis(double start, double length, double firstShown, double cell, Index count, double scale)
        : first(std::lround(start))
    {
        const Index pixels = std::lround(start + length) - first;
        const Index gap = cell >= leastCellWithGap * scale ? std::max<Index>(1, std::lround(scale)) : 0;
        span = PixelSpan::between(start - firstShown * cell - static_cast<double>(first), cell, count, std::max<Index>(pixels, 0), gap);
    }
};

} // namespace

QString layersWords(const char *words)
{
    return QCoreApplication::translate("Layers", words);
}

LayersScene::LayersScene(std::shared_ptr<const LayersContent> content, const Theme &theme, const QFont &font, double pixelRatio)
    : m_content(std::move(content))
{
    m_map.content = m_content->map;
    MapStyle &style = m_map.style;
    style.theme = theme;
    style.background = theme.view;
    style.fontFamily = font.family();
    style.scale = std::max(1.0, QFontInfo(font).pixelSize() / bodyPixels);
    style.pixelRatio = pixelRatio;
    style.hasLegend = !m_content->notes.isEmpty();
    if (m_map.content.panels.empty())
        return;
    m_map.extents = labelExtents(m_map.content, style.fontFamily);
    const MapPanel &panel = m_map.content.panels.front();
    m_coder = CellCoder(panel.colors, panel.fold);
    const MatrixF cells = floatsOf(*panel.field);
    m_codes.resize(static_cast<std::size_t>(cells.size()));
    m_coder.encode(cells, m_codes.data(), static_cast<std::size_t>(cells.cols()));
}

void LayersScene::layOut(QSizeF size, const std::optional<QRectF> &visible)
{
    m_size = size;
    m_image.reset();
    if (isEmpty())
        return;
    if (m_map.content.panels.empty()) {
        placePoints();
        return;
    }
    m_map.layout = layoutMaps(m_map.content, m_map.extents, m_map.style, size, visible);
    if (m_content->showsHeads()) {
        const int heads = m_content->values->request.stack.heads();
        for (AxisForm *form : { &m_map.layout.rows, &m_map.layout.cols }) {
            // Names of heads are positions; the first of each layer is among those that are named.
            form->hasPositions = false;
            form->stride = inLayers(form->stride, heads);
        }
    }
}

MapLayout LayersScene::layoutFor(const QRectF &visible) const
{
    return layoutMaps(m_map.content, m_map.extents, m_map.style, m_size, visible);
}

QSizeF LayersScene::naturalSize() const
{
    const double scale = m_map.style.scale;
    if (m_map.content.panels.empty())
        return QSizeF(720.0, 560.0) * scale;
    const auto most = static_cast<double>(std::max(m_map.content.rows(), m_map.content.cols()));
    const int cell
        = static_cast<int>(std::clamp(std::floor(640.0 * scale / most), 1.0, largestCell(m_map.content.rows(), m_map.content.cols())));
    return layoutMaps(m_map.content, m_map.extents, m_map.style, cell).size;
}

std::optional<LayersHit> LayersScene::hitAt(QPointF point) const
{
    if (isEmpty())
        return std::nullopt;
    if (!m_map.content.panels.empty()) {
        const auto hit = attenscope::hitAt(m_map, point);
        return hit ? std::optional(LayersHit{ hit->cell, {} }) : std::nullopt;
    }
    double nearest = m_map.style.px(12.0);
    std::optional<LayersHit> hit;
    for (std::size_t head = 0; head < m_points.size(); ++head) {
        const QPointF apart = m_points[head] - point;
        const double distance = std::hypot(apart.x(), apart.y());
        if (distance < nearest) {
            nearest = distance;
            hit = LayersHit{ { -1, -1 }, head };
        }
    }
    return hit;
}

void LayersScene::setMarks(const std::optional<CellRef> &hovered, const std::optional<CellRef> &picked)
{
    m_map.hovered = hovered;
    m_map.picked = picked;
}

void LayersScene::setMarkedHeads(std::optional<std::size_t> hovered, std::optional<std::size_t> picked)
{
    m_hovered = hovered;
    m_picked = picked;
}

void LayersScene::paint(QPainter &painter) const
{
    if (isEmpty())
        return;
    painter.save();
    if (m_map.content.panels.empty())
        paintPoints(painter);
    else
        paintMap(painter);
    painter.restore();
}

std::pair<QImage, QPoint> LayersScene::imageOfCells(double ratio) const
{
    const MapLayout &layout = m_map.layout;
    const QRectF &map = layout.maps.front();
    const double scale = m_map.style.scale * ratio;
    const PixelAxis rows(
        map.top() * ratio, map.height() * ratio, layout.shown.top(), layout.cellHeight * ratio, m_map.content.rows(), scale);
    const PixelAxis cols(
        map.left() * ratio, map.width() * ratio, layout.shown.left(), layout.cellWidth * ratio, m_map.content.cols(), scale);
    const CellLook look = cellLook(m_map.style.theme, m_map.style.background, scale);
    CellKinds kinds;
    QImage image = cellImage(m_codes, m_map.content.cols(), rows.span, cols.span, m_coder, look, kinds);
    if (kinds.hasNan)
        stampMarks(image, m_codes, rows.span, cols.span, m_map.content.cols(), scale, cell::infinity);
    return { image, QPoint(static_cast<int>(cols.first), static_cast<int>(rows.first)) };
}

void LayersScene::paintMap(QPainter &painter) const
{
    const MapLayout &layout = m_map.layout;
    const MapStyle &style = m_map.style;
    if (layout.isEmpty())
        return;
    const QRectF &map = layout.maps.front();
    const double ratio = painter.device()->devicePixelRatioF() * painter.transform().m11();
    if (!m_image || m_image->first != ratio)
        m_image = std::pair{ ratio, imageOfCells(ratio) };
    const auto &[image, start] = m_image->second;
    painter.save();
    painter.scale(1.0 / ratio, 1.0 / ratio);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.drawImage(start, image);
    painter.restore();
    if (m_map.content.hasNumbers && std::min(layout.cellWidth, layout.cellHeight) >= style.px(leastCellWithNumber))
        paintNumbers(painter);

    painter.setRenderHint(QPainter::TextAntialiasing);
    TokenTicker ticker;
    ticker.setStride(layout.rows.stride, m_map.content.rows());
    for (const Index row : ticker.named(QCPRange(layout.shown.top(), layout.shown.bottom())))
        paintRowLabel(painter, m_map, 0, row, false);
    ticker.setStride(layout.cols.stride, m_map.content.cols());
    for (const Index col : ticker.named(QCPRange(layout.shown.left(), layout.shown.right())))
        paintColumnLabel(painter, m_map, 0, col, false);
    const QFont font = style.font(style.px(MapStyle::noteFont));
    const QFontMetricsF metrics(font);
    const QString corner = m_content->showsHeads() ? layersWords("head") : layersWords("position ↓ input →");
    painter.setFont(font);
    painter.setPen(style.theme.secondaryText);
    painter.drawText(QPointF(map.left() - style.px(4.0) - metrics.horizontalAdvance(corner), map.top() - style.px(12.0)), corner);
    const MapPanel &panel = m_map.content.panels.front();
    paintColorScale(painter, layout.scaleBar, panel.colors, scaleTicks(panel.colors, false), m_map.content.scaleTitle, {}, style);
    const double noteLeft = std::max(style.px(16.0), std::min(map.left(), m_size.width() - style.px(560.0)));
    paintNotes(painter, noteLeft, layout.legendTop, m_size.width() - noteLeft - style.px(16.0));
    if (!m_content->showsHeads())
        return paintMarks(painter, m_map);
    // Lit names of heads have no positions either.
    MapScene marked = m_map;
    marked.layout.rows.stride = marked.layout.cols.stride = 1;
    paintMarks(painter, marked);
}

void LayersScene::paintNumbers(QPainter &painter) const
{
    const MapLayout &layout = m_map.layout;
    const MapPanel &panel = m_map.content.panels.front();
    const Range rows{ static_cast<Index>(std::floor(layout.shown.top())), static_cast<Index>(std::ceil(layout.shown.bottom() - 1e-9)) };
    const Range cols{ static_cast<Index>(std::floor(layout.shown.left())), static_cast<Index>(std::ceil(layout.shown.right() - 1e-9)) };
    const double side = std::min(layout.cellWidth, layout.cellHeight);
    painter.save();
    painter.setClipRect(layout.maps.front(), Qt::IntersectClip);
    painter.setFont(m_map.style.font(std::clamp(std::round(side * 0.29), m_map.style.px(10.0), m_map.style.px(13.0))));
    for (Index row = rows.first; row < rows.end; ++row) {
        for (Index col = cols.first; col < cols.end; ++col) {
            const double number = panel.field->at(row, col);
            if (!std::isfinite(number))
                continue;
            painter.setPen(panel.colors.textColor(static_cast<float>(number)));
            const QRectF cell = layout.rectFromCells(0, QRectF(static_cast<double>(col), static_cast<double>(row), 1.0, 1.0));
            painter.drawText(cell, Qt::AlignCenter, QString::fromStdString(displayNumber(number, 2)));
        }
    }
    painter.restore();
}

void LayersScene::paintNotes(QPainter &painter, double left, double top, double width) const
{
    const MapStyle &style = m_map.style;
    const QFont font = style.font(style.px(MapStyle::noteFont));
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    painter.setPen(style.theme.secondaryText);
    const double line = style.px(20.0);
    // Each note goes to the first line that has room for it.
    QStringList lines;
    for (const QString &note : m_content->notes) {
        const QString together = lines.isEmpty() ? note : lines.back() + QStringLiteral("  ·  ") + note;
        if (!lines.isEmpty() && (lines.size() == 2 || metrics.horizontalAdvance(together) <= width))
            lines.back() = together;
        else
            lines.push_back(note);
    }
    double y = top + metrics.ascent();
    for (const QString &text : lines) {
        painter.drawText(QPointF(left, y), metrics.elidedText(text, Qt::ElideRight, width));
        y += line;
    }
}

} // namespace attenscope
