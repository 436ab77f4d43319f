// SPDX-License-Identifier: GPL-3.0-or-later
// What all fields share, fields of numbers at hand, and the field of a head.
#include "attention/field.h"

#include "attention/fold.h"
#include "attention/row_kernel.h"

#include <algorithm>
#include <bit>

namespace attenscope {

namespace {

bool isComputedStage(bool hasValues, const AttentionSpec &spec, Stage stage)
{
    return stage >= Stage::ValueWeighted ? hasValues : hasStep(spec, stage);
}

class MatrixField final : public MapField {
public:
    MatrixField(Matrix cells, Columns columns)
        : m_cells(std::move(cells))
        , m_columns(columns)
    {
    }
    [[nodiscard]] Index rows() const override { return m_cells.rows(); }
    [[nodiscard]] Index cols() const override { return m_cells.cols(); }
    [[nodiscard]] Columns columns() const override { return m_columns; }
    void row(Index row, Index firstCol, std::span<double> out) const override
    {
        std::copy_n(m_cells.data() + row * m_cells.cols() + firstCol, out.size(), out.begin());
    }
    [[nodiscard]] bool isAtHand() const override { return true; }

private:
    Matrix m_cells;
    Columns m_columns;
};

class PreparedField final : public MapField {
public:
    PreparedField(MapFieldPtr exact, std::shared_ptr<const MatrixF> cells, Index pool, bool isEstimate)
        : m_exact(std::move(exact))
        , m_cells(std::move(cells))
        , m_pool(pool)
        , m_level(std::countr_zero(static_cast<std::uint64_t>(pool)))
        , m_isEstimate(isEstimate)
    {
    }
    [[nodiscard]] Index rows() const override { return m_exact->rows(); }
    [[nodiscard]] Index cols() const override { return m_exact->cols(); }
    [[nodiscard]] Columns columns() const override { return m_exact->columns(); }
    [[nodiscard]] Fold fold() const override { return m_exact->fold(); }
    void row(Index row, Index firstCol, std::span<double> out) const override { m_exact->row(row, firstCol, out); }
    [[nodiscard]] bool isAtHand() const override { return m_pool == 1 || m_exact->isAtHand(); }
    [[nodiscard]] std::optional<int> levelAtHand(Fold fold) const override
    {
        return m_pool == 1 || m_isEstimate || fold == m_exact->fold() ? std::optional(m_level) : std::nullopt;
    }
    [[nodiscard]] bool isEstimate(int level) const override { return m_isEstimate && level >= m_level; }

    [[nodiscard]] std::unique_ptr<const CellTiles> tiles(const CellRect &cells, const Run &run) const override
    {
        return m_pool == 1 && !m_isEstimate ? MapField::tiles(cells, run) : m_exact->tiles(cells, run);
    }
    bool read(const CellRect &cells, int level, Fold fold, MatrixF &out, const Run &run) const override
    {
        const std::optional<int> atHand = levelAtHand(fold);
        if (!atHand || level < *atHand || !fits(cells.rows, rows()) || !fits(cells.cols, cols()))
            return m_exact->read(cells, level, fold, out, run);
        const CellRect pooled{ pooledRange(cells.rows), pooledRange(cells.cols) };
        FoldedMap folded(pooled, level - m_level, fold, out);
        const bool isFinished = forEachStripe(pooled, level - m_level, rowsPerTask, run, [&](const Range &stripe) {
            for (Index row = stripe.first; row < stripe.end; ++row)
                folded.add(row, pooled.cols.first,
                    { m_cells->data() + row * m_cells->cols() + pooled.cols.first, static_cast<std::size_t>(pooled.cols.size()) });
        });
        folded.finish();
        return isFinished;
    }

private:
    static constexpr Index rowsPerTask = 256;

    /// Whether the edges of the range fall between prepared cells.
    [[nodiscard]] bool fits(const Range &range, Index size) const
    {
        return range.first % m_pool == 0 && (range.end % m_pool == 0 || range.end == size);
    }
    [[nodiscard]] Range pooledRange(const Range &range) const { return { range.first / m_pool, (range.end + m_pool - 1) / m_pool }; }

    MapFieldPtr m_exact;
    std::shared_ptr<const MatrixF> m_cells;
    Index m_pool;
    int m_level;
    bool m_isEstimate;
};

} // namespace

double MapField::at(Index row, Index col) const
{
    double value = 0.0;
    this->row(row, col, std::span(&value, 1));
    return value;
}

bool MapField::read(const CellRect &cells, int level, Fold fold, MatrixF &out, const Run &run) const
{
    FoldedMap folded(cells, level, fold, out);
    const bool isFinished = forEachStripe(cells, level, 1, run, [&](const Range &stripe) {
        std::vector<double> exact(static_cast<std::size_t>(cells.cols.size()));
        std::vector<float> colors(exact.size());
        row(stripe.first, cells.cols.first, exact);
        std::transform(exact.begin(), exact.end(), colors.begin(), &cell::toFloat);
        folded.add(stripe.first, cells.cols.first, colors);
    });
    folded.finish();
    return isFinished;
}

MapFieldPtr matrixField(Matrix cells, Columns columns)
{
    return std::make_shared<MatrixField>(std::move(cells), columns);
}

MapFieldPtr preparedField(MapFieldPtr exact, std::shared_ptr<const MatrixF> cells, Index pool)
{
    return std::make_shared<PreparedField>(std::move(exact), std::move(cells), pool, false);
}

MapFieldPtr previewField(MapFieldPtr exact, std::shared_ptr<const MatrixF> cells, Index pool)
{
    return std::make_shared<PreparedField>(std::move(exact), std::move(cells), pool, true);
}

Result<MapFieldPtr> headField(const AttentionInput &input, const AttentionSpec &spec, const HeadRef &ref, Stage stage, const Run &run)
{
    const AttentionBlock &block = input.blocks.at(static_cast<std::size_t>(ref.block));
    if (const std::optional<SpecProblem> problem = check(block, spec))
        return problem->error;
    if (const auto *reduced = std::get_if<ReducedData>(&block.data)) {
        if (stage != Stage::Weights)
            return MapFieldPtr();
        Result<MapFieldPtr> whole = headField(*reduced->whole, reduced->spec, ref, stage, run);
        if (!whole)
            return whole.error();
        return reducedField(std::move(whole).value(), reduced->queries, reduced->keys, reduced->renormalizes);
    }
    if (const auto *recorded = std::get_if<RecordedData>(&block.data)) {
        if (stage != Stage::Weights)
            return MapFieldPtr();
        const int place = (ref.layer * block.batch + ref.element) * block.heads + ref.head;
        return recordedField(
            recorded->weights.at(static_cast<std::size_t>(place)), recorded->rowLengths, Mask(block, spec.mask, ref.element));
    }
    if (!isComputedStage(block.hasValues(), spec, stage))
        return MapFieldPtr();
    auto operands = headOperands(block, spec, ref, run);
    if (!operands)
        return operands.error();
    return computedField(std::move(operands).value(), stage);
}

std::vector<Stage> stagesOf(const AttentionBlock &block, const AttentionSpec &spec)
{
    if (block.hasWeightsOnly())
        return { Stage::Weights };
    std::vector<Stage> stages;
    for (const Stage stage : { Stage::Scores, Stage::Scaled, Stage::Capped, Stage::Biased, Stage::Tempered, Stage::Masked, Stage::Weights,
             Stage::ValueWeighted, Stage::Output })
        if (isComputedStage(block.hasValues(), spec, stage))
            stages.push_back(stage);
    return stages;
}

} // namespace attenscope
