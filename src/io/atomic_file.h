// SPDX-License-Identifier: GPL-3.0-or-later
// Writing files that are complete or not there at all.
#pragma once

#include "core/result.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace attenscope {

/// Takes pieces of a file or of a text; false where they cannot be kept.
using Sink = std::function<bool(const std::string &piece)>;

/// Lets @p write produce the content of @p path; it replaces the old file only when it is complete. Errors: those of @p write, a folder
/// that is not there or may not be written, a full disk.
Result<void> writeFile(const std::string &path, const std::function<Result<void>(const Sink &)> &write);

/// The same with @p text.
Result<void> writeText(const std::string &path, const std::string &text);

/// Before hours of work end at a full disk: whether @p bytes fit where @p path is to be written. @p remedy says what else can be done.
Result<void> checkDisk(const std::string &path, std::uint64_t bytes, const std::string &remedy);

/// The bytes of @p numbers as files have them.
[[nodiscard]] std::string littleEndian(std::span<const double> numbers);

} // namespace attenscope
