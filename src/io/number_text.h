// SPDX-License-Identifier: GPL-3.0-or-later
// One number as people and programs write it, independent of the locale.
#pragma once

#include "core/result.h"

#include <string>
#include <string_view>

namespace attenscope {

enum class NumberKind {
    Number,
    Empty, ///< Nothing but white space.
    Text, ///< Not a number.
    TooLarge, ///< A number beyond 1.8 · 10^308, which would silently become infinite.
};

struct ParsedNumber {
    NumberKind kind = NumberKind::Text;
    double number = 0.0;
};

/// @p text without white space (spaces, tabs, line ends) at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// Reads all of @p text, which may have white space around: 1, -1.5, +.5, 2., 1e-3, −1 (U+2212), nan, inf, Infinity in any case. What
/// is too small for a double becomes 0. @p decimalMark is '.' or ','.
[[nodiscard]] ParsedNumber parseNumber(std::string_view text, char decimalMark = '.');

/// What is said of NumberKind::TooLarge wherever a number is typed, pasted or read. @p where: a sentence; @p infinity: how it is written there.
[[nodiscard]] Error tooLargeNumber(std::string where, const std::string &infinity = "inf");

} // namespace attenscope
