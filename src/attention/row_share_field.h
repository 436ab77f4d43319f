// SPDX-License-Identifier: GPL-3.0-or-later
// Weights as shares of the largest of their row, for colours under a sink.
#pragma once

#include "attention/field.h"

namespace attenscope {

/// @p weights, every cell divided by the largest of its row: what a sink leaves of a row is seen. Where cells are folded, rows that are folded together
/// are one row: its largest is the largest of all. A row whose largest is not above 0 stays as it is, as do masked, absent and NaN cells.
/// For colours only: numbers that are shown are the weights themselves.
[[nodiscard]] MapFieldPtr rowShareField(MapFieldPtr weights);

} // namespace attenscope
