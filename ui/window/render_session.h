// SPDX-License-Identifier: GPL-3.0-or-later
// The session that attenscope render draws.
#pragma once

#include "io/session_file.h"
#include "window/render_request.h"

namespace attenscope {

/// The inputs of @p request under its mechanism, with the view that it asks for. Errors: files that cannot be read or do not go together, a
/// preset that recorded weights cannot have.
[[nodiscard]] Result<SessionFile> sessionOf(const RenderRequest &request);

} // namespace attenscope
