// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks of scores in single precision.
#include "attention/score_blocks.h"

#include "attention/row_kernel.h"

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

bool hasUnits(const HeadOperands &operands)
{
    return operands.spec.score == ScoreFunction::Additive || operands.spec.score == ScoreFunction::Concat;
}

MatrixF floatRows(const SharedMatrix &matrix, Range rows)
{
    MatrixF result(rows.size(), matrix.cols());
    for (Index row = 0; row < rows.size(); ++row)
        matrix.readRow(rows.first + row, 0, std::span(result.data() + row * result.cols(), static_cast<std::size_t>(result.cols())));
    return result;
}

float largestMagnitude(const MatrixF &matrix)
{
    return matrix.size() == 0 ? 0.0F : matrix.cwiseAbs().maxCoeff<Eigen::PropagateNumbers>();
}

} // namespace

ScoreBlocks::ScoreBlocks(const HeadOperands &operands, Range keys)
    : m_operands(operands)
    , m_firstKey(keys.first)
    , m_keys(floatRows(operands.scoreK, keys))
    , m_largestKey(largestMagnitude(m_keys))
{
    if (!hasUnits(operands))
        return;
    m_keys = m_keys.transpose().eval();
    m_scoreVector = operands.spec.parameters.v.toMatrixF().col(0);
}

MatrixF ScoreBlocks::queries(Range rows) const
{
    return floatRows(m_operands.scoreQ, rows);
}

bool ScoreBlocks::mayOverflow(const MatrixF &queries) const
{
    // A bias can be anything, -1e300 instead of -inf for one.
    if (!m_operands.spec.bias.isEmpty())
        return true;
    constexpr double most = 1e37;
    const double largestQuery = largestMagnitude(queries);
    const double steps = std::max(1.0, std::abs(m_operands.scale)) / std::min(1.0, m_operands.spec.temperature);
    const double largestScore = hasUnits(m_operands)
        ? static_cast<double>(m_scoreVector.cwiseAbs().sum())
        : largestQuery * m_largestKey * static_cast<double>(std::max<Index>(queries.cols(), 1));
    // Negated, so that NaN (0 · ∞) counts too.
    return !(largestScore * steps < most && largestQuery < most && m_largestKey < most);
}

void ScoreBlocks::computeScores(const MatrixF &queries, Range keys, MatrixF &out) const
{
    const Index first = keys.first - m_firstKey;
    auto block = out.topLeftCorner(queries.rows(), keys.size());
    if (!hasUnits(m_operands)) {
        block.noalias() = queries * m_keys.middleRows(first, keys.size()).transpose();
        if (m_operands.spec.score == ScoreFunction::Linear)
            block = block.array().log();
        return;
    }
    block.setZero();
    for (Index row = 0; row < queries.rows(); ++row)
        for (Index unit = 0; unit < m_keys.rows(); ++unit)
            block.row(row).array()
                += m_scoreVector(unit) * (m_keys.row(unit).segment(first, keys.size()).array() + queries(row, unit)).tanh();
}

void ScoreBlocks::applySteps(Stage stage, Index row, Range keys, Eigen::Ref<Eigen::RowVectorXf> cells) const
{
    const AttentionSpec &spec = m_operands.spec;
    const auto has = [&](Stage step) { return step <= stage && hasStep(spec, step); };
    auto values = cells.array();
    if (has(Stage::Scaled))
        values *= static_cast<float>(m_operands.scale);
    if (has(Stage::Capped)) {
        const auto cap = static_cast<float>(*spec.softCap);
        values = cap * (values / cap).tanh();
    }
    if (has(Stage::Biased)) {
        if (!spec.bias.isEmpty()) {
            Eigen::RowVectorXf bias(cells.size());
            spec.bias.readRow(row, keys.first, std::span(bias.data(), static_cast<std::size_t>(bias.size())));
            cells += bias;
        }
        if (spec.hasAlibi) {
            const auto slope = static_cast<float>(m_operands.alibiSlope);
            const Index position = row + m_operands.alibiOffset;
            for (Index place = 0; place < cells.size(); ++place)
                cells(place) -= slope * static_cast<float>(std::abs(position - keys.first - place));
        }
    }
    if (has(Stage::Tempered))
        values /= static_cast<float>(spec.temperature);
}

void ScoreBlocks::compute(Stage stage, const MatrixF &queries, Index firstRow, Range keys, MatrixF &out) const
{
    computeScores(queries, keys, out);
    if (stage == Stage::Scores)
        return;
    for (Index row = 0; row < queries.rows(); ++row)
        applySteps(stage, firstRow + row, keys, out.row(row).head(keys.size()));
}

VisibleRows::VisibleRows(const Mask &mask, Range rows)
    : m_visible(static_cast<std::size_t>(rows.size()))
{
    for (Index row = 0; row < rows.size(); ++row)
        mask.visible(rows.first + row, m_visible[static_cast<std::size_t>(row)]);
}

std::vector<Range>::const_iterator VisibleRows::firstAfter(Index place, Index key) const
{
    const std::vector<Range> &ranges = m_visible[static_cast<std::size_t>(place)];
    return std::upper_bound(ranges.begin(), ranges.end(), key, [](Index wanted, const Range &range) { return wanted < range.end; });
}

bool VisibleRows::isVisible(Index place, Index key) const
{
    const auto range = firstAfter(place, key);
    return range != m_visible[static_cast<std::size_t>(place)].end() && range->first <= key;
}

VisibleRows::Share VisibleRows::share(Range keys) const
{
    bool hasVisible = false;
    bool hasHidden = false;
    for (std::size_t place = 0; place < m_visible.size() && !(hasVisible && hasHidden); ++place) {
        const auto range = firstAfter(static_cast<Index>(place), keys.first);
        const bool sees = range != m_visible[place].end() && range->first < keys.end;
        const bool seesAll = sees && range->first <= keys.first && range->end >= keys.end;
        hasVisible = hasVisible || sees;
        hasHidden = hasHidden || !seesAll;
    }
    return !hasVisible ? Share::None : hasHidden ? Share::Some : Share::All;
}

} // namespace attenscope
