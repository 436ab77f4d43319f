// SPDX-License-Identifier: GPL-3.0-or-later
// MapScene: what the parts of a MapPlot draw from, and the token labels that two of them share.
#pragma once

#include "state/selection.h"
#include "views/map/cell_image.h"
#include "views/map/map_layout.h"
#include "views/map/token_ticker.h"

#include <QPainter>

#include <algorithm>
#include <limits>
#include <optional>

namespace attenscope {

/// Owned by a MapPlot; its layerables look at it.
struct MapScene {
    MapContent content;
    MapStyle style;
    LabelExtents extents;
    MapLayout layout;
    std::optional<CellRef> hovered;
    std::optional<CellRef> picked;
    std::vector<CellRef> listed; ///< By a list beside the maps.
    std::optional<QRectF> rubberBand; ///< Being drawn with the mouse, in pixels.

    bool isComputing = false; ///< For longer than a second.

    // What the maps turned out to have when they were last drawn.
    CellKinds kinds;
    Index foldedCells = 1; ///< Most cells on a side that became one pixel; 1: not folded.
    bool isFoldEven = true; ///< Every pixel stands for exactly so many.
    std::vector<std::size_t> estimates; ///< Maps that are a preview from averages.
    bool lacksNumbers = false; ///< Cells that have them written in wait for some.
    std::size_t neededTiles = 0;
    std::size_t missingTiles = 0;

    void forgetDrawing();
    [[nodiscard]] bool isEstimate(std::size_t panel) const
    {
        return std::find(estimates.begin(), estimates.end(), panel) != estimates.end();
    }

    [[nodiscard]] std::optional<CellRef> current() const { return hovered ? hovered : picked; }
};

/// Writes the name of query @p row at the left of map @p panel; lit ones in full, on the accent.
void paintRowLabel(QPainter &painter, const MapScene &scene, std::size_t panel, Index row, bool isLit);
/// Writes the name of column @p col above map @p panel, unless it stands level and would begin left of @p free. Where the next may begin.
double paintColumnLabel(QPainter &painter, const MapScene &scene, std::size_t panel, Index col, bool isLit,
    double free = -std::numeric_limits<double>::infinity());

/// What is under the mouse: a cell, or a token on an axis (then -1 for the other direction).
struct MapHit {
    std::size_t panel = 0;
    CellRef cell;
    bool isLabel = false;
};
[[nodiscard]] std::optional<MapHit> hitAt(const MapScene &scene, QPointF point);

} // namespace attenscope
