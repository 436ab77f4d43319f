// SPDX-License-Identifier: GPL-3.0-or-later
// The page of a step in a scrolling area: painting, clicks, hover.
#include "views/steps_canvas.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <cmath>

namespace attenscope {

namespace {

/// How many more places a click on the dots shows.
constexpr std::size_t unfoldedPlaces = 48;

} // namespace

StepsCanvas::StepsCanvas(QWidget *parent)
    : QAbstractScrollArea(parent)
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Arithmetic of the step"));
    viewport()->setMouseTracking(true);
    horizontalScrollBar()->setSingleStep(28);
    verticalScrollBar()->setSingleStep(28);
}

void StepsCanvas::setContent(std::shared_ptr<const StepContent> content, const StepPosition &position)
{
    m_content = std::move(content);
    m_position = position;
    layOut();
}

void StepsCanvas::foldAll()
{
    m_folds.more.clear();
    layOut();
    emit foldsChanged();
}

void StepsCanvas::layOut()
{
    if (!m_content)
        return;
    StepStyle style{ Theme::of(palette()), font() };
    m_scene = StepScene(*m_content, m_position, m_folds, style, QSizeF(viewport()->size()));
    const auto fit = [](QScrollBar *bar, double size, int room) {
        bar->setPageStep(room);
        bar->setRange(0, std::max(0, static_cast<int>(std::ceil(size)) - room));
    };
    fit(horizontalScrollBar(), m_scene.size().width(), viewport()->width());
    fit(verticalScrollBar(), m_scene.size().height(), viewport()->height());
    const StepPage &page = m_scene.page();
    setAccessibleDescription(page.caption + QStringLiteral(": ") + page.arithmetic + page.result);
    viewport()->update();
}

QPointF StepsCanvas::inScene(QPointF point) const
{
    return point + QPointF(horizontalScrollBar()->value(), verticalScrollBar()->value());
}

void StepsCanvas::paintEvent(QPaintEvent *)
{
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), Theme::of(palette()).view);
    painter.translate(-horizontalScrollBar()->value(), -verticalScrollBar()->value());
    if (m_content)
        m_scene.paint(painter);
}

void StepsCanvas::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    layOut();
}

void StepsCanvas::changeEvent(QEvent *event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange)
        layOut();
}

void StepsCanvas::mousePressEvent(QMouseEvent *event)
{
    const auto hit = m_scene.hitAt(inScene(event->position()));
    if (!hit || event->button() != Qt::LeftButton)
        return;
    if (hit->unfolds) {
        m_folds.more[*hit->unfolds] += unfoldedPlaces;
        layOut();
        emit foldsChanged();
        return;
    }
    if (hit->position)
        emit positionClicked(*hit->position);
    if (hit->query)
        emit queryClicked(*hit->query);
}

void StepsCanvas::mouseMoveEvent(QMouseEvent *event)
{
    const auto hit = m_scene.hitAt(inScene(event->position()));
    viewport()->setCursor(hit ? Qt::PointingHandCursor : Qt::ArrowCursor);
    emit positionHovered(hit ? hit->position : std::nullopt);
}

bool StepsCanvas::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const auto hit = m_scene.hitAt(inScene(help->pos()));
        if (hit && !hit->tip.isEmpty())
            QToolTip::showText(help->globalPos(), hit->tip, viewport());
        else
            QToolTip::hideText();
        return true;
    }
    if (event->type() == QEvent::Leave)
        emit positionHovered(std::nullopt);
    return QAbstractScrollArea::viewportEvent(event);
}

} // namespace attenscope
