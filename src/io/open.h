// SPDX-License-Identifier: GPL-3.0-or-later
// Opening files: one table of formats, every reader behind one call.
#pragma once

#include "core/run.h"
#include "session/session.h"

#include <span>
#include <string>
#include <vector>

namespace attenscope {

/// One row of the table of formats.
struct Format {
    std::string name; ///< "NumPy array"
    std::vector<std::string> extensions; ///< "npy", lower case, without the dot.
};
/// What the program can open, for file dialogs, the guide and messages.
[[nodiscard]] std::span<const Format> formats();

/// Reads one or several files that belong together (q.npy, k.npy, v.npy, tokens.txt): their arrays and token lists, with token lists from
/// files of the same base name beside a single file. Files under 64 MB are read whole, larger ones piece by piece. The format is recognised
/// by content first, then by extension. .pt, .pth, .bin and pickles are refused without being read, with the Python line that saves safetensors.
/// The answer has tensors and uses filled in, recognised. Errors: one sentence each; which file, which part, what to do.
Result<FileSource> openFiles(const std::vector<std::string> &paths, const Run &run = {});

/// A new session on @p source: the name of the first file, the first head of the first block, no mask (the zeros of a causal recording are in
/// its numbers), heads of the data; for embeddings as few heads as the projections allow.
[[nodiscard]] Session sessionFor(FileSource source);

/// Whether the files are still as they were when they were opened (size and time); says which changed.
Result<void> checkUnchanged(const FileSource &source);

} // namespace attenscope
