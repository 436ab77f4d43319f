// SPDX-License-Identifier: GPL-3.0-or-later
// stream: single precision, one pass over the keys with online softmax, O(n) memory: colours, summaries and outputs.
#pragma once

#include "attention/operands.h"

namespace attenscope {

struct StreamOptions {
    bool wantsOutput = true;
    /// Width that the overview may have; its pool is the smallest power of two that fits. 0: no overview.
    Index overviewSize = 1024;
    /// Whether entropy and largest weight are wanted, which look at every weight and take some more time. Without them and without an
    /// overview linear attention takes time in proportion to the keys, if every row sees the first so many keys and nothing but the mask changes the scores.
    bool wantsWeights = true;
};

/// What stream keeps of one head.
struct StreamResult {
    VectorF logSumExp; ///< Per row; -inf for a row that may attend to nothing.
    VectorF entropy; ///< Per row, nats; empty if not wanted.
    VectorF largest; ///< Per row, the largest weight; empty if not wanted.
    MatrixF output; ///< Queries x d_v; 0 x 0 without values or if not wanted.
    MatrixF overview; ///< Max-pooled weights, cells as in attention/cell.h; with pool 1 the whole map.
    Index pool = 1; ///< Cells per side of one overview cell.
};

/// The pool that makes ceil(max(queries, keys) / pool) <= size: 1, 2, 4, ….
[[nodiscard]] Index overviewPool(Index queries, Index keys, Index size);

/// One pass over one head, split over rows by parallelFor(); the same bits on any number of threads. Never holds a queries x keys
/// matrix. Online softmax: Milakov & Gimelshein 2018, arXiv:1805.02867. Stop is checked at every key block. Errors: memory, cancelled.
Result<StreamResult> stream(const HeadOperands &operands, const StreamOptions &options = {}, const Run &run = {});

/// The same for rows [rows) only; results start with row rows.first. No overview unless these are all rows.
Result<StreamResult> streamRows(const HeadOperands &operands, Range rows, const StreamOptions &options = {}, const Run &run = {});

} // namespace attenscope
