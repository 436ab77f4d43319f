// SPDX-License-Identifier: GPL-3.0-or-later
// Rows and columns of the head grid.
#include "views/heads/head_layout.h"

#include "views/heads/thumbnails.h"

#include <QCoreApplication>

#include <algorithm>
#include <cstdlib>

namespace attenscope {

namespace {

constexpr int margin = 16;

QString words(const char *text)
{
    return QCoreApplication::translate("HeadGrid", text);
}

/// Lays out from top to bottom.
class Cursor {
public:
    /// @p perRow: heads that belong into one row, or two if they do not fit, and so on; 0: any.
    Cursor(int width, int lineHeight, std::size_t headCount, int leastSide, int perRow)
        : m_width(std::max(width - 2 * margin, 48))
        , m_lineHeight(lineHeight)
    {
        constexpr std::size_t mostLarge = 8;
        constexpr int largestSide = 160;
        const bool isLarge = headCount <= mostLarge;
        m_gap = isLarge ? 16 : 8;
        const int fitting = std::max(1, (m_width + m_gap) / (std::max(leastSide, 1) + m_gap));
        // Rows of one length: twelve heads as twice six rather than eight and four.
        const int rows = perRow > 0 ? (perRow + fitting - 1) / fitting : 0;
        m_cols = isLarge ? std::max(2, m_width / (largestSide + m_gap)) : rows > 0 ? (perRow + rows - 1) / rows : fitting;
        m_side = std::min((m_width - (m_cols - 1) * m_gap) / m_cols, largestSide);
    }

    void caption(const QString &text)
    {
        endRow();
        layout.captions.push_back({ text, QRect(margin, m_y, m_width, m_lineHeight + 4) });
        m_y += m_lineHeight + 4 + 8;
    }

    void head(const AttentionBlock &block, const HeadRef &ref, const QString &value)
    {
        if (m_col == m_cols)
            endRow();
        const QSize size = Thumbnails::size(block.queries, block.keys, m_side);
        const QPoint corner(margin + m_col * (m_side + m_gap), m_y);
        const QString name = block.layers > 1 ? QStringLiteral("%1·%2").arg(ref.layer).arg(ref.head) : QString::number(ref.head);
        layout.heads.push_back(
            { ref, QRect(corner, size), QRect(corner.x(), corner.y() + size.height() + 4, m_side, m_lineHeight), name, value });
        m_rowHeight = size.height() + 4 + m_lineHeight;
        ++m_col;
    }

    void endRow()
    {
        if (m_col > 0)
            m_y += m_rowHeight + 8;
        m_col = 0;
    }

    void note(const QString &text)
    {
        endRow();
        layout.note = { text, QRect(margin, m_y, m_width, m_lineHeight) };
        m_y += m_lineHeight + 8;
    }

    HeadLayout finished()
    {
        endRow();
        layout.height = m_y + margin - 8;
        return std::move(layout);
    }

private:
    HeadLayout layout;
    int m_width;
    int m_lineHeight;
    int m_gap = 0;
    int m_cols = 1;
    int m_side = 0;
    int m_y = margin;
    int m_col = 0;
    int m_rowHeight = 0;
};

} // namespace

int HeadLayout::at(const QPoint &point) const
{
    const auto found = std::find_if(
        heads.begin(), heads.end(), [&point](const HeadPlace &place) { return place.thumbnail.united(place.name).contains(point); });
    return found == heads.end() ? -1 : static_cast<int>(found - heads.begin());
}

int HeadLayout::neighbour(int position, int dx, int dy) const
{
    if (dx != 0) {
        const int next = position + dx;
        return next < 0 || next >= static_cast<int>(heads.size()) ? position : next;
    }
    const QRect from = heads[static_cast<std::size_t>(position)].thumbnail;
    int best = position;
    int bestDistance = 0;
    for (int index = 0; index < static_cast<int>(heads.size()); ++index) {
        const QRect to = heads[static_cast<std::size_t>(index)].thumbnail;
        const int down = (to.top() - from.top()) * dy;
        if (down <= 0)
            continue;
        // The nearest row first, then the nearest column.
        const int distance = down * 10'000 + std::abs(to.left() - from.left());
        if (best == position || distance < bestDistance) {
            best = index;
            bestDistance = distance;
        }
    }
    return best;
}

HeadLayout layOutHeads(
    const AttentionInput &input, const AttentionSpec &spec, const HeadList &list, HeadColumn by, int width, int lineHeight, int leastSide)
{
    const bool isInOrder = by == HeadColumn::Head;
    const bool isWhole = list.heads.size() == list.all;
    int mostHeads = 0;
    for (const AttentionBlock &block : input.blocks)
        mostHeads = std::max(mostHeads, headCount(block, spec));
    Cursor cursor(width, lineHeight, list.all, leastSide, isInOrder && isWhole ? mostHeads : 0);
    std::vector<const ListedHead *> heads;
    for (const ListedHead &head : list.heads)
        heads.push_back(&head);
    // Heads of different blocks have other masks and lengths: they are compared within their block.
    std::stable_sort(heads.begin(), heads.end(), [](const ListedHead *a, const ListedHead *b) { return a->ref.block < b->ref.block; });
    HeadRef last{ -1, -1, -1, -1 };
    int lastShared = -1;
    for (const ListedHead *head : heads) {
        const HeadRef &ref = head->ref;
        const AttentionBlock &block = input.blocks[static_cast<std::size_t>(ref.block)];
        const bool isNewBlock = ref.block != last.block;
        const bool isNewLayer = isNewBlock || ref.layer != last.layer;
        if (isNewBlock && input.blocks.size() > 1)
            cursor.caption(QString::fromStdString(blockName(input, ref.block)));
        if (isInOrder && isWhole && isNewLayer)
            cursor.endRow();
        const int queryHeads = headCount(block, spec);
        const int sharedHeads = block.hasWeightsOnly() ? queryHeads : kvHeadCount(block, spec);
        const int shared = sharedHeads > 0 ? ref.head / std::max(queryHeads / sharedHeads, 1) : ref.head;
        if (isInOrder && sharedHeads < queryHeads && (isNewLayer || shared != lastShared)) {
            const QString name = words("K/V head %1").arg(shared);
            cursor.caption(block.layers > 1 ? words("Layer %1, %2").arg(ref.layer).arg(name) : name);
        }
        lastShared = shared;
        cursor.head(block, ref, columnMean(by) ? columnText(*head, by, 2) : QString());
        last = ref;
    }
    if (std::any_of(input.blocks.begin(), input.blocks.end(), [](const AttentionBlock &block) { return block.isUntrained; }))
        cursor.note(words("untrained, random weights"));
    return cursor.finished();
}

} // namespace attenscope
