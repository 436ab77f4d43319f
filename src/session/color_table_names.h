// SPDX-License-Identifier: GPL-3.0-or-later
// The colour tables by name: in session files, options and menus.
#pragma once

#include "session/session.h"

#include <array>
#include <string_view>

namespace attenscope {

/// In the order of the values of ColorTable. Names are never changed, only added.
inline constexpr std::array<std::string_view, 4> colorTableNames{ "viridis", "cividis", "magma", "grey" };
/// The same as an option lists them.
inline constexpr const char *colorTableList = "viridis, cividis, magma, grey";

} // namespace attenscope
