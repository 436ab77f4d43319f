// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks of scores in single precision.
#include "attention/score_blocks.h"

#include "attention/row_kernel.h"
#include "core/parallel.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <mutex>

namespace attenscope {

namespace {

bool hasUnits(const HeadOperands &operands)
{
    return operands.spec.score == ScoreFunction::Additive || operands.spec.score == ScoreFunction::Concat;
}

} // namespace

Magnitude::Magnitude(const float *numbers, Index count)
    : largest(kernels().largestMagnitude(numbers, count))
    , hasNan(std::isnan(largest))
{
    if (!hasNan)
        return;
    largest = 0.0F;
    for (Index place = 0; place < count; ++place)
        largest = std::max(largest, std::abs(numbers[place])); // of NaN the first stays
}

void Magnitude::include(const Magnitude &other)
{
    largest = std::max(largest, other.largest);
    hasNan = hasNan || other.hasNan;
}

bool Magnitude::isFinite() const
{
    return !hasNan && std::isfinite(largest);
}

FloatRows floatRows(const SharedMatrix &matrix, Range rows, const Run &run)
{
    // So many stay in the first-level cache between reading and measuring.
    constexpr Index numbersPerTask = 8192;
    const Index cols = matrix.cols();
    const Index rowsPerTask = std::max<Index>(1, numbersPerTask / std::max<Index>(1, cols));
    FloatRows result{ MatrixF(rows.size(), cols), {} };
    std::mutex mutex;
    const auto read = [&](Index task) {
        if (run.stopped())
            return;
        const Index first = task * rowsPerTask;
        const Index count = std::min(rowsPerTask, rows.size() - first) * cols;
        float *out = result.numbers.data() + first * cols;
        matrix.readRow(rows.first + first, 0, std::span(out, static_cast<std::size_t>(count)));
        const Magnitude own(out, count);
        const std::lock_guard lock(mutex);
        result.magnitude.include(own);
    };
    // By reference: a function of its own would take memory for what it refers to.
    parallelFor((rows.size() + rowsPerTask - 1) / rowsPerTask, std::cref(read));
    return result;
}

ScoreBlocks::ScoreBlocks(const HeadOperands &operands, Range keys, Stage stage, double unit, const Run &run)
    : m_kernels(kernels())
    , m_operands(operands)
    , m_firstKey(keys.first)
    , m_depth(operands.scoreK.cols())
    , m_keys(floatRows(operands.scoreK, keys, run))
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
    tile.rows = rows;
    // Places without a query, up to the end of their vector, are computed too: as zeros.
    const Index places = vectorsOf(rows.size()).end * m_kernels.lanes;
    tile.read.resize(std::max(tile.read.size(), static_cast<std::size_t>(places * m_depth)));
    tile.queries.resize(static_cast<std::size_t>(m_depth * width()));
    const Index numbers = rows.size() * m_depth;
    m_operands.scoreQ.readRow(rows.first, 0, std::span(tile.read.data(), static_cast<std::size_t>(numbers)));
    std::fill(tile.read.begin() + numbers, tile.read.begin() + places * m_depth, 0.0F);
    Eigen::Map<Eigen::ArrayXf>(tile.read.data(), numbers) *= static_cast<float>(m_queryFactor);
    tile.magnitude = Magnitude(tile.read.data(), numbers);
    m_kernels.transpose(tile.read.data(), m_depth, places, m_depth, tile.queries.data(), width());
}

bool ScoreBlocks::mayOverflow(const Tile &tile) const
{
    // A bias can be anything, -1e300 instead of -inf for one.
    if (!m_operands.spec.bias.isEmpty())
        return true;
    constexpr double most = 1e37;
    const double largestQuery = tile.magnitude.largest;
    const double steps = std::max(1.0, std::abs(static_cast<double>(m_steps.scale))) * std::max(1.0, static_cast<double>(m_steps.factor));
    const double largestScore = hasUnits(m_operands)
        ? static_cast<double>(m_scoreVector.cwiseAbs().sum())
        : largestQuery * m_keys.magnitude.largest * static_cast<double>(std::max<Index>(m_depth, 1));
    // Negated, so that NaN (0 · ∞) counts too.
    return !(largestScore * steps < most && largestQuery < most && m_keys.magnitude.largest < most);
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
    const float *rows = m_keys.numbers.data() + (keys.first - m_firstKey) * m_depth;
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
