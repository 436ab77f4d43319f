// SPDX-License-Identifier: GPL-3.0-or-later
// Selection: what is hovered and picked, and the visible rectangle. The only link between views.
#pragma once

#include "attention/explain.h"
#include "attention/field.h"
#include "io/session_file.h"

#include <QObject>
#include <QRectF>

#include <optional>
#include <vector>

namespace attenscope {

/// A cell of the map: query row and key (or dimension) column.
struct CellRef {
    Index row = 0;
    Index col = 0;

    friend bool operator==(const CellRef &, const CellRef &) = default;
};

/// Shared by all views of a window; saved with the session, never undone. Setters do nothing when nothing changes.
class Selection : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// The cell under the mouse, in whichever view; nothing while the mouse is elsewhere. A lone row or column (a token on an axis) has -1 for the other.
    [[nodiscard]] std::optional<CellRef> hovered() const { return m_hovered; }
    /// The cell that was clicked; a lone row or column has -1 for the other.
    [[nodiscard]] std::optional<CellRef> picked() const { return m_picked; }
    /// Queries and keys picked besides picked(), in the order in which they were added: for sums.
    [[nodiscard]] const std::vector<Index> &moreRows() const { return m_moreRows; }
    [[nodiscard]] const std::vector<Index> &moreCols() const { return m_moreCols; }
    /// All picked queries, that of picked() first.
    [[nodiscard]] std::vector<Index> pickedRows() const;
    [[nodiscard]] std::vector<Index> pickedCols() const;
    /// What the readout speaks of: the hovered, else the picked cell.
    [[nodiscard]] std::optional<CellRef> current() const { return m_hovered ? m_hovered : m_picked; }
    /// Cells that the maps are to show, fractional at the edges; unset: all.
    [[nodiscard]] std::optional<QRectF> visible() const { return m_visible; }
    /// Cells that the map does show: visible() and what it has room for around them. Where no map is seen, visible() alone.
    [[nodiscard]] std::optional<QRectF> inView() const { return m_inView ? m_inView : m_visible; }

    /// The stage under the mouse in a stage selector.
    [[nodiscard]] std::optional<Stage> hoveredStage() const { return m_hoveredStage; }
    /// What the readout's term under the mouse speaks of: a cell, or a whole row (column -1). Maps mark it instead of current().
    [[nodiscard]] std::optional<CellRef> lit() const { return m_lit; }
    /// Cells that a list beside the maps names: maps have rings around them.
    [[nodiscard]] const std::vector<CellRef> &listed() const { return m_listed; }
    /// Dragging on the map paints the mask instead of moving the map.
    [[nodiscard]] bool isPaintingMask() const { return m_isPaintingMask; }

    void setPaintingMask(bool isPainting);
    void setListed(std::vector<CellRef> cells);
    void setHovered(std::optional<CellRef> cell);
    void setHoveredStage(std::optional<Stage> stage);
    void setLit(std::optional<CellRef> cell);
    /// Drops what was picked besides.
    void setPicked(std::optional<CellRef> cell);
    /// Adds query @p row to the picked ones, or drops it where it is one of them.
    void toggleRow(Index row);
    void toggleCol(Index col);
    /// Picks @p cell, or unpicks it where it is the picked one.
    void togglePicked(const CellRef &cell);
    void setVisible(std::optional<QRectF> cells);
    /// Said by the map that is seen whenever it shows other cells; unset as it goes.
    void setInView(std::optional<QRectF> cells);
    /// Drops what lies outside rows x cols.
    void clampTo(Index rows, Index cols);
    /// Called when another input is shown: what was picked stays with its tokens where only other ones of the same input are left out or
    /// merged; what there is no longer is dropped.
    void follow(const std::shared_ptr<const AttentionInput> &input, int block);

    [[nodiscard]] SelectionState state() const;
    void restore(const SelectionState &state);

signals:
    void hoveredChanged();
    void hoveredStageChanged();
    void litChanged();
    void listedChanged();
    void pickedChanged();
    void visibleChanged();
    void inViewChanged();
    void paintingMaskChanged();

private:
    void toggle(Index CellRef::*side, std::vector<Index> &more, Index index);

    std::shared_ptr<const AttentionInput> m_input; ///< That rows and columns are of.
    int m_block = 0;
    bool m_isPaintingMask = false;
    std::optional<CellRef> m_hovered;
    std::optional<Stage> m_hoveredStage;
    std::optional<CellRef> m_lit;
    std::vector<CellRef> m_listed;
    std::optional<CellRef> m_picked;
    std::vector<Index> m_moreRows;
    std::vector<Index> m_moreCols;
    std::optional<QRectF> m_visible; ///< x: columns, y: rows, in cells.
    std::optional<QRectF> m_inView;
};

} // namespace attenscope
