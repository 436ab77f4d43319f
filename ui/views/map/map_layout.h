// SPDX-License-Identifier: GPL-3.0-or-later
// MapLayout: where maps, labels and scales go; pure geometry, the same for the window and for figures.
#pragma once

#include "state/theme.h"
#include "views/map/map_content.h"

#include <QFont>
#include <QFontMetricsF>
#include <QRectF>
#include <QSizeF>
#include <QStringList>

#include <optional>
#include <vector>

namespace attenscope {

/// How a picture of maps is drawn. Lengths are pixels of the painter; scale makes all of them larger (print, presentation).
struct MapStyle {
    static constexpr double leastPadding = 8.0;
    static constexpr double noteFont = 12.0;
    static constexpr double bodyFont = 13.0;
    static constexpr double titleFont = 18.0;
    static constexpr double subtitleLine = 20.0;
    static constexpr double besideTitle = 20.0; ///< From a title to what it means.

    Theme theme = Theme::light();
    QColor background = Theme::light().view; ///< May be transparent.
    QString fontFamily;
    double scale = 1.0;
    double padding = 16.0; ///< Around everything, at scale 1.
    double pixelRatio = 1.0; ///< Device pixels per pixel of the painter.
    bool hasTitle = false;
    bool hasLabels = true;
    bool hasColorScale = true;
    bool hasLegend = true;
    bool hasPick = true;
    bool endsWithVisible = false; ///< Maps show no more than the visible cells where there is room for more.

    [[nodiscard]] QFont font(double pixels, bool isBold = false) const;
    [[nodiscard]] double px(double length) const { return length * scale; }
    /// @p position moved to the nearest device pixel.
    [[nodiscard]] double snapped(double position) const;
};

/// Widths of the widest labels in units of the font size, and what of them cannot be drawn; measured once for a content.
struct LabelExtents {
    double rows = 0.0; ///< Tokens alone.
    double cols = 0.0;
    double rowsWithPosition = 0.0;
    double colsWithPosition = 0.0;
    Index unreadable = 0; ///< Tokens with characters that no installed font has.
};
[[nodiscard]] LabelExtents labelExtents(const MapContent &content, const QString &fontFamily);

/// How the names of one axis are written.
struct AxisForm {
    Index stride = 1;
    bool hasPositions = false; ///< 1200 ‘the’
    bool isRotated = false; ///< By -60°; keys only.

    friend bool operator==(const AxisForm &, const AxisForm &) = default;
};

struct MapLayout {
    QSizeF size;
    std::vector<QRectF> maps; ///< One per panel; corners on device pixels.
    QRectF shown; ///< Cells: x columns, y rows.
    QSizeF block; ///< Everything that is drawn; it stands in the middle of size.
    QSizeF available; ///< Room that each map could take.
    double cellWidth = 0.0;
    double cellHeight = 0.0;
    double tokenPixels = 12.0; ///< Font of token labels.
    AxisForm rows;
    AxisForm cols;
    double titleTop = 0.0; ///< Of the figure's title.
    double panelTitleTop = 0.0;
    int subtitleLines
        = 0; ///< Below the titles of maps that are compared; 0: what they mean stands beside them, -1: there is no room for it.
    double legendTop = 0.0;
    double noticeTop = 0.0;
    QRectF scaleBar; ///< Beside a single map, under maps that are compared; empty: none.
    QRectF differenceBar;

    [[nodiscard]] bool isEmpty() const { return maps.empty() || cellWidth <= 0.0 || cellHeight <= 0.0; }
    /// Fractional cell under a point of map @p panel.
    [[nodiscard]] QPointF cellFromPoint(std::size_t panel, QPointF point) const;
    /// Rectangle of cells in map @p panel; not clipped.
    [[nodiscard]] QRectF rectFromCells(std::size_t panel, const QRectF &cells) const;
};

/// Fits @p visible cells (unset: all, but no cell above its largest size) into @p size. Both sides of a cell are the same unless the map would be
/// a thread. Maps show more than @p visible where there is room, unless the style says otherwise.
[[nodiscard]] MapLayout layoutMaps(
    const MapContent &content, const LabelExtents &extents, const MapStyle &style, QSizeF size, const std::optional<QRectF> &visible);

/// The cells of @p visible (unset: all), each exactly @p cellPixels x @p cellPixels; the size follows.
[[nodiscard]] MapLayout layoutMaps(const MapContent &content, const LabelExtents &extents, const MapStyle &style, int cellPixels,
    const std::optional<QRectF> &visible = std::nullopt);

/// @p text in lines that are no wider than @p room, where its words are not.
[[nodiscard]] QStringList wrapped(const QString &text, const QFontMetricsF &metrics, double room);

/// Largest sides of a cell: 56, with at most four rows and columns 128.
[[nodiscard]] double largestCell(Index rows, Index cols);

} // namespace attenscope
