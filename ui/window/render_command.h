// SPDX-License-Identifier: GPL-3.0-or-later
// attenscope render: a figure or numbers from files, without a window or a display.
#pragma once

#include "core/run.h"
#include "window/render_request.h"

#include <functional>

namespace attenscope {

/// Opens, computes, draws and writes. Needs a QApplication. @p say gets what is to be known before it is done, whole sentences.
/// Errors: files, no such head, no fonts, too large, not writable, cancelled.
Result<void> render(const RenderRequest &request, const std::function<void(const QString &)> &say = {}, const Run &run = {});

} // namespace attenscope
