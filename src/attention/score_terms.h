// SPDX-License-Identifier: GPL-3.0-or-later
// ScoreTerms: what the scores of one query are sums of, number by number.
#pragma once

#include "attention/explain.h"

#include <memory>
#include <span>
#include <vector>

namespace attenscope {

/// One row of a head with the vectors that its scores are made of. A unit is a dimension of q and k, with the additive and concat scores a
/// unit of their tanh layer. Queries and keys are as they enter the score: after positions, projections and φ. All numbers are those of
/// explain(), bit for bit; the terms of a key add up to its score (linear attention: to its exponential), up to rounding.
struct ScoreTerms {
    std::shared_ptr<const HeadOperands> operands;
    Index row = 0;
    Vector query; ///< What the score takes of q: q, q W, W_dec q, the q half of W [q; k] or φ(q).
    Vector scoreVector; ///< v of the additive and concat scores; empty for others.
    Explanation stages; ///< Of this row alone.
    std::vector<bool> visible; ///< Per key.
    double largest = 0.0; ///< Largest finite magnitude in the query and in the key, the terms and the value of every visible key.

    [[nodiscard]] Index keys() const { return operands->scoreK.rows(); }
    [[nodiscard]] Index units() const { return query.size(); }
    /// Numbers of a value; 0 without values.
    [[nodiscard]] Index values() const { return operands->v.cols(); }
    [[nodiscard]] double score(Index key) const { return stages.scores(0, key); }
    [[nodiscard]] double weight(Index key) const { return stages.weights(0, key); }
    /// What the score takes of key @p key; out has units() numbers.
    void readKey(Index key, std::span<double> out) const;
    /// q times k unit by unit, or v tanh(q + k).
    void readTerms(Index key, std::span<double> out) const;
    /// out has values() numbers.
    void readValue(Index key, std::span<double> out) const;
    /// What key @p key brings to number @p dimension of the output: weight times value.
    [[nodiscard]] double weightedValue(Index key, Index dimension) const { return weight(key) * operands->v.at(key, dimension); }

    /// All units, those that add most to the score of @p key, or take most from it, first; equal ones in order, NaN before all.
    [[nodiscard]] std::vector<Index> unitsByTerm(Index key) const;
    /// All keys, the largest weight first; equal ones in order, NaN before all, masked ones last.
    [[nodiscard]] std::vector<Index> keysByWeight() const;
};

/// Row @p row of a computed head. Reads every key and value once. Errors: memory, cancelled.
Result<ScoreTerms> scoreTerms(std::shared_ptr<const HeadOperands> operands, Index row, const Run &run = {});

} // namespace attenscope
