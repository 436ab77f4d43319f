// SPDX-License-Identifier: GPL-3.0-or-later
// Puts axes, maps, frame and marks together and keeps them where the layout says.
#include "views/map/map_plot.h"

#include "views/map/badges.h"
#include "views/map/map_frame.h"
#include "views/map/map_plottable.h"
#include "views/map/mark_paint.h"

#include <QTimer>

namespace attenscope {

namespace {

const QString frameLayer = QStringLiteral("axes");

} // namespace

MapPlot::MapPlot(TileCache *cache, QWidget *parent)
    : QCustomPlot(parent)
    , m_cache(cache)
{
    plotLayout()->clear();
    plotLayout()->setAutoMargins(QCP::msNone);
    plotLayout()->setMargins({});
    m_inset = new QCPLayoutInset;
    m_inset->setAutoMargins(QCP::msNone);
    m_inset->setMargins({});
    plotLayout()->addElement(0, 0, m_inset);
    new MapFrame(this, m_scene, frameLayer);
    // One picture holds all layers, and nothing is painted under it: each would cost a frame a pass over the whole window.
    layer(QStringLiteral("overlay"))->setMode(QCPLayer::lmLogical);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Heat map"));
    connect(this, &QCustomPlot::beforeReplot, this, &MapPlot::prepareReplot);
    connect(this, &QCustomPlot::afterReplot, this, &MapPlot::finishReplot);
    if (m_cache)
        connect(m_cache, &TileCache::ready, this, &MapPlot::invalidate);
    followPalette();
}

MapPlot::~MapPlot() = default;

void MapPlot::setContent(const MapContent &content)
{
    const bool hasOtherNames = content.input != m_scene.content.input || content.head.block != m_scene.content.head.block
        || content.rows() != m_scene.content.rows() || content.cols() != m_scene.content.cols()
        || content.hasDimensions() != m_scene.content.hasDimensions();
    m_scene.content = content;
    setPanelCount(content.panels.size());
    for (MapPlottable *map : m_maps)
        map->followContent();
    if (hasOtherNames)
        m_scene.extents = labelExtents(content, m_scene.style.fontFamily);
    invalidate();
}

void MapPlot::setPanelCount(std::size_t count)
{
    while (m_maps.size() > count) {
        removePlottable(m_maps.back());
        m_inset->remove(m_axisRects.back());
        m_maps.pop_back();
        m_axisRects.pop_back();
    }
    while (m_maps.size() < count) {
        auto *rect = new QCPAxisRect(this, false);
        rect->setAutoMargins(QCP::msNone);
        rect->setMargins({});
        rect->setMinimumSize(0, 0);
        QCPAxis *keys = rect->addAxis(QCPAxis::atTop);
        QCPAxis *queries = rect->addAxis(QCPAxis::atLeft);
        queries->setRangeReversed(true);
        for (QCPAxis *axis : { keys, queries }) {
            axis->setLayer(frameLayer);
            axis->grid()->setVisible(false);
            axis->setBasePen(Qt::NoPen);
            axis->setSubTicks(false);
            axis->setTickLabels(false);
            axis->setTicker(QSharedPointer<TokenTicker>::create());
        }
        m_inset->addElement(rect, QRectF(0.0, 0.0, 1.0, 1.0));
        m_axisRects.push_back(rect);
        m_maps.push_back(new MapPlottable(keys, queries, m_scene, m_maps.size(), m_cache));
        m_maps.back()->setLayer(QStringLiteral("main"));
        connect(&m_maps.back()->numbers(), &NumbersInView::arrived, this, &MapPlot::invalidate);
    }
}

void MapPlot::setVisibleCells(const std::optional<QRectF> &cells)
{
    if (m_visible == cells)
        return;
    m_visible = cells;
    invalidate();
}

void MapPlot::setMarks(const std::optional<CellRef> &hovered, const std::optional<CellRef> &picked)
{
    if (m_scene.hovered == hovered && m_scene.picked == picked)
        return;
    m_scene.hovered = hovered;
    m_scene.picked = picked;
    if (!m_isLayoutDirty)
        update();
}

void MapPlot::setListed(const std::vector<CellRef> &cells)
{
    if (m_scene.listed == cells)
        return;
    m_scene.listed = cells;
    if (!m_isLayoutDirty)
        update();
}

void MapPlot::setRubberBand(const std::optional<QRectF> &pixels)
{
    m_scene.rubberBand = pixels;
    update();
}

void MapPlot::setComputing(bool isComputing)
{
    if (m_scene.isComputing == isComputing)
        return;
    m_scene.isComputing = isComputing;
    invalidate();
}

void MapPlot::setScaleFactor(double factor)
{
    m_scene.style.scale = factor;
    invalidate();
}

void MapPlot::setPadding(double padding)
{
    m_scene.style.padding = padding;
    invalidate();
}

void MapPlot::invalidate()
{
    m_isLayoutDirty = true;
    replot(rpQueuedReplot);
}

void MapPlot::followPalette()
{
    m_scene.style.theme = Theme::of(palette());
    m_scene.style.background = m_scene.style.theme.view;
    if (m_scene.style.fontFamily != font().family()) {
        m_scene.style.fontFamily = font().family();
        m_scene.extents = labelExtents(m_scene.content, m_scene.style.fontFamily);
    }
    setBackground(QBrush(m_scene.style.background));
    invalidate();
}

const MapLayout &MapPlot::mapLayout()
{
    if (m_isLayoutDirty)
        applyLayout();
    return m_scene.layout;
}

MapLayout MapPlot::layoutFor(const std::optional<QRectF> &cells) const
{
    return layoutMaps(m_scene.content, m_scene.extents, m_scene.style, viewport().size(), cells);
}

std::optional<MapHit> MapPlot::hit(QPointF point)
{
    static_cast<void>(mapLayout());
    return hitAt(m_scene, point);
}

void MapPlot::applyLayout()
{
    m_isLayoutDirty = false;
    m_scene.layout
        = m_cellPixels ? layoutMaps(m_scene.content, m_scene.extents, m_scene.style, *m_cellPixels, m_visible) : layoutFor(m_visible);
    const MapLayout &layout = m_scene.layout;
    const QSizeF size = viewport().size();
    for (std::size_t panel = 0; panel < m_axisRects.size(); ++panel) {
        if (layout.isEmpty() || size.isEmpty())
            continue;
        const QRect rect = layout.maps[panel].toAlignedRect();
        // The inset layout cuts fractions of its size down to whole pixels.
        m_inset->setInsetRect(static_cast<int>(panel),
            QRectF((rect.x() + 0.25) / size.width(), (rect.y() + 0.25) / size.height(), (rect.width() + 0.25) / size.width(),
                (rect.height() + 0.25) / size.height()));
        // A vertical axis starts at the last pixel of its rectangle, not behind it.
        const QPointF first = layout.cellFromPoint(panel, QPointF(rect.x(), rect.y() - 1));
        const QPointF end = layout.cellFromPoint(panel, QPointF(rect.x() + rect.width(), rect.y() + rect.height() - 1));
        QCPAxis *keys = m_axisRects[panel]->axis(QCPAxis::atTop);
        QCPAxis *queries = m_axisRects[panel]->axis(QCPAxis::atLeft);
        keys->setRange(first.x(), end.x());
        queries->setRange(first.y(), end.y());
        const auto follow = [&](QCPAxis *axis, const AxisForm &form, Index count, bool hasNames) {
            axis->ticker().staticCast<TokenTicker>()->setStride(form.stride, count);
            axis->setTicks(hasNames && form.hasPositions && m_scene.style.hasLabels);
            axis->setTickPen(QPen(m_scene.style.theme.secondaryText, m_scene.style.px(1.0)));
            axis->setTickLength(0, static_cast<int>(m_scene.style.px(5.0)));
        };
        follow(keys, layout.cols, m_scene.content.cols(), true);
        follow(queries, layout.rows, m_scene.content.rows(), panel == 0);
    }
}

void MapPlot::prepareReplot()
{
    m_scene.style.pixelRatio = bufferDevicePixelRatio();
    applyLayout();
}

void MapPlot::finishReplot()
{
    std::vector<TileCache::Request> missing;
    bool isUnfinished = false;
    for (const MapPlottable *map : m_maps) {
        missing.insert(missing.end(), map->missing().begin(), map->missing().end());
        isUnfinished |= map->isUnfinished();
    }
    if (m_cache)
        m_cache->request(std::move(missing));
    if (isUnfinished)
        QTimer::singleShot(0, this, &MapPlot::invalidate);
}

void MapPlot::drawOn(QPaintDevice &device, const MapStyle &style, QSize size, std::optional<int> cellPixels)
{
    m_scene.style = style;
    m_scene.extents = labelExtents(m_scene.content, style.fontFamily);
    m_cellPixels = cellPixels;
    setBackground(QBrush(style.background));
    // The layout needs the viewport that toPainter() is going to set.
    setViewport(QRect(QPoint(), size));
    applyLayout();
    QCPPainter painter(&device);
    if (device.paintEngine()->type() == QPaintEngine::SVG || device.paintEngine()->type() == QPaintEngine::Pdf) {
        painter.setModes(QCPPainter::pmVectorized | QCPPainter::pmNoCaching);
        painter.setRenderHint(QPainter::LosslessImageRendering);
    }
    toPainter(&painter, size.width(), size.height());
    paintMarks(painter, m_scene);
    paintBadges(painter, m_scene);
}

void MapPlot::paintEvent(QPaintEvent *event)
{
    if (!qFuzzyCompare(devicePixelRatioF(), bufferDevicePixelRatio())) {
        // The window has moved to another screen.
        setBufferDevicePixelRatio(devicePixelRatioF());
        invalidate();
    }
    QCustomPlot::paintEvent(event);
    // What follows the mouse is no layer of the plot: the maps under it stay as they are, and no picture of the whole size is kept for it.
    QPainter painter(this);
    paintMarks(painter, m_scene);
    paintBadges(painter, m_scene);
    // The mouse shows where it is by itself.
    if (!hasFocus() || !window()->testAttribute(Qt::WA_KeyboardFocusChange))
        return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(m_scene.style.theme.accent, 2.0));
    painter.drawRect(QRectF(rect()).adjusted(1.0, 1.0, -1.0, -1.0));
}

void MapPlot::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        followPalette();
    QCustomPlot::changeEvent(event);
}

void MapPlot::resizeEvent(QResizeEvent *event)
{
    m_isLayoutDirty = true;
    QCustomPlot::resizeEvent(event);
}

void MapPlot::mousePressEvent(QMouseEvent *event)
{
    event->accept();
}

void MapPlot::mouseMoveEvent(QMouseEvent *event)
{
    event->accept();
}

void MapPlot::mouseReleaseEvent(QMouseEvent *event)
{
    event->accept();
}

void MapPlot::mouseDoubleClickEvent(QMouseEvent *event)
{
    event->accept();
}

void MapPlot::wheelEvent(QWheelEvent *event)
{
    event->accept();
}

} // namespace attenscope
