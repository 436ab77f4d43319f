// SPDX-License-Identifier: GPL-3.0-or-later
// Making buttons with menus and the entries of those.
#include "views/menu_button.h"

#include <QActionGroup>
#include <QMenu>
#include <QToolButton>

namespace attenscope {

QToolButton *menuButton(const QString &tip, const std::function<void(QMenu *)> &fill)
{
    auto *button = new QToolButton;
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setToolTip(tip);
    auto *menu = new QMenu(button);
    QObject::connect(menu, &QMenu::aboutToShow, menu, [menu, fill] {
        menu->clear();
        fill(menu);
    });
    button->setMenu(menu);
    return button;
}

QAction *addChoice(QMenu *menu, QActionGroup *group, const QString &text, bool isChosen, const std::function<void()> &choose)
{
    QAction *action = menu->addAction(text);
    action->setCheckable(true);
    action->setChecked(isChosen);
    if (group)
        group->addAction(action);
    QObject::connect(action, &QAction::triggered, menu, choose);
    return action;
}

} // namespace attenscope
