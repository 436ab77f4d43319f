// SPDX-License-Identifier: GPL-3.0-or-later
// The least-recently-used store behind TileCache, and the queue that its worker reads.
#include "state/tile_cache.h"

#include <algorithm>
#include <list>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace attenscope {

struct TileCache::Key {
    MapFieldPtr field;
    Fold fold = Fold::Max;
    int level = 0;
    Index row = 0;
    Index col = 0;

    friend bool operator==(const Key &, const Key &) = default;
};

struct TileCache::KeyHash {
    std::size_t operator()(const Key &key) const
    {
        std::size_t hash = std::hash<const void *>()(key.field.get());
        for (const auto part : { static_cast<Index>(key.fold), static_cast<Index>(key.level), key.row, key.col })
            hash = (hash ^ static_cast<std::size_t>(part)) * 0x9e3779b97f4a7c15U + (hash >> 29U);
        return hash;
    }
};

struct TileCache::Store {
    using Tile = std::shared_ptr<const MatrixF>;
    using Entries = std::list<std::pair<Key, Tile>>; // most recently used first

    explicit Store(std::uint64_t most)
        : mostBytes(most)
    {
    }

    [[nodiscard]] Tile find(const Key &key)
    {
        const auto found = places.find(key);
        if (found == places.end())
            return nullptr;
        entries.splice(entries.begin(), entries, found->second);
        return found->second->second;
    }

    void insert(const Key &key, Tile tile)
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
    std::unordered_map<Key, Entries::iterator, KeyHash> places;
};

/// Shared with the worker. A request replaces what is waiting, never the tile that is being read: a pan that asks anew with every
/// frame would otherwise never get one.
struct TileCache::Queue {
    std::mutex mutex;
    std::vector<Request> waiting; ///< Last one first, so that taking is cheap.
    std::optional<Key> reading;
    std::vector<std::pair<Key, std::shared_ptr<const MatrixF>>> finished;
    bool isServed = false; ///< A worker will look at waiting again.
};

TileCache::TileCache(std::uint64_t mostBytes, QObject *parent)
    : QObject(parent)
    , m_store(std::make_unique<Store>(mostBytes))
    , m_queue(std::make_shared<Queue>())
{
}

TileCache::~TileCache() = default;

void TileCache::beginFrame()
{
    m_cellsLeft = mostCellsOfFrame;
}

std::shared_ptr<const MatrixF> TileCache::tile(const MapFieldPtr &field, Fold fold, int level, Index row, Index col)
{
    constexpr Index mostCellsAtHand = 512 * 512;
    constexpr Index mostCellsOfSmallField = 128 * 128;

    takeFinished();
    const Key key{ field, fold, level, row, col };
    if (auto tile = m_store->find(key))
        return tile;
    const CellRect cells = tileCells(*field, level, row, col);
    const std::optional<int> prepared = field->levelAtHand(fold);
    const bool isPrepared = prepared && level >= *prepared;
    // Cells that are looked at.
    const Index count = cells.rows.size() * cells.cols.size() >> (isPrepared ? 2 * *prepared : 0);
    const bool isSmall = field->rows() * field->cols() <= mostCellsOfSmallField;
    const bool isAtHand = isPrepared || field->isAtHand();
    if (cells.rows.size() == 0 || cells.cols.size() == 0 || !(isSmall || (isAtHand && count <= mostCellsAtHand && count <= m_cellsLeft)))
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
    const auto keyOf = [](const Request &one) { return Key{ one.field, one.fold, one.level, one.row, one.col }; };
    takeFinished();
    std::erase_if(wanted, [&](const Request &one) { return m_store->places.contains(keyOf(one)); });
    std::reverse(wanted.begin(), wanted.end());
    {
        const std::lock_guard lock(m_queue->mutex);
        std::erase_if(wanted, [&](const Request &one) { return m_queue->reading == keyOf(one); });
        m_queue->waiting = std::move(wanted);
        if (m_queue->isServed || m_queue->waiting.empty())
            return;
        m_queue->isServed = true;
    }
    m_job.start([this, keyOf, queue = m_queue](const Run &run, const Job::Deliver &) {
        while (true) {
            Request one;
            {
                const std::lock_guard lock(queue->mutex);
                queue->reading.reset();
                if (queue->waiting.empty() || run.stopped()) {
                    queue->isServed = false;
                    return;
                }
                one = std::move(queue->waiting.back());
                queue->waiting.pop_back();
                queue->reading = keyOf(one);
            }
            auto tile = std::make_shared<MatrixF>();
            if (!one.field->read(tileCells(*one.field, one.level, one.row, one.col), one.level, one.fold, *tile, { run.stop, {} }))
                continue;
            {
                const std::lock_guard lock(queue->mutex);
                queue->finished.emplace_back(keyOf(one), std::move(tile));
            }
            // Not through the job: what a worker finished must arrive even when the next one has been started meanwhile.
            QMetaObject::invokeMethod(
                this,
                [this] {
                    takeFinished();
                    emit ready();
                },
                Qt::QueuedConnection);
        }
    });
}

void TileCache::takeFinished()
{
    std::vector<std::pair<Key, std::shared_ptr<const MatrixF>>> finished;
    {
        const std::lock_guard lock(m_queue->mutex);
        finished.swap(m_queue->finished);
    }
    for (auto &[key, tile] : finished)
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
