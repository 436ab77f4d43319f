// SPDX-License-Identifier: GPL-3.0-or-later
// ScrollingCanvas.
#include "views/scrolling_canvas.h"

#include "state/theme.h"

#include <QEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace attenscope {

ScrollingCanvas::ScrollingCanvas(QWidget *parent)
    : QAbstractScrollArea(parent)
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
}

void ScrollingCanvas::fit(QScrollBar *bar, double length, double room, double step)
{
    bar->setPageStep(std::max(1, static_cast<int>(room)));
    bar->setSingleStep(std::max(1, static_cast<int>(step)));
    bar->setRange(0, std::max(0, static_cast<int>(std::ceil(length - room))));
}

void ScrollingCanvas::bringIntoView(QScrollBar *bar, double top, double bottom, double room)
{
    if (top < bar->value() || bottom > bar->value() + room)
        bar->setValue(qRound((top + bottom - room) / 2.0));
}

void ScrollingCanvas::paintReason(QPainter &painter, const QString &reason) const
{
    painter.setPen(Theme::of(palette()).secondaryText);
    painter.drawText(viewport()->rect().adjusted(32, 32, -32, -32), Qt::AlignCenter | Qt::TextWordWrap, reason);
}

void ScrollingCanvas::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    layOut();
}

void ScrollingCanvas::changeEvent(QEvent *event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange)
        layOut();
}

bool ScrollingCanvas::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::Leave)
        leave();
    return QAbstractScrollArea::viewportEvent(event);
}

} // namespace attenscope
