// SPDX-License-Identifier: GPL-3.0-or-later
// Means over the rows of a head.
#include "attention/summary.h"

#include "attention/row_kernel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <utility>

namespace attenscope {

std::vector<Index> inductionKeys(std::span<const std::string> tokens)
{
    std::vector<Index> keys(tokens.size(), -1);
    std::unordered_map<std::string_view, Index> latest;
    for (std::size_t position = 0; position < tokens.size(); ++position) {
        const auto [found, isNew] = latest.try_emplace(tokens[position], static_cast<Index>(position));
        if (!isNew)
            keys[position] = std::exchange(found->second, static_cast<Index>(position)) + 1;
    }
    return keys;
}

void HeadSums::addRow(double entropy, double largest)
{
    if (std::isnan(entropy) || std::isnan(largest)) {
        ++m_sums.nanRows;
        return;
    }
    m_sums.entropy += entropy;
    m_sums.largest += largest;
    m_sums.effectiveKeys += std::exp(entropy);
    ++m_sums.rows;
}

void HeadSums::addRow(Index row, std::span<const double> cells)
{
    m_cells.assign(cells.begin(), cells.end());
    bool seesKey = false;
    bool isNan = false;
    double largest = -std::numeric_limits<double>::infinity();
    for (double &cell : m_cells) {
        const cell::Kind kind = cell::kind(cell);
        seesKey = seesKey || kind == cell::Kind::Number || kind == cell::Kind::Nan;
        isNan = isNan || kind == cell::Kind::Nan;
        if (kind == cell::Kind::Number)
            largest = std::max(largest, cell);
        else
            cell = 0.0;
    }
    if (!seesKey)
        return;
    addRow(isNan ? std::numeric_limits<double>::quiet_NaN() : entropyOf(m_cells), largest);
    if (isNan || !m_positions)
        return;
    const Index position = m_positions->first + row;
    const auto count = [&](RowMean &sum, Index key) {
        if (key < 0 || key >= static_cast<Index>(m_cells.size()))
            return;
        sum.mean += m_cells[static_cast<std::size_t>(key)];
        ++sum.rows;
    };
    count(m_sums.previous, position - 1);
    count(m_sums.first, 0);
    count(m_sums.own, position);
    if (position >= 0 && position < static_cast<Index>(m_positions->inductionKeys.size()))
        count(m_sums.induction, m_positions->inductionKeys[static_cast<std::size_t>(position)]);
    for (std::size_t key = 0; key < m_cells.size(); ++key)
        m_sums.distance.mean += m_cells[key] * static_cast<double>(std::abs(position - static_cast<Index>(key)));
    ++m_sums.distance.rows;
}

HeadSummary HeadSums::means() const
{
    HeadSummary means = m_sums;
    const auto divide = [](double &sum, Index rows) { sum /= static_cast<double>(std::max<Index>(rows, 1)); };
    for (double *sum : { &means.entropy, &means.largest, &means.effectiveKeys })
        divide(*sum, means.rows);
    for (RowMean *sum : { &means.distance, &means.previous, &means.first, &means.own, &means.induction })
        divide(sum->mean, sum->rows);
    return means;
}

HeadSummary summarize(const VectorF &entropy, const VectorF &largest, const Mask &mask)
{
    HeadSums sums;
    for (Index row = 0; row < entropy.size(); ++row)
        if (mask.visibleCount(row) > 0)
            sums.addRow(entropy(row), largest(row));
    return sums.means();
}

Result<HeadSummary> summarize(const MapField &weights, std::optional<QueryPositions> positions, const Run &run)
{
    HeadSums sums(std::move(positions));
    std::vector<double> cells(static_cast<std::size_t>(weights.cols()));
    for (Index row = 0; row < weights.rows(); ++row) {
        if (run.stopped())
            return Error::cancelled();
        weights.row(row, 0, cells);
        sums.addRow(row, cells);
    }
    return sums.means();
}

} // namespace attenscope
