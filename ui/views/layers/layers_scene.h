// SPDX-License-Identifier: GPL-3.0-or-later
// LayersScene: where the map or the points of what is found across layers stand, and their painting; for the window and for figures.
#pragma once

#include "views/layers/layers_content.h"
#include "views/map/cell_image.h"
#include "views/map/map_scene.h"

#include <QFont>
#include <QImage>
#include <QPoint>
#include <QPointF>
#include <QSizeF>

#include <optional>
#include <utility>
#include <vector>

namespace attenscope {

/// @p words of Layers outside of its widgets, translated.
[[nodiscard]] QString layersWords(const char *words);

/// What is under a point: a cell or a name on an axis (-1 for the other side); in the embedding a head.
struct LayersHit {
    CellRef cell{ -1, -1 };
    std::optional<std::size_t> head;

    friend bool operator==(const LayersHit &, const LayersHit &) = default;
};

/// A content laid out for a size. Maps are drawn with the parts of the heat map.
class LayersScene {
public:
    LayersScene() = default;
    LayersScene(std::shared_ptr<const LayersContent> content, const Theme &theme, const QFont &font, double pixelRatio);

    [[nodiscard]] bool isEmpty() const { return !m_content; }
    [[nodiscard]] const std::shared_ptr<const LayersContent> &content() const { return m_content; }
    /// @p visible cells; unset: all.
    void layOut(QSizeF size, const std::optional<QRectF> &visible);
    [[nodiscard]] const MapLayout &mapLayout() const { return m_map.layout; }
    /// The layout that other visible cells would have.
    [[nodiscard]] MapLayout layoutFor(const QRectF &visible) const;
    [[nodiscard]] std::optional<LayersHit> hitAt(QPointF point) const;
    /// As large as the content looks good.
    [[nodiscard]] QSizeF naturalSize() const;

    /// Marks: cells of maps, heads of the embedding.
    void setMarks(const std::optional<CellRef> &hovered, const std::optional<CellRef> &picked);
    void setMarkedHeads(std::optional<std::size_t> hovered, std::optional<std::size_t> picked);
    void paint(QPainter &painter) const;

private:
    void paintMap(QPainter &painter) const;
    /// The cells of the map as they are shown, for @p ratio device pixels per pixel, and the device pixel of its corner.
    [[nodiscard]] std::pair<QImage, QPoint> imageOfCells(double ratio) const;
    void paintNumbers(QPainter &painter) const;
    void paintNotes(QPainter &painter, double left, double top, double width) const;
    void paintPoints(QPainter &painter) const;
    void placePoints();
    [[nodiscard]] QColor colorOf(std::size_t head) const;

    std::shared_ptr<const LayersContent> m_content;
    MapScene m_map;
    CellCoder m_coder;
    std::vector<CellCode> m_codes;
    mutable std::optional<std::pair<double, std::pair<QImage, QPoint>>>
        m_image; ///< What was drawn last, and for which ratio: marks move over it.
    QSizeF m_size;
    std::vector<QPointF> m_points; ///< Of the embedding, in pixels.
    double m_pixelsPerDistance = 1.0;
    std::optional<std::size_t> m_hovered;
    std::optional<std::size_t> m_picked;
};

} // namespace attenscope
