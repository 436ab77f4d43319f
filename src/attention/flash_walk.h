// SPDX-License-Identifier: GPL-3.0-or-later
// FlashWalk: flash attention tile by tile, with what every row had before and after each.
#pragma once

#include "attention/explain.h"

#include <memory>
#include <vector>

namespace attenscope {

/// A tile that is visited: some row of it may see some key of it.
struct FlashTile {
    Index queryBlock = 0;
    Index keyBlock = 0;
    Range rows;
    Range keys;

    friend bool operator==(const FlashTile &, const FlashTile &) = default;
};

/// The walk in the order of FlashAttention-2 (Dao 2023, arXiv:2307.08691, algorithm 1): query block by query block, in each the key blocks that the mask
/// does not hide.
struct FlashWalk {
    std::shared_ptr<const HeadOperands> operands;
    Range rows; ///< The queries that are walked, whole query blocks.
    FlashExplanation states; ///< Of those.
    std::vector<FlashTile> tiles; ///< Visited ones in order.
    Index queryBlocks = 0; ///< Of the rows that are walked.
    Index keyBlocks = 0;
    Matrix exact; ///< The output of explain(), as many rows as are walked x d_v; 0 x 0 without values.
    double largestDifference = 0.0; ///< |states.output - exact|, where both are numbers.
    Index differentRow = 0; ///< Where that is.
    Index differentCol = 0;

    [[nodiscard]] Index skipped() const { return queryBlocks * keyBlocks - static_cast<Index>(tiles.size()); }
};

/// The query blocks that are walked together when that of @p row is: all where their states take at most 256 MB, else as many as do, at least one.
[[nodiscard]] Range flashRows(const HeadOperands &operands, Index row);

/// Walks the query blocks of @p rows of a head whose spec says Flash. Memory as explainFlash(), and the exact output. Errors: memory, cancelled.
Result<FlashWalk> explainFlashWalk(const std::shared_ptr<const HeadOperands> &operands, const Range &rows, const Run &run = {});

/// What one row does in one tile: m' = max(m, tile), c = exp(m - m'), l' = c·l + Σ exp(s - m'), a' = c·a + Σ exp(s - m')·v.
struct FlashRow {
    double mBefore = 0.0; ///< -inf before the first visible key.
    double tileMax = 0.0; ///< -inf where the row sees no key of the tile.
    double mAfter = 0.0;
    double correction = 1.0; ///< c; 1 where the row sees no key of the tile, 0 where it saw none before.
    double lBefore = 0.0;
    double tileSum = 0.0; ///< Σ exp(s - m').
    double lAfter = 0.0;
    Vector accBefore, accAfter; ///< d_v.
};
[[nodiscard]] FlashRow flashRow(const FlashWalk &walk, std::size_t tile, Index row);
/// The same in the key block that has @p key, without the walk of all rows.
[[nodiscard]] FlashRow flashRow(const HeadOperands &operands, Index row, Index key);

/// The weights of the tile's rows as they are after it, exp(s - m) / l, for keys [0, end of the tile); masked cells are cell::masked().
[[nodiscard]] Matrix flashWeights(const FlashWalk &walk, std::size_t tile);

} // namespace attenscope
