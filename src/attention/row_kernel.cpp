// SPDX-License-Identifier: GPL-3.0-or-later
// One row in double precision: scores, steps, softmax, sum of values.
#include "attention/row_kernel.h"

#include "attention/cell.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace attenscope {

namespace {

/// One by itself takes longer to fetch from a file than to multiply.
constexpr Index keysAtOnce = 64;

/// In a fixed order of additions wherever the numbers lie in memory.
double dot(std::span<const double> a, std::span<const double> b)
{
    std::array<double, 4> sums{};
    const std::size_t even = a.size() / 4 * 4;
    for (std::size_t place = 0; place < even; place += 4)
        for (std::size_t lane = 0; lane < 4; ++lane)
            sums[lane] += a[place + lane] * b[place + lane];
    double rest = 0.0;
    for (std::size_t place = even; place < a.size(); ++place)
        rest += a[place] * b[place];
    return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + rest;
}

std::span<double> part(std::span<double> cells, const Range &keys)
{
    return cells.subspan(static_cast<std::size_t>(keys.first), static_cast<std::size_t>(keys.size()));
}

} // namespace

bool hasStep(const AttentionSpec &spec, Stage stage)
{
    switch (stage) {
    case Stage::Scaled:
        return spec.score == ScoreFunction::ScaledDot || spec.scale.has_value();
    case Stage::Capped:
        return spec.softCap.has_value();
    case Stage::Biased:
        return spec.hasAlibi || !spec.bias.isEmpty();
    case Stage::Tempered:
        return spec.temperature != 1.0;
    default:
        return true;
    }
}

RowKernel::RowKernel(const HeadOperands &operands)
    : m_operands(operands)
    , m_query(static_cast<std::size_t>(operands.scoreQ.cols()))
{
    if (operands.spec.score != ScoreFunction::Additive && operands.spec.score != ScoreFunction::Concat)
        return;
    const Matrix v = operands.spec.parameters.v.toMatrix();
    m_scoreVector.assign(v.data(), v.data() + v.size());
}

void RowKernel::start(Index row)
{
    m_row = row;
    m_operands.scoreQ.readRow(row, 0, std::span(m_query));
    m_operands.mask.visible(row, m_visible);
}

void RowKernel::scores(Index firstKey, std::span<double> out)
{
    const Index count = static_cast<Index>(out.size());
    for (Index first = 0; first < count; first += keysAtOnce) {
        const Index end = std::min(count, first + keysAtOnce);
        Matrix keys = m_operands.scoreK.rowRange({ firstKey + first, firstKey + end });
        for (Index place = first; place < end; ++place) {
            const std::span<double> key(keys.data() + (place - first) * keys.cols(), m_query.size());
            out[static_cast<std::size_t>(place)] = score(key);
        }
    }
}

double RowKernel::score(std::span<double> key) const
{
    switch (m_operands.spec.score) {
    case ScoreFunction::ScaledDot:
    case ScoreFunction::Dot:
    case ScoreFunction::General:
        break;
    case ScoreFunction::Linear:
        return std::log(dot(m_query, key));
    case ScoreFunction::Concat:
    case ScoreFunction::Additive:
        for (std::size_t unit = 0; unit < key.size(); ++unit)
            key[unit] = std::tanh(m_query[unit] + key[unit]);
        return dot(m_scoreVector, key);
    }
    return dot(m_query, key);
}

void RowKernel::apply(Stage stage, Index firstKey, std::span<double> cells)
{
    const AttentionSpec &spec = m_operands.spec;
    if (!hasStep(spec, stage))
        return;
    switch (stage) {
    case Stage::Scaled:
        for (double &cell : cells)
            cell *= m_operands.scale;
        return;
    case Stage::Capped:
        for (double &cell : cells)
            cell = *spec.softCap * std::tanh(cell / *spec.softCap);
        return;
    case Stage::Biased:
        if (!spec.bias.isEmpty()) {
            m_buffer.resize(cells.size());
            spec.bias.readRow(m_row, firstKey, std::span(m_buffer));
            for (std::size_t place = 0; place < cells.size(); ++place)
                cells[place] += m_buffer[place];
        }
        if (spec.hasAlibi) {
            const Index position = m_row + m_operands.alibiOffset;
            for (std::size_t place = 0; place < cells.size(); ++place) {
                const Index distance = std::abs(position - firstKey - static_cast<Index>(place));
                cells[place] -= m_operands.alibiSlope * static_cast<double>(distance);
            }
        }
        return;
    case Stage::Tempered:
        for (double &cell : cells)
            cell /= spec.temperature;
        return;
    default:
        return;
    }
}

void RowKernel::compute(Stage stage, Index firstKey, std::span<double> out)
{
    scores(firstKey, out);
    for (const Stage step : { Stage::Scaled, Stage::Capped, Stage::Biased, Stage::Tempered })
        if (step <= stage)
            apply(step, firstKey, out);
}

RowKernel::Exponentials RowKernel::exponentials(std::span<double> cells) const
{
    const bool hasOne = m_operands.spec.normalization == Normalization::Softmax1;
    double max = -cell::infinity;
    for (const Range &keys : m_visible)
        for (const double score : part(cells, keys))
            // NaN stays once it is there.
            max = score > max || std::isnan(score) ? score : max;
    // The 1 in the denominator is the exponential of one more score, 0.
    const double reference = hasOne ? std::max(max, 0.0) : max;
    const bool isNan = std::isnan(max) || max == cell::infinity;
    const bool isEmpty = m_visible.empty() || reference == -cell::infinity;
    const double one = hasOne && !isEmpty ? std::exp(-reference) : 0.0;
    double sum = one;
    Index done = 0;
    for (const Range &keys : m_visible) {
        std::fill(cells.begin() + done, cells.begin() + keys.first, 0.0);
        done = keys.end;
        for (double &cell : part(cells, keys)) {
            cell = isEmpty ? 0.0 : std::exp(cell - reference);
            sum += cell;
        }
    }
    std::fill(cells.begin() + done, cells.end(), 0.0);
    if (isEmpty)
        return { -cell::infinity, -cell::infinity, 0.0, 0.0 };
    return { max, reference, one, isNan ? std::numeric_limits<double>::quiet_NaN() : sum };
}

void RowKernel::normalize(const Exponentials &found, std::span<double> cells) const
{
    if (found.sum == 0.0)
        return;
    for (const Range &keys : m_visible)
        for (double &cell : part(cells, keys))
            cell = std::isnan(found.sum) ? found.sum : cell / found.sum;
}

void RowKernel::weights(const Exponentials &found, Index firstKey, std::span<double> out)
{
    std::fill(out.begin(), out.end(), 0.0);
    if (found.sum == 0.0)
        return;
    const Index end = firstKey + static_cast<Index>(out.size());
    for (const Range &keys : m_visible) {
        const Range wanted{ std::max(keys.first, firstKey), std::min(keys.end, end) };
        if (wanted.first >= wanted.end)
            continue;
        const std::span<double> cells = part(out, { wanted.first - firstKey, wanted.end - firstKey });
        compute(Stage::Tempered, wanted.first, cells);
        for (double &cell : cells)
            cell = std::isnan(found.sum) ? found.sum : std::exp(cell - found.reference) / found.sum;
    }
}

RowKernel::Normalizer RowKernel::normalize(std::span<double> cells) const
{
    const Exponentials found = exponentials(cells);
    normalize(found, cells);
    if (found.reference == -cell::infinity)
        return { -cell::infinity, 0.0, -cell::infinity };
    const bool hasOne = m_operands.spec.normalization == Normalization::Softmax1;
    return { found.max, hasOne ? found.sum * std::exp(found.reference - found.max) : found.sum, found.reference + std::log(found.sum) };
}

RowKernel::Normalizer RowKernel::weights(std::span<double> out)
{
    for (const Range &keys : m_visible)
        compute(Stage::Tempered, keys.first, part(out, keys));
    return normalize(out);
}

void RowKernel::output(std::span<const double> weights, std::span<double> out)
{
    std::fill(out.begin(), out.end(), 0.0);
    for (const Range &keys : m_visible) {
        for (Index first = keys.first; first < keys.end; first += keysAtOnce) {
            const Matrix values = m_operands.v.rowRange({ first, std::min(keys.end, first + keysAtOnce) });
            for (Index place = 0; place < values.rows(); ++place) {
                const double weight = weights[static_cast<std::size_t>(first + place)];
                const double *value = values.data() + place * values.cols();
                for (std::size_t col = 0; col < out.size(); ++col)
                    out[col] += weight * value[col];
            }
        }
    }
}

void valueNorms(const HeadOperands &operands, Index firstKey, std::span<double> out)
{
    std::vector<double> value(static_cast<std::size_t>(operands.v.cols()));
    const Matrix turnedWo = operands.wo.toMatrix().transpose();
    std::vector<double> product(static_cast<std::size_t>(turnedWo.rows()));
    for (std::size_t place = 0; place < out.size(); ++place) {
        operands.v.readRow(firstKey + static_cast<Index>(place), 0, std::span(value));
        for (std::size_t col = 0; col < product.size(); ++col)
            product[col] = dot(value, std::span(turnedWo.data() + static_cast<Index>(col) * turnedWo.cols(), value.size()));
        const std::vector<double> &vector = product.empty() ? value : product;
        // Scaled, so that 1e200 does not overflow on the way.
        double largest = 0.0;
        for (const double number : vector)
            largest = std::max(largest, std::abs(number));
        double sum = 0.0;
        for (const double number : vector)
            sum += largest > 0.0 && std::isfinite(largest) ? (number / largest) * (number / largest) : number * number;
        out[place] = largest > 0.0 && std::isfinite(largest) ? largest * std::sqrt(sum) : std::sqrt(sum);
    }
}

double entropyOf(std::span<const double> weights)
{
    double entropy = 0.0;
    for (const double weight : weights)
        entropy -= weight == 0.0 ? 0.0 : weight * std::log(weight);
    return entropy;
}

} // namespace attenscope
