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
    return cell::isHidden(cell) ? Number{ 0 } : cell;
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
    return cell::isHidden(first) && cell::isHidden(second) ? hiddenOf(first, second) : countsAs(first) - countsAs(second);
}

template <typename Number>
Number sum(Number first, Number second)
{
    return cell::isHidden(first) && cell::isHidden(second) ? hiddenOf(first, second) : countsAs(first) + countsAs(second);
}

template <typename Number>
Number maximum(Number first, Number second)
{
    if (cell::isHidden(first) || cell::isHidden(second))
        return !cell::isHidden(first) ? first : !cell::isHidden(second) ? second : hiddenOf(first, second);
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

    [[nodiscard]] std::unique_ptr<const CellTiles> tiles(const CellRect &cells, const Run &run) const override;
    bool read(const CellRect &cells, int level, Fold fold, MatrixF &out, const Run &run) const override
    {
        const auto combined = tiles(cells, run);
        if (!combined)
            return !run.stopped() && MapField::read(cells, level, fold, out, run);
        return foldTiles(*combined, cells, level, fold, out, run);
    }

protected:
    [[nodiscard]] std::size_t partCount() const { return m_parts.size(); }
    virtual void combine(std::span<double> cells, std::span<const double> others) const = 0;
    virtual void combine(std::span<float> cells, std::span<const float> others) const = 0;
    /// Where all cells are numbers; hidden ones are 0, unless hiddenIsLeast().
    using Numbers = Eigen::Map<Eigen::ArrayXf>;
    virtual void combineNumbers(Numbers &cells, const Numbers &others) const = 0;
    /// A hidden cell beside a number does not count, not even as 0.
    [[nodiscard]] virtual bool hiddenIsLeast() const { return false; }
    /// After all parts.
    virtual void finish(std::span<double>) const { }
    virtual void finish(std::span<float>) const { }
    virtual void finishNumbers(Numbers &) const { }

private:
    class Tiles;
    class TileRows;

    std::vector<MapFieldPtr> m_parts;
};

/// The same tile of every part.
class CombinedField::TileRows final : public CellTiles::Rows {
public:
    TileRows(const CombinedField &field, std::vector<std::unique_ptr<CellTiles::Rows>> parts)
        : m_field(field)
        , m_parts(std::move(parts))
        , m_other(CellTiles::blockSize())
    {
    }

    CellTiles::Kinds read(const Range &cols, float *block) override
    {
        const auto count = cols.size() * CellTiles::width();
        Numbers cells(block, count);
        Numbers others(m_other.data(), count);
        Kinds kinds = m_parts.front()->read(cols, block);
        for (std::size_t part = 1; part < m_parts.size(); ++part)
            kinds = add(kinds, cells, m_parts[part]->read(cols, m_other.data()), others);
        if (kinds == Kinds::Numbers) {
            m_field.finishNumbers(cells);
            // Two numbers may be too large together.
            return CellTiles::kindsOf(block, cols.size());
        }
        if (kinds == Kinds::Mixed)
            m_field.finish(std::span(block, static_cast<std::size_t>(count)));
        return kinds;
    }

private:
    using Kinds = CellTiles::Kinds;

    Kinds add(Kinds first, Numbers &cells, Kinds second, Numbers &others) const
    {
        if (first == Kinds::Hidden && second == Kinds::Hidden)
            return Kinds::Hidden;
        if (first != Kinds::Mixed && second != Kinds::Mixed) {
            if (m_field.hiddenIsLeast() && first != second) {
                if (first == Kinds::Hidden)
                    cells = others;
                return Kinds::Numbers;
            }
            if (first == Kinds::Hidden)
                cells.setZero();
            if (second == Kinds::Hidden)
                others.setZero();
            m_field.combineNumbers(cells, others);
            return Kinds::Numbers;
        }
        if (first == Kinds::Hidden)
            std::fill_n(cells.data(), cells.size(), cell::masked<float>());
        if (second == Kinds::Hidden)
            std::fill_n(others.data(), others.size(), cell::masked<float>());
        const auto count = static_cast<std::size_t>(cells.size());
        m_field.combine(std::span(cells.data(), count), std::span<const float>(others.data(), count));
        return Kinds::Mixed;
    }

    const CombinedField &m_field;
    std::vector<std::unique_ptr<CellTiles::Rows>> m_parts;
    std::vector<float> m_other;
};

class CombinedField::Tiles final : public CellTiles {
public:
    Tiles(const CombinedField &field, std::vector<std::unique_ptr<const CellTiles>> parts)
        : m_field(field)
        , m_parts(std::move(parts))
    {
    }

    [[nodiscard]] std::unique_ptr<Rows> rows(const Range &rows, const Run &run) const override
    {
        std::vector<std::unique_ptr<Rows>> own;
        for (const auto &part : m_parts) {
            own.push_back(part->rows(rows, run));
            if (!own.back())
                return nullptr;
        }
        return std::make_unique<TileRows>(m_field, std::move(own));
    }

private:
    const CombinedField &m_field;
    std::vector<std::unique_ptr<const CellTiles>> m_parts;
};

std::unique_ptr<const CellTiles> CombinedField::tiles(const CellRect &cells, const Run &run) const
{
    std::vector<std::unique_ptr<const CellTiles>> parts;
    for (const MapFieldPtr &part : m_parts) {
        parts.push_back(part->tiles(cells, run));
        if (!parts.back())
            return nullptr;
    }
    return std::make_unique<Tiles>(*this, std::move(parts));
}

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
    void combineNumbers(Numbers &cells, const Numbers &others) const override { cells -= others; }
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
    void combineNumbers(Numbers &cells, const Numbers &others) const override { cells = cells.max(others); }
    [[nodiscard]] bool hiddenIsLeast() const override { return true; }
};

class MeanField final : public CombinedField {
public:
    using CombinedField::CombinedField;

private:
    template <typename Number>
    void divide(std::span<Number> cells) const
    {
        for (Number &cell : cells)
            if (!cell::isHidden(cell))
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
    void combineNumbers(Numbers &cells, const Numbers &others) const override { cells += others; }
    void finish(std::span<double> cells) const override { divide(cells); }
    void finish(std::span<float> cells) const override { divide(cells); }
    void finishNumbers(Numbers &cells) const override { cells /= static_cast<float>(partCount()); }
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
