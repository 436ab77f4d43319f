// SPDX-License-Identifier: GPL-3.0-or-later
// HeadLayout: where the thumbnails of all heads stand, in logical pixels, without any drawing.
#pragma once

#include "state/head_list.h"

#include <QRect>
#include <QString>

#include <vector>

namespace attenscope {

/// A thumbnail and the name under it.
struct HeadPlace {
    HeadRef head;
    QRect thumbnail;
    QRect name;
    QString nameText; ///< "3", with several layers "4·0".
    QString valueText; ///< Of the column that orders, right of the name; empty in the order of the heads.
};

/// A line of text with a rule under it: a block, or, in the order of the heads, those that share one key/value head.
struct HeadCaption {
    QString text;
    QRect line; ///< The text's; the rule is its bottom edge.
};

struct HeadLayout {
    std::vector<HeadPlace> heads; ///< Block by block, in each in the order of the list.
    std::vector<HeadCaption> captions;
    HeadCaption note; ///< "untrained, random weights" under seeded heads, without a rule; else empty.
    int height = 0;

    /// The head whose thumbnail or name is at @p point; -1 for none.
    [[nodiscard]] int at(const QPoint &point) const;
    /// The head next to @p position in the direction; @p position where there is none.
    [[nodiscard]] int neighbour(int position, int dx, int dy) const;
};

/// @p list ordered by @p by. Up to eight heads stand two abreast, more of them as small squares at least @p leastSide wide. In the order of the
/// heads, where none is left out, each layer starts a row of its own.
[[nodiscard]] HeadLayout layOutHeads(const AttentionInput &input, const AttentionSpec &spec, const HeadList &list, HeadColumn by, int width,
    int lineHeight, int leastSide = 56);

} // namespace attenscope
