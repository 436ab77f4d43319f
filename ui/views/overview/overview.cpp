// SPDX-License-Identifier: GPL-3.0-or-later
// The minimap: reading the map once, painting it, and moving the rectangle.
#include "views/overview/overview.h"

#include "core/text.h"
#include "views/map/color_scale.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

constexpr double padding = 16.0;
constexpr double leastSide = 8.0;
/// Reach of an edge, and the smallest rectangle whose edges can be told from its middle.
constexpr double edgeReach = 5.0;
constexpr double leastRectangle = 24.0;
constexpr double leastShown = 6.0;
constexpr double fewestCells = 32.0;
constexpr double zoomStep = 1.5;
constexpr Index mostTexels = 512;

int levelFor(const MapField &field)
{
    int level = 0;
    while (std::max(field.rows(), field.cols()) > mostTexels << level)
        ++level;
    return level;
}

} // namespace

Overview::Overview(Document &document, Selection &selection, QWidget *parent)
    : DocumentView(document, selection, parent)
    , m_document(document)
    , m_selection(selection)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Overview of the map"));
    setToolTip(tr("Drag or click to move the visible part, drag its edge to zoom"));
    connect(&selection, &Selection::inViewChanged, this, [this] {
        update();
        emit titleNoteChanged();
    });
}

QString Overview::titleNote() const
{
    if (!m_field)
        return {};
    const QRectF shown = visibleCells();
    const auto count = [](double cells) { return QString::fromStdString(groupedCount(std::llround(cells))); };
    return tr("%1 × %2 shown").arg(count(shown.height()), count(shown.width()));
}

QSize Overview::sizeHint() const
{
    return QSize(296, static_cast<int>(264.0 + padding + footHeight()));
}

QSize Overview::minimumSizeHint() const
{
    return QSize(160, static_cast<int>(120.0 + padding + footHeight()));
}

double Overview::footHeight() const
{
    // Title, bar with its numbers, legend.
    return 3.0 * fontMetrics().height() + 44.0;
}

QRectF Overview::allCells() const
{
    return m_field ? QRectF(0.0, 0.0, static_cast<double>(m_field->cols()), static_cast<double>(m_field->rows())) : QRectF();
}

QRectF Overview::visibleCells() const
{
    const QRectF all = allCells();
    // An edge that is dragged stays at the mouse, whatever the map has room for.
    return (m_isDragging && m_edges ? m_selection.visible() : m_selection.inView()).value_or(all).intersected(all);
}

QRectF Overview::mapRect() const
{
    const QRectF all = allCells();
    const double width = std::max(leastSide, this->width() - 2.0 * padding);
    const double height = std::max(leastSide, this->height() - padding - footHeight());
    if (all.isEmpty())
        return QRectF(padding, padding, std::min(width, height), std::min(width, height));
    const double scale = std::min(width / all.width(), height / all.height());
    const QSizeF size(std::max(leastSide, std::floor(all.width() * scale)), std::max(leastSide, std::floor(all.height() * scale)));
    return QRectF(QPointF(std::floor((this->width() - size.width()) / 2.0), padding), size);
}

QRectF Overview::visibleRect() const
{
    const QRectF map = mapRect();
    const QRectF all = allCells();
    if (all.isEmpty())
        return map;
    const QRectF cells = visibleCells();
    const auto x = [&](double col) { return map.left() + col * map.width() / all.width(); };
    const auto y = [&](double row) { return map.top() + row * map.height() / all.height(); };
    QRectF rect(QPointF(x(cells.left()), y(cells.top())), QPointF(x(cells.right()), y(cells.bottom())));
    const QPointF middle = rect.center();
    rect.setSize({ std::max(leastShown, rect.width()), std::max(leastShown, rect.height()) });
    rect.moveCenter(middle);
    return rect;
}

QPointF Overview::cellAt(QPointF point) const
{
    const QRectF map = mapRect();
    const QRectF all = allCells();
    return { (point.x() - map.left()) * all.width() / map.width(), (point.y() - map.top()) * all.height() / map.height() };
}

void Overview::refresh()
{
    const MapFieldPtr field = m_document.weights();
    if (!field)
        return;
    const ColorMap colors = weightColors(m_document.session().view, field->cols());
    const bool isOther = field != m_field;
    if (!isOther && colors == m_colors)
        return;
    m_colors = colors;
    if (!isOther) {
        makeImage();
        update();
        return;
    }
    if (!m_field || m_field->rows() != field->rows() || m_field->cols() != field->cols())
        m_cells.resize(0, 0);
    m_field = field;
    const int level = levelFor(*field);
    const CellRect all{ { 0, field->rows() }, { 0, field->cols() } };
    const std::optional<int> atHand = field->levelAtHand(Fold::Max);
    if (atHand && *atHand <= level) {
        m_job.cancel();
        MatrixF cells;
        if (field->read(all, level, Fold::Max, cells))
            takeCells(cells);
    } else {
        m_job.start([this, field, all, level](const Run &run, const Job::Deliver &deliver) {
            MatrixF cells;
            if (field->read(all, level, Fold::Max, cells, { run.stop, {} }))
                deliver([this, cells = std::move(cells)] { takeCells(cells); });
        });
    }
    makeImage();
    update();
    emit titleNoteChanged();
}

void Overview::takeCells(const MatrixF &cells)
{
    m_cells = cells;
    makeImage();
    update();
}

void Overview::makeImage()
{
    m_image = {};
    m_kinds = {};
    if (m_cells.size() == 0)
        return;
    const QSize size = (mapRect().size() * devicePixelRatioF()).toSize();
    const CellCoder coder(m_colors, Fold::Max);
    std::vector<CellCode> codes(static_cast<std::size_t>(m_cells.size()));
    coder.encode(m_cells, codes.data(), static_cast<std::size_t>(m_cells.cols()));
    // The last texel may stand for fewer cells than the others.
    const auto span = [this](Index texels, Index cells, int pixels) {
        const auto side = static_cast<double>(Index{ 1 } << levelFor(*m_field));
        return PixelSpan::between(0.0, pixels * side / static_cast<double>(cells), texels, pixels, 0);
    };
    const Theme &theme = Theme::of(palette());
    m_image = cellImage(codes, m_cells.cols(), span(m_cells.rows(), m_field->rows(), size.height()),
        span(m_cells.cols(), m_field->cols(), size.width()), coder, cellLook(theme, theme.view, devicePixelRatioF()), m_kinds);
    m_image.setDevicePixelRatio(devicePixelRatioF());
}

void Overview::paintEvent(QPaintEvent *event)
{
    DocumentView::paintEvent(event);
    const Theme &theme = Theme::of(palette());
    const QRectF map = mapRect();
    if (m_cells.size() > 0 && m_image.size() != (map.size() * devicePixelRatioF()).toSize())
        makeImage();
    QPainter painter(this);
    painter.drawImage(map.topLeft(), m_image);
    painter.setPen(theme.line);
    painter.drawRect(map.adjusted(-0.5, -0.5, 0.5, 0.5));
    if (m_field) {
        // The accent between two light lines is seen on any map.
        const QRectF rect = visibleRect();
        painter.setPen(QPen(Qt::white, 5.0, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        painter.drawRect(rect);
        painter.setPen(QPen(Theme::light().accent, 3.0, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        painter.drawRect(rect);
    }
    paintFoot(painter);
    if (hasFocus()) {
        painter.setPen(QPen(theme.accent, 2.0));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

void Overview::paintFoot(QPainter &painter) const
{
    MapStyle style;
    style.theme = Theme::of(palette());
    style.fontFamily = font().family();
    style.scale = std::max(1.0, fontInfo().pixelSize() / 13.0);
    style.pixelRatio = devicePixelRatioF();
    const QFontMetricsF metrics(style.font(style.px(12.0)));
    const double left = padding;
    const double right = width() - padding;
    double y = mapRect().bottom() + padding;
    painter.setFont(style.font(style.px(12.0)));
    painter.setPen(style.theme.secondaryText);
    painter.drawText(QPointF(left, y + metrics.ascent()), m_colors.isLogarithmic() ? tr("weight, logarithmic") : tr("weight"));
    y += metrics.height() + 4.0;
    std::vector<ScaleTick> ticks = scaleTicks(m_colors, false);
    const double indent = ticks.empty() ? 0.0 : metrics.horizontalAdvance(ticks.front().text) / 2.0;
    const QRectF bar(left + std::ceil(indent), std::round(y), right - left - 2.0 * std::ceil(indent), style.px(12.0));
    paintColorScale(painter, bar, m_colors, ticks, {}, {}, style);
    y = bar.bottom() + metrics.height() + 10.0;
    const double side = style.px(12.0);
    const double baseline = y + (side + metrics.capHeight()) / 2.0;
    double x = left;
    painter.setFont(style.font(style.px(12.0)));
    if (m_kinds.hasMasked) {
        QImage swatch = legendSwatch(code::masked, static_cast<int>(side), cellLook(style.theme, style.theme.view, style.pixelRatio));
        swatch.setDevicePixelRatio(style.pixelRatio);
        painter.drawImage(QPointF(x, y), swatch);
        painter.setPen(style.theme.secondaryText);
        painter.drawText(QPointF(x + side + 8.0, baseline), tr("masked"));
        x += side + 32.0 + metrics.horizontalAdvance(tr("masked"));
    }
    if (m_selection.listed().empty())
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    const QPointF middle(x + side / 2.0, y + side / 2.0);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor::fromRgb(m_colors.table()[64]));
    painter.drawEllipse(middle, side / 2.0 + 1.0, side / 2.0 + 1.0);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(Qt::white, 1.5));
    painter.drawEllipse(middle, side / 3.0, side / 3.0);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(style.theme.secondaryText);
    painter.drawText(QPointF(x + side + 8.0, baseline), tr("listed peak"));
}

Qt::Edges Overview::edgesAt(QPointF point) const
{
    const QRectF rect = visibleRect();
    if (std::min(rect.width(), rect.height()) < leastRectangle
        || !rect.adjusted(-edgeReach, -edgeReach, edgeReach, edgeReach).contains(point))
        return {};
    Qt::Edges edges;
    const auto isAt = [](double a, double b) { return std::abs(a - b) <= edgeReach; };
    edges.setFlag(Qt::LeftEdge, isAt(point.x(), rect.left()));
    edges.setFlag(Qt::RightEdge, isAt(point.x(), rect.right()));
    edges.setFlag(Qt::TopEdge, isAt(point.y(), rect.top()));
    edges.setFlag(Qt::BottomEdge, isAt(point.y(), rect.bottom()));
    return edges;
}

void Overview::showCells(QRectF cells)
{
    const QRectF all = allCells();
    cells.setSize({ std::clamp(cells.width(), std::min(fewestCells, all.width()), all.width()),
        std::clamp(cells.height(), std::min(fewestCells, all.height()), all.height()) });
    cells.moveLeft(std::clamp(cells.left(), 0.0, all.width() - cells.width()));
    cells.moveTop(std::clamp(cells.top(), 0.0, all.height() - cells.height()));
    const bool isAll = cells.width() >= all.width() && cells.height() >= all.height();
    m_selection.setVisible(isAll ? std::nullopt : std::optional(cells));
}

void Overview::zoom(QPointF cell, double factor)
{
    const QRectF now = visibleCells();
    const QPointF place((cell.x() - now.left()) / now.width(), (cell.y() - now.top()) / now.height());
    QRectF next(QPointF(), now.size() / factor);
    next.moveTopLeft({ cell.x() - place.x() * next.width(), cell.y() - place.y() * next.height() });
    showCells(next);
}

void Overview::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || !m_field)
        return;
    m_isDragging = true;
    m_edges = edgesAt(event->position());
    QRectF cells = visibleCells();
    const QPointF cell = cellAt(event->position());
    if (!m_edges && !visibleRect().contains(event->position())) {
        cells.moveCenter(cell);
        showCells(cells);
        cells = visibleCells();
    } else if (!m_edges && cells == allCells()) {
        // All of it is shown: nothing could be moved. A quarter of each side can.
        cells.setSize(cells.size() / 4.0);
        cells.moveCenter(cell);
        showCells(cells);
        cells = visibleCells();
    }
    m_grip = cell - cells.topLeft();
}

void Overview::mouseMoveEvent(QMouseEvent *event)
{
    if (!m_field)
        return;
    if (!m_isDragging) {
        const Qt::Edges edges = edgesAt(event->position());
        const bool isSide = edges & (Qt::LeftEdge | Qt::RightEdge);
        const bool isTopOrBottom = edges & (Qt::TopEdge | Qt::BottomEdge);
        const bool isFalling = edges == (Qt::LeftEdge | Qt::TopEdge) || edges == (Qt::RightEdge | Qt::BottomEdge);
        setCursor(isSide && isTopOrBottom ? (isFalling ? Qt::SizeFDiagCursor : Qt::SizeBDiagCursor)
                : isSide                  ? Qt::SizeHorCursor
                : isTopOrBottom           ? Qt::SizeVerCursor
                                          : Qt::ArrowCursor);
        hover(event->position());
        return;
    }
    const QPointF cell = cellAt(event->position());
    QRectF cells = visibleCells();
    if (!m_edges) {
        cells.moveTopLeft(cell - m_grip);
        showCells(cells);
        return;
    }
    if (m_edges & Qt::LeftEdge)
        cells.setLeft(std::min(cell.x(), cells.right() - fewestCells));
    if (m_edges & Qt::RightEdge)
        cells.setRight(std::max(cell.x(), cells.left() + fewestCells));
    if (m_edges & Qt::TopEdge)
        cells.setTop(std::min(cell.y(), cells.bottom() - fewestCells));
    if (m_edges & Qt::BottomEdge)
        cells.setBottom(std::max(cell.y(), cells.top() + fewestCells));
    showCells(cells.intersected(allCells()));
}

void Overview::mouseReleaseEvent(QMouseEvent *)
{
    m_isDragging = false;
    update();
    emit titleNoteChanged();
}

void Overview::wheelEvent(QWheelEvent *event)
{
    if (m_field && mapRect().contains(event->position()) && event->angleDelta().y() != 0)
        zoom(cellAt(event->position()), std::pow(1.25, event->angleDelta().y() / 120.0));
    event->accept();
}

void Overview::hover(QPointF point)
{
    const QPointF cell = cellAt(point);
    if (mapRect().contains(point) && allCells().contains(cell))
        m_selection.setHovered(CellRef{ static_cast<Index>(cell.y()), static_cast<Index>(cell.x()) });
    else
        m_selection.setHovered(std::nullopt);
}

void Overview::leaveEvent(QEvent *event)
{
    m_selection.setHovered(std::nullopt);
    DocumentView::leaveEvent(event);
}

void Overview::keyPressEvent(QKeyEvent *event)
{
    if (!m_field)
        return DocumentView::keyPressEvent(event);
    const QRectF cells = visibleCells();
    const QPointF step(cells.width() / 4.0, cells.height() / 4.0);
    switch (event->key()) {
    case Qt::Key_Left:
        return showCells(cells.translated(-step.x(), 0.0));
    case Qt::Key_Right:
        return showCells(cells.translated(step.x(), 0.0));
    case Qt::Key_Up:
        return showCells(cells.translated(0.0, -step.y()));
    case Qt::Key_Down:
        return showCells(cells.translated(0.0, step.y()));
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoom(cells.center(), zoomStep);
    case Qt::Key_Minus:
        return zoom(cells.center(), 1.0 / zoomStep);
    case Qt::Key_0:
        return m_selection.setVisible(std::nullopt);
    default:
        DocumentView::keyPressEvent(event);
    }
}

} // namespace attenscope
