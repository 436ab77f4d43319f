// SPDX-License-Identifier: GPL-3.0-or-later
// Telling what a file is by its content, then by its extension.
#pragma once

#include "core/result.h"

#include <string>
#include <string_view>

namespace attenscope {

enum class FileKind { Npy, Zip, Safetensors, Table, Json, Text };

/// How many bytes of the beginning kindOf() wants to see.
inline constexpr std::size_t kindBytes = 64;

/// What the file named @p path is, judged by its @p beginning, then by its extension. Errors: what it is instead and what to do (pickles with the
/// Python line that saves safetensors, HDF5, pictures, …).
Result<FileKind> kindOf(const std::string &path, std::string_view beginning);

/// Whether files of that name are usually pickles: .pt, .pth, .bin, .pkl, .pickle, .ckpt.
[[nodiscard]] bool isPickleName(const std::string &path);

/// The refusal of pickles and torch files: they can run programs and are not read.
[[nodiscard]] Error pickleRefusal(const std::string &path);

} // namespace attenscope
