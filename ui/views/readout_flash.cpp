// SPDX-License-Identifier: GPL-3.0-or-later
// The terms of a cell while flash attention is walked through.
#include "attention/flash_walk.h"
#include "state/number_text.h"
#include "views/readout_terms.h"
#include "views/readout_text.h"

#include <cmath>

namespace attenscope {

using namespace readout;

namespace {

QString rangeText(Index place, Index size, Index count)
{
    const Index first = place / size * size;
    const Index last = std::min(count, first + size) - 1;
    return first == last ? QString::number(first) : QStringLiteral("%1–%2").arg(first).arg(last);
}

} // namespace

void ReadoutArithmetic::addFlash(Terms &terms, const Document &document, const HeadResult &head, const CellRef &cell)
{
    const Explanation *stages = explained(Side::Main, head.operands, cell.row);
    if (!stages)
        return;
    const HeadOperands &operands = *head.operands;
    const AttentionSpec &spec = operands.spec;
    const FlashRow row = flashRow(operands, cell.row, cell.col);
    ReadoutTerm tile{ {}, text("tile: queries, keys"), {}, {}, {}, text("tile"), {}, ReadoutTerm::Look::Plain,
        ReadoutTerm::Narrow::DropShare };
    tile.value = rangeText(cell.row, spec.queryBlock, document.block().queries) + QStringLiteral(" → ")
        + rangeText(cell.col, spec.keyBlock, document.block().keys);
    terms.push_back(std::move(tile));
    const auto add = [&terms](const QString &label, const QString &shortLabel, double number, ReadoutTerm::Narrow narrow) {
        ReadoutTerm term = numberTerm({}, label, number, 3);
        term.shortLabel = shortLabel;
        term.narrow = narrow;
        terms.push_back(std::move(term));
    };
    add(text("maximum m after the tile"), QStringLiteral("m"), row.mAfter, ReadoutTerm::Narrow::DropScore);
    add(text("correction factor c"), QStringLiteral("c"), row.correction, ReadoutTerm::Narrow::DropScore);
    add(text("sum of exponentials l after the tile"), QStringLiteral("l"), row.lAfter, ReadoutTerm::Narrow::DropExponential);
    if (!operands.mask.isVisible(cell.row, cell.col)) {
        terms.push_back(maskTerm(document.block(), spec.mask, head.ref.element, cell));
        terms.push_back(numberTerm(QStringLiteral("→"), text("weight"), 0.0, 4, ReadoutTerm::Look::Result));
        return;
    }
    double score = 0.0;
    explainRow(operands, Stage::Masked, cell.row, cell.col, { &score, 1 });
    const double soFar = std::exp(score - row.mAfter) / row.lAfter;
    terms.push_back(numberTerm({}, text("weight so far, exp(%1 − m) ÷ l").arg(shownNumber(score, 3)), soFar, 4, ReadoutTerm::Look::Bold));
    terms.back().shortLabel = text("weight so far");
    terms.push_back(
        numberTerm(QStringLiteral("→"), text("weight after the last tile"), stages->weights(0, cell.col), 4, ReadoutTerm::Look::Result));
    terms.back().shortLabel = text("weight");
}

} // namespace attenscope
