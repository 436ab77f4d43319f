// SPDX-License-Identifier: GPL-3.0-or-later
// The page of a step in a scrolling area: painting, clicks, hover.
#include "views/steps/steps_canvas.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>

namespace attenscope {

namespace {

/// How many more places a click on the dots shows.
constexpr std::size_t unfoldedPlaces = 48;

} // namespace

StepsCanvas::StepsCanvas(QWidget *parent)
    : WalkCanvas(tr("Arithmetic of the step"), parent)
{
    m_style.font = font();
}

void StepsCanvas::setContent(std::shared_ptr<const StepContent> content, const StepPosition &position)
{
    const bool isOtherQuery = content && m_content && content->walk.row != m_content->walk.row;
    m_content = std::move(content);
    const bool isOtherStep = position.step != m_position.step;
    const bool isElsewhere = position != m_position || isOtherQuery;
    m_position = position;
    layOut();
    if (isElsewhere)
        followPosition(isOtherStep);
}

void StepsCanvas::setStepStyle(const StepStyle &style)
{
    m_style = style;
    layOut();
}

void StepsCanvas::followPosition(bool isOtherStep)
{
    if (isOtherStep) {
        verticalScrollBar()->setValue(0);
        horizontalScrollBar()->setValue(0);
    }
    const QRectF seen = visible();
    if (const QRectF column = m_scene.activeColumn(); !column.isNull()) {
        QScrollBar *bar = horizontalScrollBar();
        if (column.left() < seen.left())
            bar->setValue(qRound(column.left()) - bar->singleStep());
        else if (column.right() > seen.right())
            bar->setValue(bar->value() + qRound(column.right() - seen.right()) + bar->singleStep());
    }
    const QRectF row = m_scene.activeRow();
    if (row.isNull())
        return;
    const double foot = std::min(seen.bottom(), m_scene.arithmeticIn(seen).top());
    if (row.top() < seen.top())
        verticalScrollBar()->setValue(qRound(row.top()) - verticalScrollBar()->singleStep());
    else if (row.bottom() > foot)
        verticalScrollBar()->setValue(verticalScrollBar()->value() + qRound(row.bottom() - foot) + verticalScrollBar()->singleStep());
}

void StepsCanvas::unfoldAxis(StepAxis axis)
{
    m_folds.more[axis] += unfoldedPlaces;
}

void StepsCanvas::unfold()
{
    for (const StepAxis axis : m_scene.page().foldedAxes())
        unfoldAxis(axis);
    layOut();
    emit foldsChanged();
}

void StepsCanvas::foldAll()
{
    m_folds.more.clear();
    layOut();
    emit foldsChanged();
}

QSizeF StepsCanvas::layOutScene(QSizeF room)
{
    if (!m_content)
        return {};
    m_style.theme = Theme::of(palette());
    m_scene = StepScene(*m_content, m_position, m_folds, m_style, room);
    return m_scene.size();
}

void StepsCanvas::paintScene(QPainter &painter, const QRectF &visible)
{
    if (m_content)
        m_scene.paint(painter, visible);
}

QString StepsCanvas::description() const
{
    const StepPage &page = m_scene.page();
    return page.caption + QStringLiteral(": ") + page.arithmetic + page.result;
}

void StepsCanvas::mousePressEvent(QMouseEvent *event)
{
    const auto hit = m_scene.hitAt(inScene(event->position()), visible());
    if (!hit || event->button() != Qt::LeftButton)
        return;
    if (hit->unfolds) {
        unfoldAxis(*hit->unfolds);
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
    const auto hit = m_scene.hitAt(inScene(event->position()), visible());
    viewport()->setCursor(hit ? Qt::PointingHandCursor : Qt::ArrowCursor);
    emit positionHovered(hit ? hit->position : std::nullopt);
}

bool StepsCanvas::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const auto hit = m_scene.hitAt(inScene(help->pos()), visible());
        if (hit && !hit->tip.isEmpty())
            QToolTip::showText(help->globalPos(), hit->tip, viewport());
        else
            QToolTip::hideText();
        return true;
    }
    if (event->type() == QEvent::Leave)
        emit positionHovered(std::nullopt);
    return WalkCanvas::viewportEvent(event);
}

} // namespace attenscope
