// SPDX-License-Identifier: GPL-3.0-or-later
// MatrixSection: one matrix of the Matrices tab with its heading, its menus and what is wrong with it.
#pragma once

#include "panels/controls.h"
#include "panels/input/matrix_edit.h"
#include "state/selection.h"

class QAction;
class QMenu;

namespace attenscope {

class MatrixView;
class NumberField;

/// Where sections read the matrices and put the changed ones.
class MatrixOwner {
public:
    MatrixOwner() = default;
    MatrixOwner(const MatrixOwner &) = delete;
    MatrixOwner &operator=(const MatrixOwner &) = delete;
    virtual ~MatrixOwner() = default;

    [[nodiscard]] virtual const MatricesSource &matrices() const = 0;
    virtual void editMatrices(MatricesSource next, const QString &name, const QString &mergeKey) = 0;
    /// A seed that has not been used for a fill.
    virtual std::uint64_t nextSeed() = 0;
};

class MatrixSection : public PanelRow {
    Q_OBJECT

public:
    MatrixSection(MatrixTable table, MatrixOwner &owner, Selection &selection, QWidget *parent = nullptr);

    [[nodiscard]] MatrixTable table() const { return m_table; }
    [[nodiscard]] MatrixView *view() { return m_view; }
    /// Shows the table of @p head; hides itself where there is none.
    void show(int head);
    /// What does not fit, from the document; empty: nothing.
    void showProblem(const QString &sentence, std::vector<Fix> fixes = {});
    /// The clipboard's matrices from the current cell on.
    void pasteHere();
    /// The clipboard's matrices in place of the whole table.
    void pasteAll();
    /// What is chosen in the table, on the clipboard.
    void copy();

protected:
    void changeEvent(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    enum class Step { Before, After };

    /// There is no cell to do anything with.
    [[nodiscard]] bool isEmpty() const;
    void build();
    void fillMenus(QMenu *fill, QMenu *edit);
    void connectView();
    void edit(MatricesSource next, const QString &name, const QString &mergeKey = {});
    void fill(Fill kind, const QString &name);
    void clear();
    void insertRows(Step step);
    void removeRows();
    void insertCols(Step step);
    void removeCols();
    void move(int rows, int cols);
    void resizeTo(Index rows, Index cols);
    void renameRow(int row);
    void fitFonts();
    void showHeading();
    void hover(int row);
    void visit(int row);
    void paste(bool isWhole);
    void showOwnProblem(const QString &sentence);

    MatrixTable m_table;
    MatrixOwner &m_owner;
    Selection &m_selection;
    int m_head = 0;
    QString m_documentProblem;

    QLabel *m_symbol = nullptr;
    QLabel *m_shape = nullptr;
    MatrixView *m_view = nullptr;
    QWidget *m_sizeLine = nullptr;
    NumberField *m_rows = nullptr;
    NumberField *m_cols = nullptr;
    QMenu *m_editMenu = nullptr;
    QAction *m_rename = nullptr;
};

/// "Q", "W_q": the table in plain letters, for undo names and screen readers.
[[nodiscard]] QString tableName(MatrixTable table);
/// The same as rich text in mathematical italics, @p pixels high.
[[nodiscard]] QString tableSymbol(MatrixTable table, int pixels);

} // namespace attenscope
