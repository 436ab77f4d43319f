// SPDX-License-Identifier: GPL-3.0-or-later
// Words, places and painting of badges.
#include "views/map/badges.h"

#include <QFontMetricsF>

#include <cmath>

namespace attenscope {

namespace {

// Logical pixels at scale 1.
constexpr double badgeInset = 12.0;
constexpr double height = 24.0;
constexpr double badgeGap = 8.0;
constexpr double dotRoom = 18.0;

QFont badgeFont(const MapStyle &style)
{
    return style.font(style.px(MapStyle::noteFont));
}

double dotWidth(const MapStyle &style, const Badge &badge)
{
    return badge.dot == Badge::Dot::None ? 0.0 : style.px(dotRoom);
}

void place(std::vector<Badge> &badges, const MapStyle &style, const QRectF &map)
{
    const QFontMetricsF metrics(badgeFont(style));
    const double mostRight = map.right() - style.px(badgeInset);
    double right = mostRight;
    double top = map.top() + style.px(badgeInset);
    for (Badge &badge : badges) {
        const double width = metrics.horizontalAdvance(badge.text) + dotWidth(style, badge) + style.px(2.0 * badgeGap);
        if (right < mostRight && right - width < map.left()) {
            right = mostRight;
            top += style.px(height + badgeGap);
        }
        badge.rect = { std::round(right - width) + 0.5, std::round(top) + 0.5, width, style.px(height) };
        right = badge.rect.left() - style.px(badgeGap);
    }
}

std::vector<Badge> badgesOfLast(const MapScene &scene, const Badge &preview)
{
    std::vector<Badge> badges;
    const bool isFolded = scene.foldedCells > 1;
    if (scene.isEstimate(scene.layout.maps.size() - 1))
        badges.push_back(preview);
    else if (scene.isComputing)
        badges.push_back({ QObject::tr("computing…"), Badge::Dot::Hollow, {} });
    else if (scene.missingTiles > 0)
        badges.push_back({ QObject::tr("preview %1 %").arg(100 * (scene.neededTiles - scene.missingTiles) / scene.neededTiles),
            Badge::Dot::Hollow, {} });
    else if (isFolded)
        badges.push_back({ QObject::tr("exact"), Badge::Dot::Full, {} });
    if (isFolded)
        badges.push_back({ foldWords(scene), Badge::Dot::None, {} });
    return badges;
}

} // namespace

QString foldWords(const MapScene &scene)
{
    if (scene.foldedCells <= 1)
        return {};
    const auto words = [&scene]() -> QString {
        if (scene.isEstimate(scene.content.panels.size() - 1))
            return QObject::tr("estimate of %1 × %1 cells");
        switch (scene.content.panels.back().fold) {
        case Fold::Mean:
            return QObject::tr("mean of %1 × %1 cells");
        case Fold::MaxMagnitude:
            return scene.isFoldEven ? QObject::tr("farthest from 0 of %1 × %1 cells")
                                    : QObject::tr("farthest from 0 of up to %1 × %1 cells");
        case Fold::Max:
            break;
        }
        return scene.isFoldEven ? QObject::tr("max of %1 × %1 cells") : QObject::tr("max of up to %1 × %1 cells");
    };
    return words().arg(scene.foldedCells);
}

std::vector<Badge> badges(const MapScene &scene)
{
    std::vector<Badge> all;
    if (scene.layout.isEmpty())
        return all;
    const Badge preview{ QObject::tr("preview"), Badge::Dot::Hollow, {} };
    for (std::size_t panel = 0; panel < scene.layout.maps.size(); ++panel) {
        const bool isLast = panel + 1 == scene.layout.maps.size();
        std::vector<Badge> some = isLast ? badgesOfLast(scene, preview) : std::vector(scene.isEstimate(panel) ? 1 : 0, preview);
        place(some, scene.style, scene.layout.maps[panel]);
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

void paintBadges(QPainter &painter, const MapScene &scene)
{
    const MapStyle &style = scene.style;
    const QFont font = badgeFont(style);
    const QFontMetricsF metrics(font);
    painter.save();
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    painter.setFont(font);
    for (const Badge &badge : badges(scene)) {
        const QRectF &rect = badge.rect;
        const double dot = dotWidth(style, badge);
        painter.setPen(QPen(style.theme.line, style.px(1.0)));
        painter.setBrush(style.theme.panel);
        painter.drawRoundedRect(rect, style.px(4.0), style.px(4.0));
        if (badge.dot != Badge::Dot::None) {
            const bool isFull = badge.dot == Badge::Dot::Full;
            painter.setPen(QPen(isFull ? style.theme.done : style.theme.secondaryText, style.px(1.5)));
            painter.setBrush(isFull ? QBrush(style.theme.done) : QBrush(Qt::NoBrush));
            painter.drawEllipse(QPointF(rect.left() + style.px(15.0), rect.center().y()), style.px(4.0), style.px(4.0));
        }
        painter.setPen(style.theme.text);
        painter.drawText(QPointF(rect.left() + style.px(badgeGap) + dot + (dot > 0.0 ? style.px(2.0) : 0.0),
                             rect.center().y() + metrics.capHeight() / 2.0),
            badge.text);
    }
    painter.restore();
}

} // namespace attenscope
