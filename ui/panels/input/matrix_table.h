// SPDX-License-Identifier: GPL-3.0-or-later
// MatrixTableRow: one matrix of the mechanism (a parameter of the score, the bias) with its name, its fills and its table.
#pragma once

#include "core/shared_matrix.h"
#include "panels/controls.h"

class QMenu;

namespace attenscope {

class MatrixView;

/// The shape is given by the input: cells are edited, filled and pasted, and only a matrix of that shape is taken.
class MatrixTableRow : public PanelRow {
    Q_OBJECT

public:
    /// @p name: "W_dec", in undo names and as the object's name.
    explicit MatrixTableRow(const QString &name, QWidget *parent = nullptr);

    /// Shows @p matrix, which is @p rows x @p cols where it fits. Emits nothing.
    void show(const SharedMatrix &matrix, Index rows, Index cols, const QString &problem);
    /// An entry of the Fill menu of one's own.
    void addFill(const QString &text, const QString &undoName, std::function<Matrix(Index rows, Index cols)> make);
    /// "Remove" or "Use seeded ones again" at the end of the menu.
    void addReset(const QString &text, const QString &undoName);
    void focusTable();

signals:
    void edited(const attenscope::SharedMatrix &matrix, const QString &name);
    void resetRequested(const QString &name);

private:
    void fill(int kind, const QString &name);
    void paste();
    void emitIfRoom(const QString &name, const std::function<Matrix()> &make);

    QString m_name;
    SharedMatrix m_matrix;
    Index m_rows = 0;
    Index m_cols = 0;
    std::uint64_t m_seed = 0;
    QLabel *m_title = nullptr;
    QMenu *m_fill = nullptr;
    MatrixView *m_view = nullptr;
};

} // namespace attenscope
