// SPDX-License-Identifier: GPL-3.0-or-later
// What the mouse and the keys do on maps.
#include "views/map/map_interaction.h"

#include "views/zoom_note.h"

#include <QApplication>

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

/// Closest zoom: this many cells.
constexpr double leastCells = 3.0;
constexpr Index pageOfCells = 10;
/// A stroke of the brush is at least so many pixels wide, or it would not be seen.
constexpr double leastBrush = 4.0;

} // namespace

MapInteraction::MapInteraction(MapPlot &plot, Selection &selection)
    : QObject(&plot)
    , m_plot(plot)
    , m_selection(selection)
{
    plot.installEventFilter(this);
    for (const auto signal : { &Selection::hoveredChanged, &Selection::litChanged, &Selection::pickedChanged, &Selection::visibleChanged,
             &Selection::listedChanged })
        connect(&selection, signal, this, &MapInteraction::follow);
    connect(&selection, &Selection::paintingMaskChanged, this, &MapInteraction::followPainting);
    connect(&selection, &Selection::visibleChanged, this, &MapInteraction::tellInView);
    connect(&plot, &QCustomPlot::afterReplot, this, &MapInteraction::tellInView);
    follow();
}

void MapInteraction::tellInView()
{
    const MapLayout &layout = m_plot.mapLayout();
    const bool hasKeys = m_plot.isVisible() && !layout.isEmpty() && !m_plot.content().hasDimensions();
    m_selection.setInView(hasKeys ? std::optional(layout.shown) : std::nullopt);
}

void MapInteraction::followContent()
{
    const MapContent &content = m_plot.content();
    const QRectF all(0.0, 0.0, static_cast<double>(content.cols()), static_cast<double>(content.rows()));
    if (!content.hasDimensions() || (m_dimensionsVisible && !all.contains(*m_dimensionsVisible)))
        m_dimensionsVisible.reset();
    follow();
}

void MapInteraction::follow()
{
    m_plot.setMarks(m_selection.lit() ? m_selection.lit() : m_selection.hovered(), m_selection.picked());
    m_plot.setListed(m_selection.listed());
    std::optional<QRectF> visible = m_selection.visible();
    if (m_plot.content().hasDimensions()) {
        // Rows are shared, columns are not.
        const auto cols = static_cast<double>(m_plot.content().cols());
        QRectF cells = m_dimensionsVisible.value_or(QRectF(0.0, 0.0, cols, static_cast<double>(m_plot.content().rows())));
        if (visible) {
            cells.setTop(visible->top());
            cells.setHeight(visible->height());
        }
        visible = visible || m_dimensionsVisible ? std::optional(cells) : std::nullopt;
    }
    m_plot.setVisibleCells(visible);
}

bool MapInteraction::eventFilter(QObject *watched, QEvent *event)
{
    switch (event->type()) {
    case QEvent::MouseButtonPress:
        return press(*static_cast<QMouseEvent *>(event));
    case QEvent::MouseMove:
        return move(*static_cast<QMouseEvent *>(event));
    case QEvent::MouseButtonRelease:
        return release(*static_cast<QMouseEvent *>(event));
    case QEvent::MouseButtonDblClick:
        if (m_selection.isPaintingMask())
            return press(*static_cast<QMouseEvent *>(event));
        if (static_cast<QMouseEvent *>(event)->button() == Qt::LeftButton) {
            // The first click of the two was meant for the zoom as well.
            m_selection.setPicked(m_pickedBefore);
            fit();
        }
        return true;
    case QEvent::Wheel: {
        const auto *wheel = static_cast<QWheelEvent *>(event);
        if (wheel->angleDelta().y() != 0)
            zoomAt(wheel->position(), std::pow(wheelStep, wheel->angleDelta().y() / 120.0));
        return true;
    }
    case QEvent::NativeGesture: {
        const auto *gesture = static_cast<QNativeGestureEvent *>(event);
        if (gesture->gestureType() != Qt::ZoomNativeGesture)
            return false;
        zoomAt(gesture->position(), 1.0 + gesture->value());
        return true;
    }
    case QEvent::Leave:
        m_selection.setHovered(std::nullopt);
        return false;
    case QEvent::Show:
    case QEvent::Hide:
        tellInView();
        return false;
    case QEvent::KeyPress:
        return key(*static_cast<QKeyEvent *>(event));
    case QEvent::ContextMenu:
        if (static_cast<QContextMenuEvent *>(event)->reason() != QContextMenuEvent::Mouse)
            emit menuRequested(m_plot.mapToGlobal(m_plot.rect().center()));
        return true;
    default:
        return QObject::eventFilter(watched, event);
    }
}

bool MapInteraction::press(const QMouseEvent &event)
{
    if (event.button() == Qt::RightButton) {
        hover(event.position());
        emit menuRequested(event.globalPosition().toPoint());
        return true;
    }
    if (event.button() != Qt::LeftButton && event.button() != Qt::MiddleButton)
        return false;
    m_pressed = m_last = event.position();
    m_pickedBefore = m_selection.picked();
    if (const auto cell = m_selection.isPaintingMask() && event.button() == Qt::LeftButton ? paintedCell(event.position()) : std::nullopt) {
        m_drag = Drag::Paint;
        emit strokeBegan(*cell, brush());
        return true;
    }
    m_drag = event.modifiers() & Qt::ShiftModifier ? Drag::RubberBand : Drag::Undecided;
    return true;
}

bool MapInteraction::move(const QMouseEvent &event)
{
    const QPointF point = event.position();
    if (m_drag == Drag::Undecided && (point - m_pressed).manhattanLength() >= QApplication::startDragDistance())
        m_drag = Drag::Pan;
    if (m_drag == Drag::Pan) {
        pan(point - m_last);
        m_last = point;
    } else if (m_drag == Drag::RubberBand) {
        m_plot.setRubberBand(QRectF(m_pressed, point).normalized());
    } else if (m_drag == Drag::Paint) {
        if (const auto cell = paintedCell(point))
            emit strokeMoved(*cell);
    }
    hover(point);
    return true;
}

bool MapInteraction::release(const QMouseEvent &event)
{
    const Drag drag = std::exchange(m_drag, Drag::None);
    if (drag == Drag::Undecided && event.button() == Qt::LeftButton)
        click(event.position());
    else if (drag == Drag::RubberBand)
        zoomToRubberBand();
    else if (drag == Drag::Paint)
        emit strokeEnded();
    return drag != Drag::None;
}

std::optional<CellRef> MapInteraction::paintedCell(QPointF point) const
{
    const auto hit = m_plot.hit(point);
    if (!hit || hit->panel != 0 || hit->cell.row < 0 || hit->cell.col < 0 || m_plot.content().hasDimensions())
        return std::nullopt;
    return hit->cell;
}

Index MapInteraction::brush() const
{
    const MapLayout &layout = m_plot.mapLayout();
    const double cell = std::min(layout.cellWidth, layout.cellHeight);
    return cell > 0.0 ? std::max<Index>(1, static_cast<Index>(std::ceil(leastBrush / cell))) : 1;
}

void MapInteraction::followPainting()
{
    if (m_selection.isPaintingMask()) {
        m_plot.setCursor(Qt::CrossCursor);
    } else {
        m_plot.unsetCursor();
        if (std::exchange(m_drag, Drag::None) == Drag::Paint)
            emit strokeEnded();
    }
}

void MapInteraction::hover(QPointF point)
{
    const auto hit = m_plot.hit(point);
    m_selection.setHovered(hit ? std::optional(hit->cell) : std::nullopt);
}

void MapInteraction::click(QPointF point)
{
    if (const auto hit = m_plot.hit(point))
        pick(hit->cell);
}

void MapInteraction::pick(CellRef cell)
{
    if (!m_plot.content().hasDimensions()) {
        m_selection.togglePicked(cell);
        return;
    }
    // A dimension is nothing that can be picked for all stages; the key that was picked stays.
    if (cell.row < 0)
        return;
    const auto picked = m_selection.picked();
    m_selection.togglePicked({ cell.row, picked ? picked->col : -1 });
}

void MapInteraction::fit()
{
    m_dimensionsVisible.reset();
    m_selection.setVisible(std::nullopt);
    follow();
}

void MapInteraction::showCells(const QRectF &cells)
{
    const auto rows = static_cast<double>(m_plot.content().rows());
    const auto cols = static_cast<double>(m_plot.content().cols());
    QRectF inside = cells;
    inside.moveLeft(std::clamp(inside.left(), 0.0, std::max(0.0, cols - inside.width())));
    inside.moveTop(std::clamp(inside.top(), 0.0, std::max(0.0, rows - inside.height())));
    inside = inside.intersected(QRectF(0.0, 0.0, cols, rows));
    constexpr double nearly = 1e-6;
    const bool isAll = inside.width() >= cols - nearly && inside.height() >= rows - nearly;
    if (m_plot.content().hasDimensions()) {
        m_dimensionsVisible = isAll ? std::nullopt : std::optional(inside);
        if (const auto shared = m_selection.visible(); shared && !isAll) {
            m_selection.setVisible(QRectF(shared->left(), inside.top(), shared->width(), inside.height()));
        } else if (isAll) {
            m_selection.setVisible(std::nullopt);
        }
        follow();
        return;
    }
    m_selection.setVisible(isAll ? std::nullopt : std::optional(inside));
}

void MapInteraction::zoomAt(QPointF point, double factor)
{
    const MapLayout layout = m_plot.mapLayout();
    if (layout.isEmpty() || !(factor > 0.0))
        return;
    const auto hit = m_plot.hit(point);
    const std::size_t panel = hit ? hit->panel : 0;
    const QRectF &map = layout.maps[panel];
    const QPointF anchor(std::clamp(point.x(), map.left(), map.right()), std::clamp(point.y(), map.top(), map.bottom()));
    const QPointF cell = layout.cellFromPoint(panel, anchor);
    const auto rows = static_cast<double>(m_plot.content().rows());
    const auto cols = static_cast<double>(m_plot.content().cols());
    const double whole = std::min(layout.available.width() / cols, layout.available.height() / rows);
    const double now = std::min(layout.cellWidth, layout.cellHeight);
    const double closest = std::min(layout.available.width(), layout.available.height()) / std::min({ leastCells, rows, cols });
    double next = now * factor;
    if (factor > 1.0) {
        // Cells of a small map are smaller than would fit: the first step closer has to leave some out.
        next = std::min(std::max(next, whole * std::min(factor, wheelStep)), std::max(closest, whole));
    } else if (next <= whole * (1.0 + 1e-9)) {
        fit();
        return;
    }
    QRectF cells(0.0, 0.0, std::min(cols, layout.available.width() / next), std::min(rows, layout.available.height() / next));
    cells.moveCenter(cell);
    // Where the cell under the mouse would be is known only from the new layout.
    const MapLayout moved = m_plot.layoutFor(cells);
    const QPointF target = anchor - moved.maps[panel].topLeft();
    cells = moved.shown;
    cells.moveTo(cell.x() - target.x() / moved.cellWidth, cell.y() - target.y() / moved.cellHeight);
    showCells(cells);
}

void MapInteraction::zoomBy(double factor)
{
    const MapLayout &layout = m_plot.mapLayout();
    if (layout.isEmpty())
        return;
    // At the picked cell, if that is in sight.
    const auto picked = m_selection.picked();
    QPointF point = layout.maps.front().center();
    if (picked && picked->row >= 0 && picked->col >= 0 && !m_plot.content().hasDimensions()) {
        const QPointF at
            = layout.rectFromCells(0, QRectF(static_cast<double>(picked->col), static_cast<double>(picked->row), 1.0, 1.0)).center();
        if (layout.maps.front().contains(at))
            point = at;
    }
    zoomAt(point, factor);
}

void MapInteraction::pan(QPointF pixels)
{
    const MapLayout &layout = m_plot.mapLayout();
    if (layout.isEmpty())
        return;
    showCells(layout.shown.translated(-pixels.x() / layout.cellWidth, -pixels.y() / layout.cellHeight));
}

void MapInteraction::zoomToRubberBand()
{
    const auto band = m_plot.scene().rubberBand;
    m_plot.setRubberBand(std::nullopt);
    const MapLayout &layout = m_plot.mapLayout();
    if (!band || layout.isEmpty())
        return;
    for (std::size_t panel = 0; panel < layout.maps.size(); ++panel) {
        const QRectF inside = band->intersected(layout.maps[panel]);
        if (inside.width() < 4.0 || inside.height() < 4.0)
            continue;
        QRectF cells(layout.cellFromPoint(panel, inside.topLeft()), layout.cellFromPoint(panel, inside.bottomRight()));
        const auto least = [&](Index count) { return std::min(leastCells, static_cast<double>(count)); };
        const QPointF middle = cells.center();
        cells.setSize(
            { std::max(cells.width(), least(m_plot.content().cols())), std::max(cells.height(), least(m_plot.content().rows())) });
        cells.moveCenter(middle);
        showCells(cells);
        return;
    }
}

bool MapInteraction::key(const QKeyEvent &event)
{
    const Index rows = m_plot.content().rows();
    const Index cols = m_plot.content().cols();
    const Index step = event.modifiers() & Qt::ShiftModifier ? pageOfCells : 1;
    const bool hasControl = (event.modifiers() & Qt::ControlModifier) != 0;
    switch (event.key()) {
    case Qt::Key_Left:
        movePick(0, -step);
        return true;
    case Qt::Key_Right:
        movePick(0, step);
        return true;
    case Qt::Key_Up:
        movePick(-step, 0);
        return true;
    case Qt::Key_Down:
        movePick(step, 0);
        return true;
    case Qt::Key_Home:
        hasControl ? movePick(-rows, 0) : movePick(0, -cols);
        return true;
    case Qt::Key_End:
        hasControl ? movePick(rows, 0) : pickLastVisibleKey();
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (const auto picked = m_selection.picked(); picked && m_selection.isPaintingMask() && !m_plot.content().hasDimensions()) {
            emit strokeBegan(*picked, 1);
            emit strokeEnded();
            return true;
        }
        if (const auto hovered = m_selection.hovered(); hovered && hovered != m_selection.picked())
            pick(*hovered);
        return true;
    case Qt::Key_Escape:
        if (m_drag == Drag::RubberBand) {
            m_drag = Drag::None;
            m_plot.setRubberBand(std::nullopt);
            return true;
        }
        if (m_selection.isPaintingMask()) {
            m_selection.setPaintingMask(false);
            return true;
        }
        if (!m_selection.picked())
            return false;
        m_selection.setPicked(std::nullopt);
        return true;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomBy(keyStep);
        return true;
    case Qt::Key_Minus:
        zoomBy(1.0 / keyStep);
        return true;
    case Qt::Key_0:
        fit();
        return true;
    default:
        return false;
    }
}

void MapInteraction::movePick(Index rows, Index cols)
{
    const MapContent &content = m_plot.content();
    if (content.panels.empty())
        return;
    m_selection.setHovered(std::nullopt);
    CellRef cell = m_selection.picked().value_or(CellRef{ -1, -1 });
    const bool isFirst = !m_selection.picked().has_value();
    if (content.hasDimensions()) {
        if (rows == 0)
            return;
        cell.row = isFirst ? 0 : std::clamp<Index>(cell.row + rows, 0, content.rows() - 1);
        m_selection.setPicked(cell);
    } else {
        cell.row = std::clamp<Index>(std::max<Index>(cell.row, 0) + (isFirst ? 0 : rows), 0, content.rows() - 1);
        cell.col = std::clamp<Index>(std::max<Index>(cell.col, 0) + (isFirst ? 0 : cols), 0, content.cols() - 1);
        m_selection.setPicked(cell);
    }
    revealPick();
}

void MapInteraction::pickLastVisibleKey()
{
    const MapContent &content = m_plot.content();
    if (content.panels.empty() || content.hasDimensions())
        return;
    m_selection.setHovered(std::nullopt);
    CellRef cell = m_selection.picked().value_or(CellRef{ 0, 0 });
    cell.row = std::max<Index>(cell.row, 0);
    std::vector<double> row(static_cast<std::size_t>(content.cols()));
    content.panels.front().field->row(cell.row, 0, row);
    cell.col = content.cols() - 1;
    while (cell.col > 0 && cell::kind(row[static_cast<std::size_t>(cell.col)]) == cell::Kind::Masked)
        --cell.col;
    m_selection.setPicked(cell);
    revealPick();
}

void MapInteraction::revealPick()
{
    const auto picked = m_selection.picked();
    const MapLayout &layout = m_plot.mapLayout();
    if (!picked || layout.isEmpty())
        return;
    QRectF cells = layout.shown;
    const auto reveal = [](double first, double length, Index at) {
        const auto position = static_cast<double>(at);
        return position < first ? position : position + 1.0 > first + length ? position + 1.0 - length : first;
    };
    if (picked->row >= 0)
        cells.moveTop(reveal(cells.top(), cells.height(), picked->row));
    if (picked->col >= 0 && !m_plot.content().hasDimensions())
        cells.moveLeft(reveal(cells.left(), cells.width(), picked->col));
    if (cells != layout.shown)
        showCells(cells);
}

} // namespace attenscope
