// SPDX-License-Identifier: GPL-3.0-or-later
// The buttons with menus of view bars.
#pragma once

#include <QString>

#include <functional>

class QAction;
class QActionGroup;
class QMenu;
class QToolButton;

namespace attenscope {

/// A button with text whose menu @p fill fills each time it opens: entries follow the document, and there may be hundreds.
[[nodiscard]] QToolButton *menuButton(const QString &tip, const std::function<void(QMenu *)> &fill);
/// A checkable entry that calls @p choose; @p group may be null.
QAction *addChoice(QMenu *menu, QActionGroup *group, const QString &text, bool isChosen, const std::function<void()> &choose);

} // namespace attenscope
