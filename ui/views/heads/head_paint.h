// SPDX-License-Identifier: GPL-3.0-or-later
// What the head grid on the screen and its figure paint alike: captions, names, values and frames.
#pragma once

#include "state/theme.h"
#include "views/heads/head_layout.h"

class QFontMetrics;
class QPainter;

namespace attenscope {

/// The font of captions and values, smaller than @p font.
[[nodiscard]] QFont smallFont(QFont font);
/// The width that a small thumbnail needs for the name and the value under it.
[[nodiscard]] int leastThumbnail(const HeadList &list, HeadColumn by, const QFontMetrics &letters);
/// Captions and the note that intersect @p area.
void paintCaptions(QPainter &painter, const HeadLayout &layout, const QRect &area, const Theme &theme);
/// Name and value under a thumbnail.
void paintName(QPainter &painter, const HeadPlace &place, bool isPicked, const Theme &theme);
/// The frame of a head that is @p picked, hovered, or one of @p more that are drawn as lines besides.
void paintFrame(
    QPainter &painter, const HeadRef &picked, const std::vector<HeadRef> &more, const HeadPlace &place, bool isHovered, const Theme &theme);

} // namespace attenscope
