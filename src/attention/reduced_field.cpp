// SPDX-License-Identifier: GPL-3.0-or-later
// Weights with tokens left out or merged: rows are means, cells are sums.
#include "attention/field.h"

#include "attention/fold.h"

#include <algorithm>
#include <numeric>

namespace attenscope {

namespace {

/// One row of a reduced map, added up from the rows that it stands for.
class ReducedRow {
public:
    explicit ReducedRow(const std::vector<Range> &keys)
        : m_keys(keys)
        , m_sums(keys.size())
        , m_kinds(keys.size())
    {
    }

    void clear()
    {
        std::fill(m_sums.begin(), m_sums.end(), 0.0);
        std::fill(m_kinds.begin(), m_kinds.end(), Kind::Absent);
        m_rows = 0;
    }

    /// @p cells from key @p firstKey on; those of the cells @p groups are added.
    void add(std::span<const double> cells, Index firstKey, const Range &groups)
    {
        for (Index group = groups.first; group < groups.end; ++group) {
            const auto place = static_cast<std::size_t>(group);
            for (Index key = m_keys[place].first; key < m_keys[place].end; ++key) {
                const double cell = cells[static_cast<std::size_t>(key - firstKey)];
                const cell::Kind kind = cell::kind(cell);
                if (kind == cell::Kind::Masked) {
                    m_kinds[place] = std::max(m_kinds[place], Kind::Masked);
                } else if (kind != cell::Kind::Absent) {
                    m_kinds[place] = Kind::Number;
                    m_sums[place] += cell;
                }
            }
        }
        ++m_rows;
    }

    /// The cells @p out.size() from @p firstCol on.
    void finish(Index firstCol, bool renormalizes, std::span<double> out) const
    {
        double divisor = static_cast<double>(m_rows);
        if (renormalizes) {
            // A cell that is hidden has sum 0.
            const double left = std::accumulate(m_sums.begin(), m_sums.end(), 0.0);
            divisor = left != 0.0 ? left : divisor;
        }
        for (std::size_t col = 0; col < out.size(); ++col) {
            const std::size_t place = col + static_cast<std::size_t>(firstCol);
            switch (m_kinds[place]) {
            case Kind::Absent:
                out[col] = cell::absent<double>();
                break;
            case Kind::Masked:
                out[col] = cell::masked<double>();
                break;
            case Kind::Number:
                out[col] = m_sums[place] / divisor;
                break;
            }
        }
    }

private:
    /// In the order in which one wins over another.
    enum class Kind : unsigned char { Absent, Masked, Number };

    const std::vector<Range> &m_keys;
    std::vector<double> m_sums;
    std::vector<Kind> m_kinds;
    Index m_rows = 0;
};

class ReducedField final : public MapField {
public:
    ReducedField(MapFieldPtr whole, std::vector<Range> queries, std::vector<Range> keys, bool renormalizes)
        : m_whole(std::move(whole))
        , m_queries(std::move(queries))
        , m_keys(std::move(keys))
        , m_renormalizes(renormalizes)
    {
    }

    [[nodiscard]] Index rows() const override { return static_cast<Index>(m_queries.size()); }
    [[nodiscard]] Index cols() const override { return static_cast<Index>(m_keys.size()); }
    [[nodiscard]] bool isAtHand() const override { return m_whole->isAtHand(); }

    void row(Index row, Index firstCol, std::span<double> out) const override
    {
        if (out.empty())
            return;
        const Range groups = groupsFor({ firstCol, firstCol + static_cast<Index>(out.size()) });
        const Range keys = keysOf(groups);
        std::vector<double> cells(static_cast<std::size_t>(keys.size()));
        ReducedRow reduced(m_keys);
        reduced.clear();
        const Range &queries = m_queries[static_cast<std::size_t>(row)];
        for (Index query = queries.first; query < queries.end; ++query) {
            m_whole->row(query, keys.first, cells);
            reduced.add(cells, keys.first, groups);
        }
        reduced.finish(firstCol, m_renormalizes, out);
    }

    [[nodiscard]] std::unique_ptr<const CellTiles> tiles(const CellRect &cells, const Run &run) const override;
    bool read(const CellRect &cells, int level, Fold fold, MatrixF &out, const Run &run) const override
    {
        const auto reduced = tiles(cells, run);
        if (!reduced)
            return !run.stopped() && MapField::read(cells, level, fold, out, run);
        return foldTiles(*reduced, cells, level, fold, out, run);
    }

private:
    class Tiles;
    class TileRows;

    /// The cells that have to be known for @p cols: all where rows are divided by their sum.
    [[nodiscard]] Range groupsFor(const Range &cols) const { return m_renormalizes ? Range{ 0, this->cols() } : cols; }
    [[nodiscard]] Range keysOf(const Range &groups) const { return spanOf(m_keys, groups); }
    [[nodiscard]] Range queriesOf(const Range &rows) const { return spanOf(m_queries, rows); }
    /// From the first to the last of what @p places stand for.
    [[nodiscard]] static Range spanOf(const std::vector<Range> &ranges, const Range &places)
    {
        if (places.size() == 0)
            return {};
        return { ranges[static_cast<std::size_t>(places.first)].first, ranges[static_cast<std::size_t>(places.end - 1)].end };
    }

    MapFieldPtr m_whole;
    std::vector<Range> m_queries;
    std::vector<Range> m_keys;
    bool m_renormalizes;
};

class ReducedField::Tiles final : public CellTiles {
public:
    Tiles(const ReducedField &field, std::unique_ptr<const CellTiles> whole)
        : m_field(field)
        , m_whole(std::move(whole))
    {
    }

    [[nodiscard]] std::unique_ptr<Rows> rows(const Range &rows, const Run &run) const override;

private:
    const ReducedField &m_field;
    std::unique_ptr<const CellTiles> m_whole;
};

/// A tile of reduced rows, added up from tiles of the whole map each time it is read: kept it would not stay in the cache.
class ReducedField::TileRows final : public CellTiles::Rows {
public:
    /// Rows of the whole map, and the reduced row of each, as a place in this tile.
    struct Part {
        std::unique_ptr<CellTiles::Rows> rows;
        std::vector<Index> places; ///< -1: left out.
    };

    TileRows(const ReducedField &field, const Range &rows, std::vector<Part> parts)
        : m_field(field)
        , m_parts(std::move(parts))
        , m_divisors(static_cast<std::size_t>(CellTiles::width()), 1.0F)
        , m_whole(CellTiles::blockSize())
    {
        for (Index row = rows.first; row < rows.end; ++row)
            m_divisors[static_cast<std::size_t>(row - rows.first)]
                = static_cast<float>(field.m_queries[static_cast<std::size_t>(row)].size());
        m_count = rows.size();
        m_isRowByRow = m_parts.size() == 1 && static_cast<Index>(m_parts.front().places.size()) == m_count
            && field.queriesOf(rows).size() == m_count;
    }

    /// Divisors become what is left of each row. False if stopped.
    bool renormalize(const Run &run);
    CellTiles::Kinds read(const Range &cols, float *block) override;

private:
    /// In the order in which one wins over another.
    enum class Kind : unsigned char { Absent, Masked, Number };

    CellTiles::Kinds divide(CellTiles::Kinds kinds, const Range &cols, float *block) const;
    void addPart(Part &part, const Range &cols, std::vector<Kind> &kinds, float *block);

    const ReducedField &m_field;
    std::vector<Part> m_parts;
    Index m_count = 0;
    bool m_isRowByRow = false; ///< Rows of the one part are the rows of this tile, in order.
    std::vector<float> m_divisors;
    std::vector<float> m_whole;
};

bool ReducedField::TileRows::renormalize(const Run &run)
{
    const Index width = CellTiles::width();
    std::vector<double> left(static_cast<std::size_t>(width), 0.0);
    for (Part &part : m_parts) {
        Eigen::ArrayXd sums = Eigen::ArrayXd::Zero(width);
        Eigen::ArrayXf some(width);
        for (std::size_t group = 0; group < m_field.m_keys.size();) {
            // Groups that follow each other are read together.
            Range keys = m_field.m_keys[group++];
            while (group < m_field.m_keys.size() && m_field.m_keys[group].first == keys.end
                && m_field.m_keys[group].end - keys.first <= CellTiles::blockCols())
                keys.end = m_field.m_keys[group++].end;
            for (Index first = keys.first; first < keys.end; first += CellTiles::blockCols()) {
                if (run.stopped())
                    return false;
                const Range block{ first, std::min(keys.end, first + CellTiles::blockCols()) };
                const CellTiles::Kinds kinds = part.rows->read(block, m_whole.data());
                if (kinds == CellTiles::Kinds::Hidden)
                    continue;
                if (kinds == CellTiles::Kinds::Mixed) {
                    for (float &cell : m_whole)
                        if (cell::isHidden(cell))
                            cell = 0.0F;
                }
                some.setZero();
                for (Index key = 0; key < block.size(); ++key)
                    some += Eigen::Map<const Eigen::ArrayXf>(m_whole.data() + key * width, width);
                sums += some.cast<double>();
            }
        }
        for (std::size_t lane = 0; lane < part.places.size(); ++lane)
            if (part.places[lane] >= 0)
                left[static_cast<std::size_t>(part.places[lane])] += sums(static_cast<Index>(lane));
    }
    for (std::size_t place = 0; place < left.size(); ++place)
        if (left[place] != 0.0)
            m_divisors[place] = static_cast<float>(left[place]);
    return true;
}

CellTiles::Kinds ReducedField::TileRows::read(const Range &cols, float *block)
{
    const Range keys = m_field.keysOf(cols);
    // Nothing merged and nothing left out in between.
    if (m_isRowByRow && keys.size() == cols.size())
        return divide(m_parts.front().rows->read(keys, block), cols, block);
    const auto count = static_cast<std::size_t>(cols.size() * CellTiles::width());
    std::vector<Kind> kinds(count, Kind::Absent);
    std::fill_n(block, count, 0.0F);
    for (Part &part : m_parts)
        addPart(part, cols, kinds, block);
    bool areNumbers = true;
    for (std::size_t place = 0; place < count; ++place) {
        if (kinds[place] != Kind::Number && static_cast<Index>(place) % CellTiles::width() < m_count) {
            block[place] = kinds[place] == Kind::Masked ? cell::masked<float>() : cell::absent<float>();
            areNumbers = false;
        }
    }
    return divide(areNumbers ? CellTiles::Kinds::Numbers : CellTiles::Kinds::Mixed, cols, block);
}

void ReducedField::TileRows::addPart(Part &part, const Range &cols, std::vector<Kind> &kinds, float *block)
{
    const Index width = CellTiles::width();
    const Range keys = m_field.keysOf(cols);
    Index group = cols.first;
    for (Index first = keys.first; first < keys.end; first += CellTiles::blockCols()) {
        const Range some{ first, std::min(keys.end, first + CellTiles::blockCols()) };
        const CellTiles::Kinds have = part.rows->read(some, m_whole.data());
        for (Index key = some.first; key < some.end; ++key) {
            while (m_field.m_keys[static_cast<std::size_t>(group)].end <= key)
                ++group;
            if (key < m_field.m_keys[static_cast<std::size_t>(group)].first)
                continue;
            const float *cells = m_whole.data() + (key - some.first) * width;
            for (std::size_t lane = 0; lane < part.places.size(); ++lane) {
                if (part.places[lane] < 0)
                    continue;
                const auto place = static_cast<std::size_t>((group - cols.first) * width + part.places[lane]);
                const cell::Kind kind = have == CellTiles::Kinds::Hidden ? cell::Kind::Masked : cell::kind(cells[lane]);
                if (kind == cell::Kind::Masked) {
                    kinds[place] = std::max(kinds[place], Kind::Masked);
                } else if (kind != cell::Kind::Absent) {
                    kinds[place] = Kind::Number;
                    block[place] += cells[lane];
                }
            }
        }
    }
}

CellTiles::Kinds ReducedField::TileRows::divide(CellTiles::Kinds kinds, const Range &cols, float *block) const
{
    const Index width = CellTiles::width();
    if (kinds == CellTiles::Kinds::Hidden)
        return kinds;
    const Eigen::Map<const Eigen::ArrayXf> divisors(m_divisors.data(), width);
    for (Index col = 0; col < cols.size(); ++col) {
        Eigen::Map<Eigen::ArrayXf> cells(block + col * width, width);
        if (kinds == CellTiles::Kinds::Numbers)
            cells /= divisors;
        else
            for (Index place = 0; place < width; ++place)
                if (!cell::isHidden(cells(place)))
                    cells(place) /= divisors(place);
    }
    return kinds == CellTiles::Kinds::Numbers ? CellTiles::kindsOf(block, cols.size()) : kinds;
}

std::unique_ptr<CellTiles::Rows> ReducedField::Tiles::rows(const Range &rows, const Run &run) const
{
    const Range queries = m_field.queriesOf(rows);
    std::vector<TileRows::Part> parts;
    Index row = rows.first;
    for (Index first = queries.first; first < queries.end; first += width()) {
        const Range some{ first, std::min(queries.end, first + width()) };
        TileRows::Part part{ m_whole->rows(some, run), std::vector<Index>(static_cast<std::size_t>(some.size()), -1) };
        if (!part.rows)
            return nullptr;
        for (Index query = some.first; query < some.end; ++query) {
            while (m_field.m_queries[static_cast<std::size_t>(row)].end <= query)
                ++row;
            if (m_field.m_queries[static_cast<std::size_t>(row)].contains(query))
                part.places[static_cast<std::size_t>(query - some.first)] = row - rows.first;
        }
        parts.push_back(std::move(part));
    }
    auto reduced = std::make_unique<TileRows>(m_field, rows, std::move(parts));
    if (m_field.m_renormalizes && !reduced->renormalize(run))
        return nullptr;
    return reduced;
}

std::unique_ptr<const CellTiles> ReducedField::tiles(const CellRect &cells, const Run &run) const
{
    if (cells.rows.size() == 0 || cells.cols.size() == 0)
        return std::make_unique<Tiles>(*this, nullptr);
    auto whole = m_whole->tiles({ queriesOf(cells.rows), keysOf(groupsFor(cells.cols)) }, run);
    return whole ? std::make_unique<Tiles>(*this, std::move(whole)) : nullptr;
}

} // namespace

MapFieldPtr reducedField(MapFieldPtr weights, std::vector<Range> queries, std::vector<Range> keys, bool renormalizes)
{
    return std::make_shared<ReducedField>(std::move(weights), std::move(queries), std::move(keys), renormalizes);
}

} // namespace attenscope
