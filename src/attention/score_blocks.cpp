// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks of scores in single precision.
#include "attention/score_blocks.h"

#include "attention/row_kernel.h"
#include "core/parallel.h"

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

bool hasUnits(const HeadOperands &operands)
{
    return operands.spec.score == ScoreFunction::Additive || operands.spec.score == ScoreFunction::Concat;
}

} // namespace

MatrixF floatRows(const SharedMatrix &matrix, Range rows)
{
    constexpr Index rowsPerTask = 256;
    MatrixF result(rows.size(), matrix.cols());
    parallelFor((rows.size() + rowsPerTask - 1) / rowsPerTask, [&](Index task) {
        for (Index row = task * rowsPerTask; row < std::min(rows.size(), (task + 1) * rowsPerTask); ++row)
            matrix.readRow(rows.first + row, 0, std::span(result.data() + row * result.cols(), static_cast<std::size_t>(result.cols())));
    });
    return result;
}

ScoreBlocks::ScoreBlocks(const HeadOperands &operands, Range keys, Stage stage, double unit)
    : m_kernels(kernels())
    , m_operands(operands)
    , m_firstKey(keys.first)
    , m_depth(operands.scoreK.cols())
    , m_keys(floatRows(operands.scoreK, keys))
    , m_largestKey(m_kernels.largestMagnitude(m_keys.data(), m_keys.size()))
{
    const AttentionSpec &spec = operands.spec;
    const auto has = [&](Stage step) { return step <= stage && hasStep(spec, step); };
    double scale = has(Stage::Scaled) ? operands.scale : 1.0;
    double factor = (has(Stage::Tempered) ? 1.0 / spec.temperature : 1.0) * unit;
    m_steps.isLog = spec.score == ScoreFunction::Linear;
    m_steps.cap = has(Stage::Capped) ? static_cast<float>(*spec.softCap) : 0.0F;
    m_steps.slope = has(Stage::Biased) && spec.hasAlibi ? static_cast<float>(operands.alibiSlope) : 0.0F;
    m_hasBias = has(Stage::Biased) && !spec.bias.isEmpty();
    // What only multiplies goes into the queries or into v. Not extreme factors: the queries might become 0 where the scores do not.
    const bool isProduct = m_steps.cap == 0.0F && m_steps.slope == 0.0F && !m_hasBias && !m_steps.isLog;
    const auto isTame = [](double number) { return std::abs(number) > 1e-6 && std::abs(number) < 1e6; };
    if (isProduct && isTame(scale * factor)) {
        m_queryFactor = scale * factor;
        scale = factor = 1.0;
    } else if (!m_steps.isLog && isTame(scale)) {
        m_queryFactor = scale;
        scale = 1.0;
    }
    m_steps.scale = static_cast<float>(scale);
    m_steps.factor = static_cast<float>(factor);
    m_hasSteps = m_steps.isLog || m_steps.cap != 0.0F || m_steps.slope != 0.0F || m_hasBias || scale != 1.0 || factor != 1.0;
    if (!hasUnits(operands))
        return;
    m_scoreVector = (spec.parameters.v.toMatrix().col(0) * m_queryFactor).cast<float>();
    m_queryFactor = 1.0;
}

void ScoreBlocks::pack(Range rows, Tile &tile) const
{
    // Rows that are read together, so that stores of neighbours fill a line of the cache.
    constexpr Index together = 4;
    tile.rows = rows;
    tile.queries.assign(static_cast<std::size_t>(m_depth * width()), 0.0F);
    std::vector<double> row(static_cast<std::size_t>(m_depth));
    Eigen::Matrix<float, together, Eigen::Dynamic, Eigen::RowMajor> read(together, m_depth);
    for (Index first = 0; first < rows.size(); first += together) {
        const Index count = std::min(together, rows.size() - first);
        for (Index place = 0; place < count; ++place) {
            m_operands.scoreQ.readRow(rows.first + first + place, 0, std::span(row));
            std::transform(row.begin(), row.end(), read.data() + place * m_depth,
                [factor = m_queryFactor](double number) { return static_cast<float>(number * factor); });
        }
        for (Index place = count; place < together; ++place)
            read.row(place).setZero();
        float *query = tile.queries.data() + first;
        for (Index dim = 0; dim < m_depth; ++dim, query += width())
            for (Index place = 0; place < together; ++place)
                query[place] = read(place, dim);
    }
    tile.largest = m_kernels.largestMagnitude(tile.queries.data(), static_cast<Index>(tile.queries.size()));
}

bool ScoreBlocks::mayOverflow(const Tile &tile) const
{
    // A bias can be anything, -1e300 instead of -inf for one.
    if (!m_operands.spec.bias.isEmpty())
        return true;
    constexpr double most = 1e37;
    const double largestQuery = tile.largest;
    const double steps = std::max(1.0, std::abs(static_cast<double>(m_steps.scale))) * std::max(1.0, static_cast<double>(m_steps.factor));
    const double largestScore = hasUnits(m_operands) ? static_cast<double>(m_scoreVector.cwiseAbs().sum())
                                                     : largestQuery * m_largestKey * static_cast<double>(std::max<Index>(m_depth, 1));
    // Negated, so that NaN (0 · ∞) counts too.
    return !(largestScore * steps < most && largestQuery < most && m_largestKey < most);
}

void ScoreBlocks::readBias(Tile &tile, Range keys) const
{
    tile.bias.assign(static_cast<std::size_t>(keyBlock() * width()), 0.0F);
    std::vector<float> row(static_cast<std::size_t>(keys.size()));
    for (Index place = 0; place < tile.rows.size(); ++place) {
        m_operands.spec.bias.readRow(tile.rows.first + place, keys.first, std::span(row));
        float *bias = tile.bias.data() + place;
        for (const float number : row) {
            *bias = number;
            bias += width();
        }
    }
}

void ScoreBlocks::compute(Tile &tile, Range keys, Range vectors, float *out) const
{
    const float *rows = m_keys.data() + (keys.first - m_firstKey) * m_depth;
    if (hasUnits(m_operands))
        m_kernels.unitScores(tile.queries.data(), m_depth, rows, keys.size(), m_scoreVector.data(), vectors, out);
    else
        m_kernels.products(tile.queries.data(), m_depth, rows, keys.size(), vectors, out);
    if (!m_hasSteps)
        return;
    ScoreSteps steps = m_steps;
    steps.firstDistance = static_cast<float>(tile.rows.first + m_operands.alibiOffset - keys.first);
    if (m_hasBias) {
        readBias(tile, keys);
        steps.bias = tile.bias.data();
    }
    m_kernels.applySteps(steps, keys.size(), vectors, out);
}

} // namespace attenscope
