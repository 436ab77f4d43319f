// SPDX-License-Identifier: GPL-3.0-or-later
// The colour scale beside or under maps: a bar of the colours in use with its numbers.
#pragma once

#include "state/color_map.h"
#include "views/map_layout.h"

#include <QPainter>

#include <vector>

namespace attenscope {

struct ScaleTick {
    double position = 0.0; ///< 0 to 1 along the bar.
    QString text;
};

/// Four to seven round numbers; logarithmic: powers of ten, the lowest as "≤ 10⁻⁶". @p isSigned puts + before positive numbers (differences);
/// @p isSampled says ≤ and ≥ at the ends, where the range is not known exactly.
[[nodiscard]] std::vector<ScaleTick> scaleTicks(const ColorMap &colors, bool isSigned, bool isSampled);

/// Draws the bar in @p bar, vertical where it is higher than wide, with ticks at the right or below, and the title above or at the left.
void paintColorScale(QPainter &painter, const QRectF &bar, const ColorMap &colors, const std::vector<ScaleTick> &ticks,
    const QString &title, const MapStyle &style);

} // namespace attenscope
