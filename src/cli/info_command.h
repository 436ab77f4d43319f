// SPDX-License-Identifier: GPL-3.0-or-later
// attenscope-compute info: what files contain.
#pragma once

#include "core/result.h"
#include "core/run.h"

#include <QStringList>

#include <string>

namespace attenscope {

/// The files that the arguments behind "info" name. Errors are about usage.
Result<QStringList> parseInfo(const QStringList &arguments);
/// The report: arrays with type, shape and use; token lists; notes; blocks with layers, heads, queries and keys. Errors: those of opening.
Result<std::string> info(const QStringList &paths, const Run &run = {});
/// The text of `attenscope-compute info --help`.
[[nodiscard]] std::string infoHelp();

} // namespace attenscope
