// SPDX-License-Identifier: GPL-3.0-or-later
// The marks of what is hovered and picked on a map, painted without a widget.
#pragma once

#include "views/map/map_scene.h"

namespace attenscope {

/// Bands over the current row and column with their names lit, the frame of the picked cell (a ring around a small one), and the rectangle that is
/// being drawn with the mouse: black with a white edge, seen on any map.
void paintMarks(QPainter &painter, const MapScene &scene);

} // namespace attenscope
