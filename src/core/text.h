// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers and shapes in words, the same in every message and on every label, independent of the locale.
#pragma once

#include "core/matrix.h"

#include <cstdint>
#include <span>
#include <string>

namespace attenscope {

/// 146600 -> "146,600", -1 -> "−1": counts in prose; never for data.
[[nodiscard]] std::string groupedCount(std::int64_t count);
/// Sizes in decimal units: "146,600 bytes", "2.4 GB".
[[nodiscard]] std::string byteSize(std::uint64_t bytes);
/// {5, 8, 21} -> "5 × 8 × 21".
[[nodiscard]] std::string shapeText(std::span<const Index> shape);
/// The shortest text that reads back as exactly this number; "nan", "inf", "-inf".
[[nodiscard]] std::string exactNumber(double number);
/// Fixed decimals with the minus sign U+2212, "NaN", "∞", "−∞"; a negative zero after rounding loses its sign.
[[nodiscard]] std::string displayNumber(double number, int decimals);
/// @p text cut to at most @p most characters (code points) with "…", control characters shown as spaces; for messages.
[[nodiscard]] std::string shortened(const std::string &text, std::size_t most);
/// Whether @p text is well-formed UTF-8.
[[nodiscard]] bool isUtf8(std::string_view text);

} // namespace attenscope
