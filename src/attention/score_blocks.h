// SPDX-License-Identifier: GPL-3.0-or-later
// ScoreBlocks: scores in single precision, a block of queries and keys at a time, for the streaming pass and for the colours of maps.
#pragma once

#include "attention/explain.h"

#include <vector>

namespace attenscope {

/// The keys of one head as floats. Refers to the operands; thread-safe once made.
class ScoreBlocks {
public:
    static constexpr Index queryBlock = 64;
    static constexpr Index keyBlock = 256;

    /// Only blocks inside [keys) can be computed.
    ScoreBlocks(const HeadOperands &operands, Range keys);

    /// The rows as compute() needs them.
    [[nodiscard]] MatrixF queries(Range rows) const;
    /// Whether scores of these queries may leave the range of float though they would be numbers in double.
    [[nodiscard]] bool mayOverflow(const MatrixF &queries) const;
    /// Writes the cells of @p stage (Scores to Tempered), masked ones too, to the top left corner of @p out, which is large enough.
    void compute(Stage stage, const MatrixF &queries, Index firstRow, Range keys, MatrixF &out) const;

private:
    void computeScores(const MatrixF &queries, Range keys, MatrixF &out) const;
    void applySteps(Stage stage, Index row, Range keys, Eigen::Ref<Eigen::RowVectorXf> cells) const;

    const HeadOperands &m_operands;
    Index m_firstKey = 0;
    MatrixF m_keys; ///< Keys x dimensions; additive and concat: units x keys.
    VectorF m_scoreVector; ///< v of the additive and concat scores.
    float m_largestKey = 0.0F;
};

/// The keys that a block of rows may see, answered for one block of keys after the other.
class VisibleRows {
public:
    VisibleRows(const Mask &mask, Range rows);

    enum class Share { None, Some, All };
    /// How much of the block the rows may see together.
    [[nodiscard]] Share share(Range keys) const;
    /// Calls use(first, end) for the keys of [keys) that row @p place of the block may not see.
    template <typename Use>
    void forEachHidden(Index place, Range keys, const Use &use) const
    {
        Index done = keys.first;
        for (auto range = firstAfter(place, keys.first); range != m_visible[static_cast<std::size_t>(place)].end() && done < keys.end;
             ++range) {
            if (done < range->first)
                use(done, std::min(range->first, keys.end));
            done = std::max(done, range->end);
        }
        if (done < keys.end)
            use(done, keys.end);
    }
    [[nodiscard]] const std::vector<Range> &of(Index place) const { return m_visible[static_cast<std::size_t>(place)]; }
    [[nodiscard]] bool isVisible(Index place, Index key) const;

private:
    /// The first interval that ends after @p key.
    [[nodiscard]] std::vector<Range>::const_iterator firstAfter(Index place, Index key) const;

    std::vector<std::vector<Range>> m_visible;
};

} // namespace attenscope
