// SPDX-License-Identifier: GPL-3.0-or-later
// MatrixView: the table of one matrix, edited like a spreadsheet.
#pragma once

#include "panels/input/matrix_model.h"

#include <QItemSelectionRange>
#include <QTableView>

namespace attenscope {

class NameHeader;

/// As large as its cells up to a limit, then it scrolls. Typing edits, Enter goes down, Tab right and out at the end.
class MatrixView : public QTableView {
    Q_OBJECT

public:
    static constexpr double fontScale = 12.0 / 13.0; ///< Of the window's font.

    explicit MatrixView(QWidget *parent = nullptr);

    [[nodiscard]] MatrixModel *matrixModel() { return &m_model; }
    [[nodiscard]] NameHeader *rowHeader() { return m_rowHeader; }
    [[nodiscard]] NameHeader *columnHeader() { return m_columnHeader; }
    /// Shows @p matrix and keeps the current cell where it still exists.
    void showMatrix(const SharedMatrix &matrix, std::vector<std::string> names, bool hasNames);
    /// The bounding rectangle of what is selected; the current cell alone if nothing is; all of the matrix if there is no current cell.
    [[nodiscard]] QItemSelectionRange chosen() const;
    /// chosen() with tabs and line ends, every digit.
    [[nodiscard]] QString chosenText() const;
    void goTo(int row, int col);

signals:
    void copyRequested();
    void cutRequested();
    void pasteRequested();
    void clearRequested();
    void moveRequested(int rows, int cols);
    /// The user went to another row with mouse or keys.
    void rowVisited(int row);
    /// Under the mouse; -1 when it has left.
    void rowHovered(int row);

protected:
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    bool viewportEvent(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    bool focusNextPrevChild(bool next) override;
    void closeEditor(QWidget *editor, QAbstractItemDelegate::EndEditHint hint) override;
    void currentChanged(const QModelIndex &current, const QModelIndex &previous) override;

private:
    void revealCurrent();
    void fitCells();
    void fitHeight();

    MatrixModel m_model;
    NameHeader *m_rowHeader = nullptr;
    NameHeader *m_columnHeader = nullptr;
    bool m_isShowing = false;
    bool m_isUnderMouse = false; ///< The current cell is being chosen with the mouse.
    bool m_hadBadText = false;
};

} // namespace attenscope
