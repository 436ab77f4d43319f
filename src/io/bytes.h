// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes of files, safe against other programs that change them.
#pragma once

#include "core/tensor.h"
#include "session/source.h"

#include <memory>
#include <string>

namespace attenscope {

/// Smaller files are read whole; of larger ones the bytes are read when they are asked for.
inline constexpr std::uint64_t wholeFileLimit = 64'000'000;

/// A file that was opened: its bytes, and what is needed to find it again.
struct OpenedFile {
    std::shared_ptr<const ByteSource> bytes;
    FileRef ref; ///< Absolute path, size, time, and for files read whole the checksum.
};

/// Opens the regular file @p path. Errors: not there, a folder, not readable, empty, changing while it is read.
Result<OpenedFile> openBytes(const std::string &path);

/// Whether the file is still as @p ref says: same size, and the same time or the same checksum.
Result<void> checkUnchanged(const FileRef &ref);

/// Bytes [first, first + count) as text; the memory is checked first. The range lies inside @p bytes.
Result<std::string> readText(const ByteSource &bytes, std::uint64_t first, std::uint64_t count);

/// The last part of a path.
[[nodiscard]] std::string fileName(const std::string &path);
/// The last part of a path without its extension: "q" for "/data/q.npy".
[[nodiscard]] std::string baseName(const std::string &path);
/// The extension in lower case without the dot: "npy".
[[nodiscard]] std::string extension(const std::string &path);

} // namespace attenscope
