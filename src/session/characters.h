// SPDX-License-Identifier: GPL-3.0-or-later
// Where characters and white space begin and end in UTF-8.
#pragma once

#include <cstddef>
#include <string_view>

namespace attenscope {

/// Bytes of what a reader calls one character at @p place: a code point with its combining marks, variation selectors, skin tones and tags,
/// emoji joined by U+200D, a pair of regional indicators (a flag), CR LF. A short form of the grapheme clusters of UAX #29.
/// A byte that is not UTF-8 is a character of its own. @p place is inside @p text.
[[nodiscard]] std::size_t characterBytes(std::string_view text, std::size_t place);

/// Bytes of the white space (Unicode's White_Space) code point at @p place; 0 where there is something else or the end.
[[nodiscard]] std::size_t whiteSpaceBytes(std::string_view text, std::size_t place);

} // namespace attenscope
