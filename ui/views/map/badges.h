// SPDX-License-Identifier: GPL-3.0-or-later
// Badges: what stands on a map about how exact it is.
#pragma once

#include "views/map/map_scene.h"

namespace attenscope {

/// What a badge says of cells that share a pixel of the last map; empty where each has its own.
[[nodiscard]] QString foldWords(const MapScene &scene);

struct Badge {
    enum class Dot { None, Full, Hollow };

    QString text;
    Dot dot = Dot::None;
    QRectF rect; ///< In pixels of the painter.
};
/// In the upper right corners of the maps, from the right; where there is no room for all, in lines.
[[nodiscard]] std::vector<Badge> badges(const MapScene &scene);
/// After all that follows the mouse, which would strike them out.
void paintBadges(QPainter &painter, const MapScene &scene);

} // namespace attenscope
