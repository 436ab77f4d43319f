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
    template <typename Number>
    void add(std::span<const Number> cells, Index firstKey, const Range &groups)
    {
        for (Index group = groups.first; group < groups.end; ++group) {
            const auto place = static_cast<std::size_t>(group);
            for (Index key = m_keys[place].first; key < m_keys[place].end; ++key) {
                const Number cell = cells[static_cast<std::size_t>(key - firstKey)];
                const cell::Kind kind = cell::kind(cell);
                if (kind == cell::Kind::Masked) {
                    m_kinds[place] = std::max(m_kinds[place], Kind::Masked);
                } else if (kind != cell::Kind::Absent) {
                    m_kinds[place] = Kind::Number;
                    m_sums[place] += static_cast<double>(cell);
                }
            }
        }
        ++m_rows;
    }

    /// The cells @p out.size() from @p firstCol on.
    template <typename Number>
    void finish(Index firstCol, bool renormalizes, std::span<Number> out) const
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
                out[col] = cell::absent<Number>();
                break;
            case Kind::Masked:
                out[col] = cell::masked<Number>();
                break;
            case Kind::Number:
                out[col] = static_cast<Number>(m_sums[place] / divisor);
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
            reduced.add<double>(cells, keys.first, groups);
        }
        reduced.finish(firstCol, m_renormalizes, out);
    }

    bool read(const CellRect &cells, int level, Fold fold, MatrixF &out, const Run &run) const override
    {
        constexpr Index rowsPerTask = 16;
        FoldedMap folded(cells, level, fold, out);
        if (cells.rows.size() <= 0 || cells.cols.size() <= 0)
            return true;
        const Range groups = groupsFor(cells.cols);
        const Range keys = keysOf(groups);
        const bool isFinished = forEachStripe(cells, level, rowsPerTask, run, [&](const Range &stripe) {
            ReducedRow reduced(m_keys);
            std::vector<float> numbers(static_cast<std::size_t>(cells.cols.size()));
            MatrixF whole;
            const Range queries{ m_queries[static_cast<std::size_t>(stripe.first)].first,
                m_queries[static_cast<std::size_t>(stripe.end - 1)].end };
            if (!m_whole->read({ queries, keys }, 0, fold, whole, run))
                return;
            for (Index row = stripe.first; row < stripe.end; ++row) {
                reduced.clear();
                const Range &own = m_queries[static_cast<std::size_t>(row)];
                for (Index query = own.first; query < own.end; ++query)
                    reduced.add<float>({ whole.data() + (query - queries.first) * whole.cols(), static_cast<std::size_t>(whole.cols()) },
                        keys.first, groups);
                reduced.finish<float>(cells.cols.first, m_renormalizes, numbers);
                folded.add(row, cells.cols.first, numbers);
            }
        });
        folded.finish();
        return isFinished;
    }

private:
    /// The cells that have to be known for @p cols: all where rows are divided by their sum.
    [[nodiscard]] Range groupsFor(const Range &cols) const { return m_renormalizes ? Range{ 0, this->cols() } : cols; }
    [[nodiscard]] Range keysOf(const Range &groups) const
    {
        return { m_keys[static_cast<std::size_t>(groups.first)].first, m_keys[static_cast<std::size_t>(groups.end - 1)].end };
    }

    MapFieldPtr m_whole;
    std::vector<Range> m_queries;
    std::vector<Range> m_keys;
    bool m_renormalizes;
};

} // namespace

MapFieldPtr reducedField(MapFieldPtr weights, std::vector<Range> queries, std::vector<Range> keys, bool renormalizes)
{
    return std::make_shared<ReducedField>(std::move(weights), std::move(queries), std::move(keys), renormalizes);
}

} // namespace attenscope
