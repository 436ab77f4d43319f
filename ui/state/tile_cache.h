// SPDX-License-Identifier: GPL-3.0-or-later
// TileCache: folded tiles of map fields, fetched in the background, nearest first.
#pragma once

#include "attention/field.h"
#include "state/fetcher.h"

#include <QObject>

#include <memory>
#include <vector>

namespace attenscope {

/// Tiles of tileSize x tileSize folded cells. Level L folds 2^L x 2^L cells; tile (row, col) of level L starts at cell (row, col) · tileSize · 2^L;
/// at the edge of the map it is smaller. Least recently used tiles go first; tiles keep their field alive. GUI thread only.
class TileCache : public QObject {
    Q_OBJECT

public:
    static constexpr Index tileSize = 256;
    using Tile = std::shared_ptr<const MatrixF>;

    explicit TileCache(std::uint64_t mostBytes = 64U << 20U, QObject *parent = nullptr);
    ~TileCache() override;

    /// Called before a picture is drawn: how much tile() may make on the spot starts anew, so that no frame takes long.
    void beginFrame();
    /// The tile, or null. Of fields and levels that are at hand it is made on the spot, if they are small, or as long as one looks at 512 x 512 cells
    /// at most and this frame has not read a million cells yet.
    [[nodiscard]] Tile tile(const MapFieldPtr &field, Fold fold, int level, Index row, Index col);
    /// Asks for tiles that tile() did not have: replaces what was asked before and not begun. First ones first.
    struct Request {
        MapFieldPtr field;
        Fold fold = Fold::Max;
        int level = 0;
        Index row = 0;
        Index col = 0;

        friend bool operator==(const Request &, const Request &) = default;
    };
    void request(std::vector<Request> wanted);
    /// The level whose whole map is one tile or less.
    [[nodiscard]] static int topLevel(Index rows, Index cols);
    /// The cells that a tile covers, cut at the edge of the map.
    [[nodiscard]] static CellRect tileCells(const MapField &field, int level, Index row, Index col);

signals:
    /// Tiles that were asked for are there.
    void ready();

private:
    struct RequestHash;
    struct Store;

    void takeFinished();

    std::unique_ptr<Store> m_store;
    static constexpr Index mostCellsOfFrame = Index{ 1 } << 20;
    Index m_cellsLeft = mostCellsOfFrame; ///< That this frame may still read.
    Fetcher<Request, Tile> m_fetcher; ///< Last: its thread ends before what it uses goes.
};

} // namespace attenscope
