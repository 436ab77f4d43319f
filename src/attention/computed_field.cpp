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
#include <limits>
#include <mutex>

namespace attenscope {

namespace {

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
        constexpr Index mostProducts = Index{ 1 } << 20;
        return rows() * m_operands->scoreK.rows() <= mostProducts / std::max<Index>(m_operands->scoreK.cols(), 1);
    }

    void row(Index row, Index firstCol, std::span<double> out) const override;
    bool read(const CellRect &cells, int level, Fold fold, MatrixF &out, const Run &run) const override;

private:
    [[nodiscard]] const std::vector<double> &norms() const;
    void readBlock(const Range &rows, const CellRect &cells, const ScoreBlocks &scores, const VectorF &logSumExp, const Run &run,
        FoldedMap &folded) const;
    void finishCells(Index key, float logSumExp, std::span<float> cells) const;
    void readExactly(const Range &rows, const Range &cols, FoldedMap &folded) const;

    std::shared_ptr<const HeadOperands> m_operands;
    Stage m_stage;
    VectorF m_logSumExp;
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
    if (m_stage != Stage::ValueWeighted)
        return explainRow(*m_operands, m_stage, row, firstCol, out);
    explainRow(*m_operands, Stage::Weights, row, firstCol, out);
    const double *norm = norms().data() + firstCol;
    for (double &cell : out) {
        // Multiplying would lose what kind of NaN a masked cell is.
        if (cell::kind(cell) != cell::Kind::Masked)
            cell *= *norm;
        ++norm;
    }
}

bool ComputedField::read(const CellRect &cells, int level, Fold fold, MatrixF &out, const Run &run) const
{
    if (m_stage == Stage::Output)
        return MapField::read(cells, level, fold, out, run);
    VectorF logSumExp;
    if (m_stage >= Stage::Weights && m_logSumExp.size() > 0) {
        logSumExp = m_logSumExp.segment(cells.rows.first, cells.rows.size());
    } else if (m_stage >= Stage::Weights) {
        Result<StreamResult> normalizers = streamRows(*m_operands, cells.rows, { false, 0, false }, { run.stop, {} });
        // Without the memory for it there is still the exact way.
        if (!normalizers)
            return !run.stopped() && MapField::read(cells, level, fold, out, run);
        logSumExp = std::move(normalizers.value().logSumExp);
    }
    const ScoreBlocks scores(*m_operands, cells.cols, std::min(m_stage, Stage::Tempered));
    FoldedMap folded(cells, level, fold, out);
    const bool isFinished = forEachStripe(
        cells, level, scores.width(), run, [&](const Range &stripe) { readBlock(stripe, cells, scores, logSumExp, run, folded); });
    folded.finish();
    return isFinished;
}

void ComputedField::readBlock(
    const Range &rows, const CellRect &cells, const ScoreBlocks &scores, const VectorF &logSumExp, const Run &run, FoldedMap &folded) const
{
    ScoreBlocks::Tile queries;
    scores.pack(rows, queries);
    // Above this a float keeps too little of the difference to the score.
    constexpr float mostLogSumExp = 1024.0F;
    const Index slot = rows.first - cells.rows.first;
    const bool isFar = logSumExp.size() > 0
        && (logSumExp.segment(slot, rows.size()).array().isFinite() && logSumExp.segment(slot, rows.size()).array().abs() > mostLogSumExp)
               .any();
    if (isFar || scores.mayOverflow(queries))
        return readExactly(rows, cells.cols, folded);
    const VisibleRows visible(m_operands->mask, rows);
    MatrixF tile(scores.keyBlock(), scores.width());
    MatrixF block(scores.width(), scores.keyBlock());
    for (Index first = cells.cols.first; first < cells.cols.end && !run.stopped(); first += scores.keyBlock()) {
        const Range keys{ first, std::min(cells.cols.end, first + scores.keyBlock()) };
        const auto share = m_stage < Stage::Masked ? VisibleRows::Share::All : visible.share(keys);
        if (share != VisibleRows::Share::None) {
            scores.compute(queries, keys, scores.vectorsOf(rows.size()), tile.data());
            block.topLeftCorner(rows.size(), keys.size()) = tile.topLeftCorner(keys.size(), rows.size()).transpose();
        }
        for (Index place = 0; place < rows.size(); ++place) {
            float *row = block.data() + place * block.cols();
            const std::span<float> part(row, static_cast<std::size_t>(keys.size()));
            if (m_stage >= Stage::Weights && share != VisibleRows::Share::None)
                finishCells(keys.first, logSumExp(slot + place), part);
            if (share != VisibleRows::Share::All)
                visible.forEachHidden(place, keys,
                    [&](Index from, Index end) { std::fill(row + (from - first), row + (end - first), cell::masked<float>()); });
            folded.add(rows.first + place, keys.first, part);
        }
    }
}

/// Masked scores of one row become weights, and weights times norms.
void ComputedField::finishCells(Index key, float logSumExp, std::span<float> cells) const
{
    constexpr float infinity = std::numeric_limits<float>::infinity();
    constexpr float leastExponent = -87.0F;
    Eigen::Map<Eigen::ArrayXf> values(cells.data(), static_cast<Index>(cells.size()));
    if (!(logSumExp > -infinity)) {
        values = std::isnan(logSumExp) ? logSumExp : 0.0F;
    } else {
        values -= logSumExp;
        // exp() first: inside a selection it is not vectorised.
        const Eigen::ArrayXf terms = values.exp();
        values = (values < leastExponent).select(0.0F, terms).eval();
    }
    if (m_stage != Stage::ValueWeighted)
        return;
    for (float &value : cells)
        value *= static_cast<float>(norms()[static_cast<std::size_t>(key++)]);
}

void ComputedField::readExactly(const Range &rows, const Range &cols, FoldedMap &folded) const
{
    std::vector<double> exact(static_cast<std::size_t>(cols.size()));
    std::vector<float> colors(exact.size());
    for (Index place = rows.first; place < rows.end; ++place) {
        row(place, cols.first, exact);
        std::transform(exact.begin(), exact.end(), colors.begin(), &cell::toFloat);
        folded.add(place, cols.first, colors);
    }
}

} // namespace

MapFieldPtr computedField(std::shared_ptr<const HeadOperands> operands, Stage stage, VectorF logSumExp)
{
    return std::make_shared<ComputedField>(std::move(operands), stage, std::move(logSumExp));
}

} // namespace attenscope
