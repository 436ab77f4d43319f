// SPDX-License-Identifier: GPL-3.0-or-later
// Overview: the whole map of a long sequence in a small picture, with the part that the maps show as a rectangle.
#pragma once

#include "state/color_map.h"
#include "state/job.h"
#include "views/document_view.h"
#include "views/map/cell_image.h"

#include <QImage>
#include <algorithm>

#include <optional>

namespace attenscope {

/// Whether a map is so long that it needs an overview and a list of peaks.
[[nodiscard]] inline bool hasOverview(Index rows, Index cols)
{
    constexpr Index mostWithout = 1024;
    return std::max(rows, cols) > mostWithout;
}

/// The weights of what is shown, whatever its stage, with their scale below. Dragging or clicking moves the rectangle, dragging its edge zooms;
/// arrows, plus, minus and 0 do the same.
class Overview : public DocumentView {
    Q_OBJECT

public:
    Overview(Document &document, Selection &selection, QWidget *parent = nullptr);

    /// "20,480 × 20,480 shown", queries first.
    [[nodiscard]] QString titleNote() const;
    /// Where the map is, in pixels of the widget.
    [[nodiscard]] QRectF mapRect() const;
    /// The rectangle of the visible cells; all of the map where nothing is left out.
    [[nodiscard]] QRectF visibleRect() const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void titleNoteChanged();

protected:
    void refresh() override;
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    [[nodiscard]] QRectF allCells() const;
    [[nodiscard]] QRectF visibleCells() const;
    [[nodiscard]] QPointF cellAt(QPointF point) const;
    [[nodiscard]] double footHeight() const;
    [[nodiscard]] Qt::Edges edgesAt(QPointF point) const;
    void showCells(QRectF cells);
    void zoom(QPointF cell, double factor);
    void hover(QPointF point);
    void takeCells(const MatrixF &cells);
    void makeImage();
    void paintFoot(QPainter &painter) const;

    Document &m_document;
    Selection &m_selection;
    MapFieldPtr m_field;
    ColorMap m_colors;
    MatrixF m_cells;
    QImage m_image;
    CellKinds m_kinds;
    bool m_isDragging = false;
    Qt::Edges m_edges; ///< That are being dragged; none: the whole rectangle.
    QPointF m_grip; ///< From the rectangle's corner to the mouse, in cells.
    Job m_job;
};

} // namespace attenscope
