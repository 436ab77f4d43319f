// SPDX-License-Identifier: GPL-3.0-or-later
// Formula: the mechanism as a formula, in words of mathematics and in one line.
#pragma once

#include "attention/input.h"
#include "state/math_box.h"

namespace attenscope {

/// A formula in the markup of parseMath().
struct Formula {
    QString markup;

    friend bool operator==(const Formula &, const Formula &) = default;
};

/// What @p spec does on @p block: every step that it has, each marked with its control. Of recorded weights A what the mask leaves of them.
[[nodiscard]] Formula formulaOf(const AttentionBlock &block, const AttentionSpec &spec);
/// @p formula as boxes, without measures.
[[nodiscard]] MathBox mathBox(const Formula &formula);
/// The same in one line, for screen readers and tooltips: "softmax(QKᵀ / √d_k + M) V".
[[nodiscard]] QString plainFormula(const Formula &formula);

} // namespace attenscope
