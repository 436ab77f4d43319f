// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as people type them and as table cells show them.
#pragma once

#include "core/matrix.h"

#include <QString>

#include <optional>

namespace attenscope {

/// The number that @p text is: blanks around it, U+2212 and a decimal comma are fine, so are "nan", "inf", "∞" with or without a sign. Nothing for other text and for what is too large for a double.
[[nodiscard]] std::optional<double> typedNumber(const QString &text);

/// Whether @p text is a number that is too large for a double.
[[nodiscard]] bool isTooLarge(const QString &text);

/// @p number for a narrow cell: exact where that is short, else four decimals, else three digits and an exponent; minus sign U+2212.
[[nodiscard]] QString cellText(double number);

/// @p number as views show it: @p decimals digits after the point, or an exponent where that would show nothing, or too much: "0.4379", "3.1e−07".
/// The one rule for weights and what they are made of; only the cells of maps and matrices, which all have one width, keep their decimals.
[[nodiscard]] QString shownNumber(double number, int decimals);

/// As shownNumber(), with its sign: "+0.1200"; a difference of weights that is no more than rounding is 0.
[[nodiscard]] QString shownDifference(double difference, int decimals);

/// As wide as any weight with four decimals: what a column of them has to have room for.
[[nodiscard]] QString widestWeight();

/// @p count with its digits in groups of three.
[[nodiscard]] QString countText(Index count);

} // namespace attenscope
