// SPDX-License-Identifier: GPL-3.0-or-later
// Text of files as UTF-8.
#pragma once

#include "core/result.h"

#include <cstdint>
#include <string>

namespace attenscope {

/// Appends one character. What is none (half a surrogate pair, as Python writes bytes that are no text) becomes U+FFFD.
void appendUtf8(std::string &text, std::uint32_t code);

/// The content of a text file as UTF-8 without a byte order mark; UTF-16 with a mark (spreadsheets' "Unicode text") is converted.
/// Errors: another encoding, and where; zero bytes, which no text has.
Result<std::string> decodedText(std::string content);

} // namespace attenscope
