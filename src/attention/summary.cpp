// SPDX-License-Identifier: GPL-3.0-or-later
// Means over the rows of a head, and what they would be of even weights.
#include "attention/summary.h"

#include "attention/mask.h"
#include "core/parallel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace attenscope {

namespace {

constexpr std::array allMeans{
    &HeadSummary::entropy,
    &HeadSummary::normalizedEntropy,
    &HeadSummary::effectiveKeys,
    &HeadSummary::weight,
    &HeadSummary::largest,
    &HeadSummary::distance,
    &HeadSummary::previous,
    &HeadSummary::first,
    &HeadSummary::own,
    &HeadSummary::induction,
    &HeadSummary::next,
    &HeadSummary::separator,
};

void count(RowMean &sum, double value, double uniform)
{
    sum.mean += value;
    sum.uniform += uniform;
    ++sum.rows;
}

void countRow(HeadSummary &sums, double entropy, double largest, Index visible)
{
    const auto keys = static_cast<double>(visible);
    count(sums.entropy, entropy, std::log(keys));
    count(sums.effectiveKeys, std::exp(entropy), keys);
    count(sums.largest, largest, 1.0 / keys);
    if (visible > 1)
        count(sums.normalizedEntropy, entropy / std::log(keys), 1.0);
    ++sums.rows;
}

Index sizeOf(const std::vector<Range> &ranges)
{
    return std::accumulate(ranges.begin(), ranges.end(), Index{ 0 }, [](Index sum, const Range &range) { return sum + range.size(); });
}

bool contains(const std::vector<Range> &ranges, Index key)
{
    return std::any_of(ranges.begin(), ranges.end(), [key](const Range &range) { return key >= range.first && key < range.end; });
}

/// Σ |position - key| over the keys of @p range.
double distances(Index position, const Range &range)
{
    const auto upTo = [](Index count) { return 0.5 * static_cast<double>(count) * static_cast<double>(count - 1); };
    const Index before = std::max<Index>(std::min(range.end, position) - range.first, 0);
    const Index after = std::max<Index>(range.end - std::max(range.first, position), 0);
    double sum = 0.0;
    if (before > 0)
        sum += upTo(position - range.first + 1) - upTo(position - range.first + 1 - before);
    if (after > 0)
        sum += upTo(range.end - position) - upTo(range.end - position - after);
    return sum;
}

/// Of a row that sees a key and has no NaN.
RowKind kindOfNumbers(double least, double sum)
{
    constexpr double rounding = 0.01;
    // Infinities of both signs add up to NaN.
    return least >= 0.0 && sum <= 1.0 + rounding ? RowKind::Distribution : RowKind::NoDistribution;
}

HeadSummary divided(HeadSummary sums)
{
    for (const auto mean : allMeans) {
        const auto rows = static_cast<double>(std::max<Index>((sums.*mean).rows, 1));
        (sums.*mean).mean /= rows;
        (sums.*mean).uniform /= rows;
    }
    return sums;
}

} // namespace

RowKind rowKind(std::span<const double> cells)
{
    bool seesKey = false;
    double least = 0.0;
    double sum = 0.0;
    for (const double weight : cells) {
        if (cell::kind(weight) == cell::Kind::Nan)
            return RowKind::Nan;
        if (cell::kind(weight) != cell::Kind::Number)
            continue;
        seesKey = true;
        least = std::min(least, weight);
        sum += weight;
    }
    return seesKey ? kindOfNumbers(least, sum) : RowKind::Hidden;
}

double rowEntropy(std::span<const double> cells)
{
    const RowKind kind = rowKind(cells);
    if (kind == RowKind::Nan || kind == RowKind::NoDistribution)
        return std::numeric_limits<double>::quiet_NaN();
    double entropy = 0.0;
    for (const double weight : cells)
        if (!cell::isHidden(weight) && weight > 0.0)
            entropy -= weight * std::log(weight);
    return entropy;
}

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

bool isSeparator(std::string_view token)
{
    for (const std::string_view mark : { "Ġ", "▁", "·", " " }) {
        if (token.size() > mark.size() && token.starts_with(mark)) {
            token.remove_prefix(mark.size());
            break;
        }
    }
    constexpr std::array<std::string_view, 5> separators{ "[SEP]", "</s>", "<|endoftext|>", ".", "," };
    return std::find(separators.begin(), separators.end(), token) != separators.end();
}

Sequence sequenceOf(const AttentionBlock &block, const AttentionSpec &spec)
{
    Sequence sequence;
    if (std::any_of(block.keyTokens.begin(), block.keyTokens.end(), [](const std::string &token) { return isSeparator(token); }))
        std::transform(block.keyTokens.begin(), block.keyTokens.end(), std::back_inserter(sequence.separators), isSeparator);
    const auto *embedded = std::get_if<EmbeddedData>(&block.data);
    const bool isCross = block.role == BlockRole::Cross || (embedded && !embedded->y.empty());
    const bool isOther = block.queries > block.keys
        || (block.role == BlockRole::Plain && block.queries == block.keys && block.queryTokens != block.keyTokens);
    if (isCross || isOther)
        return sequence;
    sequence.firstPosition = block.keys - block.queries;
    sequence.inductionKeys = inductionKeys(block.keyTokens);
    // A token without a name is not the same as another without.
    for (std::size_t key = 0; key < block.keyTokens.size(); ++key) {
        if (block.keyTokens[key].empty())
            sequence.inductionKeys[key] = -1;
    }
    sequence.mayBeCausal = block.hasWeightsOnly() && spec.mask.rule == MaskRule::None;
    return sequence;
}

HeadSums::HeadSums(const Sequence &sequence)
    : m_sequence(&sequence)
{
    for (std::size_t key = 0; key < sequence.separators.size(); ++key) {
        if (sequence.separators[key])
            m_separators.push_back(static_cast<Index>(key));
    }
    m_sums.isComplete = true;
    m_causal.isComplete = true;
}

RowKind HeadSums::readRow(std::span<const double> cells)
{
    const auto size = static_cast<Index>(cells.size());
    if (m_keys.size() != size)
        m_keys = Vector::LinSpaced(size, 0.0, static_cast<double>(size - 1));
    m_visible.clear();
    m_cells = Eigen::Map<const Vector>(cells.data(), size);
    // Most rows are numbers throughout.
    if (size > 0 && !(m_cells.array() != m_cells.array()).any()) {
        m_visible.push_back({ 0, size });
        return kindOfNumbers(m_cells.minCoeff(), m_cells.sum());
    }
    bool isNan = false;
    for (Index key = 0; key < size; ++key) {
        const cell::Kind kind = cell::kind(cells[static_cast<std::size_t>(key)]);
        isNan = isNan || kind == cell::Kind::Nan;
        if (kind != cell::Kind::Number)
            m_cells(key) = 0.0;
        if (kind == cell::Kind::Masked || kind == cell::Kind::Absent)
            continue;
        if (!m_visible.empty() && m_visible.back().end == key)
            ++m_visible.back().end;
        else
            m_visible.push_back({ key, key + 1 });
    }
    if (m_visible.empty())
        return RowKind::Hidden;
    return isNan ? RowKind::Nan : kindOfNumbers(m_cells.minCoeff(), m_cells.sum());
}

HeadSums::RowFacts HeadSums::addRow(Index row, std::span<const double> cells)
{
    const auto size = static_cast<Index>(cells.size());
    const RowKind kind = readRow(cells);
    if (kind == RowKind::Hidden)
        return {};
    RowFacts facts;
    if (kind != RowKind::Distribution) {
        facts = { std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN() };
    } else {
        facts.largest = -std::numeric_limits<double>::infinity();
        for (const Range &keys : m_visible) {
            for (Index key = keys.first; key < keys.end; ++key) {
                const double weight = m_cells(key);
                facts.largest = std::max(facts.largest, weight);
                // 0 ln 0 = 0.
                if (weight != 0.0)
                    facts.entropy -= weight * std::log(weight);
            }
        }
    }
    double distance = 0.0;
    if (m_sequence->firstPosition && kind == RowKind::Distribution) {
        const auto position = static_cast<double>(*m_sequence->firstPosition + row);
        distance = (m_cells.array() * (m_keys.array() - position).abs()).sum();
    }
    addCells(row, kind, facts, distance, m_sums);
    if (!m_sequence->mayBeCausal || !m_sequence->firstPosition || m_hasLaterWeight)
        return facts;
    const Index end = std::clamp<Index>(*m_sequence->firstPosition + row + 1, 0, size);
    if (end < size) {
        m_isCausal = true;
        m_hasLaterWeight = (m_cells.tail(size - end).array() != 0.0).any();
    }
    while (!m_visible.empty() && m_visible.back().first >= end)
        m_visible.pop_back();
    if (m_hasLaterWeight || m_visible.empty())
        return facts;
    m_visible.back().end = std::min(m_visible.back().end, end);
    addCells(row, kind, facts, distance, m_causal);
    return facts;
}

void HeadSums::addCells(Index row, RowKind kind, const RowFacts &facts, double distance, HeadSummary &sums) const
{
    if (kind != RowKind::Distribution) {
        ++(kind == RowKind::Nan ? sums.nanRows : sums.otherRows);
        return;
    }
    const Index visible = sizeOf(m_visible);
    countRow(sums, facts.entropy, facts.largest, visible);
    const double even = 1.0 / static_cast<double>(visible);
    count(sums.weight, m_cells.sum(), 1.0);
    if (!m_separators.empty()) {
        double weight = 0.0;
        Index seen = 0;
        for (const Index key : m_separators) {
            if (contains(m_visible, key)) {
                weight += m_cells(key);
                ++seen;
            }
        }
        count(sums.separator, weight, static_cast<double>(seen) * even);
    }
    if (!m_sequence->firstPosition)
        return;
    const Index position = *m_sequence->firstPosition + row;
    const auto countKey = [&](RowMean &sum, Index key) {
        if (key >= 0 && key < m_cells.size())
            count(sum, m_cells(key), contains(m_visible, key) ? even : 0.0);
    };
    countKey(sums.previous, position - 1);
    countKey(sums.first, 0);
    countKey(sums.own, position);
    if (contains(m_visible, position + 1))
        countKey(sums.next, position + 1);
    if (position >= 0 && position < static_cast<Index>(m_sequence->inductionKeys.size()))
        countKey(sums.induction, m_sequence->inductionKeys[static_cast<std::size_t>(position)]);
    double evenDistance = 0.0;
    for (const Range &keys : m_visible)
        evenDistance += distances(position, keys);
    count(sums.distance, distance, evenDistance * even);
}

void HeadSums::add(const HeadSums &other)
{
    for (const auto sums : { &HeadSums::m_sums, &HeadSums::m_causal }) {
        for (const auto mean : allMeans) {
            RowMean &sum = (this->*sums).*mean;
            const RowMean &more = (other.*sums).*mean;
            sum = { sum.mean + more.mean, sum.rows + more.rows, sum.uniform + more.uniform };
        }
        (this->*sums).rows += (other.*sums).rows;
        (this->*sums).nanRows += (other.*sums).nanRows;
        (this->*sums).otherRows += (other.*sums).otherRows;
    }
    m_isCausal = m_isCausal || other.m_isCausal;
    m_hasLaterWeight = m_hasLaterWeight || other.m_hasLaterWeight;
}

HeadSummary HeadSums::means() const
{
    return divided(m_isCausal && !m_hasLaterWeight ? m_causal : m_sums);
}

HeadSummary summarize(const VectorF &entropy, const VectorF &largest, const Mask &mask)
{
    HeadSummary sums;
    for (Index row = 0; row < entropy.size(); ++row) {
        const Index visible = mask.visibleCount(row);
        if (visible == 0)
            continue;
        if (std::isnan(entropy(row)) || std::isnan(largest(row)))
            ++sums.nanRows;
        else
            countRow(sums, entropy(row), largest(row), visible);
    }
    return divided(sums);
}

Result<HeadSummary> summarize(const MapField &weights, const Sequence &sequence, const Run &run)
{
    constexpr Index rowsPerTask = 16;
    const Index tasks = (weights.rows() + rowsPerTask - 1) / rowsPerTask;
    // Added up in the order of the rows, so that the sum is the same on any number of threads.
    std::vector<HeadSums> parts(static_cast<std::size_t>(tasks), HeadSums(sequence));
    parallelFor(tasks, [&](Index task) {
        std::vector<double> cells(static_cast<std::size_t>(weights.cols()));
        HeadSums part(sequence);
        for (Index row = task * rowsPerTask; row < std::min((task + 1) * rowsPerTask, weights.rows()) && !run.stopped(); ++row) {
            weights.row(row, 0, cells);
            part.addRow(row, cells);
        }
        parts[static_cast<std::size_t>(task)].add(part);
    });
    if (run.stopped())
        return Error::cancelled();
    HeadSums sums(sequence);
    for (const HeadSums &part : parts)
        sums.add(part);
    return sums.means();
}

} // namespace attenscope
