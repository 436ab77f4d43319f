// SPDX-License-Identifier: GPL-3.0-or-later
// Painting patches, and mouse, keys and drops on them.
#include "views/patches/patches_canvas.h"

#include "state/theme.h"

#include <QDragEnterEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <QMouseEvent>
#include <QPainter>
#include <QUrl>

#include <algorithm>

namespace attenscope {

namespace {

/// The one local file that is dragged; empty where it is something else.
QString draggedFile(const QMimeData *data)
{
    const QList<QUrl> urls = data->urls();
    return urls.size() == 1 && urls.front().isLocalFile() ? urls.front().toLocalFile() : QString();
}

} // namespace

PatchesCanvas::PatchesCanvas(Selection &selection, QWidget *parent)
    : QWidget(parent)
    , m_selection(selection)
{
    setMouseTracking(true);
    setAcceptDrops(true);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(120, 120);
    setAccessibleName(tr("Patches in the colours of weights"));
}

void PatchesCanvas::setContent(std::optional<PatchesContent> content, const QString &reason)
{
    m_content = std::move(content);
    m_reason = reason;
    layOut();
}

void PatchesCanvas::layOut()
{
    if (m_content)
        m_scene = PatchesScene(*m_content, { Theme::of(palette()), font() }, size());
    update();
}

void PatchesCanvas::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Theme &theme = Theme::of(palette());
    painter.fillRect(rect(), theme.view);
    if (m_content) {
        m_scene.paint(painter, *m_content);
        return;
    }
    painter.setPen(theme.secondaryText);
    painter.drawText(rect().adjusted(24, 24, -24, -24), Qt::AlignCenter | Qt::TextWordWrap, m_reason);
}

void PatchesCanvas::resizeEvent(QResizeEvent *)
{
    layOut();
}

void PatchesCanvas::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        layOut();
}

CellRef PatchesCanvas::cellOf(Index token) const
{
    const TextContent &weights = m_content->weights;
    const bool isKey = m_content->side == TokenSide::Keys;
    const auto &others = isKey ? weights.pickedQueries : weights.pickedKeys;
    const Index other = others.size() == 1 ? others.front() : -1;
    // While nothing is picked a patch of one text is the query that would be.
    if (isKey && other < 0 && weights.hasOneText())
        return { token, -1 };
    return isKey ? CellRef{ other, token } : CellRef{ token, other };
}

Index PatchesCanvas::pickedToken() const
{
    const TextContent &weights = m_content->weights;
    const bool isQuery = weights.hasOneText() ? weights.tinted() != TokenSide::Queries : m_content->side == TokenSide::Queries;
    const auto &picked = isQuery ? weights.pickedQueries : weights.pickedKeys;
    return picked.empty() ? -1 : picked.front();
}

/// Of one text a patch is picked as what the others are tinted for; else it is the other end of what is picked.
void PatchesCanvas::pick(Index token)
{
    const TextContent &weights = m_content->weights;
    if (weights.hasOneText())
        m_selection.setPicked(weights.tinted() == TokenSide::Queries ? CellRef{ -1, token } : CellRef{ token, -1 });
    else
        m_selection.setPicked(cellOf(token));
}

void PatchesCanvas::mouseMoveEvent(QMouseEvent *event)
{
    const auto token = m_content ? m_scene.hit(event->position()) : std::nullopt;
    setCursor(token ? Qt::PointingHandCursor : Qt::ArrowCursor);
    m_selection.setHovered(token ? std::optional(cellOf(*token)) : std::nullopt);
}

void PatchesCanvas::mousePressEvent(QMouseEvent *event)
{
    const auto token = m_content ? m_scene.hit(event->position()) : std::nullopt;
    if (event->button() != Qt::LeftButton || !token)
        return;
    const bool addsQuery = m_content->weights.hasOneText() && m_content->weights.tinted() != TokenSide::Queries;
    if (!(event->modifiers() & Qt::ControlModifier))
        pick(*token);
    else if (addsQuery || m_content->side == TokenSide::Queries)
        m_selection.toggleRow(*token);
    else
        m_selection.toggleCol(*token);
}

void PatchesCanvas::leaveEvent(QEvent *)
{
    m_selection.setHovered(std::nullopt);
}

void PatchesCanvas::keyPressEvent(QKeyEvent *event)
{
    const int key = event->key();
    if (m_content && key == Qt::Key_Escape && m_selection.picked()) {
        m_selection.setPicked(std::nullopt);
        return;
    }
    const PatchGrid grid = m_content ? m_content->grid : PatchGrid{};
    const Index step = key == Qt::Key_Left ? -1
        : key == Qt::Key_Right             ? 1
        : key == Qt::Key_Up                ? -grid.cols
        : key == Qt::Key_Down              ? grid.cols
                                           : 0;
    if (!m_content || step == 0) {
        QWidget::keyPressEvent(event);
        return;
    }
    m_selection.setHovered(std::nullopt);
    const Index now = pickedToken();
    const Index next = now < 0 ? grid.first : now + step;
    if (next >= 0 && next < grid.first + grid.rows * grid.cols)
        pick(next);
}

void PatchesCanvas::dragEnterEvent(QDragEnterEvent *event)
{
    if (!draggedFile(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void PatchesCanvas::dropEvent(QDropEvent *event)
{
    event->acceptProposedAction();
    emit pictureDropped(draggedFile(event->mimeData()));
}

} // namespace attenscope
