// SPDX-License-Identifier: GPL-3.0-or-later
// Formula: the mechanism as a formula, in words of mathematics and in one line.
#pragma once

#include "attention/input.h"
#include "state/math_box.h"

#include <optional>

namespace attenscope {

/// What the formula has to say.
struct Formula {
    bool isDividedByRoot = true; ///< By √d_k.
    std::optional<double> factor; ///< On the scores in its place.
    double temperature = 1.0;
    bool hasMask = false;
    bool hasValues = true;

    friend bool operator==(const Formula &, const Formula &) = default;
};

/// What @p spec does on @p block.
[[nodiscard]] Formula formulaOf(const AttentionBlock &block, const AttentionSpec &spec);
/// @p formula as boxes, without measures.
[[nodiscard]] MathBox mathBox(const Formula &formula);
/// The same in one line, for screen readers and tooltips: "softmax(QKᵀ / √d_k + M) V".
[[nodiscard]] QString plainFormula(const Formula &formula);

} // namespace attenscope
