// SPDX-License-Identifier: GPL-3.0-or-later
// A stage of a computed head: exact rows in double, colours from blocks in single precision.
#include "attention/field.h"

#include "attention/fold.h"
#include "attention/row_kernel.h"
#include "attention/score_blocks.h"
#include "attention/stream.h"
#include "attention/visible_rows.h"
#include "core/parallel.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <mutex>
#include <numbers>
#include <unordered_map>

namespace attenscope {

namespace {

/// What the weights of rows are divided by, for the rows that were read last.
class Normalizers {
public:
    [[nodiscard]] std::optional<RowKernel::Exponentials> find(Index row) const
    {
        const std::lock_guard lock(m_mutex);
        const auto known = m_rows.find(row);
        return known == m_rows.end() ? std::nullopt : std::optional(known->second);
    }
    void insert(Index row, const RowKernel::Exponentials &found)
    {
        constexpr std::size_t most = 4096;
        const std::lock_guard lock(m_mutex);
        if (m_rows.size() >= most)
            m_rows.clear();
        m_rows.emplace(row, found);
    }

private:
    mutable std::mutex m_mutex;
    std::unordered_map<Index, RowKernel::Exponentials> m_rows;
};

class ComputedField final : public MapField {
public:
    ComputedField(std::shared_ptr<const HeadOperands> operands, Stage stage, VectorF logSumExp)
        : m_operands(std::move(operands))
        , m_stage(stage)
        , m_logSumExp(std::move(logSumExp))
    {
    }

    [[nodiscard]] Index rows() const override { return m_operands->scoreQ.rows(); }
    [[nodiscard]] Index cols() const override { return m_stage == Stage::Output ? m_operands->v.cols() : m_operands->scoreK.rows(); }
    [[nodiscard]] Columns columns() const override { return m_stage == Stage::Output ? Columns::Dimensions : Columns::Keys; }
    [[nodiscard]] bool isAtHand() const override
    {
        constexpr Index mostProducts = Index{ 1 } << 21;
        return rows() * m_operands->scoreK.rows() <= mostProducts / std::max<Index>(m_operands->scoreK.cols(), 1);
    }

    void row(Index row, Index firstCol, std::span<double> out) const override;
    bool read(const CellRect &cells, int level, Fold fold, MatrixF &out, const Run &run) const override;

    [[nodiscard]] std::unique_ptr<const CellTiles> tiles(const CellRect &cells, const Run &run) const override;

private:
    class Tiles;
    class TileRows;

    [[nodiscard]] const std::vector<double> &norms() const;
    void readWeights(Index row, Index firstCol, std::span<double> out) const;

    std::shared_ptr<const HeadOperands> m_operands;
    Stage m_stage;
    VectorF m_logSumExp;
    mutable Normalizers m_normalizers;
    mutable std::once_flag m_hasNorms;
    mutable std::vector<double> m_norms;
};

const std::vector<double> &ComputedField::norms() const
{
    std::call_once(m_hasNorms, [this] {
        constexpr Index keysPerTask = 256;
        const Index keys = cols();
        m_norms.resize(static_cast<std::size_t>(keys));
        parallelFor((keys + keysPerTask - 1) / keysPerTask, [&](Index task) {
            const Index first = task * keysPerTask;
            valueNorms(*m_operands, first,
                std::span(m_norms).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(std::min(keysPerTask, keys - first))));
        });
    });
    return m_norms;
}

void ComputedField::row(Index row, Index firstCol, std::span<double> out) const
{
    if (m_stage != Stage::Weights && m_stage != Stage::ValueWeighted)
        return explainRow(*m_operands, m_stage, row, firstCol, out);
    readWeights(row, firstCol, out);
    if (m_stage == Stage::Weights)
        return;
    const double *norm = norms().data() + firstCol;
    for (double &cell : out) {
        // Multiplying would lose what kind of NaN a masked cell is.
        if (cell::kind(cell) != cell::Kind::Masked)
            cell *= *norm;
        ++norm;
    }
}

/// explainRow(), but a row that was read before needs no more than the keys that are asked for.
void ComputedField::readWeights(Index row, Index firstCol, std::span<double> out) const
{
    RowKernel kernel(*m_operands);
    kernel.start(row);
    if (const std::optional<RowKernel::Exponentials> known = m_normalizers.find(row)) {
        kernel.weights(*known, firstCol, out);
    } else {
        std::vector<double> cells(static_cast<std::size_t>(cols()));
        for (const Range &keys : kernel.visible())
            kernel.compute(Stage::Tempered, keys.first,
                std::span(cells).subspan(static_cast<std::size_t>(keys.first), static_cast<std::size_t>(keys.size())));
        const RowKernel::Exponentials found = kernel.exponentials(cells);
        m_normalizers.insert(row, found);
        kernel.normalize(found, cells);
        std::copy_n(cells.begin() + firstCol, out.size(), out.begin());
    }
    kernel.forEachHidden({ firstCol, firstCol + static_cast<Index>(out.size()) }, [&](Index first, Index end) {
        std::fill(out.begin() + (first - firstCol), out.begin() + (end - firstCol), cell::masked<double>());
    });
}

/// What all tiles of a rectangle share.
class ComputedField::Tiles final : public CellTiles {
public:
    Tiles(const ComputedField &field, const CellRect &cells, VectorF logSumExp, const Run &run)
        : m_field(field)
        , m_cells(cells)
        , m_logSumExp(std::move(logSumExp))
        , m_scores(*field.m_operands, cells.cols, std::min(field.m_stage, Stage::Tempered), hasWeights() ? std::numbers::log2e : 1.0, run)
    {
        if (field.m_stage != Stage::ValueWeighted)
            return;
        const auto first = field.norms().begin();
        std::transform(first + cells.cols.first, first + cells.cols.end, std::back_inserter(m_norms), &cell::toFloat);
        m_areNormsFinite = std::isfinite(kernels().largestMagnitude(m_norms.data(), static_cast<Index>(m_norms.size())));
    }

    [[nodiscard]] std::unique_ptr<Rows> rows(const Range &rows, const Run &run) const override;

private:
    friend TileRows;
    [[nodiscard]] bool hasWeights() const { return m_field.m_stage >= Stage::Weights; }

    const ComputedField &m_field;
    CellRect m_cells;
    VectorF m_logSumExp; ///< Of the rows; empty before the weights.
    ScoreBlocks m_scores; ///< For weights in base 2: the processor's own power.
    std::vector<float> m_norms; ///< Of the keys, where they are needed.
    bool m_areNormsFinite = true;
};

class ComputedField::TileRows final : public CellTiles::Rows {
public:
    TileRows(const Tiles &tiles, const Range &rows, const Run &run);
    CellTiles::Kinds read(const Range &cols, float *block) override;

private:
    void makeWeights(const Range &cols, float *block) const;
    CellTiles::Kinds readExactly(const Range &cols, float *block);

    const Tiles &m_tiles;
    const Run &m_run;
    Range m_rows;
    ScoreBlocks::Tile m_queries;
    VisibleRows m_visible;
    RunningSoftmax::Lanes m_reference; ///< Log-sum-exp of each place; of a row without weight so large that all powers are 0.
    std::vector<Index> m_nanPlaces; ///< Rows that are NaN where they see something.
    bool m_areNumbers = true; ///< No cell that can be seen is anything else.
    bool m_isExact = false; ///< Float cannot compute these rows.
    MatrixF m_exact; ///< Then all of their cells, once they are asked for.
};

ComputedField::TileRows::TileRows(const Tiles &tiles, const Range &rows, const Run &run)
    : m_tiles(tiles)
    , m_run(run)
    , m_rows(rows)
    , m_visible(tiles.m_field.m_operands->mask, rows)
{
    // Above this a float keeps too little of the difference to the score.
    constexpr float mostLogSumExp = 1024.0F;
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const ScoreBlocks &scores = tiles.m_scores;
    scores.pack(rows, m_queries);
    m_isExact = scores.mayOverflow(m_queries);
    const bool isLog = tiles.m_field.m_operands->spec.score == ScoreFunction::Linear;
    // The logarithm of 0 is -inf, whose weight is a number again.
    m_areNumbers = scores.areNumbers(m_queries) && tiles.m_areNormsFinite && (tiles.hasWeights() || !isLog);
    m_reference.fill(-RunningSoftmax::none);
    if (!tiles.hasWeights())
        return;
    for (Index place = 0; place < rows.size(); ++place) {
        const float own = tiles.m_logSumExp(rows.first + place - tiles.m_cells.rows.first);
        if (std::isnan(own) || own == infinity)
            m_nanPlaces.push_back(place);
        else if (std::abs(own) > mostLogSumExp)
            m_isExact = m_isExact || own > -infinity;
        else
            m_reference[static_cast<std::size_t>(place)] = static_cast<float>(own * std::numbers::log2e);
    }
    m_areNumbers = m_areNumbers && m_nanPlaces.empty();
}

CellTiles::Kinds ComputedField::TileRows::read(const Range &cols, float *block)
{
    using Share = VisibleRows::Share;
    const Share share = m_tiles.m_field.m_stage < Stage::Masked ? Share::All : m_visible.share(cols);
    if (share == Share::None)
        return CellTiles::Kinds::Hidden;
    if (m_isExact)
        return readExactly(cols, block);
    const ScoreBlocks &scores = m_tiles.m_scores;
    scores.compute(m_queries, cols, scores.vectorsOf(m_rows.size()), block);
    if (m_tiles.hasWeights())
        makeWeights(cols, block);
    if (share == Share::All && m_areNumbers)
        return CellTiles::Kinds::Numbers;
    const Index width = CellTiles::width();
    for (const Index place : m_nanPlaces)
        for (Index col = 0; col < cols.size(); ++col)
            block[col * width + place] = std::numeric_limits<float>::quiet_NaN();
    for (Index place = 0; share != Share::All && place < m_rows.size(); ++place)
        m_visible.forEachHidden(place, cols, [&](Index first, Index end) {
            for (Index col = first; col < end; ++col)
                block[(col - cols.first) * width + place] = cell::masked<float>();
        });
    return CellTiles::Kinds::Mixed;
}

/// Of scores, and of weights those times norms.
void ComputedField::TileRows::makeWeights(const Range &cols, float *block) const
{
    static constexpr RunningSoftmax::Lanes one = [] {
        RunningSoftmax::Lanes lanes{};
        lanes.fill(1.0F);
        return lanes;
    }();
    kernels().weights(block, cols.size(), m_reference.data(), one.data());
    if (m_tiles.m_norms.empty())
        return;
    const float *norm = m_tiles.m_norms.data() + (cols.first - m_tiles.m_cells.cols.first);
    for (Index col = 0; col < cols.size(); ++col)
        Eigen::Map<Eigen::ArrayXf>(block + col * CellTiles::width(), CellTiles::width()) *= norm[col];
}

CellTiles::Kinds ComputedField::TileRows::readExactly(const Range &cols, float *block)
{
    const Range &all = m_tiles.m_cells.cols;
    if (m_exact.size() == 0) {
        m_exact.setZero(m_rows.size(), all.size());
        std::vector<double> row(static_cast<std::size_t>(all.size()));
        for (Index place = 0; place < m_rows.size() && !m_run.stopped(); ++place) {
            m_tiles.m_field.row(m_rows.first + place, all.first, row);
            std::transform(row.begin(), row.end(), m_exact.data() + place * all.size(), &cell::toFloat);
        }
    }
    kernels().transpose(m_exact.data() + (cols.first - all.first), all.size(), m_rows.size(), cols.size(), block, CellTiles::width());
    return CellTiles::Kinds::Mixed;
}

std::unique_ptr<CellTiles::Rows> ComputedField::Tiles::rows(const Range &rows, const Run &run) const
{
    return std::make_unique<TileRows>(*this, rows, run);
}

std::unique_ptr<const CellTiles> ComputedField::tiles(const CellRect &cells, const Run &run) const
{
    if (m_stage == Stage::Output)
        return MapField::tiles(cells, run);
    VectorF logSumExp;
    if (m_stage >= Stage::Weights && m_logSumExp.size() > 0) {
        logSumExp = m_logSumExp.segment(cells.rows.first, cells.rows.size());
    } else if (m_stage >= Stage::Weights) {
        Result<StreamResult> normalizers = streamRows(*m_operands, cells.rows, { false, 0, false }, { run.stop, {} });
        if (!normalizers)
            return nullptr;
        logSumExp = std::move(normalizers.value().logSumExp);
    }
    return std::make_unique<Tiles>(*this, cells, std::move(logSumExp), run);
}

bool ComputedField::read(const CellRect &cells, int level, Fold fold, MatrixF &out, const Run &run) const
{
    if (m_stage == Stage::Output)
        return MapField::read(cells, level, fold, out, run);
    const auto cellTiles = tiles(cells, run);
    // Without the memory for it there is still the exact way.
    if (!cellTiles)
        return !run.stopped() && MapField::read(cells, level, fold, out, run);
    return foldTiles(*cellTiles, cells, level, fold, out, run);
}

} // namespace

MapFieldPtr computedField(std::shared_ptr<const HeadOperands> operands, Stage stage, VectorF logSumExp)
{
    return std::make_shared<ComputedField>(std::move(operands), stage, std::move(logSumExp));
}

} // namespace attenscope
