// SPDX-License-Identifier: GPL-3.0-or-later
// Style: sizes, places and habits of controls.
#include "window/style.h"
#include "window/style_parts.h"

#include <QAbstractSpinBox>
#include <QMainWindow>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QTextEdit>

namespace attenscope {

using namespace styling;

namespace {

/// Icon, 8, text, and 8 at both ends.
int toolButtonWidth(const QStyleOption *option, const QSize &contents)
{
    const auto *button = qstyleoption_cast<const QStyleOptionToolButton *>(option);
    if (!button)
        return contents.width() + 16;
    const bool hasIcon = !button->icon.isNull() && button->toolButtonStyle != Qt::ToolButtonTextOnly;
    const bool hasText = !button->text.isEmpty() && (button->toolButtonStyle != Qt::ToolButtonIconOnly || button->icon.isNull());
    int width = 16 + (hasIcon ? button->iconSize.width() : 0);
    if (!hasText)
        width = std::max(width - 4, toolButtonHeight);
    else
        width += button->fontMetrics.size(Qt::TextShowMnemonic, button->text).width() + (hasIcon ? 8 : 0);
    return width + (button->features.testFlag(QStyleOptionToolButton::HasMenu) ? chevronWidth : 0);
}

} // namespace

int Style::pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const
{
    switch (metric) {
    case PM_DefaultFrameWidth:
        // Room for the focus ring.
        return qobject_cast<const QPlainTextEdit *>(widget) || qobject_cast<const QTextEdit *>(widget) ? 2 : 1;
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight:
        return 16;
    case PM_CheckBoxLabelSpacing:
    case PM_RadioButtonLabelSpacing:
        return 8;
    case PM_SliderThickness:
    case PM_SliderControlThickness:
        return 20;
    case PM_SliderLength:
        return 16;
    case PM_ScrollBarExtent:
        return 12;
    case PM_ScrollBarSliderMin:
        return 24;
    case PM_MenuButtonIndicator:
        return chevronWidth;
    case PM_MenuBarPanelWidth:
    case PM_MenuBarItemSpacing:
    case PM_MenuBarVMargin:
        return 0;
    case PM_MenuBarHMargin:
        return 6;
    case PM_MenuPanelWidth:
        return 1;
    case PM_MenuVMargin:
        return 4;
    case PM_ToolBarItemSpacing:
        return 4;
    case PM_ToolBarFrameWidth:
        return 0;
    case PM_ToolBarItemMargin:
        return 7;
    case PM_ToolBarSeparatorExtent:
        return 17;
    case PM_DockWidgetSeparatorExtent:
        return 3;
    case PM_SplitterWidth:
        return 3;
    case PM_DockWidgetFrameWidth:
    case PM_DockWidgetTitleMargin:
        return 0;
    case PM_TabBarTabHSpace:
        // Four docks side by side as tabs, one of them "Recorded weights".
        return widget && qobject_cast<const QMainWindow *>(widget->parentWidget()) ? 12 : 24;
    case PM_TabBarTabVSpace:
        return 14;
    case PM_TabBarBaseOverlap:
    case PM_TabBarTabOverlap:
    case PM_TabBarTabShiftHorizontal:
    case PM_TabBarTabShiftVertical:
        return 0;
    case PM_HeaderMargin:
        return 6;
    case PM_FocusFrameHMargin:
        return 5;
    case PM_SmallIconSize:
        return 16;
    case PM_ToolBarIconSize:
        return 20;
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
        return 0;
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int Style::styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget, QStyleHintReturn *data) const
{
    switch (hint) {
    case SH_ToolTip_WakeUpDelay:
        return 600;
    case SH_DialogButtonBox_ButtonsHaveIcons:
    case SH_EtchDisabledText:
    case SH_DitherDisabledText:
    case SH_ComboBox_Popup:
    case SH_Widget_Animation_Duration:
    case SH_ItemView_ArrowKeysNavigateIntoChildren:
        return 0;
    case SH_UnderlineShortcut:
        // As the desktop has it in menus; the bar is quiet.
        return qobject_cast<const QMenuBar *>(widget) ? 0 : QProxyStyle::styleHint(hint, option, widget, data);
    case SH_TabBar_Alignment:
        return Qt::AlignLeft;
    case SH_Slider_AbsoluteSetButtons:
        return Qt::LeftButton;
    default:
        return QProxyStyle::styleHint(hint, option, widget, data);
    }
}

QSize Style::sizeFromContents(ContentsType type, const QStyleOption *option, const QSize &size, const QWidget *widget) const
{
    const int textHeight = option ? option->fontMetrics.height() : 0;
    const int control = std::max(controlHeight, textHeight + 10);
    switch (type) {
    case CT_PushButton:
        if (isFlagged(widget, "link"))
            return QSize(size.width() + 4, std::max(size.height(), textHeight + 6));
        return QSize(size.width() + 20, std::max(control, size.height() + 8));
    case CT_ToolButton:
        if (!segmentOf(widget).isEmpty())
            return QSize(size.width() + 22, std::max({ controlHeight + 2, textHeight + 12, size.height() + 6 }));
        return QSize(toolButtonWidth(option, size), std::max({ size.height() + 8, textHeight + 12, toolButtonHeight }));
    case CT_ComboBox:
        return QSize(size.width() + 8 + 28, control);
    case CT_LineEdit:
        return QSize(size.width() + 12, control);
    case CT_SpinBox:
        return QSize(size.width() + 12 + chevronWidth, control);
    case CT_MenuBarItem:
        return QSize(size.width() + 20, control);
    case CT_MenuItem: {
        QSize item = QProxyStyle::sizeFromContents(type, option, size, widget);
        const auto *menuItem = qstyleoption_cast<const QStyleOptionMenuItem *>(option);
        if (menuItem && menuItem->menuItemType != QStyleOptionMenuItem::Separator)
            item.setHeight(std::max(item.height(), control));
        return item;
    }
    case CT_TabBarTab:
        return QSize(size.width(), std::max(size.height(), 32));
    case CT_ItemViewItem: {
        // The lists of combo boxes, as high as the boxes.
        QSize item = QProxyStyle::sizeFromContents(type, option, size, widget);
        if (widget && widget->inherits("QComboBoxListView"))
            item.setHeight(std::max(item.height(), control));
        return item;
    }
    case CT_HeaderSection:
        return QSize(QProxyStyle::sizeFromContents(type, option, size, widget).width(), std::max(control, size.height()));
    default:
        return QProxyStyle::sizeFromContents(type, option, size, widget);
    }
}

QRect Style::subElementRect(SubElement element, const QStyleOption *option, const QWidget *widget) const
{
    // A spin box keeps the edges of its field itself: with those of a line edit in them the last digits were cut.
    if (element == SE_LineEditContents && widget && qobject_cast<const QAbstractSpinBox *>(widget->parentWidget()))
        return option->rect;
    if (element == SE_LineEditContents)
        return option->rect.adjusted(6, 1, -6, -1);
    if (element == SE_PushButtonContents || element == SE_PushButtonFocusRect)
        return option->rect.adjusted(4, 2, -4, -2);
    return QProxyStyle::subElementRect(element, option, widget);
}

QRect Style::subControlRect(ComplexControl control, const QStyleOptionComplex *option, SubControl part, const QWidget *widget) const
{
    const QRect &rect = option->rect;
    if (control == CC_ComboBox) {
        if (part == SC_ComboBoxEditField)
            return visualRect(option->direction, rect, rect.adjusted(6, 1, -26, -1));
        if (part == SC_ComboBoxArrow)
            return visualRect(option->direction, rect, QRect(rect.right() - 25, rect.top(), 26, rect.height()));
    }
    if (control == CC_SpinBox) {
        const auto *spin = qstyleoption_cast<const QStyleOptionSpinBox *>(option);
        const bool hasButtons = spin && spin->buttonSymbols != QAbstractSpinBox::NoButtons;
        const int buttons = hasButtons ? chevronWidth + 2 : 0;
        const QRect column(rect.right() - buttons + 1, rect.top() + 2, buttons - 2, rect.height() - 4);
        switch (part) {
        case SC_SpinBoxUp:
            return hasButtons ? visualRect(option->direction, rect, column.adjusted(0, 0, 0, -column.height() / 2)) : QRect();
        case SC_SpinBoxDown:
            return hasButtons ? visualRect(option->direction, rect, column.adjusted(0, column.height() / 2, 0, 0)) : QRect();
        case SC_SpinBoxEditField:
            return visualRect(option->direction, rect, rect.adjusted(6, 1, -buttons - 4, -1));
        default:
            break;
        }
    }
    if (const auto *slider = qstyleoption_cast<const QStyleOptionSlider *>(option);
        slider && control == CC_Slider && part == SC_SliderHandle) {
        constexpr int length = 16;
        const bool isHorizontal = slider->orientation == Qt::Horizontal;
        const int span = (isHorizontal ? rect.width() : rect.height()) - length;
        const int at = sliderPositionFromValue(slider->minimum, slider->maximum, slider->sliderPosition, span, slider->upsideDown);
        return isHorizontal ? QRect(rect.left() + at, rect.center().y() - length / 2 + 1, length, length)
                            : QRect(rect.center().x() - length / 2 + 1, rect.top() + at, length, length);
    }
    if (const auto *bar = qstyleoption_cast<const QStyleOptionSlider *>(option); bar && control == CC_ScrollBar) {
        const bool isHorizontal = bar->orientation == Qt::Horizontal;
        const int length = isHorizontal ? rect.width() : rect.height();
        const int range = bar->maximum - bar->minimum;
        const auto along = [&](int first, int size) {
            return isHorizontal ? QRect(rect.left() + first, rect.top(), size, rect.height())
                                : QRect(rect.left(), rect.top() + first, rect.width(), size);
        };
        int handle = length;
        if (range > 0)
            handle = std::max(static_cast<int>(static_cast<qint64>(length) * bar->pageStep / (range + std::max(bar->pageStep, 1))), 24);
        handle = std::min(handle, length);
        const int at = sliderPositionFromValue(bar->minimum, bar->maximum, bar->sliderPosition, length - handle, bar->upsideDown);
        switch (part) {
        case SC_ScrollBarSlider:
            return along(at, handle);
        case SC_ScrollBarSubPage:
            return along(0, at);
        case SC_ScrollBarAddPage:
            return along(at + handle, length - at - handle);
        case SC_ScrollBarGroove:
            return rect;
        default:
            return {};
        }
    }
    return QProxyStyle::subControlRect(control, option, part, widget);
}

} // namespace attenscope
