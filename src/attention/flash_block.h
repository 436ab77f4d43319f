// SPDX-License-Identifier: GPL-3.0-or-later
// Flash attention of some rows, shared by whoever walks it so that all agree bit for bit.
#pragma once

#include "attention/row_kernel.h"

#include <cstdint>

namespace attenscope {

/// Adds the keys among @p keys that @p kernel's row may see to its running maximum @p m, its sum @p l of exp(score - m) and its accumulator
/// @p acc, which has d_v numbers. Before the first key m is -inf, all else 0.
void addFlashBlock(RowKernel &kernel, const HeadOperands &operands, const Range &keys, double &m, double &l, std::span<double> acc);

/// explainFlash() of queries [rows) alone, with one row of every matrix for each of them. Query blocks in parallel. Errors: memory, cancelled.
Result<FlashExplanation> explainFlash(const HeadOperands &operands, const Range &rows, const Run &run);
/// Bytes of all states of @p rows queries.
[[nodiscard]] std::uint64_t flashBytes(const HeadOperands &operands, Index rows);

} // namespace attenscope
