// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of Style share.
#include "window/style_parts.h"

#include "state/icons.h"

#include <QPainterPath>
#include <QVariant>

namespace attenscope::styling {

const Theme &themeOf(const QStyleOption *option)
{
    return Theme::of(option->palette);
}

bool isEnabled(const QStyleOption *option)
{
    return option->state.testFlag(QStyle::State_Enabled);
}

bool isHovered(const QStyleOption *option)
{
    return isEnabled(option) && option->state.testFlag(QStyle::State_MouseOver);
}

bool isFlagged(const QWidget *widget, const char *property)
{
    return widget && widget->property(property).toBool();
}

void drawBox(QPainter *painter, const QRectF &rect, const QColor &fill, const QColor &line, qreal width)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(line.isValid() ? QPen(line, width) : QPen(Qt::NoPen));
    painter->setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
    const qreal inset = line.isValid() ? width / 2 : 0.0;
    painter->drawRoundedRect(rect.adjusted(inset, inset, -inset, -inset), radius - inset, radius - inset);
    painter->restore();
}

void drawField(QPainter *painter, const QStyleOption *option)
{
    const Theme &theme = themeOf(option);
    const bool hasFocus = option->state.testFlag(QStyle::State_HasFocus);
    if (!isEnabled(option)) {
        drawBox(painter, option->rect, theme.window, theme.faintLine);
        return;
    }
    const QColor line = hasFocus ? theme.accent : isHovered(option) ? theme.secondaryText : theme.line;
    drawBox(painter, option->rect, theme.panel, line, hasFocus ? 2.0 : 1.0);
}

void drawSymbol(QPainter *painter, const QRect &rect, const char *name, int size, const QColor &color)
{
    const QPixmap pixmap = iconPixmap(QLatin1String(name), size, color, painter->device()->devicePixelRatioF());
    painter->drawPixmap(rect.x() + (rect.width() - size) / 2, rect.y() + (rect.height() - size) / 2, pixmap);
}

QString segmentOf(const QWidget *widget)
{
    return widget ? widget->property("segment").toString() : QString();
}

void drawSegment(QPainter *painter, const QStyleOption *option, const QString &segment)
{
    const Theme &theme = themeOf(option);
    const bool isFirst = segment == QLatin1String("first") || segment == QLatin1String("only");
    const bool isLast = segment == QLatin1String("last") || segment == QLatin1String("only");
    const bool isOn = option->state.testFlag(QStyle::State_On);
    const bool hasFocus = option->state.testFlag(QStyle::State_HasFocus) && option->state.testFlag(QStyle::State_KeyboardFocusChange);

    // Neighbours share the line between them: each draws its box a little beyond the edges that are not its own ends.
    const QRectF visible(option->rect);
    const QRectF box = visible.adjusted(isFirst ? 0 : -2 * radius, 0, isLast ? 0 : 2 * radius, 0);
    painter->save();
    painter->setClipRect(visible);
    QColor fill = theme.panel;
    QColor line = theme.line;
    if (isOn) {
        fill = isEnabled(option) ? theme.accent : theme.hover;
        line = isEnabled(option) ? theme.accent : theme.line;
    } else if (!isEnabled(option)) {
        fill = theme.window;
    } else if (isHovered(option)) {
        fill = theme.hover;
    }
    drawBox(painter, box, fill, line);
    if (!isLast && isOn && isEnabled(option))
        painter->fillRect(QRectF(visible.right() - 1, visible.top(), 1, visible.height()), theme.accentGround);
    else if (!isLast)
        painter->fillRect(QRectF(visible.right() - 1, visible.top() + 1, 1, visible.height() - 2), theme.line);
    if (hasFocus)
        drawBox(painter, visible.adjusted(2, 2, isLast ? -2 : -3, -2), QColor(), isOn ? theme.panel : theme.accent, 2.0);
    painter->restore();
}

QColor segmentText(const QStyleOption *option)
{
    const Theme &theme = themeOf(option);
    if (!isEnabled(option))
        return option->palette.color(QPalette::Disabled, QPalette::WindowText);
    return option->state.testFlag(QStyle::State_On) ? theme.panel : theme.text;
}

} // namespace attenscope::styling
