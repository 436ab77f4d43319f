// SPDX-License-Identifier: GPL-3.0-or-later
// Help: the guide, the table of keys, and what the program is.
#pragma once

#include "window/actions.h"

class QDialog;

namespace attenscope {

/// Each opens a window of its own beside @p parent, which does not block it; deleted when closed.
QDialog *showGuide(QWidget *parent);
QDialog *showKeys(const Actions &actions, QWidget *parent);
QDialog *showAbout(QWidget *parent);

/// The keys of the map that are no actions: what is pressed and what it does.
[[nodiscard]] std::vector<std::pair<QString, QString>> mapKeys();

} // namespace attenscope
