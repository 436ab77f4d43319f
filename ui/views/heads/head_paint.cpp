// SPDX-License-Identifier: GPL-3.0-or-later
// Captions, names, values and frames of thumbnails.
#include "views/heads/head_paint.h"

#include "state/head_colors.h"

#include <QFontInfo>
#include <QFontMetrics>
#include <QPainter>

#include <algorithm>

namespace attenscope {

QFont smallFont(QFont font)
{
    font.setPixelSize(std::max(1, qRound(QFontInfo(font).pixelSize() * 12.0 / 13.0)));
    return font;
}

int leastThumbnail(const HeadList &list, HeadColumn by, const QFontMetrics &letters)
{
    constexpr int least = 56;
    if (columnMean(by) == nullptr)
        return least;
    int layer = 0;
    int head = 0;
    for (const ListedHead &one : list.heads) {
        layer = std::max(layer, one.ref.layer);
        head = std::max(head, one.ref.head);
    }
    // Distances and numbers of keys may have three digits before the point.
    const bool isLong = by == HeadColumn::Distance || by == HeadColumn::EffectiveKeys;
    const QString longest = QStringLiteral("%1·%2 ").arg(layer).arg(head) + (isLong ? QStringLiteral("000.00") : QStringLiteral("0.00"));
    return std::max(least, letters.horizontalAdvance(longest));
}

void paintCaptions(QPainter &painter, const HeadLayout &layout, const QRect &area, const Theme &theme)
{
    const QFont font = painter.font();
    const QFont small = smallFont(font);
    painter.setFont(small);
    const auto paint = [&](const HeadCaption &caption) {
        painter.setPen(theme.secondaryText);
        const QString text = QFontMetrics(small).elidedText(caption.text, Qt::ElideRight, caption.line.width());
        painter.drawText(caption.line, Qt::AlignLeft | Qt::AlignTop, text);
    };
    for (const HeadCaption &caption : layout.captions) {
        if (!caption.line.intersects(area))
            continue;
        paint(caption);
        painter.fillRect(QRect(caption.line.bottomLeft(), QSize(caption.line.width(), 1)), theme.line);
    }
    paint(layout.note);
    painter.setFont(font);
}

void paintFrame(
    QPainter &painter, const HeadRef &picked, const std::vector<HeadRef> &more, const HeadPlace &place, bool isHovered, const Theme &theme)
{
    const bool isPicked = place.head == picked;
    const auto found = std::find(more.begin(), more.end(), place.head);
    const bool isAdded = !isPicked && found != more.end();
    if (isPicked || isAdded || isHovered) {
        // As the lines: the picked head has the first colour.
        const auto number
            = static_cast<std::size_t>(std::count_if(more.begin(), found, [&](const HeadRef &head) { return head != picked; }) + 1);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(isPicked ? theme.accent : isAdded ? headColor(number, theme) : theme.line, isPicked || isAdded ? 2.0 : 1.0));
        painter.drawRoundedRect(QRectF(place.thumbnail).adjusted(-3.0, -3.0, 3.0, 3.0), 3.0, 3.0);
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
}

void paintName(QPainter &painter, const HeadPlace &place, bool isPicked, const Theme &theme)
{
    const QFont font = painter.font();
    QFont name = font;
    name.setBold(isPicked);
    painter.setFont(name);
    painter.setPen(isPicked ? theme.accent : theme.text);
    painter.drawText(place.name, Qt::AlignLeft | Qt::AlignVCenter, place.nameText);
    if (!place.valueText.isEmpty()) {
        painter.setFont(smallFont(font));
        painter.setPen(theme.secondaryText);
        painter.drawText(place.name, Qt::AlignRight | Qt::AlignVCenter, place.valueText);
    }
    painter.setFont(font);
}

} // namespace attenscope
