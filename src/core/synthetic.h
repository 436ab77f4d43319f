// SPDX-License-Identifier: GPL-3.0-or-later
// Made-up queries, keys and values with a structure that is known, row by row, so that any length fits in memory.
#pragma once

#include "core/matrix.h"

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace attenscope {

/// The size of made-up data, and what their attention looks like at the scale 1/√width.
struct SyntheticShape {
    Index queries = 1024;
    Index keys = 1024;
    Index width = 64; ///< Of queries and keys; of anything but noise at least leastStructuredWidth.
    Index valueWidth = 64; ///< 0: no values.
    std::uint64_t seed = 1;
    // Without any of these all numbers are normal, with standard deviation 1; else 1/2, and what follows is added.
    Index blocks = 0; ///< Squares along the diagonal whose scores are higher by 3.
    bool hasDiagonals = false; ///< Higher by ln(keys): every query's own position, and the one a quarter of the keys before it.
    Index sinks = 0; ///< First keys that all queries look at, higher by ln(keys).
    Index needles = 0; ///< Single cells, higher by ln(keys) + needleMargin. At most a quarter of the queries.

    static constexpr Index leastStructuredWidth = 32;
    static constexpr double needleMargin = 12.0;

    [[nodiscard]] bool isStructured() const { return blocks > 0 || hasDiagonals || sinks > 0 || needles > 0; }
};

/// A single large cell.
struct Needle {
    Index row = 0;
    Index col = 0;

    friend bool operator==(const Needle &, const Needle &) = default;
};

/// One head of such data. The same shape, seed and head give the same numbers, in whatever order rows are asked for; thread-safe.
class SyntheticHead {
public:
    SyntheticHead(const SyntheticShape &shape, int head);

    /// Where the needles are, by row, one in a row or column: left of the diagonal, so that a causal mask shows them, off the sinks. A shape
    /// too small for them has fewer.
    [[nodiscard]] const std::vector<Needle> &needles() const { return m_needles; }

    /// Row @p row; @p out has the width.
    void query(Index row, std::span<double> out) const;
    void key(Index row, std::span<double> out) const;
    void value(Index row, std::span<double> out) const;

private:
    void addNoise(const char *what, Index row, double deviation, std::span<double> out) const;
    void addDirection(const char *what, Index number, double gain, std::span<double> out) const;
    void addSink(std::span<double> out) const;
    void addPosition(Index position, std::span<double> out) const;
    void addBlock(Index position, std::span<double> out) const;
    void placeNeedles();

    SyntheticShape m_shape;
    std::uint64_t m_seed; ///< Of this head.
    double m_keyGain; ///< ln(keys).
    Index m_offset; ///< Position of query 0: the last query stands at the last key.
    std::vector<double> m_frequencies; ///< Of positions.
    std::vector<Needle> m_needles;
    std::map<Index, Index> m_needleRows; ///< By column.
};

} // namespace attenscope
