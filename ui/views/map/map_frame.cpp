// SPDX-License-Identifier: GPL-3.0-or-later
// Titles, token names, legend and scales of a picture of maps.
#include "views/map/map_frame.h"

#include "state/icons.h"
#include "views/map/color_scale.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

/// Of the place of a map that there is not.
constexpr double blankSide = 320.0;

struct LegendItem {
    CellCode code;
    QString text;
};

std::vector<LegendItem> legendItems(const CellKinds &kinds, bool isOneKind)
{
    std::vector<LegendItem> items;
    if (kinds.hasMasked)
        items.push_back({ code::masked, isOneKind ? MapFrame::tr("masked: this query may not see this key") : MapFrame::tr("masked") });
    if (kinds.hasNan)
        items.push_back({ code::nan, isOneKind ? MapFrame::tr("NaN: not a number") : MapFrame::tr("NaN") });
    if (kinds.hasPlusInfinity)
        items.push_back({ code::plusInfinity, MapFrame::tr("+∞ or above 3.4·10³⁸") });
    if (kinds.hasMinusInfinity)
        items.push_back({ code::minusInfinity, MapFrame::tr("−∞ or below −3.4·10³⁸") });
    if (kinds.hasAbsent)
        items.push_back(
            { code::absent, isOneKind ? MapFrame::tr("blank: the row ends before this key") : MapFrame::tr("blank: nothing recorded") });
    return items;
}

int kindCount(const CellKinds &kinds)
{
    return int(kinds.hasMasked) + int(kinds.hasNan) + int(kinds.hasPlusInfinity) + int(kinds.hasMinusInfinity) + int(kinds.hasAbsent);
}

} // namespace

MapFrame::MapFrame(QCustomPlot *plot, const MapScene &scene, const QString &layer)
    : QCPLayerable(plot, layer)
    , m_scene(scene)
{
}

void MapFrame::applyDefaultAntialiasingHint(QCPPainter *painter) const
{
    painter->setAntialiasing(false);
}

void MapFrame::draw(QCPPainter *painter)
{
    painter->setRenderHint(QPainter::TextAntialiasing);
    if (m_scene.layout.isEmpty()) {
        drawBlank(*painter);
        return;
    }
    drawTitles(*painter);
    if (m_scene.style.hasLabels)
        drawLabels(*painter);
    if (m_scene.style.hasLegend)
        drawLegend(*painter);
    if (!m_scene.content.notice.isEmpty())
        drawNotice(*painter);
    if (m_scene.style.hasColorScale)
        drawScales(*painter);
}

void MapFrame::drawBlank(QPainter &painter) const
{
    const MapStyle &style = m_scene.style;
    const QSizeF size = m_scene.layout.size;
    const double side = std::max(0.0, std::min({ size.width() / 2.0, size.height() / 2.0, style.px(blankSide) }));
    const QRectF map(style.snapped((size.width() - side) / 2.0), style.snapped((size.height() - side) / 2.0), side, side);
    painter.setPen(QPen(style.theme.line, style.px(1.0)));
    painter.drawLine(map.topLeft(), map.topRight());
    painter.drawLine(map.topLeft(), map.bottomLeft());
    const QFont notes = style.font(style.px(MapStyle::noteFont));
    const QFontMetricsF metrics(notes);
    const QString corner = tr("query ↓ key →");
    painter.setFont(notes);
    painter.setPen(style.theme.secondaryText);
    painter.drawText(QPointF(map.left() - style.px(4.0) - metrics.horizontalAdvance(corner), map.top() - style.px(12.0)), corner);
    painter.setFont(style.font(style.px(MapStyle::bodyFont)));
    painter.drawText(map.adjusted(style.px(8.0), 0.0, -style.px(8.0), 0.0), Qt::AlignCenter | Qt::TextWordWrap, m_scene.content.notice);
}

void MapFrame::drawTitles(QPainter &painter) const
{
    const MapStyle &style = m_scene.style;
    const QFont bold = style.font(style.px(MapStyle::titleFont), true);
    const QFontMetricsF boldMetrics(bold);
    const auto elided = [](const QFontMetricsF &metrics, const QString &text, double room) {
        return metrics.elidedText(text, Qt::ElideRight, std::max(0.0, room));
    };
    // A long title is written smaller before it is cut.
    const auto fitted = [&](const QString &text, double room) {
        constexpr double leastShrink = 0.6;
        // Letters do not shrink evenly: what is computed to fit may not.
        double shrink = 1.0;
        QFont font = bold;
        while (QFontMetricsF(font).horizontalAdvance(text) > room && shrink > leastShrink) {
            shrink -= 0.02;
            font = style.font(style.px(MapStyle::titleFont) * shrink, true);
        }
        return font;
    };
    if (style.hasTitle && !m_scene.content.title.isEmpty()) {
        const double edge = style.px(16.0);
        const double room = m_scene.layout.size.width() - 2.0 * edge;
        const QFont font = fitted(m_scene.content.title, room);
        const QFontMetricsF metrics(font);
        const QString title = elided(metrics, m_scene.content.title, room);
        const double left = std::max(edge, std::min(m_scene.layout.maps.front().left(), edge + room - metrics.horizontalAdvance(title)));
        painter.setFont(font);
        painter.setPen(style.theme.text);
        painter.drawText(QPointF(left, m_scene.layout.titleTop + boldMetrics.ascent()), title);
    }
    if (m_scene.content.panels.size() < 2)
        return;
    const QFont plain = style.font(style.px(MapStyle::bodyFont));
    const QFontMetricsF metrics(plain);
    for (std::size_t index = 0; index < m_scene.content.panels.size(); ++index) {
        const MapPanel &panel = m_scene.content.panels[index];
        const QRectF &map = m_scene.layout.maps[index];
        const double end = index + 1 < m_scene.layout.maps.size() ? m_scene.layout.maps[index + 1].left() - style.px(MapStyle::besideTitle)
                                                                  : m_scene.layout.size.width();
        const double baseline = m_scene.layout.panelTitleTop + boldMetrics.ascent();
        const QFont font = fitted(panel.title, end - map.left());
        const QFontMetricsF titleMetrics(font);
        const QString title = elided(titleMetrics, panel.title, end - map.left());
        painter.setFont(font);
        painter.setPen(style.theme.text);
        painter.drawText(QPointF(map.left(), baseline), title);
        painter.setFont(plain);
        painter.setPen(style.theme.secondaryText);
        const int lines = m_scene.layout.subtitleLines;
        if (lines == 0)
            painter.drawText(
                QPointF(map.left() + titleMetrics.horizontalAdvance(title) + style.px(MapStyle::besideTitle), baseline), panel.subtitle);
        if (lines <= 0)
            continue;
        double y = baseline;
        for (const QString &line : wrapped(panel.subtitle, metrics, end - map.left()))
            painter.drawText(QPointF(map.left(), y += style.px(MapStyle::subtitleLine)), line);
    }
}

void MapFrame::drawLabels(QPainter &painter) const
{
    const MapLayout &layout = m_scene.layout;
    const MapStyle &style = m_scene.style;
    const QFont font = style.font(style.px(MapStyle::noteFont));
    const QFontMetricsF metrics(font);
    const QString corner = m_scene.content.hasDimensions() ? tr("query ↓ dimension →") : tr("query ↓ key →");
    painter.setFont(font);
    painter.setPen(style.theme.secondaryText);
    painter.drawText(
        QPointF(layout.maps.front().left() - style.px(4.0) - metrics.horizontalAdvance(corner), layout.maps.front().top() - style.px(12.0)),
        corner);

    TokenTicker ticker;
    ticker.setStride(layout.rows.stride, m_scene.content.rows());
    for (const Index row : ticker.named(QCPRange(layout.shown.top(), layout.shown.bottom())))
        paintRowLabel(painter, m_scene, 0, row, false);
    ticker.setStride(layout.cols.stride, m_scene.content.cols());
    const std::vector<Index> cols = ticker.named(QCPRange(layout.shown.left(), layout.shown.right()));
    for (std::size_t panel = 0; panel < layout.maps.size(); ++panel) {
        double free = layout.maps[panel].left();
        for (const Index col : cols)
            free = paintColumnLabel(painter, m_scene, panel, col, false, free);
    }
}

void MapFrame::drawLegend(QPainter &painter) const
{
    const MapLayout &layout = m_scene.layout;
    const MapStyle &style = m_scene.style;
    const QFont font = style.font(style.px(MapStyle::noteFont));
    const QFontMetricsF metrics(font);
    const double side = style.px(16.0);
    const double line = style.px(20.0);
    const double baseline = (side + metrics.capHeight()) / 2.0;
    painter.setFont(font);
    double x = layout.maps.front().left();
    double y = layout.legendTop;
    CellLook look = cellLook(style.theme, style.background, style.scale * style.pixelRatio);
    const auto items = legendItems(m_scene.kinds, kindCount(m_scene.kinds) == 1);
    for (const LegendItem &item : items) {
        QImage swatch = legendSwatch(item.code, 16, look);
        swatch.setDevicePixelRatio(style.pixelRatio);
        painter.drawImage(QPointF(style.snapped(x), style.snapped(y)), swatch);
        if (item.code == code::absent) {
            painter.setPen(QPen(style.theme.line, style.px(1.0)));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(QRectF(style.snapped(x), style.snapped(y), side, side));
        }
        painter.setPen(style.theme.secondaryText);
        painter.drawText(QPointF(x + side + style.px(8.0), y + baseline), item.text);
        x += side + style.px(24.0) + metrics.horizontalAdvance(item.text);
    }
    QStringList lines;
    if (!m_scene.content.rowsNote.isEmpty())
        lines.push_back(m_scene.content.rowsNote);
    QStringList others;
    if (!m_scene.content.origin.isEmpty())
        others.push_back(m_scene.content.origin);
    const auto thinned = [&](const AxisForm &form, const QString &what) {
        if (form.stride > 1 && style.hasLabels && !form.hasPositions)
            others.push_back(
                form.stride == 2 ? tr("every 2nd %1 is named").arg(what) : tr("every %1th %2 is named").arg(form.stride).arg(what));
    };
    const auto numberText = [](double number) { return QString::number(number, 'g', 4).replace(u'-', QChar(0x2212)); };
    const MapContent &content = m_scene.content;
    const ColorMap &colors = content.panels.front().colors;
    if (content.highest)
        others.push_back(tr("above %1: up to %2").arg(numberText(colors.upper()), numberText(*content.highest)));
    if (content.lowest)
        others.push_back(tr("below 0: down to %1").arg(numberText(*content.lowest)));
    if (const Index count = m_scene.extents.unreadable; count > 0 && style.hasLabels)
        others.push_back(unreadableText(count));
    thinned(layout.rows, layout.rows == layout.cols || layout.rows.stride == layout.cols.stride ? tr("token") : tr("query"));
    if (layout.rows.stride != layout.cols.stride)
        thinned(layout.cols, m_scene.content.hasDimensions() ? tr("dimension") : tr("key"));

    const double left = layout.maps.front().left();
    // Beside a map that is lower than its scale the legend ends before that.
    const bool isBesideScale = m_scene.content.panels.size() == 1 && layout.scaleBar.bottom() > layout.legendTop;
    const double room = (isBesideScale ? layout.scaleBar.left() : layout.size.width()) - style.px(16.0);
    painter.setPen(style.theme.secondaryText);
    // The note on rows ends under the end of the map where both fit on the line, else it goes with the others.
    if (!lines.isEmpty()) {
        const double width = metrics.horizontalAdvance(lines.front());
        const double right = std::min(room, std::max(layout.maps.front().right(), x + width));
        if (right - width >= x - 1.0)
            painter.drawText(QPointF(right - width, y + baseline), lines.front());
        else
            others.push_back(lines.front());
    }
    if (others.isEmpty())
        return;
    if (!items.empty() || !lines.isEmpty())
        y += line;
    painter.drawText(QPointF(left, y + baseline), metrics.elidedText(others.join(QStringLiteral("  ·  ")), Qt::ElideRight, room - left));
}

void MapFrame::drawNotice(QPainter &painter) const
{
    const MapStyle &style = m_scene.style;
    const QFont font = style.font(style.px(MapStyle::noteFont));
    const QFontMetricsF metrics(font);
    const QString &text = m_scene.content.notice;
    const QRectF map = m_scene.layout.maps.front();
    const double width = metrics.horizontalAdvance(text) + style.px(48.0);
    const double left = std::max(style.px(8.0), std::min(map.left(), m_scene.layout.size.width() - style.px(8.0) - width));
    const QRectF badge(std::round(left) + 0.5, std::round(m_scene.layout.noticeTop) + 0.5, width, style.px(24.0));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(style.theme.notice, style.px(0.5)));
    painter.setBrush(style.theme.noticeGround);
    painter.drawRoundedRect(badge, style.px(4.0), style.px(4.0));
    const int side = static_cast<int>(style.px(16.0));
    painter.drawPixmap(QPointF(badge.left() + style.px(10.0), badge.center().y() - side / 2.0),
        iconPixmap(QStringLiteral("info"), side, style.theme.notice, style.pixelRatio));
    painter.setPen(style.theme.notice);
    painter.setFont(font);
    painter.drawText(QPointF(badge.left() + style.px(36.0), badge.center().y() + metrics.capHeight() / 2.0), text);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void MapFrame::drawScales(QPainter &painter) const
{
    for (const MapPanel &panel : m_scene.content.panels) {
        const bool isDifference = panel.side == Side::Difference;
        const QRectF &bar = isDifference ? m_scene.layout.differenceBar : m_scene.layout.scaleBar;
        if (bar.isEmpty() || panel.side == Side::Comparison)
            continue;
        const bool isAlone = m_scene.content.panels.size() == 1;
        const MapContent &content = m_scene.content;
        const bool isUncertain = content.isRangeSampled && !panel.colors.isLogarithmic();
        const ScaleEnds ends{ (isUncertain && panel.colors.lower() < 0.0) || (content.lowest && !isDifference),
            isUncertain || (content.highest && !isDifference) };
        paintColorScale(painter, bar, panel.colors, scaleTicks(panel.colors, isDifference),
            isDifference && !isAlone ? QString() : content.scaleTitle, ends, m_scene.style);
    }
}

} // namespace attenscope
