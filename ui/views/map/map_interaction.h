// SPDX-License-Identifier: GPL-3.0-or-later
// MapInteraction: mouse, wheel and keys over a MapPlot become hovered, picked and visible cells of a Selection.
#pragma once

#include "state/selection.h"
#include "views/map/map_plot.h"

#include <QObject>
#include <QPointF>

namespace attenscope {

/// Watches the events of one plot, and keeps its marks and visible cells as the selection has them.
class MapInteraction : public QObject {
    Q_OBJECT

public:
    /// Both outlive it, or go with their parents.
    MapInteraction(MapPlot &plot, Selection &selection);

    void zoomBy(double factor);
    void fit();
    /// The plot has another content.
    void followContent();

signals:
    /// Right click, in global coordinates.
    void menuRequested(const QPoint &globalPosition);
    /// While the mask is painted: a stroke begins at a cell of the first map, @p brush cells on a side; goes on to another; and ends.
    void strokeBegan(const attenscope::CellRef &cell, attenscope::Index brush);
    void strokeMoved(const attenscope::CellRef &cell);
    void strokeEnded();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    bool press(const QMouseEvent &event);
    bool move(const QMouseEvent &event);
    bool release(const QMouseEvent &event);
    bool key(const QKeyEvent &event);
    /// The cell of the first map under @p point, where its columns are keys.
    [[nodiscard]] std::optional<CellRef> paintedCell(QPointF point) const;
    [[nodiscard]] Index brush() const;
    void followPainting();
    /// Says which cells are seen.
    void tellInView();
    void hover(QPointF point);
    void click(QPointF point);
    void zoomAt(QPointF point, double factor);
    void pan(QPointF pixels);
    void zoomToRubberBand();
    void showCells(const QRectF &cells);
    void movePick(Index rows, Index cols);
    void pick(CellRef cell);
    void pickLastVisibleKey();
    void revealPick();
    void follow();

    enum class Drag { None, Undecided, Pan, RubberBand, Paint };

    MapPlot &m_plot;
    Selection &m_selection;
    Drag m_drag = Drag::None;
    QPointF m_pressed;
    QPointF m_last;
    std::optional<CellRef> m_pickedBefore; ///< When the button went down.
    /// The output has other columns than the other stages: what it shows of them is its own.
    std::optional<QRectF> m_dimensionsVisible;
};

} // namespace attenscope
