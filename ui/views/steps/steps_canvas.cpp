// SPDX-License-Identifier: GPL-3.0-or-later
// The page of a step in a scrolling area: painting, clicks, hover.
#include "views/steps/steps_canvas.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>

namespace attenscope {

namespace {

/// How many more places a click on the dots shows.
constexpr std::size_t unfoldedPlaces = 48;

} // namespace

StepsCanvas::StepsCanvas(QWidget *parent)
    : WalkCanvas(tr("Arithmetic of the step"), parent)
{
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

QSizeF StepsCanvas::layOutScene(QSizeF room)
{
    if (!m_content)
        return {};
    m_scene = StepScene(*m_content, m_position, m_folds, { Theme::of(palette()), font() }, room);
    return m_scene.size();
}

void StepsCanvas::paintScene(QPainter &painter)
{
    if (m_content)
        m_scene.paint(painter);
}

QString StepsCanvas::description() const
{
    const StepPage &page = m_scene.page();
    return page.caption + QStringLiteral(": ") + page.arithmetic + page.result;
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
    return WalkCanvas::viewportEvent(event);
}

} // namespace attenscope
