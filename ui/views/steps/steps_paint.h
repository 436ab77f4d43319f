// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of painting that several pages and measures share.
#pragma once

#include "views/steps/steps_scene.h"

namespace attenscope {

/// Height of caption, arithmetic and remark in @p width.
[[nodiscard]] double paintedHeight(const StepStyle &style, const StepPage &page, double width);

/// The ground of masked cells: hatched with lines of their own, because not every picture format knows patterns and clips.
void paintMaskedGround(QPainter &painter, const Theme &theme, const QRectF &rect);

} // namespace attenscope
