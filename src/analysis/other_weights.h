// SPDX-License-Identifier: GPL-3.0-or-later
// Same output, other weights: how much of a row of attention could be otherwise. Jain & Wallace 2019, arXiv:1902.10186.
#pragma once

#include "attention/operands.h"

namespace attenscope {

/// Two rows of weights that give the output of the real one: with the least and with the most on a key.
struct OtherWeights {
    Vector real; ///< Weights of all keys; keys that the mask hides have 0 in all three.
    Vector smallest;
    Vector largest;
    /// The largest difference between what the real weights give and what the other two give, over all dimensions of the output and the sum,
    /// in units of the largest |v - output| of the dimension: what rounding makes of "the same".
    double residual = 0.0;
};

/// Among all w >= 0 over the visible keys with the sum and the output of the real weights of @p row: two linear programmes, by the simplex method
/// (GLPK). @p operands have values; NaN and infinity in the visible part are refused. Stop is checked several times a second. Errors: no values, key
/// not visible, not finite, memory, cancelled, no solution within rounding.
Result<OtherWeights> otherWeights(const HeadOperands &operands, Index row, Index key, const Run &run = {});

} // namespace attenscope
