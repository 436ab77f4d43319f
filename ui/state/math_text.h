// SPDX-License-Identifier: GPL-3.0-or-later
// Formulas as text: from a small markup to boxes, and from boxes to one plain line.
#pragma once

#include "state/math_box.h"

namespace attenscope {

/// The boxes of @p markup, without measures. Letters are set in italics, all else upright:
/// 'tanh' upright word, x^{…} x_{…} scripts, \frac{a}{b}, \sqrt{a}, (…) parentheses as high as what they enclose, ~ a gap, and
/// \score{…}, \scale{…}, \cap{…}, \bias{…}, \temperature{…}, \mask{…}, \softmax{…}, \rope{…}, \values{…} for what belongs to a control. Scripts take one
/// letter, word, command or group. Markup that does not close is a bug (assert).
[[nodiscard]] MathBox parseMath(const QString &markup);

/// The same in one line, for screen readers and tooltips: "softmax(QKᵀ / √d_k + M) V".
[[nodiscard]] QString plainMath(const MathBox &box);

} // namespace attenscope
