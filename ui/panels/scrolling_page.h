// SPDX-License-Identifier: GPL-3.0-or-later
// The scrolling page that the rows of a panel stand on.
#pragma once

#include <QRect>

#include <vector>

class QWidget;

namespace attenscope {

/// A panel's page: rows from the top, a vertical scroll bar where they do not fit. It scrolls to a problem that appears in a row, as far as what is
/// being edited stays in view, and moves the focus nowhere.
[[nodiscard]] QWidget *scrollingPage(const std::vector<QWidget *> &rows, QWidget *parent = nullptr);

/// Scrolls the page that @p widget is on until @p part of it (all of it, if null) is in view.
void reveal(const QWidget *widget, const QRect &part = {});

} // namespace attenscope
