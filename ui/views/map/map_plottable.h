// SPDX-License-Identifier: GPL-3.0-or-later
// MapPlottable: the cells of one map, from tiles at the right level to device pixels, with numbers where they fit.
#pragma once

#include "state/tile_cache.h"
#include "views/map/map_scene.h"
#include "views/map/numbers_in_view.h"

#include <qcustomplot.h>

#include <memory>
#include <unordered_map>
#include <vector>

namespace attenscope {

/// Draws one panel of a scene between its axes (x: key or dimension, y: query, both in cells), and notes in the scene what that turned out to have.
/// With a TileCache missing tiles are drawn coarser, stretched, and noted in missing(); without one everything is read while drawing.
class MapPlottable : public QCPAbstractPlottable {
    Q_OBJECT

public:
    /// @p scene and @p cache outlive it.
    MapPlottable(QCPAxis *keyAxis, QCPAxis *queryAxis, MapScene &scene, std::size_t panel, TileCache *cache);

    /// The scene has another content.
    void followContent();
    /// Tiles that the last drawing lacked, nearest first.
    [[nodiscard]] const std::vector<TileCache::Request> &missing() const { return m_missing; }
    /// Some tiles were left for the next drawing, so that this one was quick.
    [[nodiscard]] bool isUnfinished() const { return m_isUnfinished; }
    [[nodiscard]] const NumbersInView &numbers() const { return m_numbers; }

    double selectTest(const QPointF &position, bool onlySelectable, QVariant *details = nullptr) const override;
    QCPRange getKeyRange(bool &foundRange, QCP::SignDomain domain = QCP::sdBoth) const override;
    QCPRange getValueRange(bool &foundRange, QCP::SignDomain domain = QCP::sdBoth, const QCPRange &keyRange = QCPRange()) const override;

protected:
    QRect clipRect() const override;
    void draw(QCPPainter *painter) override;
    void drawLegendIcon(QCPPainter *painter, const QRectF &rect) const override;

private:
    /// Texels (cells folded by 2^level) that cover the visible part.
    struct Window {
        int level = 0;
        Range rows;
        Range cols;
    };
    struct EncodedTile {
        std::shared_ptr<const MatrixF> tile;
        std::vector<CellCode> codes;
        std::uint64_t frame = 0; ///< The last drawing that used it.
    };

    /// Where the codes of a tile of the window are: of a coarser one, the part of it that stands in.
    struct Source {
        const CellCode *codes = nullptr; ///< Of the tile's first texel; null: nothing stands in.
        Index stride = 0;
        int coarser = 0; ///< Levels above that of the window.
    };

    [[nodiscard]] std::shared_ptr<const MatrixF> tile(int level, Index row, Index col);
    /// Null where this drawing has encoded enough.
    const std::vector<CellCode> *encoded(int level, Index row, Index col, const std::shared_ptr<const MatrixF> &tile);
    void gather(const Window &window);
    /// The codes of a row of texels of the window.
    const CellCode *texelRow(Index row);
    void noteFold(const Window &window, double finest, double texelsPerPixel, const CellKinds &kinds);
    [[nodiscard]] Source sourceOf(Index tileRow, Index tileCol);
    [[nodiscard]] QRgb groundOf(CellCode cell) const;
    void drawNumbers(QPainter &painter, const Window &cells, const std::vector<CellCode> &codes);
    void drawInfinities(QPainter &painter, const Window &cells, const std::vector<CellCode> &codes) const;

    MapScene &m_scene;
    std::size_t m_index = 0;
    TileCache *m_cache = nullptr;
    MapPanel m_panel;
    MapFieldPtr m_shades; ///< What is coloured: the field of the panel, or what its cells are of the largest of their row.
    CellCoder m_coder;
    std::unordered_map<std::uint64_t, EncodedTile> m_encoded;
    NumbersInView m_numbers;
    Window m_window; ///< Of the present drawing.
    std::vector<Source> m_sources; ///< Of the tiles of the window, row by row.
    std::vector<CellCode> m_texels; ///< A row of them.
    QImage m_image; ///< Of the last drawing: its memory serves the next one.
    std::vector<TileCache::Request> m_missing;
    bool m_isUnfinished = false;
    bool m_hasGaps = false; ///< Where nothing stands in for a missing tile.
    std::uint64_t m_frame = 0; ///< Drawings so far.
    int m_encodingsLeft = 0; ///< Tiles that this drawing may still encode.
};

} // namespace attenscope
