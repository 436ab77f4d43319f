// SPDX-License-Identifier: GPL-3.0-or-later
// Style: controls of several parts: tool buttons, combo boxes, number fields, sliders, scroll bars.
#include "window/style.h"
#include "window/style_parts.h"

#include <QToolButton>

namespace attenscope {

using namespace styling;

void Style::drawComplexControl(ComplexControl control, const QStyleOptionComplex *option, QPainter *painter, const QWidget *widget) const
{
    switch (control) {
    case CC_ToolButton:
        if (const auto *button = qstyleoption_cast<const QStyleOptionToolButton *>(option))
            return drawToolButton(*button, painter, widget);
        break;
    case CC_ComboBox:
        if (const auto *box = qstyleoption_cast<const QStyleOptionComboBox *>(option))
            return drawComboBox(*box, painter);
        break;
    case CC_SpinBox:
        if (const auto *box = qstyleoption_cast<const QStyleOptionSpinBox *>(option))
            return drawSpinBox(*box, painter, widget);
        break;
    case CC_Slider:
        if (const auto *slider = qstyleoption_cast<const QStyleOptionSlider *>(option))
            return drawSlider(*slider, painter, widget);
        break;
    case CC_ScrollBar:
        if (const auto *bar = qstyleoption_cast<const QStyleOptionSlider *>(option))
            return drawScrollBar(*bar, painter, widget);
        break;
    default:
        break;
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

void Style::drawToolButton(const QStyleOptionToolButton &option, QPainter *painter, const QWidget *widget) const
{
    const Theme &theme = themeOf(&option);
    const QString segment = segmentOf(widget);
    const bool hasArrow = option.features.testFlag(QStyleOptionToolButton::HasMenu) && !isFlagged(widget, "hidesArrow");
    const bool isOn = option.state.testFlag(State_On);
    if (segment.isEmpty()) {
        QStyleOption panel = option;
        if (!option.activeSubControls.testFlag(SC_ToolButton) && !option.activeSubControls.testFlag(SC_ToolButtonMenu))
            panel.state &= ~State_Sunken;
        drawButton(&panel, painter, widget, option.state.testFlag(State_AutoRaise));
    } else {
        drawSegment(painter, &option, segment);
    }
    QRect inside = option.rect.adjusted(0, 0, hasArrow ? -chevronWidth : 0, 0);
    if (hasArrow) {
        const QRect arrow(inside.right() - 4, option.rect.top(), chevronWidth, option.rect.height());
        const QColor color = !isEnabled(&option) ? theme.line : isOn ? theme.accent : theme.secondaryText;
        drawSymbol(painter, arrow, "chevron-down", 14, color);
        if (option.features.testFlag(QStyleOptionToolButton::MenuButtonPopup) && isHovered(&option))
            painter->fillRect(QRect(arrow.left() - 2, arrow.top() + 7, 1, arrow.height() - 14), theme.line);
    }
    QColor text = isOn ? theme.accent : option.palette.color(QPalette::ButtonText);
    if (!segment.isEmpty())
        text = segmentText(&option);
    else if (!isEnabled(&option))
        text = option.palette.color(QPalette::Disabled, QPalette::WindowText);
    drawToolButtonLabel(option, inside, text, painter);
}

void Style::drawToolButtonLabel(const QStyleOptionToolButton &option, const QRect &inside, const QColor &color, QPainter *painter) const
{
    constexpr int gap = 8;
    const bool hasIcon = !option.icon.isNull() && option.toolButtonStyle != Qt::ToolButtonTextOnly;
    const bool hasText = !option.text.isEmpty() && (option.toolButtonStyle != Qt::ToolButtonIconOnly || option.icon.isNull());
    const int iconWidth = hasIcon ? option.iconSize.width() : 0;
    const QString text = hasText
        ? option.fontMetrics.elidedText(option.text, Qt::ElideRight, inside.width() - iconWidth - 8, Qt::TextShowMnemonic)
        : QString();
    const int textWidth = hasText ? option.fontMetrics.size(Qt::TextShowMnemonic, text).width() : 0;
    int x = inside.left() + (inside.width() - iconWidth - textWidth - (hasIcon && hasText ? gap : 0)) / 2;
    if (hasIcon) {
        const QRect place(
            x, inside.top() + (inside.height() - option.iconSize.height()) / 2, option.iconSize.width(), option.iconSize.height());
        const auto mode = isEnabled(&option) ? QIcon::Normal : QIcon::Disabled;
        option.icon.paint(painter, place, Qt::AlignCenter, mode, option.state.testFlag(State_On) ? QIcon::On : QIcon::Off);
        x += iconWidth + gap;
    }
    painter->setFont(option.font);
    painter->setPen(color);
    painter->drawText(QRect(x, inside.top(), textWidth + 2, inside.height()),
        Qt::AlignLeft | Qt::AlignVCenter | Qt::TextHideMnemonic | Qt::TextSingleLine, text);
}

void Style::drawComboBox(const QStyleOptionComboBox &option, QPainter *painter) const
{
    const Theme &theme = themeOf(&option);
    if (option.frame)
        drawField(painter, &option);
    else if (isHovered(&option))
        drawBox(painter, option.rect, theme.hover, QColor());
    const QRect arrow = subControlRect(CC_ComboBox, &option, SC_ComboBoxArrow, nullptr);
    drawSymbol(painter, arrow, "chevron-down", 16, isEnabled(&option) ? theme.text : theme.line);
}

void Style::drawSpinBox(const QStyleOptionSpinBox &option, QPainter *painter, const QWidget *widget) const
{
    const Theme &theme = themeOf(&option);
    if (option.frame)
        drawField(painter, &option);
    if (option.buttonSymbols == QAbstractSpinBox::NoButtons)
        return;
    const auto drawStep = [&](SubControl part, QAbstractSpinBox::StepEnabledFlag step, const char *name) {
        const bool canStep = isEnabled(&option) && option.stepEnabled.testFlag(step);
        const QRect rect = subControlRect(CC_SpinBox, &option, part, widget);
        if (canStep && option.activeSubControls.testFlag(part))
            drawBox(painter, rect, option.state.testFlag(State_Sunken) ? theme.accentGround : theme.hover, QColor());
        drawSymbol(painter, rect, name, 12, canStep ? theme.secondaryText : theme.line);
    };
    drawStep(SC_SpinBoxUp, QAbstractSpinBox::StepUpEnabled, "chevron-up");
    drawStep(SC_SpinBoxDown, QAbstractSpinBox::StepDownEnabled, "chevron-down");
}

void Style::drawSlider(const QStyleOptionSlider &option, QPainter *painter, const QWidget *widget) const
{
    const Theme &theme = themeOf(&option);
    const QRectF handle = subControlRect(CC_Slider, &option, SC_SliderHandle, widget);
    const bool isHorizontal = option.orientation == Qt::Horizontal;
    const QRectF rect(option.rect);
    QRectF groove = isHorizontal ? QRectF(rect.left(), handle.center().y() - 2, rect.width(), 4)
                                 : QRectF(handle.center().x() - 2, rect.top(), 4, rect.height());
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(theme.line);
    painter->drawRoundedRect(groove, 2, 2);
    const QColor on = isEnabled(&option) ? theme.accent : theme.secondaryText;
    painter->setBrush(on);
    // upsideDown: the lowest value is at the right or at the bottom.
    if (isHorizontal)
        option.upsideDown ? groove.setLeft(handle.center().x()) : groove.setRight(handle.center().x());
    else
        option.upsideDown ? groove.setTop(handle.center().y()) : groove.setBottom(handle.center().y());
    painter->drawRoundedRect(groove, 2, 2);
    const bool hasFocus = option.state.testFlag(State_HasFocus) && option.state.testFlag(State_KeyboardFocusChange);
    painter->setPen(QPen(on, hasFocus ? 4 : 2));
    painter->setBrush(theme.panel);
    const qreal inset = hasFocus ? 2 : 1;
    painter->drawEllipse(handle.adjusted(inset, inset, -inset, -inset));
    painter->restore();
}

void Style::drawScrollBar(const QStyleOptionSlider &option, QPainter *painter, const QWidget *widget) const
{
    const Theme &theme = themeOf(&option);
    painter->fillRect(option.rect, theme.panel);
    if (option.maximum <= option.minimum)
        return;
    const bool isActive = option.state.testFlag(State_Sunken) || isHovered(&option);
    const QRectF handle = QRectF(subControlRect(CC_ScrollBar, &option, SC_ScrollBarSlider, widget)).adjusted(3, 3, -3, -3);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(isActive ? theme.secondaryText : theme.line);
    painter->drawRoundedRect(handle, 3, 3);
    painter->restore();
}

} // namespace attenscope
