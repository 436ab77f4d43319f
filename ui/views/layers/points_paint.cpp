// SPDX-License-Identifier: GPL-3.0-or-later
// Heads as points: as far apart as they differ, coloured by layer, named where there is room.
#include "views/layers/layers_scene.h"

#include "views/map/color_scale.h"

#include <QCoreApplication>
#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

// Logical pixels at scale 1.
constexpr double padding = 40.0;
constexpr double scaleRoom = 96.0;
constexpr double noteLines = 64.0;
constexpr double radius = 5.0;

/// 1, 2 or 5 times a power of ten, at most @p length.
double roundLength(double length)
{
    const double decade = std::pow(10.0, std::floor(std::log10(length)));
    const double part = length / decade;
    return decade * (part >= 5.0 ? 5.0 : part >= 2.0 ? 2.0 : 1.0);
}

} // namespace

void LayersScene::placePoints()
{
    const MapStyle &style = m_map.style;
    const Matrix &points = m_content->values->points.points;
    const QRectF room(style.px(padding), style.px(padding), std::max(1.0, m_size.width() - style.px(2.0 * padding + scaleRoom)),
        std::max(1.0, m_size.height() - style.px(2.0 * padding + noteLines)));
    m_points.clear();
    if (points.rows() == 0)
        return;
    const Eigen::RowVectorXd lower = points.colwise().minCoeff();
    const Eigen::RowVectorXd upper = points.colwise().maxCoeff();
    const Eigen::RowVectorXd spread = (upper - lower).cwiseMax(1e-300);
    // One scale for both directions: distances are what is shown.
    m_pixelsPerDistance = std::min({ room.width() / spread(0), room.height() / spread(1), 1e300 });
    const Eigen::RowVectorXd middle = (upper + lower) / 2.0;
    for (Index head = 0; head < points.rows(); ++head)
        m_points.push_back(room.center()
            + QPointF((points(head, 0) - middle(0)) * m_pixelsPerDistance, (middle(1) - points(head, 1)) * m_pixelsPerDistance));
}

QColor LayersScene::colorOf(std::size_t head) const
{
    const int layers = m_content->values->request.stack.lastLayer + 1;
    const auto table = colorTable(m_content->colors);
    const int entry = layers == 1 ? 128 : 255 * m_content->heads[head].layer / (layers - 1);
    return QColor(table[static_cast<std::size_t>(entry)]);
}

void LayersScene::paintPoints(QPainter &painter) const
{
    const MapStyle &style = m_map.style;
    const Theme &theme = style.theme;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::TextAntialiasing);
    const double reach = style.px(radius);
    for (std::size_t head = 0; head < m_points.size(); ++head) {
        painter.setPen(QPen(theme.secondaryText, style.px(1.0)));
        painter.setBrush(colorOf(head));
        painter.drawEllipse(m_points[head], reach, reach);
    }
    const QFont font = style.font(style.px(MapStyle::noteFont));
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    // The marked ones are named first; others where their name covers nothing.
    std::vector<std::size_t> order;
    for (const auto &marked : { m_hovered, m_picked }) {
        if (marked && *marked < m_points.size())
            order.push_back(*marked);
    }
    for (std::size_t head = 0; head < m_points.size(); ++head)
        order.push_back(head);
    std::vector<QRectF> taken;
    for (const QPointF &point : m_points)
        taken.emplace_back(point.x() - reach, point.y() - reach, 2.0 * reach, 2.0 * reach);
    std::vector<bool> isNamed(m_points.size(), false);
    for (const std::size_t head : order) {
        if (isNamed[head])
            continue;
        const bool isMarked = m_hovered == head || m_picked == head;
        const QString name = m_content->nameOf(head);
        const QSizeF size(metrics.horizontalAdvance(name) + style.px(4.0), metrics.height());
        const QPointF &point = m_points[head];
        const double beside = reach + style.px(isMarked ? 6.0 : 3.0);
        for (const QPointF &corner : { QPointF(beside, -size.height() / 2.0), QPointF(-beside - size.width(), -size.height() / 2.0),
                 QPointF(-size.width() / 2.0, -beside - size.height()), QPointF(-size.width() / 2.0, beside) }) {
            const QRectF box(point + corner, size);
            if (!isMarked && std::any_of(taken.begin(), taken.end(), [&box](const QRectF &other) { return other.intersects(box); }))
                continue;
            if (isMarked) {
                painter.setPen(Qt::NoPen);
                painter.setBrush(m_picked == head ? theme.accent : theme.hover);
                painter.drawRoundedRect(box, style.px(3.0), style.px(3.0));
            }
            painter.setPen(m_picked == head ? theme.panel : theme.text);
            painter.drawText(box, Qt::AlignCenter, name);
            taken.push_back(box);
            isNamed[head] = true;
            break;
        }
    }
    for (const auto &marked : { m_hovered, m_picked }) {
        if (!marked || *marked >= m_points.size())
            continue;
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(marked == m_picked ? theme.accent : theme.text, style.px(2.0)));
        painter.drawEllipse(m_points[*marked], reach + style.px(3.0), reach + style.px(3.0));
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    // How long a distance is.
    const double bottom = m_size.height() - style.px(16.0 + 40.0);
    const double length = roundLength(style.px(160.0) / m_pixelsPerDistance);
    const QRectF ruler(style.px(16.0), bottom - style.px(22.0), std::max(1.0, length * m_pixelsPerDistance), style.px(1.0));
    if (std::isfinite(length) && length < 1.0) {
        painter.setPen(theme.secondaryText);
        painter.fillRect(ruler, theme.secondaryText);
        painter.fillRect(QRectF(ruler.left(), ruler.top() - style.px(3.0), style.px(1.0), style.px(7.0)), theme.secondaryText);
        painter.fillRect(
            QRectF(ruler.right() - style.px(1.0), ruler.top() - style.px(3.0), style.px(1.0), style.px(7.0)), theme.secondaryText);
        painter.drawText(
            QPointF(ruler.right() + style.px(8.0), ruler.top() + metrics.capHeight() / 2.0), layersWords("distance %1").arg(length));
    }
    const int layers = m_content->values->request.stack.lastLayer + 1;
    if (layers > 1) {
        const ColorMap colors(colorTable(m_content->colors), 0.0, layers - 1.0, false);
        std::vector<ScaleTick> ticks;
        for (int layer = 0; layer < layers; ++layer)
            ticks.push_back({ static_cast<double>(layer) / (layers - 1.0), QString::number(layer) });
        const QRectF bar(
            m_size.width() - style.px(64.0), style.px(padding), style.px(16.0), std::min(style.px(240.0), m_size.height() / 2.0));
        paintColorScale(painter, bar, colors, ticks, layersWords("layer"), {}, style);
    }
    paintNotes(painter, style.px(16.0), bottom, m_size.width() - style.px(32.0));
}

} // namespace attenscope
