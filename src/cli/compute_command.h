// SPDX-License-Identifier: GPL-3.0-or-later
// attenscope-compute: what files contain, and attention computed on them, without a screen.
#pragma once

#include "cli/console.h"

#include <QStringList>

namespace attenscope {

/// Runs the program with @p arguments (the first is the program). The exit code: 0 done, 1 failed with a sentence, 2 wrong usage.
[[nodiscard]] int computeCommand(const QStringList &arguments, const Console &console);

} // namespace attenscope
