// SPDX-License-Identifier: GPL-3.0-or-later
// The colour scale beside or under maps: a bar of the colours in use with its numbers.
#pragma once

#include "state/color_map.h"
#include "views/map/map_layout.h"

#include <QPainter>

#include <vector>

namespace attenscope {

struct ScaleTick {
    double position = 0.0; ///< 0 to 1 along the bar.
    QString text;
};

/// Numbers that lie beyond an end of the scale, or may: a triangle there says so.
struct ScaleEnds {
    bool hasBelow = false;
    bool hasAbove = false;
};

/// Pixels between a vertical bar and the end of its labels that are not the labels' own, at scale 1.
inline constexpr double scaleTickRoom = 12.0;

/// Three to nine round numbers inside the range; on both sides of zero the same ones. Logarithmic: powers of ten, the lowest as "≤ 10⁻⁶".
/// @p isSigned puts + before positive numbers (differences).
[[nodiscard]] std::vector<ScaleTick> scaleTicks(const ColorMap &colors, bool isSigned);

/// Those of @p ticks whose labels, @p extents long and centred at their ticks, keep @p gap between each other on a bar of @p length: every k-th from
/// zero or the lower end, with the smallest k that does.
[[nodiscard]] std::vector<ScaleTick> fittingTicks(
    const std::vector<ScaleTick> &ticks, const std::vector<double> &extents, double length, double gap);

/// Draws the bar in @p bar, vertical where it is higher than wide, with ticks at the right or below, and the title above or at the left.
void paintColorScale(QPainter &painter, const QRectF &bar, const ColorMap &colors, const std::vector<ScaleTick> &ticks,
    const QString &title, const ScaleEnds &ends, const MapStyle &style);

} // namespace attenscope
