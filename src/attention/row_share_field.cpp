// SPDX-License-Identifier: GPL-3.0-or-later
// Weights as shares of the largest of their row, for colours under a sink.
#include "attention/row_share_field.h"

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>

namespace attenscope {

namespace {

template <typename Number>
Number largestOf(std::span<const Number> cells)
{
    Number largest{ 0 };
    for (const Number cell : cells)
        // False for whatever is no number.
        if (cell > largest)
            largest = cell;
    return largest;
}

template <typename Number>
void divide(std::span<Number> cells, Number largest)
{
    if (!(largest > Number{ 0 }) || largest == std::numeric_limits<Number>::infinity())
        return;
    for (Number &cell : cells)
        // Dividing a NaN may lose the bits that say that it is masked.
        if (cell::kind(cell) == cell::Kind::Number)
            cell /= largest;
}

class RowShareField final : public MapField {
public:
    explicit RowShareField(MapFieldPtr weights)
        : m_weights(std::move(weights))
    {
    }

    [[nodiscard]] Index rows() const override { return m_weights->rows(); }
    [[nodiscard]] Index cols() const override { return m_weights->cols(); }
    [[nodiscard]] Columns columns() const override { return m_weights->columns(); }
    [[nodiscard]] Fold fold() const override { return m_weights->fold(); }
    [[nodiscard]] bool isAtHand() const override { return m_weights->isAtHand(); }

    void row(Index row, Index firstCol, std::span<double> out) const override
    {
        std::vector<double> all(static_cast<std::size_t>(cols()));
        m_weights->row(row, 0, all);
        std::copy_n(all.begin() + firstCol, out.size(), out.begin());
        divide(out, largestOf(std::span<const double>(all)));
    }

    bool read(const CellRect &cells, int level, Fold fold, MatrixF &out, const Run &run) const override
    {
        std::vector<float> largest;
        if (!findLargest(cells.rows, level, largest, run) || !m_weights->read(cells, level, fold, out, run))
            return false;
        for (Index row = 0; row < out.rows(); ++row)
            divide(std::span(out.data() + row * out.cols(), static_cast<std::size_t>(out.cols())), largest[static_cast<std::size_t>(row)]);
        return true;
    }

private:
    /// The largest cell of each folded row, over all columns; remembered, since tiles beside each other ask for the same rows.
    bool findLargest(const Range &rows, int level, std::vector<float> &largest, const Run &run) const
    {
        const std::pair key(level, std::pair(rows.first, rows.end));
        {
            const std::lock_guard lock(m_mutex);
            if (const auto known = m_largest.find(key); known != m_largest.end()) {
                largest = known->second;
                return true;
            }
        }
        // In bands of columns, so that memory does not grow with the keys.
        constexpr Index bandCells = Index(1) << 20;
        const Index perBand = (std::max<Index>(bandCells / std::max<Index>(rows.size(), 1), 1) >> level << level) + (Index(1) << level);
        const Index folded = (rows.size() + (Index(1) << level) - 1) >> level;
        largest.assign(static_cast<std::size_t>(folded), 0.0F);
        MatrixF band;
        for (Index first = 0; first < cols(); first += perBand) {
            if (!m_weights->read({ rows, { first, std::min(first + perBand, cols()) } }, level, Fold::Max, band, run))
                return false;
            for (Index row = 0; row < band.rows(); ++row) {
                float &known = largest[static_cast<std::size_t>(row)];
                known = std::max(
                    known, largestOf(std::span<const float>(band.data() + row * band.cols(), static_cast<std::size_t>(band.cols()))));
            }
        }
        const std::lock_guard lock(m_mutex);
        m_largest[key] = largest;
        return true;
    }

    MapFieldPtr m_weights;
    mutable std::mutex m_mutex;
    mutable std::map<std::pair<int, std::pair<Index, Index>>, std::vector<float>> m_largest; ///< By level and rows.
};

} // namespace

MapFieldPtr rowShareField(MapFieldPtr weights)
{
    return std::make_shared<RowShareField>(std::move(weights));
}

} // namespace attenscope
