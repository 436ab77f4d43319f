// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as people type them and as table cells show them.
#pragma once

#include "core/matrix.h"

#include <QString>

#include <optional>

namespace attenscope {

/// The number that @p text is: blanks around it, U+2212 and a decimal comma are fine, so are "nan", "inf", "∞" with or without a sign. Nothing for other text and for what is too large for a double.
[[nodiscard]] std::optional<double> typedNumber(const QString &text);

/// @p number for a narrow cell: exact where that is short, else four decimals, else three digits and an exponent; minus sign U+2212.
[[nodiscard]] QString cellText(double number);

/// @p count with its digits in groups of three.
[[nodiscard]] QString countText(Index count);

} // namespace attenscope
