// SPDX-License-Identifier: GPL-3.0-or-later
// Setters of Selection, and the part of it that a session file keeps.
#include "state/selection.h"

#include "session/token_groups.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attenscope {

namespace {

/// A lone row or column has -1 for the other.
bool isInside(const CellRef &cell, Index rows, Index cols)
{
    return cell.row < rows && cell.col < cols && (cell.row >= 0 || cell.col >= 0);
}

std::vector<Index> withFirst(Index first, const std::vector<Index> &more)
{
    std::vector<Index> all;
    if (first >= 0)
        all.push_back(first);
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

/// Drops what is not below @p count; whether there was any.
bool clampAll(std::vector<Index> &indices, Index count)
{
    return std::erase_if(indices, [count](Index index) { return index < 0 || index >= count; }) > 0;
}

/// The input before tokens were left out or merged.
const AttentionInput *wholeOf(const std::shared_ptr<const AttentionInput> &input)
{
    const auto *reduced = std::get_if<ReducedData>(&input->blocks.front().data);
    return reduced ? reduced->whole.get() : input.get();
}

template <typename Move>
std::vector<Index> movedPlaces(const std::vector<Index> &places, const Move &move)
{
    std::vector<Index> moved;
    for (const Index place : places) {
        const Index next = move(place);
        if (next >= 0 && std::find(moved.begin(), moved.end(), next) == moved.end())
            moved.push_back(next);
    }
    return moved;
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

void Selection::setListed(std::vector<CellRef> cells)
{
    if (m_listed == cells)
        return;
    m_listed = std::move(cells);
    emit listedChanged();
}

void Selection::setPicked(std::optional<CellRef> cell)
{
    if (m_picked == cell && m_moreRows.empty() && m_moreCols.empty())
        return;
    m_picked = cell;
    m_moreRows.clear();
    m_moreCols.clear();
    emit pickedChanged();
}

void Selection::toggleRow(Index row)
{
    toggle(&CellRef::row, m_moreRows, row);
}

void Selection::toggleCol(Index col)
{
    toggle(&CellRef::col, m_moreCols, col);
}

void Selection::toggle(Index CellRef::*side, std::vector<Index> &more, Index index)
{
    const bool isFirst = m_picked && (*m_picked).*side == index;
    if (!isFirst && m_picked && (*m_picked).*side >= 0) {
        if (std::erase(more, index) == 0)
            more.push_back(index);
    } else {
        // The first one goes, and the next in order takes its place.
        Index next = index;
        if (isFirst) {
            next = more.empty() ? -1 : more.front();
            if (!more.empty())
                more.erase(more.begin());
        }
        CellRef cell = m_picked.value_or(CellRef{ -1, -1 });
        cell.*side = next;
        m_picked = cell.row < 0 && cell.col < 0 ? std::nullopt : std::optional(cell);
    }
    emit pickedChanged();
}

std::vector<Index> Selection::pickedRows() const
{
    return withFirst(m_picked ? m_picked->row : -1, m_moreRows);
}

std::vector<Index> Selection::pickedCols() const
{
    return withFirst(m_picked ? m_picked->col : -1, m_moreCols);
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
    // Until the map says what it makes of them.
    m_inView.reset();
    emit visibleChanged();
    emit inViewChanged();
}

void Selection::setInView(std::optional<QRectF> cells)
{
    if (m_inView == cells)
        return;
    m_inView = cells;
    emit inViewChanged();
}

void Selection::clampTo(Index rows, Index cols)
{
    if (m_hovered && !isInside(*m_hovered, rows, cols))
        setHovered(std::nullopt);
    if (m_picked && !isInside(*m_picked, rows, cols))
        setPicked(std::nullopt);
    const bool isFewerRows = clampAll(m_moreRows, rows);
    if (clampAll(m_moreCols, cols) || isFewerRows)
        emit pickedChanged();
    if (m_visible) {
        const QRectF all(0.0, 0.0, static_cast<double>(cols), static_cast<double>(rows));
        const QRectF left = m_visible->intersected(all);
        setVisible(left.isEmpty() || left == all ? std::nullopt : std::optional(left));
    }
}

void Selection::follow(const std::shared_ptr<const AttentionInput> &input, int block)
{
    const AttentionBlock &next = input->blocks[static_cast<std::size_t>(block)];
    const auto before = std::exchange(m_input, input);
    const int blockBefore = std::exchange(m_block, block);
    if (before && before != input && blockBefore == block && wholeOf(before) == wholeOf(input)) {
        const AttentionBlock &last = before->blocks[static_cast<std::size_t>(block)];
        const auto row = [&](Index place) { return shownQuery(next, wholeQuery(last, place)); };
        const auto col = [&](Index place) { return shownKey(next, wholeKey(last, place)); };
        const std::optional<CellRef> picked = m_picked;
        std::vector<Index> moreRows = movedPlaces(m_moreRows, row);
        std::vector<Index> moreCols = movedPlaces(m_moreCols, col);
        setHovered(std::nullopt);
        std::optional<CellRef> moved;
        if (picked)
            moved = CellRef{ row(picked->row), col(picked->col) };
        setPicked(moved && (moved->row >= 0 || moved->col >= 0) ? moved : std::nullopt);
        m_moreRows = std::move(moreRows);
        m_moreCols = std::move(moreCols);
        emit pickedChanged();
    }
    clampTo(next.queries, next.keys);
}

SelectionState Selection::state() const
{
    SelectionState state;
    if (m_picked)
        state.picked = { m_picked->row, m_picked->col };
    state.moreRows = m_moreRows;
    state.moreCols = m_moreCols;
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
    if (m_moreRows != state.moreRows || m_moreCols != state.moreCols) {
        m_moreRows = state.moreRows;
        m_moreCols = state.moreCols;
        emit pickedChanged();
    }
    if (!state.visible) {
        setVisible(std::nullopt);
        return;
    }
    const CellRect &cells = *state.visible;
    setVisible(QRectF(static_cast<double>(cells.cols.first), static_cast<double>(cells.rows.first), static_cast<double>(cells.cols.size()),
        static_cast<double>(cells.rows.size())));
}

} // namespace attenscope
