// SPDX-License-Identifier: GPL-3.0-or-later
// HeadTableView: the rows and columns of the head table.
#pragma once

#include "state/head_table_model.h"

#include <QTableView>

namespace attenscope {

/// Columns are as wide as their numbers and share what room is left; where there is too little it scrolls rather than cut one off. A click on
/// a header and its context menu are told; Ctrl+C copies the selected rows.
class HeadTableView : public QTableView {
    Q_OBJECT

public:
    explicit HeadTableView(HeadTableModel &model, QWidget *parent = nullptr);

    /// The row that is bold; -1: none.
    void setPickedRow(int row);
    /// The arrow at the header.
    void showOrder(HeadColumn by, bool isDescending);
    void showColumns(const QVariantList &hidden);
    /// After rows, names or the font changed.
    void fit();
    /// Header and rows of the shown columns, tab separated, with full precision: the selected rows or all.
    [[nodiscard]] QString text(bool onlySelected) const;
    void copy(bool onlySelected) const;

signals:
    void orderRequested(attenscope::HeadColumn by);

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    class Delegate;

    void fitColumns();
    void setHoveredRow(int row);

    HeadTableModel &m_model;
    Delegate *m_delegate;
    bool m_isFitting = false;
};

} // namespace attenscope
