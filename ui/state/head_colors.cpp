// SPDX-License-Identifier: GPL-3.0-or-later
// The colours of Okabe and Ito, and more of them.
#include "state/head_colors.h"

#include <array>
#include <cmath>

namespace attenscope {

QColor headColor(std::size_t place, const Theme &theme)
{
    // The yellow of the original is not seen on white.
    constexpr std::array<const char *, safeHeadColors - 1> safe{ "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9",
        "#B8A800" };
    if (place < safe.size())
        return QColor(safe[place]);
    if (place == safe.size())
        return theme.text;
    // Steps of the golden ratio come near no earlier hue for long.
    constexpr double golden = 0.618033988749895;
    const double turns = golden * static_cast<double>(place);
    const double lightness = (theme.isDark ? 0.55 : 0.35) + 0.05 * static_cast<double>(place % 4);
    return QColor::fromHslF(static_cast<float>(turns - std::floor(turns)), 0.75F, static_cast<float>(lightness));
}

} // namespace attenscope
