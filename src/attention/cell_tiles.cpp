// SPDX-License-Identifier: GPL-3.0-or-later
// Tiles of fields that have none of their own.
#include "attention/cell_tiles.h"

#include "attention/field.h"

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

/// What read() gives, many columns at a time: a row of a file is not to be asked for in pieces of a block.
class ReadRows final : public CellTiles::Rows {
public:
    ReadRows(const MapField &field, const CellRect &cells, const Run &run)
        : m_field(field)
        , m_cells(cells)
        , m_run(run)
    {
    }

    CellTiles::Kinds read(const Range &cols, float *block) override
    {
        if (cols.first < m_known.first || cols.end > m_known.end) {
            m_known = { cols.first, std::min(m_cells.cols.end, cols.first + colsAtOnce) };
            if (!m_field.read({ m_cells.rows, m_known }, 0, m_field.fold(), m_numbers, m_run))
                m_numbers.setConstant(m_cells.rows.size(), m_known.size(), cell::absent<float>());
        }
        const Index width = CellTiles::width();
        const Index rows = m_cells.rows.size();
        kernels().transpose(m_numbers.data() + (cols.first - m_known.first), m_numbers.cols(), rows, cols.size(), block, width);
        for (Index col = 0; col < cols.size(); ++col)
            std::fill(block + col * width + rows, block + (col + 1) * width, 0.0F);
        return CellTiles::kindsOf(block, cols.size());
    }

private:
    static constexpr Index colsAtOnce = 4096;

    const MapField &m_field;
    CellRect m_cells; ///< The rows, and the columns that may be asked for.
    const Run &m_run;
    Range m_known;
    MatrixF m_numbers;
};

class ReadTiles final : public CellTiles {
public:
    ReadTiles(const MapField &field, const Range &cols)
        : m_field(field)
        , m_cols(cols)
    {
    }

    [[nodiscard]] std::unique_ptr<Rows> rows(const Range &rows, const Run &run) const override
    {
        return std::make_unique<ReadRows>(m_field, CellRect{ rows, m_cols }, run);
    }

private:
    const MapField &m_field;
    Range m_cols;
};

} // namespace

CellTiles::Kinds CellTiles::kindsOf(const float *block, Index cols)
{
    return std::isfinite(kernels().largestMagnitude(block, cols * width())) ? Kinds::Numbers : Kinds::Mixed;
}

std::unique_ptr<const CellTiles> MapField::tiles(const CellRect &cells, const Run &) const
{
    return std::make_unique<ReadTiles>(*this, cells.cols);
}

} // namespace attenscope
