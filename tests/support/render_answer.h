// SPDX-License-Identifier: GPL-3.0-or-later
// What attenscope render does and says, for tests.
#pragma once

#include "window/render_command.h"

namespace attenscope {

/// What attenscope render says of @p arguments: empty where it has written the file.
inline QString renderAnswer(const QStringList &arguments)
{
    const Result<RenderRequest> request = parseRender(arguments);
    if (!request)
        return QString::fromStdString(request.error().sentence());
    const Result<void> written = render(*request);
    return written ? QString() : QString::fromStdString(written.error().sentence());
}

} // namespace attenscope
