// SPDX-License-Identifier: GPL-3.0-or-later
// ViewBar.
#include "views/view_bar.h"

#include "state/theme.h"

#include <QPainter>

namespace attenscope {

ViewBar::ViewBar(QWidget *parent)
    : QWidget(parent)
{
    setAccessibleName(tr("View bar"));
}

void ViewBar::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::of(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.view);
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme.faintLine);
}

} // namespace attenscope
