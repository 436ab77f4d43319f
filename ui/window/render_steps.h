// SPDX-License-Identifier: GPL-3.0-or-later
// attenscope render --view steps: states of a walk from files, without a window.
#pragma once

#include "state/document.h"
#include "window/walk_files.h"

#include <optional>

namespace attenscope {

/// Writes the state of step @p step (from 1; the first) for query @p row and key @p key, or with the extension .apng all states as an animation.
/// With the algorithm flash a step is a tile. Errors: recorded weights, no such step, memory, not writable.
Result<void> renderSteps(const Document &document, Index row, Index key, std::optional<int> step, const QString &path,
    const WalkFileOptions &options, const Run &run = {});

} // namespace attenscope
