// SPDX-License-Identifier: GPL-3.0-or-later
// NumPy's .npz: a zip of .npy files.
#pragma once

#include "io/file_contents.h"
#include "io/zip_archive.h"

namespace attenscope {

/// Reads every .npy in @p archive; its name is the array's. Errors: a damaged part, sizes that contradict each other or are a bomb's, cancelled.
Result<FileContents> readNpz(const ZipArchive &archive, const std::string &file, const Run &run);

} // namespace attenscope
