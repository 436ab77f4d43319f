// SPDX-License-Identifier: GPL-3.0-or-later
// LinesCanvas: the page of lines in a scrolling area; its picture is kept, and only what is lit is drawn anew.
#pragma once

#include "views/lines/lines_scene.h"
#include "views/scrolling_canvas.h"

namespace attenscope {

/// Shows a content, follows the selection and edits it. Where many lines are in view the old picture stays until a job has drawn the new one.
class LinesCanvas : public ScrollingCanvas {
    Q_OBJECT

public:
    explicit LinesCanvas(Selection &selection, QWidget *parent = nullptr);

    /// Nothing: @p reason is shown instead.
    void setContent(std::optional<LinesContent> content, const QString &reason = {});
    /// Lets go of what was shown: the page is not seen any more.
    void clear();
    [[nodiscard]] const LinesScene &scene() const { return m_scene; }
    [[nodiscard]] const std::vector<HeadLines> &lines() const { return m_rows.heads(); }
    [[nodiscard]] const LineRows &rows() const { return m_rows; }
    /// Leaves out the lines that are not there yet; resumeRows() gathers them.
    void stopRows();
    void resumeRows();
    /// The lines in view are drawn as they are now.
    [[nodiscard]] bool isUpToDate() const;
    /// Shows fewer or more queries and keys around the picked token or the middle of what is in view, here and on the map.
    void zoomIn();
    void zoomOut();

signals:
    /// What hiddenText() says may be another, or how far rows() are.
    void hiddenChanged();

protected:
    void paintEvent(QPaintEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    /// With Control it zooms at the mouse; what is zoomed and does not scroll moves to its neighbours.
    void wheelEvent(QWheelEvent *event) override;

private:
    void layOut() override;
    void leave() override;
    void followSelection();
    /// Scrolls to what was picked elsewhere, once.
    void followPick();
    void updateEnds();
    void invalidate();
    void drawLines();
    void hover(QPointF point);
    void click(QPointF point, bool adds);
    void movePick(Index queries, Index keys);
    void reveal(TokenSide side, Index token);
    void zoomBy(double factor);
    /// @p y: on the page.
    void zoomAt(double y, double factor);
    void showCells(QRectF cells);
    [[nodiscard]] QRectF allCells() const;
    [[nodiscard]] LinesPart inView() const;
    [[nodiscard]] LinesWindow window() const;
    [[nodiscard]] QPointF onPage(QPointF point) const;

    Selection &m_selection;
    std::optional<CellRef> m_followed; ///< The pick that followPick() has seen.
    bool m_isPicking = false; ///< Mouse or keys pick here: what they do is in view already, or scrolled to.
    bool m_hasContent = false;
    QString m_reason;
    LinesScene m_scene;
    LineRows m_rows;
    QImage m_picture; ///< Of all lines in view.
    double m_pictureTop = 0.0; ///< Where it lies on the page.
    bool m_isStale = true; ///< The picture is of other lines or of another place.
    QImage m_litPicture;
    bool m_isLitStale = true;
    Job m_drawing;
};

} // namespace attenscope
