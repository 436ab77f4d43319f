// SPDX-License-Identifier: GPL-3.0-or-later
// RowWalk: everything that happens to one query, step by step, as plain numbers.
#pragma once

#include "attention/attention_result.h"
#include "attention/explain.h"

#include <vector>

namespace attenscope {

/// The steps of one row in the order of the computation. A walk has those that its mechanism and data have.
enum class WalkStep {
    Embedding, ///< Embedding + sinusoidal position = x, of the query.
    KeyEmbedding, ///< The same of every key.
    Query, ///< x W_q + b_q = q.
    Key, ///< y W_k + b_k = k, key by key.
    Value, ///< y W_v + b_v = v, key by key.
    RotatedQuery, ///< RoPE on q.
    RotatedKey, ///< RoPE on k, key by key.
    PreparedQuery, ///< What the score takes of q: q W, W_dec q, the q half of W [q; k], φ(q).
    PreparedKey, ///< The same of k: W_enc k, the k half of W [q; k], φ(k).
    Units, ///< tanh of both, for the additive and concat scores.
    Scores,
    Recorded, ///< Weights from a file, which begin here.
    Scaled,
    Capped,
    Biased,
    Tempered,
    Masked,
    Maximum,
    Exponentials,
    Sum,
    Weights,
    WeightedValues, ///< Weight times value, key by key.
    Output, ///< Their sum.
    Concatenation, ///< The outputs of all heads of the layer, side by side.
    OutputProjection, ///< Times W_o, plus b_o.
};

/// A row times a matrix plus a bias, as a projection does it. All empty where there is none.
struct WalkProjection {
    SharedMatrix input; ///< x or y.
    SharedMatrix weights; ///< The columns of this head.
    Vector bias; ///< Empty: zero.
};

/// Row @p row of one head. Vectors over the keys have one number per key; those of steps that there are not are empty.
/// All numbers are those of explain() and explainRow(), bit for bit.
struct RowWalk {
    HeadRef ref;
    Index row = 0;
    std::vector<WalkStep> steps;
    std::shared_ptr<const HeadOperands>
        operands; ///< q, k and v after the rotation, what the score pairs, the mask; of recorded weights spec and mask.

    Vector embedding, position; ///< Of the row; their sum is x.
    SharedMatrix keyEmbeddings; ///< A row per key, before their positions.
    WalkProjection query, key, value;
    SharedMatrix plainQ, plainK; ///< Before the rotation; 0 x 0 without RoPE.
    Matrix units; ///< Keys x d_att.

    Vector scores, scaled, capped, biased, tempered; ///< Masked keys too: what they would be.
    Vector bias; ///< What Biased adds, ALiBi included.
    Vector recorded; ///< As many as the row has in the file.
    Vector masked; ///< -inf where masked; of recorded weights the kept ones, 0 where masked.
    std::vector<bool> visible; ///< Per key.
    double max = 0.0; ///< Largest masked score; -inf where no key is visible.
    double reference = 0.0; ///< What is taken from every score before the exponential: max, with softmax1 at least 0.
    Vector exponentials; ///< exp(masked - reference).
    double one = 0.0; ///< With softmax1: exp(-reference), the 1 of its denominator.
    double sum = 0.0; ///< one + Σ exponentials, or Σ of the kept weights: what the weights are divided by. 0 where no key is visible.
    Vector weights;
    Matrix weightedValues; ///< Keys x d_v.
    Vector output; ///< d_v.

    int heads = 1; ///< Side by side in concat.
    Vector concat; ///< heads · d_v.
    SharedMatrix wo;
    Vector bo; ///< Empty: zero.
    Vector projected; ///< d_out.

    [[nodiscard]] bool has(WalkStep step) const;
    [[nodiscard]] Index keys() const { return weights.size(); }
    [[nodiscard]] Vector keyPosition(Index at) const;
};

/// The two numbers that RoPE turns together, of which @p dim is one, and by what angle at @p position.
struct RopePair {
    Index first = 0;
    Index second = 0;
    double angle = 0.0;
};
[[nodiscard]] RopePair ropePair(const Rope &rope, Index d, Index dim, Index position);

/// Walks row @p row of head @p ref. Operands of heads that @p ready has are taken from there; others are made: for the concatenation all heads of
/// the layer are needed. Of recorded weights the mask, where it hides keys, and where they had weight the sum of the kept and the division by it.
/// Memory: about keys · (d_v + d_att + 12) doubles, checked first. Errors: memory, cancelled, a row that is empty in the file.
Result<RowWalk> explainWalk(const AttentionResult &ready, const HeadRef &ref, Index row, const Run &run = {});

} // namespace attenscope
