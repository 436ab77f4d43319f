// SPDX-License-Identifier: GPL-3.0-or-later
// The least-recently-used store behind TileCache.
#include "state/tile_cache.h"

#include <algorithm>
#include <list>
#include <optional>
#include <unordered_map>

namespace attenscope {

struct TileCache::RequestHash {
    std::size_t operator()(const Request &key) const
    {
        std::size_t hash = std::hash<const void *>()(key.field.get());
        for (const auto part : { static_cast<Index>(key.fold), static_cast<Index>(key.level), key.row, key.col })
            hash = (hash ^ static_cast<std::size_t>(part)) * 0x9e3779b97f4a7c15U + (hash >> 29U);
        return hash;
    }
};

struct TileCache::Store {
    using Entries = std::list<std::pair<Request, Tile>>; // most recently used first

    explicit Store(std::uint64_t most)
        : mostBytes(most)
    {
    }

    [[nodiscard]] Tile find(const Request &key)
    {
        const auto found = places.find(key);
        if (found == places.end())
            return nullptr;
        entries.splice(entries.begin(), entries, found->second);
        return found->second->second;
    }

    void insert(const Request &key, Tile tile)
    {
        if (find(key))
            return;
        bytes += bytesOf(*tile);
        entries.emplace_front(key, std::move(tile));
        places.emplace(key, entries.begin());
        while (bytes > mostBytes && entries.size() > 1) {
            bytes -= bytesOf(*entries.back().second);
            places.erase(entries.back().first);
            entries.pop_back();
        }
    }

    [[nodiscard]] static std::uint64_t bytesOf(const MatrixF &tile) { return static_cast<std::uint64_t>(tile.size()) * sizeof(float); }

    std::uint64_t mostBytes;
    std::uint64_t bytes = 0;
    Entries entries;
    std::unordered_map<Request, Entries::iterator, RequestHash> places;
};

TileCache::TileCache(std::uint64_t mostBytes, QObject *parent)
    : QObject(parent)
    , m_store(std::make_unique<Store>(mostBytes))
    , m_fetcher(
          [](const Request &one, const Run &run) -> std::optional<Tile> {
              auto tile = std::make_shared<MatrixF>();
              if (!one.field->read(tileCells(*one.field, one.level, one.row, one.col), one.level, one.fold, *tile, { run.stop, {} }))
                  return std::nullopt;
              return tile;
          },
          [this] {
              takeFinished();
              emit ready();
          })
{
}

TileCache::~TileCache() = default;

void TileCache::beginFrame()
{
    m_cellsLeft = mostCellsOfFrame;
}

TileCache::Tile TileCache::tile(const MapFieldPtr &field, Fold fold, int level, Index row, Index col)
{
    constexpr Index mostCellsAtHand = 512 * 512;
    constexpr Index mostCellsOfSmallField = 128 * 128;

    takeFinished();
    const Request key{ field, fold, level, row, col };
    if (auto tile = m_store->find(key))
        return tile;
    const CellRect cells = tileCells(*field, level, row, col);
    const std::optional<int> prepared = field->levelAtHand(fold);
    const bool isPrepared = prepared && level >= *prepared;
    // Cells that are looked at.
    const Index count = cells.rows.size() * cells.cols.size() >> (isPrepared ? 2 * *prepared : 0);
    const bool isSmall = field->rows() * field->cols() <= mostCellsOfSmallField;
    const bool isAtHand = isPrepared || field->isAtHand();
    if (cells.rows.size() == 0 || cells.cols.size() == 0 || !isAtHand || !(isSmall || (count <= mostCellsAtHand && count <= m_cellsLeft)))
        return nullptr;
    m_cellsLeft -= count;
    auto tile = std::make_shared<MatrixF>();
    if (!field->read(cells, level, fold, *tile))
        return nullptr;
    m_store->insert(key, tile);
    return tile;
}

void TileCache::request(std::vector<Request> wanted)
{
    takeFinished();
    std::erase_if(wanted, [&](const Request &one) { return m_store->places.contains(one); });
    m_fetcher.request(std::move(wanted));
}

void TileCache::takeFinished()
{
    for (auto &[key, tile] : m_fetcher.takeFinished())
        m_store->insert(key, std::move(tile));
}

int TileCache::topLevel(Index rows, Index cols)
{
    int level = 0;
    while (std::max(rows, cols) > tileSize << level)
        ++level;
    return level;
}

CellRect TileCache::tileCells(const MapField &field, int level, Index row, Index col)
{
    const Index side = tileSize << level;
    const auto along = [side](Index position, Index end) {
        return Range{ std::min(position * side, end), std::min((position + 1) * side, end) };
    };
    return { along(row, field.rows()), along(col, field.cols()) };
}

} // namespace attenscope
