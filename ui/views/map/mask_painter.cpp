// SPDX-License-Identifier: GPL-3.0-or-later
// Painting the boolean mask.
#include "views/map/mask_painter.h"

#include "core/memory.h"

#include <algorithm>
#include <cstdlib>

namespace attenscope {

namespace {

/// The mask to paint on: the session's where it is of the block's size, else one that lets everything through.
Result<BitMatrix> maskOf(const AttentionBlock &block, const MaskSpec &mask)
{
    if (mask.allowed.rows() == block.queries && mask.allowed.cols() == block.keys)
        return mask.allowed;
    const auto cells = saturatingProduct(static_cast<std::uint64_t>(block.queries), static_cast<std::uint64_t>(block.keys));
    if (const Result<void> room = checkMemory(cells / 8, "A mask"); !room)
        return room.error();
    return BitMatrix(block.queries, block.keys, true);
}

} // namespace

MaskPainter::MaskPainter(Document &document, QObject *parent)
    : QObject(parent)
    , m_document(document)
{
}

void MaskPainter::begin(const CellRef &cell, Index brush)
{
    const AttentionBlock &block = m_document.block();
    if (cell.row < 0 || cell.col < 0 || cell.row >= block.queries || cell.col >= block.keys)
        return;
    const Result<BitMatrix> now = maskOf(block, m_document.session().mechanism.mask);
    if (!now) {
        emit m_document.message({ Message::Kind::Error, now.error(), {} });
        return;
    }
    m_document.endMerge();
    m_isPainting = true;
    m_makesVisible = !now->at(cell.row, cell.col);
    m_brush = std::max<Index>(brush, 1);
    m_last = cell;
    paintLine(cell, cell);
}

void MaskPainter::drawTo(const CellRef &cell)
{
    if (!m_isPainting || cell == m_last || cell.row < 0 || cell.col < 0)
        return;
    paintLine(std::exchange(m_last, cell), cell);
}

void MaskPainter::end()
{
    if (!std::exchange(m_isPainting, false))
        return;
    m_document.endMerge();
}

void MaskPainter::paintLine(const CellRef &from, const CellRef &to)
{
    Session next = m_document.session();
    Result<BitMatrix> now = maskOf(m_document.block(), next.mechanism.mask);
    if (!now)
        return;
    BitMatrix &allowed = *now;
    const Index steps = std::max({ std::abs(to.row - from.row), std::abs(to.col - from.col), Index{ 1 } });
    for (Index step = 0; step <= steps; ++step) {
        const Index row = from.row + (to.row - from.row) * step / steps - (m_brush - 1) / 2;
        const Index col = from.col + (to.col - from.col) * step / steps - (m_brush - 1) / 2;
        for (Index r = std::max<Index>(row, 0); r < std::min(row + m_brush, allowed.rows()); ++r)
            for (Index c = std::max<Index>(col, 0); c < std::min(col + m_brush, allowed.cols()); ++c)
                allowed.set(r, c, m_makesVisible);
    }
    next.mechanism.mask.allowed = allowed;
    m_document.edit(std::move(next), tr("paint the mask"), QStringLiteral("paint the mask"));
}

} // namespace attenscope
