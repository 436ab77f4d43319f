// SPDX-License-Identifier: GPL-3.0-or-later
// Fields made of others: a difference, a mean or maximum over heads. Cells are combined before they are folded.
#include "attention/field.h"

#include "attention/fold.h"

#include <algorithm>
#include <numeric>

namespace attenscope {

namespace {

/// What a cell counts as beside a number: masked and absent as 0, NaN as NaN.
template <typename Number>
Number countsAs(Number cell)
{
    const cell::Kind kind = cell::kind(cell);
    return kind == cell::Kind::Masked || kind == cell::Kind::Absent ? Number{ 0 } : cell;
}

template <typename Number>
bool isHidden(Number cell)
{
    const cell::Kind kind = cell::kind(cell);
    return kind == cell::Kind::Masked || kind == cell::Kind::Absent;
}

/// Of cells that are all masked or absent.
template <typename Number>
Number hiddenOf(Number a, Number b)
{
    return cell::kind(a) == cell::Kind::Masked ? a : b;
}

template <typename Number>
Number difference(Number first, Number second)
{
    return isHidden(first) && isHidden(second) ? hiddenOf(first, second) : countsAs(first) - countsAs(second);
}

template <typename Number>
Number sum(Number first, Number second)
{
    return isHidden(first) && isHidden(second) ? hiddenOf(first, second) : countsAs(first) + countsAs(second);
}

template <typename Number>
Number maximum(Number first, Number second)
{
    if (isHidden(first) || isHidden(second))
        return !isHidden(first) ? first : !isHidden(second) ? second : hiddenOf(first, second);
    return std::isnan(first) || second < first ? first : second;
}

/// Fields of one size, combined cell by cell.
class CombinedField : public MapField {
public:
    explicit CombinedField(std::vector<MapFieldPtr> parts)
        : m_parts(std::move(parts))
    {
    }
    [[nodiscard]] Index rows() const override { return m_parts.front()->rows(); }
    [[nodiscard]] Index cols() const override { return m_parts.front()->cols(); }
    [[nodiscard]] Columns columns() const override { return m_parts.front()->columns(); }
    [[nodiscard]] bool isAtHand() const override
    {
        constexpr Index mostCells = Index{ 1 } << 22;
        return rows() <= mostCells / std::max<Index>(cols() * static_cast<Index>(m_parts.size()), 1)
            && std::all_of(m_parts.begin(), m_parts.end(), [](const MapFieldPtr &part) { return part->isAtHand(); });
    }

    void row(Index row, Index firstCol, std::span<double> out) const override
    {
        m_parts.front()->row(row, firstCol, out);
        std::vector<double> other(out.size());
        for (std::size_t part = 1; part < m_parts.size(); ++part) {
            m_parts[part]->row(row, firstCol, other);
            combine(out, other);
        }
        finish(out);
    }

    bool read(const CellRect &cells, int level, Fold fold, MatrixF &out, const Run &run) const override
    {
        constexpr Index rowsPerTask = 64;
        constexpr Index colsAtOnce = 4096;
        FoldedMap folded(cells, level, fold, out);
        const bool isFinished = forEachStripe(cells, level, rowsPerTask, run, [&](const Range &stripe) {
            MatrixF combined;
            MatrixF other;
            for (Index first = cells.cols.first; first < cells.cols.end; first += colsAtOnce) {
                const CellRect piece{ stripe, { first, std::min(cells.cols.end, first + colsAtOnce) } };
                if (!m_parts.front()->read(piece, 0, fold, combined, run))
                    return;
                const std::span<float> numbers(combined.data(), static_cast<std::size_t>(combined.size()));
                for (std::size_t part = 1; part < m_parts.size(); ++part) {
                    if (!m_parts[part]->read(piece, 0, fold, other, run))
                        return;
                    combine(numbers, { other.data(), static_cast<std::size_t>(other.size()) });
                }
                finish(numbers);
                for (Index row = 0; row < combined.rows(); ++row)
                    folded.add(
                        stripe.first + row, first, { combined.data() + row * combined.cols(), static_cast<std::size_t>(combined.cols()) });
            }
        });
        folded.finish();
        return isFinished;
    }

protected:
    [[nodiscard]] std::size_t partCount() const { return m_parts.size(); }
    virtual void combine(std::span<double> cells, std::span<const double> others) const = 0;
    virtual void combine(std::span<float> cells, std::span<const float> others) const = 0;
    /// After all parts.
    virtual void finish(std::span<double>) const { }
    virtual void finish(std::span<float>) const { }

private:
    std::vector<MapFieldPtr> m_parts;
};

class DifferenceField final : public CombinedField {
public:
    using CombinedField::CombinedField;
    [[nodiscard]] Fold fold() const override { return Fold::MaxMagnitude; }

private:
    void combine(std::span<double> cells, std::span<const double> others) const override
    {
        std::transform(cells.begin(), cells.end(), others.begin(), cells.begin(), &difference<double>);
    }
    void combine(std::span<float> cells, std::span<const float> others) const override
    {
        std::transform(cells.begin(), cells.end(), others.begin(), cells.begin(), &difference<float>);
    }
};

class MaximumField final : public CombinedField {
public:
    using CombinedField::CombinedField;

private:
    void combine(std::span<double> cells, std::span<const double> others) const override
    {
        std::transform(cells.begin(), cells.end(), others.begin(), cells.begin(), &maximum<double>);
    }
    void combine(std::span<float> cells, std::span<const float> others) const override
    {
        std::transform(cells.begin(), cells.end(), others.begin(), cells.begin(), &maximum<float>);
    }
};

class MeanField final : public CombinedField {
public:
    using CombinedField::CombinedField;

private:
    template <typename Number>
    void divide(std::span<Number> cells) const
    {
        for (Number &cell : cells)
            if (!isHidden(cell))
                cell /= static_cast<Number>(partCount());
    }
    void combine(std::span<double> cells, std::span<const double> others) const override
    {
        std::transform(cells.begin(), cells.end(), others.begin(), cells.begin(), &sum<double>);
    }
    void combine(std::span<float> cells, std::span<const float> others) const override
    {
        std::transform(cells.begin(), cells.end(), others.begin(), cells.begin(), &sum<float>);
    }
    void finish(std::span<double> cells) const override { divide(cells); }
    void finish(std::span<float> cells) const override { divide(cells); }
};

} // namespace

MapFieldPtr differenceField(MapFieldPtr first, MapFieldPtr second)
{
    return std::make_shared<DifferenceField>(std::vector{ std::move(first), std::move(second) });
}

MapFieldPtr headsField(std::vector<MapFieldPtr> heads, HeadsCombination combination)
{
    if (combination == HeadsCombination::Max)
        return std::make_shared<MaximumField>(std::move(heads));
    return std::make_shared<MeanField>(std::move(heads));
}

} // namespace attenscope
