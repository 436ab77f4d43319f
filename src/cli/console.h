// SPDX-License-Identifier: GPL-3.0-or-later
// Where a command without a window writes.
#pragma once

#include "core/run.h"

#include <functional>
#include <string>

namespace attenscope {

/// The streams of a command. Nothing else in this layer prints.
struct Console {
    std::function<void(const std::string &text)> out; ///< Results.
    std::function<void(const std::string &text)> error; ///< Sentences about failures.
    Run run = {}; ///< Is told how far a command is, and stops it.
};

} // namespace attenscope
