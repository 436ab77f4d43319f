// SPDX-License-Identifier: GPL-3.0-or-later
// MapPlot: a QCustomPlot that shows one map, or up to three of the same size side by side; with or without a window.
#pragma once

#include "state/tile_cache.h"
#include "views/map/map_scene.h"

#include <qcustomplot.h>

#include <optional>
#include <vector>

namespace attenscope {

class MapPlottable;

/// Draws a MapContent. In a window it follows palette, font and size; image() draws it anywhere else. Knows no Selection: what is hovered, picked
/// and visible is set from outside.
class MapPlot : public QCustomPlot {
    Q_OBJECT

public:
    /// Without @p cache every tile is read while drawing.
    explicit MapPlot(TileCache *cache, QWidget *parent = nullptr);
    ~MapPlot() override;

    void setContent(const MapContent &content);
    void setVisibleCells(const std::optional<QRectF> &cells);
    void setMarks(const std::optional<CellRef> &hovered, const std::optional<CellRef> &picked);
    /// Rings around these cells.
    void setListed(const std::vector<CellRef> &cells);
    void setRubberBand(const std::optional<QRectF> &pixels);
    /// Shows the badge "computing…".
    void setComputing(bool isComputing);
    /// All lengths times @p factor: presentation.
    void setScaleFactor(double factor);
    /// Around everything, at scale 1.
    void setPadding(double padding);

    [[nodiscard]] const MapContent &content() const { return m_scene.content; }
    [[nodiscard]] const MapScene &scene() const { return m_scene; }
    /// As of now, even before the next replot.
    [[nodiscard]] const MapLayout &mapLayout();
    /// The layout for other visible cells at the present size.
    [[nodiscard]] MapLayout layoutFor(const std::optional<QRectF> &cells) const;
    [[nodiscard]] std::optional<MapHit> hit(QPointF point);

    /// Draws the visible cells on @p device of @p size pixels, or, with @p cellPixels, of the size that follows from that. Background, theme and what is
    /// drawn are @p style's.
    void drawOn(QPaintDevice &device, const MapStyle &style, QSize size, std::optional<int> cellPixels = std::nullopt);

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    // QCustomPlot's own handling of the mouse looks for plottables under it; that is done by MapInteraction.
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;

private:
    void invalidate();
    void followPalette();
    void prepareReplot();
    void finishReplot();
    void setPanelCount(std::size_t count);
    void applyLayout();

    TileCache *m_cache = nullptr;
    MapScene m_scene;
    std::optional<QRectF> m_visible;
    std::optional<int> m_cellPixels; ///< Only while drawOn() draws.
    bool m_isLayoutDirty = true;
    QCPLayoutInset *m_inset = nullptr;
    std::vector<QCPAxisRect *> m_axisRects;
    std::vector<MapPlottable *> m_maps;
};

} // namespace attenscope
