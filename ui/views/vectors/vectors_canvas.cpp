// SPDX-License-Identifier: GPL-3.0-or-later
// Scrolling, hovering and picking in strips of vectors.
#include "views/vectors/vectors_canvas.h"

#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

constexpr Index pageOfCells = 10;

} // namespace

VectorsCanvas::VectorsCanvas(Selection &selection, QWidget *parent)
    : ScrollingCanvas(parent)
    , m_selection(selection)
{
    setAccessibleName(tr("Vectors of the query and its keys"));
    for (const auto signal : { &Selection::hoveredChanged, &Selection::litChanged, &Selection::pickedChanged })
        connect(&selection, signal, this, &VectorsCanvas::follow);
}

void VectorsCanvas::setContent(std::shared_ptr<const VectorsContent> content)
{
    m_content = std::move(content);
    layOut();
    if (const auto picked = m_selection.picked(); m_content && picked && picked->col >= 0)
        reveal(picked->col);
}

void VectorsCanvas::layOut()
{
    const QSizeF room = viewport()->size();
    m_scene = m_content ? VectorsScene(*m_content, font(), room.width()) : VectorsScene();
    const QSizeF size = m_scene.size();
    fit(verticalScrollBar(), size.height(), room.height(), m_scene.rowHeight());
    fit(horizontalScrollBar(), size.width(), room.width(), 28.0);
    viewport()->update();
}

QPointF VectorsCanvas::scrolled() const
{
    return QPointF(horizontalScrollBar()->value(), verticalScrollBar()->value());
}

VectorMarks VectorsCanvas::marks() const
{
    const auto keyOf = [this](const std::optional<CellRef> &cell) -> std::optional<Index> {
        const bool isHere = m_content && cell && cell->col >= 0 && cell->col < m_content->terms->keys();
        return isHere ? std::optional(cell->col) : std::nullopt;
    };
    VectorMarks marks;
    marks.hovered = keyOf(m_selection.lit() ? m_selection.lit() : m_selection.hovered());
    marks.picked = keyOf(m_selection.picked());
    if (m_hovered && m_hovered->unit >= 0)
        marks.unit = m_hovered;
    return marks;
}

void VectorsCanvas::follow()
{
    if (!m_content)
        return;
    const VectorMarks next = marks();
    if (next == m_painted)
        return;
    if (next.picked != m_painted.picked)
        return viewport()->update();
    // The mouse moves over strips of thousands of cells: only the rows that it leaves and enters are drawn anew.
    const auto updateLines
        = [this](double top, double height) { viewport()->update(QRectF(0.0, top, viewport()->width(), height).toAlignedRect()); };
    for (const auto &key : { next.hovered, m_painted.hovered }) {
        if (key)
            updateLines(m_scene.rowRect(*key).top() - scrolled().y() - 2.0, m_scene.rowHeight() + 4.0);
    }
    if (next.unit != m_painted.unit)
        updateLines(0.0, m_scene.headerHeight());
}

void VectorsCanvas::paintEvent(QPaintEvent *event)
{
    const Theme &theme = Theme::of(palette());
    QPainter painter(viewport());
    painter.setClipRegion(event->region());
    painter.fillRect(viewport()->rect(), theme.view);
    painter.setFont(font());
    m_painted = marks();
    m_scene.paint(painter, theme, viewport()->size(), scrolled(), m_painted);
    // The mouse shows where it is by itself.
    if (!hasFocus() || !window()->testAttribute(Qt::WA_KeyboardFocusChange))
        return;
    painter.setPen(QPen(theme.accent, 2.0));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(viewport()->rect()).adjusted(1.0, 1.0, -1.0, -1.0));
}

void VectorsCanvas::scrollContentsBy(int, int)
{
    viewport()->update();
}

void VectorsCanvas::leave()
{
    setHovered(std::nullopt);
}

void VectorsCanvas::mouseMoveEvent(QMouseEvent *event)
{
    setHovered(m_scene.hitAt(event->position(), viewport()->size(), scrolled()));
}

void VectorsCanvas::setHovered(const std::optional<VectorHit> &hit)
{
    if (m_hovered == hit)
        return;
    m_hovered = hit;
    viewport()->setCursor(hit && hit->key >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    m_selection.setHovered(hit && m_content ? std::optional(CellRef{ m_content->terms->row, hit->key }) : std::nullopt);
    follow();
    emit hoveredChanged();
}

void VectorsCanvas::mousePressEvent(QMouseEvent *event)
{
    const auto hit = m_scene.hitAt(event->position(), viewport()->size(), scrolled());
    if (event->button() == Qt::LeftButton && hit && hit->key >= 0)
        m_selection.togglePicked({ m_content->terms->row, hit->key });
}

void VectorsCanvas::pick(Index query, Index key)
{
    // Rows move under a mouse that rests.
    setHovered(std::nullopt);
    m_selection.setHovered(std::nullopt);
    m_selection.setPicked(CellRef{ query, key });
    reveal(key);
}

void VectorsCanvas::reveal(Index key)
{
    if (!m_content || m_content->placeOf(key) >= static_cast<Index>(m_content->keys.size()))
        return;
    const QRectF row = m_scene.rowRect(key);
    QScrollBar *bar = verticalScrollBar();
    const int above = static_cast<int>(row.top() - m_scene.headerHeight());
    const int below = static_cast<int>(std::ceil(row.bottom())) - viewport()->height();
    if (bar->value() > above)
        bar->setValue(above);
    else if (bar->value() < below)
        bar->setValue(below);
}

void VectorsCanvas::movePick(Index queries, Index places)
{
    const Index rows = m_content->block().queries;
    const auto count = static_cast<Index>(m_content->keys.size());
    const auto picked = m_selection.picked();
    const bool hasKey = picked && m_content->placeOf(picked->col) < count;
    const Index place = hasKey ? std::clamp<Index>(m_content->placeOf(picked->col) + places, 0, count - 1) : 0;
    pick(std::clamp<Index>(m_content->terms->row + queries, 0, rows - 1), m_content->keys[static_cast<std::size_t>(place)]);
}

template <typename Iterator>
void VectorsCanvas::pickVisible(Iterator first, Iterator end)
{
    const auto key = std::find_if(first, end, [this](Index each) { return m_content->isVisible(each); });
    if (key != end)
        pick(m_content->terms->row, *key);
}

void VectorsCanvas::keyPressEvent(QKeyEvent *event)
{
    if (!m_content) {
        event->ignore();
        return;
    }
    const Index step = event->modifiers() & Qt::ShiftModifier ? pageOfCells : 1;
    const bool hasControl = (event->modifiers() & Qt::ControlModifier) != 0;
    const Index all = m_content->block().queries;
    switch (event->key()) {
    case Qt::Key_Up:
        return movePick(0, -step);
    case Qt::Key_Down:
        return movePick(0, step);
    case Qt::Key_Left:
        return movePick(-step, 0);
    case Qt::Key_Right:
        return movePick(step, 0);
    case Qt::Key_Home:
        return hasControl ? movePick(-all, 0) : pickVisible(m_content->keys.begin(), m_content->keys.end());
    case Qt::Key_End:
        return hasControl ? movePick(all, 0) : pickVisible(m_content->keys.rbegin(), m_content->keys.rend());
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (const auto hovered = m_selection.hovered(); hovered && hovered->col >= 0)
            m_selection.setPicked(hovered);
        return;
    case Qt::Key_Escape:
        if (!m_selection.picked())
            break;
        m_selection.setPicked(std::nullopt);
        return;
    default:
        break;
    }
    event->ignore();
}

} // namespace attenscope
