// SPDX-License-Identifier: GPL-3.0-or-later
// HeadOperands: the Q, K and V of one head, after projection and position encoding, with its mask and scale.
#pragma once

#include "attention/input.h"
#include "attention/mask.h"
#include "core/run.h"

#include <memory>

namespace attenscope {

/// What one head computes with. q and k are after RoPE. Matrices are as in the input where nothing was to be done (then mapped
/// data stay mapped), else double results of the projections.
struct HeadOperands {
    AttentionSpec spec;
    SharedMatrix q; ///< Queries x d_k.
    SharedMatrix k; ///< Keys x d_k.
    SharedMatrix v; ///< Keys x d_v, or 0 x 0.
    SharedMatrix scoreQ; ///< What the score pairs with scoreK: q, q W, W_dec q, the q half of W [q; k] or φ(q), a row per query.
    SharedMatrix scoreK; ///< k, W_enc k, the k half of W [q; k] or φ(k), a row per key.
    SharedMatrix wo; ///< This head's rows of W_o, d_v x d_out, or 0 x 0.
    Mask mask{ 0, 0 };
    double scale = 1.0; ///< The factor in use, 1/√d_k or the given one.
    double alibiSlope = 0.0; ///< 0: none.
    Index alibiOffset = 0; ///< Position of query 0 minus position of key 0.
};

/// Projects, splits and turns. The caller has check()ed block and spec; the block is not recorded. Errors: memory, cancelled.
Result<std::shared_ptr<const HeadOperands>> headOperands(
    const AttentionBlock &block, const AttentionSpec &spec, const HeadRef &ref, const Run &run = {});

/// What turns x and y into one head's q, k and v.
struct HeadProjections {
    struct Part {
        SharedMatrix weights; ///< The head's columns; 0 x 0: nothing is projected.
        Vector bias; ///< Empty: zero.
    };
    Part q, k, v;
};
/// The columns of @p ref in the projections of @p block, whose data are embedded.
[[nodiscard]] HeadProjections headProjections(const AttentionBlock &block, const AttentionSpec &spec, const HeadRef &ref);

/// Slopes of ALiBi: 2^(-8h/H), h = 1..H, and for an H that is no power of two those of the next lower one, then every other of the next higher.
[[nodiscard]] std::vector<double> alibiSlopes(int heads);

/// Sinusoidal positions, rows x d: sin(pos / 10000^(2i/d)), cos of the same. Vaswani et al. 2017, section 3.5.
[[nodiscard]] Matrix sinusoidalPositions(Index rows, Index d, Index offset = 0);

/// Every row turned by RoPE; row r is at position offset + r. An even number of columns.
[[nodiscard]] Matrix turned(const Matrix &vectors, const Rope &rope, Index offset);

} // namespace attenscope
