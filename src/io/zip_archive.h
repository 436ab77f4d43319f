// SPDX-License-Identifier: GPL-3.0-or-later
// Reading zip files (libzip), with sizes checked before memory is taken.
#pragma once

#include "core/run.h"
#include "io/tensor_place.h"

#include <memory>
#include <string>
#include <vector>

namespace attenscope {

struct ZipEntry {
    std::string name;
    std::uint64_t size = 0;
    std::uint64_t compressedSize = 0;
    bool isStored = false; ///< Not compressed.
};

/// Where the bytes of an entry are: in the archive itself or inflated in memory.
struct ZipBytes {
    std::shared_ptr<const ByteSource> bytes;
    ByteRange range;
};

/// One zip file, read only.
class ZipArchive {
public:
    /// Reads the directory. Errors: not a zip file, damaged, encrypted entries, an unknown compression, a directory that contradicts itself.
    static Result<ZipArchive> open(std::shared_ptr<const ByteSource> bytes);

    ZipArchive(ZipArchive &&other) noexcept;
    ZipArchive &operator=(ZipArchive &&other) noexcept;
    ~ZipArchive();

    [[nodiscard]] const std::vector<ZipEntry> &entries() const { return m_entries; }

    /// Refuses what would take too much memory when entries @p indices are read, and what only a bomb would hold.
    [[nodiscard]] Result<void> checkSizes(const std::vector<std::size_t> &indices) const;
    /// The bytes of one entry after checkSizes(). Stored entries are not copied; their checksum is tested where the archive is in memory.
    [[nodiscard]] Result<ZipBytes> read(std::size_t index, const Run &run = {}) const;
    /// A small entry as text; at most @p mostBytes.
    [[nodiscard]] Result<std::string> readText(std::size_t index, std::uint64_t mostBytes) const;

private:
    struct Handle;

    ZipArchive();

    std::unique_ptr<Handle> m_handle;
    std::vector<ZipEntry> m_entries;
};

} // namespace attenscope
