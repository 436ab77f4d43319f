// SPDX-License-Identifier: GPL-3.0-or-later
// Structure as vectors that queries and keys share.
#include "core/synthetic.h"

#include "core/random.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <string>

namespace attenscope {

namespace {

// A direction of length √(gain · √width) in a query and a key adds the gain to their score. Random directions are nearly orthogonal; sinks,
// which all queries look at, have the last dimension to themselves.
constexpr double structuredDeviation = 0.5;
constexpr double blockGain = 3.0;

/// Numbers of its own for everything that has a name and a number. The first number of a sequence is the seed of the one that is used,
/// because seeds that follow each other would give sequences that overlap.
Random sequenceOf(std::uint64_t seed, const char *what, Index number)
{
    return Random(Random(namedSeed(seed, what) ^ static_cast<std::uint64_t>(number)).next());
}

} // namespace

SyntheticHead::SyntheticHead(const SyntheticShape &shape, int head)
    : m_shape(shape)
    , m_seed(namedSeed(shape.seed, "head " + std::to_string(head)))
    , m_keyGain(std::log(static_cast<double>(std::max<Index>(shape.keys, 1))))
    , m_offset(std::max<Index>(0, shape.keys - shape.queries))
{
    if (shape.hasDiagonals) {
        Random random = sequenceOf(m_seed, "frequencies", 0);
        m_frequencies.resize(static_cast<std::size_t>((shape.width - 1) / 2));
        for (double &frequency : m_frequencies)
            frequency = std::numbers::pi * random.uniform();
    }
    placeNeedles();
}

void SyntheticHead::placeNeedles()
{
    Random random = sequenceOf(m_seed, "needles", 0);
    const auto below = [&random](Index count) { return static_cast<Index>(random.next() % static_cast<std::uint64_t>(count)); };
    std::set<Index> rows;
    const Index wanted = std::min(m_shape.needles, m_shape.queries / 4);
    // Rows and columns that are taken are drawn again; where there is no room for all of them that comes to an end.
    for (Index attempt = 0; attempt < 64 * wanted && static_cast<Index>(m_needles.size()) < wanted; ++attempt) {
        const Index row = below(m_shape.queries);
        const Index last = std::min(m_shape.keys, row + m_offset - m_shape.keys / 16);
        if (last <= m_shape.sinks)
            continue;
        const Index col = m_shape.sinks + below(last - m_shape.sinks);
        if (rows.contains(row) || m_needleRows.contains(col))
            continue;
        rows.insert(row);
        m_needleRows.emplace(col, row);
        m_needles.push_back({ row, col });
    }
    std::sort(m_needles.begin(), m_needles.end(), [](const Needle &a, const Needle &b) { return a.row < b.row; });
}

void SyntheticHead::addNoise(const char *what, Index row, double deviation, std::span<double> out) const
{
    Random random = sequenceOf(m_seed, what, row);
    for (double &number : out)
        number += deviation * random.normal();
}

void SyntheticHead::addDirection(const char *what, Index number, double gain, std::span<double> out) const
{
    std::vector<double> direction(out.size() - 1, 0.0);
    Random random = sequenceOf(m_seed, what, number);
    double square = 0.0;
    for (double &part : direction) {
        part = random.normal();
        square += part * part;
    }
    const double factor = std::sqrt(gain * std::sqrt(static_cast<double>(out.size())) / square);
    for (std::size_t dim = 0; dim < direction.size(); ++dim)
        out[dim] += factor * direction[dim];
}

void SyntheticHead::addSink(std::span<double> out) const
{
    out.back() += std::sqrt(m_keyGain * std::sqrt(static_cast<double>(out.size())));
}

/// Turned vectors: the product of two positions is the mean of cos(frequency · distance), 1 for the same and near 0 for others.
void SyntheticHead::addPosition(Index position, std::span<double> out) const
{
    if (m_frequencies.empty())
        return;
    const double size = std::sqrt(m_keyGain * std::sqrt(static_cast<double>(m_shape.width)) / static_cast<double>(m_frequencies.size()));
    for (std::size_t pair = 0; pair < m_frequencies.size(); ++pair) {
        const double angle = m_frequencies[pair] * static_cast<double>(position);
        out[2 * pair] += size * std::cos(angle);
        out[2 * pair + 1] += size * std::sin(angle);
    }
}

void SyntheticHead::addBlock(Index position, std::span<double> out) const
{
    if (m_shape.blocks > 0)
        addDirection("block", position * m_shape.blocks / std::max(m_shape.keys, m_shape.queries), blockGain, out);
}

void SyntheticHead::query(Index row, std::span<double> out) const
{
    std::fill(out.begin(), out.end(), 0.0);
    addNoise("query", row, m_shape.isStructured() ? structuredDeviation : 1.0, out);
    const Index position = row + m_offset;
    addBlock(position, out);
    addPosition(position, out);
    addPosition(position - m_shape.keys / 4, out);
    if (m_shape.sinks > 0)
        addSink(out);
    const auto needle
        = std::lower_bound(m_needles.begin(), m_needles.end(), row, [](const Needle &one, Index wanted) { return one.row < wanted; });
    if (needle != m_needles.end() && needle->row == row)
        addDirection("needle", row, m_keyGain + SyntheticShape::needleMargin, out);
}

void SyntheticHead::key(Index row, std::span<double> out) const
{
    std::fill(out.begin(), out.end(), 0.0);
    addNoise("key", row, m_shape.isStructured() ? structuredDeviation : 1.0, out);
    addBlock(row, out);
    addPosition(row, out);
    if (row < m_shape.sinks)
        addSink(out);
    const auto needle = m_needleRows.find(row);
    if (needle != m_needleRows.end())
        addDirection("needle", needle->second, m_keyGain + SyntheticShape::needleMargin, out);
}

void SyntheticHead::value(Index row, std::span<double> out) const
{
    std::fill(out.begin(), out.end(), 0.0);
    addNoise("value", row, 1.0, out);
}

} // namespace attenscope
