// SPDX-License-Identifier: GPL-3.0-or-later
// Colours that tell several heads apart.
#pragma once

#include "state/theme.h"

#include <cstddef>

namespace attenscope {

inline constexpr std::size_t safeHeadColors = 8;
/// The colour of the @p place-th of several heads: eight that the colour-blind tell apart (Okabe and Ito 2008), then others, which are numbered too.
[[nodiscard]] QColor headColor(std::size_t place, const Theme &theme);

} // namespace attenscope
