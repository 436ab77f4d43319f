// SPDX-License-Identifier: GPL-3.0-or-later
// Job files: many figures in one run of attenscope render.
#pragma once

#include "core/run.h"
#include "window/render_request.h"

#include <functional>
#include <vector>

namespace attenscope {

/// Reads a job file:
/// {"defaults": {OPTION: VALUE, …}, "figures": [{"input": FILE or [FILE, …], "output": FILE, OPTION: VALUE, …}, …]}.
/// Options are those of `attenscope render` without their dashes; true stands for a switch. Files are found from the folder of the job file.
/// Errors name the figure by its number, from 1; nothing is drawn while one of them is wrong or two have the same
/// output.
Result<std::vector<RenderRequest>> readRenderJob(const QString &path);

/// Renders one after the other. A figure that fails does not keep the others back. @p say gets "2 of 12: head-3.png" before each, its notes, and the
/// sentence of each that failed. Errors: how many failed, cancelled.
Result<void> renderAll(const std::vector<RenderRequest> &requests, const std::function<void(const QString &)> &say, const Run &run = {});

} // namespace attenscope
