// SPDX-License-Identifier: GPL-3.0-or-later
// ScoreBlocks: scores in single precision, a tile of queries and a block of keys at a time, for the streaming pass and the colours of maps.
#pragma once

#include "attention/explain.h"
#include "attention/kernels/kernels.h"

#include <vector>

namespace attenscope {

/// How large some numbers are.
struct Magnitude {
    float largest = 0.0F; ///< |x| of those that are not NaN.
    bool hasNan = false;

    Magnitude() = default;
    Magnitude(const float *numbers, Index count);
    void include(const Magnitude &other);
    [[nodiscard]] bool isFinite() const;
};

/// Rows of a matrix as floats.
struct FloatRows {
    MatrixF numbers;
    Magnitude magnitude;
};
/// Rows [rows), read by all threads; what is not read once @p run is stopped holds anything.
[[nodiscard]] FloatRows floatRows(const SharedMatrix &matrix, Range rows, const Run &run = {});

/// The keys of one head as floats, and what makes scores of them. Refers to the operands; thread-safe once made. A tile is up to width()
/// queries side by side: arrays of it have width() numbers per dimension or key, query `place` at position `place`.
class ScoreBlocks {
public:
    /// Queries of one tile, made ready. May be packed again and again: it keeps its memory.
    struct Tile {
        Range rows;
        TileNumbers queries; ///< [dimension][query].
        TileNumbers bias; ///< Of the last block.
        TileNumbers read; ///< [query][dimension], while they are packed.
        Magnitude magnitude;
    };

    /// Cells of @p stage (Scores to Tempered) times @p unit. Only blocks inside [keys) can be computed, and none once @p run is stopped.
    ScoreBlocks(const HeadOperands &operands, Range keys, Stage stage, double unit = 1.0, const Run &run = {});

    [[nodiscard]] Index width() const { return m_kernels.width; }
    [[nodiscard]] Index keyBlock() const { return m_kernels.keyBlock; }
    /// The vectors of a tile that @p rows rows take.
    [[nodiscard]] Range vectorsOf(Index rows) const { return { 0, (rows + m_kernels.lanes - 1) / m_kernels.lanes }; }

    /// At most width() rows.
    void pack(Range rows, Tile &tile) const;
    /// Whether scores of these queries may leave the range of float though they would be numbers in double.
    [[nodiscard]] bool mayOverflow(const Tile &tile) const;
    /// Whether all scores of these queries are numbers or -inf, for sure.
    [[nodiscard]] bool areNumbers(const Tile &tile) const
    {
        return !m_keys.magnitude.hasNan && !tile.magnitude.hasNan && !mayOverflow(tile);
    }
    /// out[key - keys.first][query] for some vectors of the tile, masked cells too. Places after the tile's rows hold anything.
    void compute(Tile &tile, Range keys, Range vectors, float *out) const;

private:
    void readBias(Tile &tile, Range keys) const;

    const Kernels &m_kernels;
    const HeadOperands &m_operands;
    Index m_firstKey = 0;
    Index m_depth = 0; ///< Dimensions or units.
    FloatRows m_keys;
    VectorF m_scoreVector; ///< v of the additive and concat scores.
    double m_queryFactor = 1.0; ///< In the packed queries already.
    ScoreSteps m_steps;
    bool m_hasSteps = false;
    bool m_hasBias = false;
};

} // namespace attenscope
