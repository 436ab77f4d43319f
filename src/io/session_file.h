// SPDX-License-Identifier: GPL-3.0-or-later
// Session files (.attn): a zip with session.json and the arrays as .npy; versioned, written atomically.
#pragma once

#include "core/run.h"
#include "session/session.h"

#include <string>
#include <vector>

namespace attenscope {

/// What is picked and where one looks: saved with the session, never undone.
struct SelectionState {
    std::optional<std::pair<Index, Index>> picked; ///< Query, key.
    std::vector<Index> moreRows; ///< Queries picked besides that one, for sums.
    std::vector<Index> moreCols; ///< Keys picked besides that one.
    std::optional<CellRect> visible; ///< Unset: all.

    friend bool operator==(const SelectionState &, const SelectionState &) = default;
};

struct SessionFile {
    Session session;
    SelectionState selection;
    std::vector<FileRef> missing; ///< Inputs by path that are not there or not the same; the rest is complete without them.
};

/// Inputs up to this many bytes are stored inside, larger ones by relative path, size and checksum.
inline constexpr std::uint64_t embeddedInputLimit = 32'000'000;

/// Writes atomically: the old file stays until the new one is complete.
Result<void> saveSession(const std::string &path, const Session &session, const SelectionState &selection);
/// Reads a session and, where it refers to files, those. Errors: not a session, damaged, from a newer version (says which).
Result<SessionFile> loadSession(const std::string &path, const Run &run = {});

} // namespace attenscope
