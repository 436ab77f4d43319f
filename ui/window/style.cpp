// SPDX-License-Identifier: GPL-3.0-or-later
// Style: primitives and simple controls; and the program's theme.
#include "window/style.h"
#include "window/style_parts.h"

#include <QApplication>
#include <QFontInfo>
#include <QHeaderView>
#include <QPushButton>
#include <QStyleFactory>
#include <QTableView>
#include <QTextEdit>

namespace attenscope {

using namespace styling;

namespace {

/// What the cell has of the ring around the row that has the focus.
void drawRowFocus(QPainter *painter, const QStyleOptionViewItem &cell, const QTableView &table, const QColor &color)
{
    constexpr int width = 2;
    const QRect &rect = cell.rect;
    painter->fillRect(rect.left(), rect.top(), rect.width(), width, color);
    painter->fillRect(rect.left(), rect.bottom() + 1 - width, rect.width(), width, color);
    const QHeaderView &columns = *table.horizontalHeader();
    const int place = columns.visualIndex(cell.index.column());
    if (place == 0)
        painter->fillRect(rect.left(), rect.top(), width, rect.height(), color);
    if (place == columns.count() - columns.hiddenSectionCount() - 1)
        painter->fillRect(rect.right() + 1 - width, rect.top(), width, rect.height(), color);
}

} // namespace

Style::Style()
    : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion")))
{
}

void Style::drawButton(const QStyleOption *option, QPainter *painter, const QWidget *widget, bool isFlat) const
{
    const Theme &theme = themeOf(option);
    const bool isDown = option->state.testFlag(State_Sunken);
    const bool isOn = option->state.testFlag(State_On);
    const bool hasFocus = option->state.testFlag(State_HasFocus) && option->state.testFlag(State_KeyboardFocusChange);
    if (isFlagged(widget, "link")) {
        if (hasFocus)
            drawBox(painter, option->rect, QColor(), theme.accent, 2.0);
        return;
    }
    if (isFlagged(widget, "primary") && isEnabled(option)) {
        const QColor fill = isDown || isHovered(option) ? theme.accent.darker(theme.isDark ? 90 : 115) : theme.accent;
        drawBox(painter, option->rect, fill, fill);
        if (hasFocus)
            drawBox(painter, QRectF(option->rect).adjusted(2, 2, -2, -2), QColor(), theme.panel);
        return;
    }
    QColor fill = isFlat ? QColor() : isEnabled(option) ? theme.panel : theme.window;
    if (isOn || isDown)
        fill = theme.accentGround;
    else if (isHovered(option))
        fill = theme.hover;
    QColor line = isFlat ? QColor() : isEnabled(option) ? theme.line : theme.faintLine;
    if (hasFocus)
        line = theme.accent;
    drawBox(painter, option->rect, fill, line, hasFocus ? 2.0 : 1.0);
}

void Style::drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const
{
    const Theme &theme = themeOf(option);
    switch (element) {
    case PE_PanelButtonCommand: {
        const auto *button = qstyleoption_cast<const QStyleOptionButton *>(option);
        if (const QString segment = segmentOf(widget); !segment.isEmpty())
            drawSegment(painter, option, segment);
        else
            drawButton(option, painter, widget, button && button->features.testFlag(QStyleOptionButton::Flat));
        return;
    }
    case PE_PanelButtonTool:
        drawButton(option, painter, widget, option->state.testFlag(State_AutoRaise));
        return;
    case PE_PanelLineEdit:
        if (const auto *frame = qstyleoption_cast<const QStyleOptionFrame *>(option); frame && frame->lineWidth > 0)
            drawField(painter, option);
        else
            painter->fillRect(option->rect, option->palette.base());
        return;
    case PE_FrameLineEdit:
    case PE_FrameFocusRect:
        // Fields draw their own ring; what is left are check boxes, radio buttons and links.
        if (element == PE_FrameFocusRect && option->state.testFlag(State_KeyboardFocusChange) && !qobject_cast<const QPushButton *>(widget))
            drawBox(painter, option->rect, QColor(), theme.accent, 2.0);
        return;
    case PE_Frame: {
        const bool hasFocus = option->state.testFlag(State_HasFocus);
        drawBox(painter, option->rect, QColor(), hasFocus ? theme.accent : theme.line, hasFocus ? 2.0 : 1.0);
        return;
    }
    case PE_FrameMenu:
    case PE_PanelTipLabel:
        if (element == PE_PanelTipLabel)
            painter->fillRect(option->rect, theme.panel);
        painter->setPen(theme.line);
        painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
        return;
    case PE_PanelMenu:
        painter->fillRect(option->rect, theme.panel);
        return;
    case PE_IndicatorCheckBox: {
        const bool isOn = option->state.testFlag(State_On);
        const QColor on = isEnabled(option) ? theme.accent : theme.secondaryText;
        drawBox(painter, option->rect, isOn ? on : theme.panel,
            isOn                    ? on
                : isEnabled(option) ? (isHovered(option) ? theme.accent : theme.secondaryText)
                                    : theme.line);
        if (isOn)
            drawSymbol(painter, option->rect, "check", 16, theme.panel);
        else if (option->state.testFlag(State_NoChange))
            drawSymbol(painter, option->rect, "remove", 12, theme.text);
        return;
    }
    case PE_IndicatorRadioButton: {
        const bool isOn = option->state.testFlag(State_On);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const QRectF circle = QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5);
        painter->setPen(isOn ? theme.accent : theme.secondaryText);
        painter->setBrush(isOn ? theme.accent : theme.panel);
        painter->drawEllipse(circle);
        if (isOn) {
            painter->setBrush(theme.panel);
            painter->drawEllipse(circle.center(), 3, 3);
        }
        painter->restore();
        return;
    }
    case PE_IndicatorArrowDown:
        drawSymbol(painter, option->rect, "chevron-down", 16, theme.secondaryText);
        return;
    case PE_IndicatorArrowUp:
        drawSymbol(painter, option->rect, "chevron-up", 16, theme.secondaryText);
        return;
    case PE_IndicatorArrowRight:
        drawSymbol(painter, option->rect, "chevron-right", 16, theme.secondaryText);
        return;
    case PE_IndicatorArrowLeft:
        drawSymbol(painter, option->rect, "chevron-left", 16, theme.secondaryText);
        return;
    case PE_IndicatorHeaderArrow:
        // Qt calls ascending "down"; here the smallest on top points up.
        if (const auto *header = qstyleoption_cast<const QStyleOptionHeader *>(option);
            header && header->sortIndicator != QStyleOptionHeader::None)
            drawSymbol(painter, option->rect, header->sortIndicator == QStyleOptionHeader::SortDown ? "chevron-up" : "chevron-down", 12,
                theme.text);
        return;
    case PE_IndicatorToolBarSeparator:
        painter->fillRect(QRect(option->rect.center().x(), option->rect.top() + 8, 1, option->rect.height() - 16), theme.line);
        return;
    case PE_IndicatorDockWidgetResizeHandle: {
        painter->fillRect(option->rect, theme.panel);
        const bool isHorizontal = option->state.testFlag(State_Horizontal);
        const QRect &rect = option->rect;
        painter->fillRect(
            isHorizontal ? QRect(rect.left(), rect.bottom(), rect.width(), 1) : QRect(rect.center().x(), rect.top(), 1, rect.height()),
            isHovered(option) ? theme.accent : theme.line);
        return;
    }
    case PE_FrameTabBarBase:
        painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1), theme.line);
        return;
    case PE_FrameTabWidget:
    case PE_FrameStatusBarItem:
    case PE_FrameDockWidget:
        return;
    case PE_PanelItemViewItem:
    case PE_PanelItemViewRow:
        if (option->state.testFlag(State_Selected))
            painter->fillRect(option->rect, theme.accentGround);
        else if (isHovered(option))
            painter->fillRect(option->rect, theme.hover);
        else if (const auto *item = qstyleoption_cast<const QStyleOptionViewItem *>(option);
                 item && item->backgroundBrush.style() != Qt::NoBrush)
            painter->fillRect(option->rect, item->backgroundBrush);
        return;
    default:
        QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

void Style::drawControl(ControlElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const
{
    const Theme &theme = themeOf(option);
    switch (element) {
    case CE_PushButtonLabel:
        if (const auto *button = qstyleoption_cast<const QStyleOptionButton *>(option)) {
            QStyleOptionButton label = *button;
            if (!segmentOf(widget).isEmpty())
                label.palette.setColor(QPalette::ButtonText, segmentText(option));
            else if (isFlagged(widget, "primary") && isEnabled(option))
                label.palette.setColor(QPalette::ButtonText, theme.panel);
            else if (isFlagged(widget, "link") && isEnabled(option))
                label.palette.setColor(QPalette::ButtonText, theme.accent);
            QProxyStyle::drawControl(element, &label, painter, widget);
        }
        return;
    case CE_MenuBarEmptyArea:
        painter->fillRect(option->rect, theme.window);
        return;
    case CE_MenuBarItem:
        if (const auto *item = qstyleoption_cast<const QStyleOptionMenuItem *>(option)) {
            painter->fillRect(option->rect, theme.window);
            if (item->state.testFlag(State_Selected) && isEnabled(option))
                drawBox(painter, option->rect.adjusted(0, 2, 0, -2), theme.hover, QColor());
            const bool showsMnemonic = styleHint(SH_UnderlineShortcut, option, widget, nullptr);
            drawItemText(painter, option->rect,
                Qt::AlignCenter | Qt::TextSingleLine | (showsMnemonic ? Qt::TextShowMnemonic : Qt::TextHideMnemonic), item->palette,
                isEnabled(option), item->text, QPalette::WindowText);
        }
        return;
    case CE_TabBarTabShape:
        if (option->state.testFlag(State_Selected))
            painter->fillRect(QRect(option->rect.left() + 4, option->rect.bottom() - 1, option->rect.width() - 8, 2), theme.accent);
        else if (isHovered(option))
            drawBox(painter, option->rect.adjusted(4, 4, -4, -4), theme.hover, QColor());
        return;
    case CE_TabBarTabLabel:
        if (const auto *tab = qstyleoption_cast<const QStyleOptionTab *>(option)) {
            QStyleOptionTab label = *tab;
            label.palette.setColor(QPalette::WindowText, option->state.testFlag(State_Selected) ? theme.text : theme.secondaryText);
            QProxyStyle::drawControl(element, &label, painter, widget);
        }
        return;
    case CE_ToolBar:
        painter->fillRect(option->rect, theme.window);
        if (const auto *bar = qstyleoption_cast<const QStyleOptionToolBar *>(option); bar && bar->toolBarArea == Qt::TopToolBarArea)
            painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1), theme.line);
        return;
    case CE_Splitter:
        painter->fillRect(option->rect.center().x(), option->rect.top(), 1, option->rect.height(), theme.line);
        return;
    case CE_HeaderSection:
    case CE_HeaderEmptyArea:
        painter->fillRect(option->rect, theme.panel);
        painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1), theme.line);
        return;
    case CE_HeaderLabel:
        if (const auto *header = qstyleoption_cast<const QStyleOptionHeader *>(option)) {
            QStyleOptionHeader label = *header;
            label.palette.setColor(QPalette::ButtonText, theme.secondaryText);
            QProxyStyle::drawControl(element, &label, painter, widget);
        }
        return;
    case CE_ItemViewItem:
        if (const auto *view = qstyleoption_cast<const QStyleOptionViewItem *>(option)) {
            // Selected rows keep their text colour on the accent ground.
            QStyleOptionViewItem item = *view;
            item.palette.setColor(QPalette::HighlightedText, view->palette.color(QPalette::Text));
            const auto *table = qobject_cast<const QTableView *>(widget);
            const bool isOfRows = table && table->selectionBehavior() == QAbstractItemView::SelectRows;
            if (isOfRows)
                item.state &= ~State_HasFocus;
            QProxyStyle::drawControl(element, &item, painter, widget);
            if (isOfRows && table->hasFocus() && table->window()->testAttribute(Qt::WA_KeyboardFocusChange)
                && view->index.row() == table->currentIndex().row())
                drawRowFocus(painter, *view, *table, theme.accent);
        }
        return;
    case CE_MenuItem:
        if (const auto *entry = qstyleoption_cast<const QStyleOptionMenuItem *>(option)) {
            QStyleOptionMenuItem item = *entry;
            item.palette.setColor(QPalette::Window, theme.panel);
            if (entry->menuItemType == QStyleOptionMenuItem::Separator && entry->text.isEmpty()) {
                painter->fillRect(entry->rect.left(), entry->rect.center().y(), entry->rect.width(), 1, theme.faintLine);
                return;
            }
            if (entry->state.testFlag(State_Selected) && isEnabled(option))
                drawBox(painter, QRectF(entry->rect).adjusted(4, 0, -4, 0), theme.hover, QColor());
            item.state &= ~State_Selected;
            QProxyStyle::drawControl(element, &item, painter, widget);
        }
        return;
    case CE_ProgressBarGroove:
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(theme.faintLine);
        painter->drawRoundedRect(QRectF(option->rect.left(), option->rect.center().y() - 3, option->rect.width(), 8), 4, 4);
        painter->restore();
        return;
    case CE_ProgressBarContents:
        if (const auto *bar = qstyleoption_cast<const QStyleOptionProgressBar *>(option); bar && bar->maximum > bar->minimum) {
            const qreal done = static_cast<qreal>(bar->progress - bar->minimum) / (bar->maximum - bar->minimum);
            painter->save();
            painter->setRenderHint(QPainter::Antialiasing);
            painter->setPen(Qt::NoPen);
            painter->setBrush(theme.accent);
            painter->drawRoundedRect(
                QRectF(option->rect.left(), option->rect.center().y() - 3, option->rect.width() * qBound(0.0, done, 1.0), 8), 4, 4);
            painter->restore();
        }
        return;
    case CE_ProgressBarLabel:
        return;
    case CE_ScrollBarAddLine:
    case CE_ScrollBarSubLine:
        return;
    default:
        QProxyStyle::drawControl(element, option, painter, widget);
    }
}

void applyTheme(QApplication &application, ThemeChoice choice)
{
    static const bool isDesktopDark = QGuiApplication::palette().color(QPalette::Window).lightness() < 128;
    const bool isDark = choice == ThemeChoice::Dark || (choice == ThemeChoice::System && isDesktopDark);
    if (!qobject_cast<Style *>(application.style())) {
        QFont font = QApplication::font();
        // 13 at least; a desktop that asks for larger text gets it.
        font.setPixelSize(std::max(13, QFontInfo(font).pixelSize()));
        QApplication::setFont(font);
        QApplication::setStyle(new Style);
    }
    QApplication::setPalette((isDark ? Theme::dark() : Theme::light()).palette());
}

} // namespace attenscope
