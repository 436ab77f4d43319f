// SPDX-License-Identifier: GPL-3.0-or-later
// The scrolling area of a scene.
#include "views/steps/walk_canvas.h"

#include "state/theme.h"

#include <QEvent>
#include <QPainter>
#include <QScrollBar>

#include <cmath>

namespace attenscope {

WalkCanvas::WalkCanvas(const QString &accessibleName, QWidget *parent)
    : QAbstractScrollArea(parent)
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(accessibleName);
    viewport()->setMouseTracking(true);
    horizontalScrollBar()->setSingleStep(28);
    verticalScrollBar()->setSingleStep(28);
}

void WalkCanvas::layOut()
{
    const QSizeF size = layOutScene(QSizeF(viewport()->size()));
    const auto fit = [](QScrollBar *bar, double length, int room) {
        bar->setPageStep(room);
        bar->setRange(0, std::max(0, static_cast<int>(std::ceil(length)) - room));
    };
    fit(horizontalScrollBar(), size.width(), viewport()->width());
    fit(verticalScrollBar(), size.height(), viewport()->height());
    setAccessibleDescription(description());
    viewport()->update();
}

QPointF WalkCanvas::inScene(QPointF point) const
{
    return point + QPointF(horizontalScrollBar()->value(), verticalScrollBar()->value());
}

QRectF WalkCanvas::visible() const
{
    return { inScene({ 0.0, 0.0 }), QSizeF(viewport()->size()) };
}

void WalkCanvas::paintEvent(QPaintEvent *)
{
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), Theme::of(palette()).view);
    painter.translate(-horizontalScrollBar()->value(), -verticalScrollBar()->value());
    paintScene(painter, visible());
}

void WalkCanvas::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    layOut();
}

void WalkCanvas::changeEvent(QEvent *event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange)
        layOut();
}

} // namespace attenscope
