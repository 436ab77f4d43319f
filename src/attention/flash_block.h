// SPDX-License-Identifier: GPL-3.0-or-later
// One row of flash attention over one block of keys, shared by whoever walks it so that all agree bit for bit.
#pragma once

#include "attention/row_kernel.h"

namespace attenscope {

/// Adds the keys among @p keys that @p kernel's row may see to its running maximum @p m, its sum @p l of exp(score - m) and its accumulator
/// @p acc, which has d_v numbers. Before the first key m is -inf, all else 0.
void addFlashBlock(RowKernel &kernel, const HeadOperands &operands, const Range &keys, double &m, double &l, std::span<double> acc);

} // namespace attenscope
