// SPDX-License-Identifier: GPL-3.0-or-later
// Hovering, picking and zooming in what is found across layers.
#include "views/layers/layers_canvas.h"

#include "views/zoom_note.h"

#include <QApplication>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attenscope {

namespace {

constexpr double leastCells = 3.0;
constexpr Index pageOfCells = 10;

} // namespace

LayersCanvas::LayersCanvas(Selection &selection, QWidget *parent)
    : QWidget(parent)
    , m_selection(selection)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Across layers"));
    for (const auto signal : { &Selection::hoveredChanged, &Selection::litChanged, &Selection::pickedChanged })
        connect(&selection, signal, this, &LayersCanvas::mark);
    connect(&selection, &Selection::visibleChanged, this, &LayersCanvas::layOut);
}

void LayersCanvas::setContent(std::shared_ptr<const LayersContent> content)
{
    const bool isOther = !content || !m_content || content->values != m_content->values || content->shown != m_content->shown;
    m_content = std::move(content);
    if (isOther) {
        m_hovered.reset();
        m_visibleHeads.reset();
    }
    makeScene();
}

void LayersCanvas::setPickedHead(const HeadRef &head)
{
    m_head = head;
    mark();
}

std::optional<std::pair<std::size_t, std::size_t>> LayersCanvas::spokenHeads() const
{
    if (!m_content || !m_content->showsHeads())
        return std::nullopt;
    if (m_hovered && m_hovered->head)
        return std::pair{ *m_hovered->head, *m_hovered->head };
    if (m_hovered) {
        const auto row = static_cast<std::size_t>(std::max(m_hovered->cell.row, m_hovered->cell.col));
        const auto col = m_hovered->cell.row >= 0 && m_hovered->cell.col >= 0 ? static_cast<std::size_t>(m_hovered->cell.col) : row;
        return std::pair{ m_hovered->cell.row >= 0 ? static_cast<std::size_t>(m_hovered->cell.row) : row, col };
    }
    const auto picked = m_content->placeOf(m_head);
    return picked ? std::optional(std::pair{ *picked, *picked }) : std::nullopt;
}

void LayersCanvas::makeScene()
{
    m_scene = m_content ? LayersScene(m_content, Theme::of(palette()), font(), devicePixelRatioF()) : LayersScene();
    layOut();
}

void LayersCanvas::layOut()
{
    m_scene.layOut(QSizeF(size()), showsPositions() ? m_selection.visible() : m_visibleHeads);
    mark();
    update();
}

void LayersCanvas::mark()
{
    if (!m_content)
        return;
    if (showsPositions()) {
        m_scene.setMarks(m_selection.lit() ? m_selection.lit() : m_selection.hovered(), m_selection.picked());
    } else {
        const auto picked = m_content->placeOf(m_head);
        std::optional<CellRef> pickedCell;
        if (picked)
            pickedCell = CellRef{ static_cast<Index>(*picked), -1 };
        m_scene.setMarks(m_hovered && !m_hovered->head ? std::optional(m_hovered->cell) : std::nullopt, pickedCell);
        m_scene.setMarkedHeads(m_hovered ? m_hovered->head : std::nullopt, picked);
    }
    update();
}

bool LayersCanvas::event(QEvent *event)
{
    if (event->type() == QEvent::Leave)
        setHovered(std::nullopt);
    return QWidget::event(event);
}

void LayersCanvas::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::of(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.view);
    m_scene.paint(painter);
    // The mouse shows where it is by itself.
    if (!hasFocus() || !window()->testAttribute(Qt::WA_KeyboardFocusChange))
        return;
    painter.setPen(QPen(theme.accent, 2.0));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(rect()).adjusted(1.0, 1.0, -1.0, -1.0));
}

void LayersCanvas::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    layOut();
}

void LayersCanvas::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange)
        makeScene();
}

void LayersCanvas::setHovered(const std::optional<LayersHit> &hit)
{
    if (m_hovered == hit)
        return;
    m_hovered = hit;
    setCursor(hit ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (showsPositions())
        m_selection.setHovered(hit ? std::optional(hit->cell) : std::nullopt);
    else
        m_selection.setHovered(std::nullopt);
    mark();
    emit hoveredChanged();
}

void LayersCanvas::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_pressed = m_last = event->position();
    m_isPressed = true;
    m_isPanning = false;
}

void LayersCanvas::mouseMoveEvent(QMouseEvent *event)
{
    const QPointF point = event->position();
    if (m_isPressed && hasMap() && (point - m_pressed).manhattanLength() >= QApplication::startDragDistance())
        m_isPanning = true;
    if (m_isPanning) {
        const MapLayout &layout = m_scene.mapLayout();
        const QPointF moved = std::exchange(m_last, point) - point;
        setVisibleCells(layout.shown.translated(moved.x() / layout.cellWidth, moved.y() / layout.cellHeight));
    }
    setHovered(m_scene.hitAt(point));
}

void LayersCanvas::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || !std::exchange(m_isPressed, false) || std::exchange(m_isPanning, false))
        return;
    if (const auto hit = m_scene.hitAt(event->position()))
        click(*hit);
}

void LayersCanvas::mouseDoubleClickEvent(QMouseEvent *)
{
    fit();
}

void LayersCanvas::wheelEvent(QWheelEvent *event)
{
    if (event->angleDelta().y() != 0)
        zoomAt(event->position(), std::pow(wheelStep, event->angleDelta().y() / 120.0));
    event->accept();
}

void LayersCanvas::click(const LayersHit &hit)
{
    if (showsPositions())
        m_selection.togglePicked(hit.cell);
    else if (hit.head)
        pickHead(*hit.head);
    else
        pickHead(static_cast<std::size_t>(hit.cell.row >= 0 ? hit.cell.row : hit.cell.col));
}

void LayersCanvas::pickHead(std::size_t head)
{
    emit headPicked(m_content->heads[head]);
}

void LayersCanvas::fit()
{
    m_visibleHeads.reset();
    if (showsPositions())
        m_selection.setVisible(std::nullopt);
    layOut();
}

void LayersCanvas::setVisibleCells(QRectF cells)
{
    const auto rows = static_cast<double>(m_content->map.rows());
    const auto cols = static_cast<double>(m_content->map.cols());
    cells.moveLeft(std::clamp(cells.left(), 0.0, std::max(0.0, cols - cells.width())));
    cells.moveTop(std::clamp(cells.top(), 0.0, std::max(0.0, rows - cells.height())));
    cells = cells.intersected(QRectF(0.0, 0.0, cols, rows));
    constexpr double nearly = 1e-6;
    const bool isAll = cells.width() >= cols - nearly && cells.height() >= rows - nearly;
    const auto visible = isAll ? std::nullopt : std::optional(cells);
    if (showsPositions()) {
        m_selection.setVisible(visible);
        return;
    }
    m_visibleHeads = visible;
    layOut();
}

void LayersCanvas::zoomAt(QPointF point, double factor)
{
    if (!hasMap() || m_scene.mapLayout().isEmpty())
        return;
    const MapLayout layout = m_scene.mapLayout();
    const QRectF &map = layout.maps.front();
    const QPointF anchor(std::clamp(point.x(), map.left(), map.right()), std::clamp(point.y(), map.top(), map.bottom()));
    const QPointF cell = layout.cellFromPoint(0, anchor);
    const auto rows = static_cast<double>(m_content->map.rows());
    const auto cols = static_cast<double>(m_content->map.cols());
    const double whole = std::min(layout.available.width() / cols, layout.available.height() / rows);
    const double closest = std::min(layout.available.width(), layout.available.height()) / std::min({ leastCells, rows, cols });
    const double next
        = std::min(std::max(std::min(layout.cellWidth, layout.cellHeight), factor > 1.0 ? whole : 0.0) * factor, std::max(closest, whole));
    if (next <= whole) {
        fit();
        return;
    }
    QRectF cells(0.0, 0.0, std::min(cols, layout.available.width() / next), std::min(rows, layout.available.height() / next));
    cells.moveCenter(cell);
    // Where the cell under the mouse would be is known only from the new layout.
    const MapLayout moved = m_scene.layoutFor(cells);
    const QPointF target = anchor - moved.maps.front().topLeft();
    cells = moved.shown;
    cells.moveTo(cell.x() - target.x() / moved.cellWidth, cell.y() - target.y() / moved.cellHeight);
    setVisibleCells(cells);
}

void LayersCanvas::movePick(Index rows, Index cols)
{
    setHovered(std::nullopt);
    m_selection.setHovered(std::nullopt);
    if (showsPositions()) {
        const CellRef at = m_selection.picked().value_or(CellRef{ 0, 0 });
        const auto moved = [](Index from, Index by, Index count) { return std::clamp<Index>(std::max<Index>(from, 0) + by, 0, count - 1); };
        m_selection.setPicked(CellRef{ moved(at.row, rows, m_content->map.rows()), moved(at.col, cols, m_content->map.cols()) });
        return;
    }
    const auto picked = m_content->placeOf(m_head);
    const auto last = static_cast<Index>(m_content->heads.size()) - 1;
    pickHead(static_cast<std::size_t>(std::clamp<Index>(static_cast<Index>(picked.value_or(0)) + rows + cols, 0, last)));
}

void LayersCanvas::keyPressEvent(QKeyEvent *event)
{
    if (!m_content) {
        event->ignore();
        return;
    }
    const Index step = event->modifiers() & Qt::ShiftModifier ? pageOfCells : 1;
    const bool hasControl = (event->modifiers() & Qt::ControlModifier) != 0;
    const auto all = static_cast<Index>(std::max<std::size_t>(m_content->heads.size(), static_cast<std::size_t>(m_content->map.rows())));
    switch (event->key()) {
    case Qt::Key_Up:
        return movePick(-step, 0);
    case Qt::Key_Down:
        return movePick(step, 0);
    case Qt::Key_Left:
        return movePick(0, -step);
    case Qt::Key_Right:
        return movePick(0, step);
    case Qt::Key_Home:
        return hasControl ? movePick(-all, 0) : movePick(0, -all);
    case Qt::Key_End:
        return hasControl ? movePick(all, 0) : movePick(0, all);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_hovered)
            click(*m_hovered);
        return;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoomAt(QRectF(rect()).center(), keyStep);
    case Qt::Key_Minus:
        return zoomAt(QRectF(rect()).center(), 1.0 / keyStep);
    case Qt::Key_0:
        return fit();
    case Qt::Key_Escape:
        if (!showsPositions() || !m_selection.picked())
            break;
        m_selection.setPicked(std::nullopt);
        return;
    default:
        break;
    }
    event->ignore();
}

} // namespace attenscope
