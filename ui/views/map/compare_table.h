// SPDX-License-Identifier: GPL-3.0-or-later
// CompareTable: the numbers of one row of the maps that are compared, under them.
#pragma once

#include "state/job.h"
#include "state/selection.h"
#include "views/map/map_content.h"

#include <QWidget>

#include <vector>

namespace attenscope {

/// The row of the hovered, else the picked cell: exact numbers with four decimals, small ones with an exponent. Shows the columns around the
/// current one, as many as fit; the wheel moves on to others. Rows of long maps are read by a job, and "…" is shown until then.
class CompareTable : public QWidget {
    Q_OBJECT

public:
    explicit CompareTable(Selection &selection, QWidget *parent = nullptr);

    void setContent(const MapContent &content);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    /// The text of a number in line @p line (the maps in order) for column @p col, as shown.
    [[nodiscard]] QString numberText(std::size_t line, Index col);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;

private:
    /// Columns that are drawn and how wide each is.
    struct Window {
        Range cols;
        double left = 0.0;
        double width = 0.0;
    };

    [[nodiscard]] Window window() const;
    [[nodiscard]] Index currentRow() const;
    [[nodiscard]] Index currentCol() const;
    [[nodiscard]] int rowHeight() const;
    /// Room for a number or "masked".
    [[nodiscard]] int leastColumn() const;
    [[nodiscard]] bool hasSum() const;
    [[nodiscard]] QString sumTitle() const;
    /// Of the column of sums; 0: there is none.
    [[nodiscard]] int sumWidth() const;
    [[nodiscard]] Index colAt(QPointF point) const;
    /// Exact numbers of a row of all maps.
    struct Lines {
        Index row = -1; ///< -1: none.
        std::vector<std::vector<double>> cells;
        std::vector<double> sums; ///< Of what is a number.
    };

    void readRow(Index row);
    [[nodiscard]] static Lines linesOf(const std::vector<MapFieldPtr> &fields, Index row);
    [[nodiscard]] static QString cellText(double cell, bool isSigned);
    void followSelection();

    Selection &m_selection;
    MapContent m_content;
    Lines m_lines;
    Index m_asked = -1; ///< The row that m_lines has or will have.
    Index m_firstCol = 0;
    Job m_job; ///< Last: stopped before what it delivers to goes.
};

} // namespace attenscope
