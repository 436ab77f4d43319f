// SPDX-License-Identifier: GPL-3.0-or-later
// From the visible rectangle to positions of the whole input.
#include "views/token_part.h"

#include "session/token_groups.h"
#include "views/readout_text.h"
#include "views/zoom_note.h"

#include <algorithm>

namespace attenscope {

namespace {

constexpr Index mostOnSide = 512;

Range around(Index at, const Range &shown)
{
    if (shown.size() <= mostOnSide)
        return shown;
    const Index first = std::clamp(at - mostOnSide / 2, shown.first, shown.end - mostOnSide);
    return { first, first + mostOnSide };
}

CellRect inView(const Document &document, const Selection &selection)
{
    return cellsInSight(selection.inView(), document.block().queries, document.block().keys);
}

} // namespace

TokenPart partOf(const CellRect &cells, const Document &document)
{
    const AttentionBlock &block = document.block();
    const auto positions = [&block](const Range &shown, Index (*whole)(const AttentionBlock &, Index)) {
        return Range{ whole(block, shown.first), whole(block, shown.end - 1) + 1 };
    };
    return { document.head().block, positions(cells.rows, &wholeQuery), positions(cells.cols, &wholeKey) };
}

TokenPart partInView(const Document &document, const Selection &selection)
{
    return partOf(inView(document, selection), document);
}

CellRect smallRegion(const Document &document, const Selection &selection)
{
    const CellRect cells = inView(document, selection);
    const CellRef picked = selection.picked().value_or(CellRef{ cells.rows.first, cells.cols.first });
    return { around(picked.row, cells.rows), around(picked.col, cells.cols) };
}

std::optional<TokenPart> smallPart(const Document &document, const Selection &selection)
{
    const AttentionBlock &block = document.block();
    if (block.queries != block.keys || block.queries <= mostOnSide)
        return std::nullopt;
    TokenPart part = partOf(smallRegion(document, selection), document);
    part.keys = part.queries;
    return part;
}

QString partWords(const TokenPart &part)
{
    const auto words = [](const QString &name, const Range &range) {
        return QObject::tr("%1 %2 to %3").arg(name, readout::counted(range.first), readout::counted(range.end - 1));
    };
    if (part.queries == part.keys)
        return words(QObject::tr("positions"), part.queries);
    return words(QObject::tr("queries"), part.queries) + QStringLiteral(", ") + words(QObject::tr("keys"), part.keys);
}

void showPart(const TokenPart &part, Document &document, Selection &selection)
{
    Session next = document.session();
    next.view.tokens.part = part;
    selection.setVisible(std::nullopt);
    document.edit(std::move(next), QObject::tr("show a part"));
}

} // namespace attenscope
