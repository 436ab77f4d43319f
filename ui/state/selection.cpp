// SPDX-License-Identifier: GPL-3.0-or-later
// Setters of Selection, and the part of it that a session file keeps.
#include "state/selection.h"

#include <cmath>

namespace attenscope {

namespace {

/// A lone row or column has -1 for the other.
bool isInside(const CellRef &cell, Index rows, Index cols)
{
    return cell.row < rows && cell.col < cols && (cell.row >= 0 || cell.col >= 0);
}

} // namespace

void Selection::setPaintingMask(bool isPainting)
{
    if (m_isPaintingMask == isPainting)
        return;
    m_isPaintingMask = isPainting;
    emit paintingMaskChanged();
}

void Selection::setHovered(std::optional<CellRef> cell)
{
    if (m_hovered == cell)
        return;
    m_hovered = cell;
    emit hoveredChanged();
}

void Selection::setHoveredStage(std::optional<Stage> stage)
{
    if (m_hoveredStage == stage)
        return;
    m_hoveredStage = stage;
    emit hoveredStageChanged();
}

void Selection::setLit(std::optional<CellRef> cell)
{
    if (m_lit == cell)
        return;
    m_lit = cell;
    emit litChanged();
}

void Selection::setPicked(std::optional<CellRef> cell)
{
    if (m_picked == cell)
        return;
    m_picked = cell;
    emit pickedChanged();
}

void Selection::togglePicked(const CellRef &cell)
{
    setPicked(m_picked == cell ? std::nullopt : std::optional(cell));
}

void Selection::setVisible(std::optional<QRectF> cells)
{
    if (m_visible == cells)
        return;
    m_visible = cells;
    emit visibleChanged();
}

void Selection::clampTo(Index rows, Index cols)
{
    if (m_hovered && !isInside(*m_hovered, rows, cols))
        setHovered(std::nullopt);
    if (m_picked && !isInside(*m_picked, rows, cols))
        setPicked(std::nullopt);
    if (m_visible) {
        const QRectF all(0.0, 0.0, static_cast<double>(cols), static_cast<double>(rows));
        const QRectF left = m_visible->intersected(all);
        setVisible(left.isEmpty() || left == all ? std::nullopt : std::optional(left));
    }
}

SelectionState Selection::state() const
{
    SelectionState state;
    if (m_picked)
        state.picked = { m_picked->row, m_picked->col };
    if (m_visible) {
        const auto outward = [](double first, double end) {
            return Range{ static_cast<Index>(std::floor(first)), static_cast<Index>(std::ceil(end)) };
        };
        state.visible = CellRect{ outward(m_visible->top(), m_visible->bottom()), outward(m_visible->left(), m_visible->right()) };
    }
    return state;
}

void Selection::restore(const SelectionState &state)
{
    setHovered(std::nullopt);
    setPicked(state.picked ? std::optional(CellRef{ state.picked->first, state.picked->second }) : std::nullopt);
    if (!state.visible) {
        setVisible(std::nullopt);
        return;
    }
    const CellRect &cells = *state.visible;
    setVisible(QRectF(static_cast<double>(cells.cols.first), static_cast<double>(cells.rows.first), static_cast<double>(cells.cols.size()),
        static_cast<double>(cells.rows.size())));
}

} // namespace attenscope
