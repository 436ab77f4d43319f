// SPDX-License-Identifier: GPL-3.0-or-later
// The .safetensors format: a JSON header and raw tensors.
#pragma once

#include "io/file_contents.h"

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace attenscope {

/// Reads the header; the numbers stay where they are. Strict as the format is: every byte after the header belongs to exactly one tensor.
/// Strings in __metadata__ that are JSON lists of strings become token lists. Tensors of other types than core/tensor.h knows are left
/// out. Errors: header longer than the file or than 100 MB, not JSON, a name twice, offsets that overlap, leave a gap or leave the file,
/// a size that contradicts the shape.
Result<FileContents> readSafetensors(const std::shared_ptr<const ByteSource> &bytes, const std::string &file);

/// A tensor that is to be written.
struct SafetensorsEntry {
    std::string name; ///< Without quotation marks and backslashes, as the texts of the metadata.
    std::vector<Index> shape;
};
/// What stands before the numbers of 32-bit tensors, which follow in this order without gaps. Its length is a multiple of 8.
[[nodiscard]] std::string safetensorsHeader(
    std::span<const SafetensorsEntry> tensors, std::span<const std::pair<std::string, std::string>> metadata);

} // namespace attenscope
