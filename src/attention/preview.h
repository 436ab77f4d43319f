// SPDX-License-Identifier: GPL-3.0-or-later
// Preview: what the weights of a long head look like, estimated in a moment from averaged queries and keys.
#pragma once

#include "attention/operands.h"

namespace attenscope {

/// An estimate of the folded weights of a head; to be shown only where it is marked as one.
struct Preview {
    MatrixF cells; ///< Cells as in attention/cell.h, each for pool x pool cells of the map.
    Index pool = 1;
};

/// Of a block at most so many queries or keys are averaged.
inline constexpr Index mostPreviewRows = 16;

/// Queries and keys are replaced by means over blocks of @p pool neighbours (the last block may be smaller); of a larger block than mostPreviewRows
/// the rows first + i · size / mostPreviewRows are taken. The bias is that of the middle cell of each block; distances are counted in blocks.
/// With the scores s of the means and the number c of keys in block J that the middle query of block I sees (row first + size / 2),
///   cell(I, J) = exp(s(I, J)) / Σ_J' c(I, J') exp(s(I, J')),
/// the weight that one key of the block would have; softmax1 adds 1 to the sum. Masked where c is 0. Time grows with the number of blocks and its
/// square, hardly with the number of keys. Errors: memory, cancelled.
Result<Preview> previewWeights(const HeadOperands &operands, Index pool, const Run &run = {});

/// The estimate for @p weights with tokens left out or merged as @p data says: of each block of @p pool x @p pool of its cells what the middle one has,
/// the weight of one of its keys times their number; rows divided by what is left of them where @p data says so.
[[nodiscard]] Preview reducedPreview(const Preview &weights, const ReducedData &data, Index pool);

} // namespace attenscope
