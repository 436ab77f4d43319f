// SPDX-License-Identifier: GPL-3.0-or-later
// One matrix with its heading, its menus and what is wrong with it.
#include "panels/input/matrix_section.h"

#include "core/memory.h"
#include "core/text.h"
#include "panels/input/matrix_view.h"
#include "panels/input/name_header.h"
#include "panels/number_field.h"
#include "state/theme.h"

#include <QBoxLayout>
#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QMenu>

#include <cmath>

namespace attenscope {

namespace {

/// Rows and columns that Size… offers; larger matrices come from files and the clipboard.
constexpr double mostByHand = 4096;
constexpr double symbolScale = 18.0 / 13.0;

QString count(Index number)
{
    return QString::fromStdString(groupedCount(number));
}

QString counted(Index number, const QString &one, const QString &several)
{
    return count(number) + QLatin1Char(' ') + (number == 1 ? one : several);
}

} // namespace

QString tableName(MatrixTable table)
{
    static const char *const names[] = { "Q", "K", "V", "X", "Y", "W_q", "W_k", "W_v", "W_o", "b_q", "b_k", "b_v", "b_o" };
    return QLatin1String(names[static_cast<int>(table)]);
}

QString tableSymbol(MatrixTable table, int pixels)
{
    const QString name = tableName(table);
    const QString index = name.size() > 1 ? QStringLiteral("<sub>%1</sub>").arg(name.back()) : QString();
    return QStringLiteral("<span style=\"font-family:'STIX Two Text','TeX Gyre Termes','Liberation Serif','DejaVu Serif',serif; "
                          "font-style:italic; font-size:%1px\">%2%3</span>")
        .arg(QString::number(pixels), name.left(1), index);
}

MatrixSection::MatrixSection(MatrixTable table, MatrixOwner &owner, Selection &selection, QWidget *parent)
    : PanelRow(parent)
    , m_table(table)
    , m_owner(owner)
    , m_selection(selection)
{
    setObjectName(QStringLiteral("section ") + tableName(table));
    build();
    connectView();
}

void MatrixSection::build()
{
    m_symbol = new QLabel;
    m_symbol->setTextFormat(Qt::RichText);
    m_shape = new QLabel;
    m_shape->setMinimumWidth(1);
    m_shape->installEventFilter(this);
    auto *fillButton = new LinkButton(tr("Fill"));
    auto *editButton = new LinkButton(tr("Edit"));
    auto *pasteButton = new LinkButton(tr("Paste"));
    pasteButton->setObjectName(QStringLiteral("paste"));
    pasteButton->setToolTip(
        tr("The clipboard in place of %1: spreadsheet cells, CSV, NumPy, PyTorch, MATLAB, JSON. A 3-D print is one matrix for "
           "each head.")
            .arg(tableName(m_table)));
    auto *fillItems = new QMenu(this);
    m_editMenu = new QMenu(this);
    fillButton->setMenu(fillItems);
    editButton->setMenu(m_editMenu);
    for (LinkButton *button : { fillButton, editButton, pasteButton })
        button->setAccessibleName(button->text() + QLatin1Char(' ') + tableName(m_table));

    // Sections are groups: 16 apart.
    layout()->setContentsMargins(panelPadding, rowSpacing, panelPadding, 0);
    auto *heading = new QHBoxLayout;
    heading->setSpacing(8);
    heading->addWidget(m_symbol);
    heading->addWidget(m_shape, 1);
    heading->addWidget(fillButton);
    heading->addWidget(editButton);
    heading->addWidget(pasteButton);
    body()->addLayout(heading);

    const auto sizeField = [this](const QString &name) {
        auto *field = new NumberField(
            { .name = name, .least = 1, .most = mostByHand, .isWhole = true, .fallback = std::nan(""), .decimals = 0 }, this);
        connect(field, &NumberField::edited, this,
            [this] { resizeTo(static_cast<Index>(m_rows->number()), static_cast<Index>(m_cols->number())); });
        connect(field, &NumberField::badText, this, &MatrixSection::showOwnProblem);
        return field;
    };
    m_rows = sizeField(tr("Rows"));
    m_rows->setObjectName(QStringLiteral("rows"));
    m_cols = sizeField(tr("Columns"));
    m_cols->setObjectName(QStringLiteral("columns"));
    auto *done = new LinkButton(tr("Done"));
    m_sizeLine = sideBySide({ m_rows, new QLabel(tr("rows ×")), m_cols, new QLabel(tr("columns")), done }, { 1, 0, 1, 0, 0 });
    m_sizeLine->hide();
    connect(done, &LinkButton::clicked, m_sizeLine, &QWidget::hide);
    body()->addWidget(m_sizeLine);

    m_view = new MatrixView;
    m_view->setAccessibleName(tableName(m_table));
    body()->addWidget(m_view);
    fillMenus(fillItems, m_editMenu);
    fitFonts();
}

void MatrixSection::fitFonts()
{
    m_symbol->setText(tableSymbol(m_table, qRound(fontInfo().pixelSize() * symbolScale)));
    const QFont small = scaledFont(font(), MatrixView::fontScale);
    m_view->setFont(small);
    m_shape->setFont(small);
}

void MatrixSection::changeEvent(QEvent *event)
{
    PanelRow::changeEvent(event);
    if (!m_view)
        return;
    if (event->type() == QEvent::FontChange)
        fitFonts();
    if (event->type() == QEvent::PaletteChange)
        showHeading();
}

void MatrixSection::fillMenus(QMenu *fillItems, QMenu *editItems)
{
    fillItems->addAction(tr("Normal random numbers"), this, [this] { fill(Fill::Normal, tr("fill %1 with random numbers")); });
    fillItems->addAction(tr("Identity"), this, [this] { fill(Fill::Identity, tr("fill %1 with the identity")); });
    fillItems->addAction(tr("One-hot rows"), this, [this] { fill(Fill::OneHot, tr("fill %1 with one-hot rows")); });
    fillItems->addAction(tr("Zeros"), this, [this] { fill(Fill::Zeros, tr("fill %1 with zeros")); });
    fillItems->addSeparator();
    fillItems->addAction(tr("Size…"), this, [this] {
        m_sizeLine->setVisible(true);
        m_rows->setFocus(Qt::OtherFocusReason);
        m_rows->selectAll();
    });

    editItems->addAction(tr("Copy\tCtrl+C"), this, &MatrixSection::copy);
    editItems->addAction(tr("Cut\tCtrl+X"), this, [this] {
        copy();
        clear();
    });
    editItems->addAction(tr("Paste here\tCtrl+V"), this, &MatrixSection::pasteHere);
    editItems->addAction(tr("Set to zero\tDel"), this, &MatrixSection::clear);
    editItems->addSeparator();
    editItems->addAction(tr("Insert row above"), this, [this] { insertRows(Step::Before); });
    editItems->addAction(tr("Insert row below"), this, [this] { insertRows(Step::After); });
    editItems->addAction(tr("Move row up\tAlt+Up"), this, [this] { move(-1, 0); });
    editItems->addAction(tr("Move row down\tAlt+Down"), this, [this] { move(1, 0); });
    m_rename = editItems->addAction(tr("Rename row…"), this, [this] { renameRow(m_view->chosen().top()); });
    editItems->addAction(tr("Remove rows"), this, &MatrixSection::removeRows);
    editItems->addSeparator();
    editItems->addAction(tr("Insert column to the left"), this, [this] { insertCols(Step::Before); });
    editItems->addAction(tr("Insert column to the right"), this, [this] { insertCols(Step::After); });
    editItems->addAction(tr("Move column left\tAlt+Left"), this, [this] { move(0, -1); });
    editItems->addAction(tr("Move column right\tAlt+Right"), this, [this] { move(0, 1); });
    editItems->addAction(tr("Remove columns"), this, &MatrixSection::removeCols);
    if (m_table == MatrixTable::V || m_table == MatrixTable::Y || m_table >= MatrixTable::Wv) {
        editItems->addSeparator();
        editItems->addAction(tr("Remove %1").arg(tableName(m_table)), this,
            [this] { edit(withMatrix(m_owner.matrices(), m_table, m_head, {}), tr("remove %1").arg(tableName(m_table))); });
    }
}

void MatrixSection::connectView()
{
    connect(findChild<LinkButton *>(QStringLiteral("paste")), &LinkButton::clicked, this, &MatrixSection::pasteAll);
    connect(m_view, &MatrixView::copyRequested, this, &MatrixSection::copy);
    connect(m_view, &MatrixView::cutRequested, this, [this] {
        copy();
        clear();
    });
    connect(m_view, &MatrixView::pasteRequested, this, &MatrixSection::pasteHere);
    connect(m_view, &MatrixView::clearRequested, this, &MatrixSection::clear);
    connect(m_view, &MatrixView::moveRequested, this, &MatrixSection::move);
    connect(m_view, &MatrixView::rowHovered, this, &MatrixSection::hover);
    connect(m_view, &MatrixView::rowVisited, this, &MatrixSection::visit);
    connect(m_view, &QWidget::customContextMenuRequested, this,
        [this](const QPoint &point) { m_editMenu->popup(m_view->viewport()->mapToGlobal(point)); });
    connect(m_view->matrixModel(), &MatrixModel::cellEntered, this, [this](int row, int col, double number) {
        const SharedMatrix &matrix = matrixOf(m_owner.matrices(), m_table, m_head);
        edit(withMatrix(m_owner.matrices(), m_table, m_head, matrix.withCell(row, col, number)), tr("edit %1").arg(tableName(m_table)));
    });
    connect(m_view->matrixModel(), &MatrixModel::badTextEntered, this, &MatrixSection::showOwnProblem);
    connect(m_view->rowHeader(), &NameHeader::nameRequested, this, &MatrixSection::renameRow);
    connect(m_view->rowHeader(), &NameHeader::nameEntered, this, [this](int row, const QString &name) {
        edit(withRowName(m_owner.matrices(), m_table, m_head, row, name.toStdString()), tr("name a token"));
    });
    connect(m_view->rowHeader(), &NameHeader::sectionDragged, this, [this](int from, int to) {
        edit(withRowMoved(m_owner.matrices(), m_table, m_head, from, to), tr("move row of %1").arg(tableName(m_table)));
    });
    connect(m_view->columnHeader(), &NameHeader::sectionDragged, this, [this](int from, int to) {
        edit(withColMoved(m_owner.matrices(), m_table, m_head, from, to), tr("move column of %1").arg(tableName(m_table)));
    });
    const auto light = [this] {
        const std::optional<CellRef> cell = m_selection.current();
        const Index row = !cell ? -1 : hasQueryRows(m_table) ? cell->row : hasKeyRows(m_table) ? cell->col : -1;
        m_view->rowHeader()->setLit(static_cast<int>(row));
    };
    connect(&m_selection, &Selection::hoveredChanged, this, light);
    connect(&m_selection, &Selection::pickedChanged, this, light);
}

void MatrixSection::show(int head)
{
    m_head = head;
    const SharedMatrix &matrix = matrixOf(m_owner.matrices(), m_table, head);
    setVisible(!matrix.isEmpty() || m_table <= MatrixTable::K);
    m_view->showMatrix(matrix, rowNames(m_owner.matrices(), m_table, head), hasQueryRows(m_table) || hasKeyRows(m_table));
    m_rename->setVisible(hasQueryRows(m_table) || hasKeyRows(m_table));
    m_rows->setNumber(static_cast<double>(matrix.rows()));
    m_cols->setNumber(static_cast<double>(matrix.cols()));
    showHeading();
}

void MatrixSection::showHeading()
{
    const SharedMatrix &matrix = matrixOf(m_owner.matrices(), m_table, m_head);
    QString rows = count(matrix.rows());
    if (m_table == MatrixTable::Q)
        rows = counted(matrix.rows(), tr("query"), tr("queries"));
    else if (m_table == MatrixTable::K || m_table == MatrixTable::Y)
        rows = counted(matrix.rows(), tr("key"), tr("keys"));
    else if (m_table == MatrixTable::V)
        rows = counted(matrix.rows(), tr("value"), tr("values"));
    else if (m_table == MatrixTable::X)
        rows = m_owner.matrices().y.isEmpty() ? counted(matrix.rows(), tr("token"), tr("tokens"))
                                              : counted(matrix.rows(), tr("query"), tr("queries"));
    const QString words = tr("%1 × %2").arg(rows, count(matrix.cols()));
    const bool fits = m_shape->fontMetrics().horizontalAdvance(words) <= m_shape->width();
    m_shape->setText(fits ? words : tr("%1 × %2").arg(count(matrix.rows()), count(matrix.cols())));
    m_shape->setToolTip(words);
    const Theme &theme = Theme::of(palette());
    setTextColor(m_shape, m_documentProblem.isEmpty() ? theme.secondaryText : theme.error);
}

bool MatrixSection::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_shape && event->type() == QEvent::Resize)
        showHeading();
    return PanelRow::eventFilter(watched, event);
}

void MatrixSection::showProblem(const QString &sentence, std::vector<Fix> fixes)
{
    m_documentProblem = sentence;
    setProblem(sentence, std::move(fixes));
    showHeading();
}

void MatrixSection::showOwnProblem(const QString &sentence)
{
    if (!sentence.isEmpty() || m_documentProblem.isEmpty())
        setProblem(sentence);
}

void MatrixSection::edit(MatricesSource next, const QString &name, const QString &mergeKey)
{
    if (m_documentProblem.isEmpty())
        setProblem({});
    m_owner.editMatrices(std::move(next), name, mergeKey);
}

void MatrixSection::fill(Fill kind, const QString &name)
{
    const SharedMatrix &matrix = matrixOf(m_owner.matrices(), m_table, m_head);
    const std::uint64_t seed = kind == Fill::Normal ? m_owner.nextSeed() : 0;
    const SharedMatrix next(filled(kind, matrix.rows(), matrix.cols(), seed));
    edit(withMatrix(m_owner.matrices(), m_table, m_head, next), name.arg(tableName(m_table)));
}

bool MatrixSection::isEmpty() const
{
    return m_view->model()->rowCount() == 0 || m_view->model()->columnCount() == 0;
}

void MatrixSection::clear()
{
    if (isEmpty())
        return;
    const QItemSelectionRange range = m_view->chosen();
    const SharedMatrix &matrix = matrixOf(m_owner.matrices(), m_table, m_head);
    const SharedMatrix next = matrix.withPasted(range.top(), range.left(), Matrix(Matrix::Zero(range.height(), range.width())));
    edit(withMatrix(m_owner.matrices(), m_table, m_head, next), tr("set cells of %1 to zero").arg(tableName(m_table)));
}

void MatrixSection::copy()
{
    if (isEmpty())
        return;
    QGuiApplication::clipboard()->setText(m_view->chosenText());
}

void MatrixSection::insertRows(Step step)
{
    if (isEmpty())
        return;
    const QItemSelectionRange range = m_view->chosen();
    const Index before = step == Step::Before ? range.top() : range.bottom() + 1;
    edit(withRowsInserted(m_owner.matrices(), m_table, m_head, before, 1), tr("insert row into %1").arg(tableName(m_table)));
}

void MatrixSection::removeRows()
{
    const QItemSelectionRange range = m_view->chosen();
    if (range.height() >= m_view->matrixModel()->rowCount()) {
        showOwnProblem(tr("%1 keeps at least one row.").arg(tableName(m_table)));
        return;
    }
    edit(withRowsRemoved(m_owner.matrices(), m_table, m_head, range.top(), range.height()), tr("remove row of %1").arg(tableName(m_table)));
}

void MatrixSection::insertCols(Step step)
{
    if (isEmpty())
        return;
    const QItemSelectionRange range = m_view->chosen();
    const Index before = step == Step::Before ? range.left() : range.right() + 1;
    edit(withColsInserted(m_owner.matrices(), m_table, m_head, before, 1), tr("insert column into %1").arg(tableName(m_table)));
}

void MatrixSection::removeCols()
{
    const QItemSelectionRange range = m_view->chosen();
    if (range.width() >= m_view->matrixModel()->columnCount()) {
        showOwnProblem(tr("%1 keeps at least one column.").arg(tableName(m_table)));
        return;
    }
    edit(withColsRemoved(m_owner.matrices(), m_table, m_head, range.left(), range.width()),
        tr("remove column of %1").arg(tableName(m_table)));
}

void MatrixSection::move(int rows, int cols)
{
    const QModelIndex current = m_view->currentIndex();
    if (!current.isValid())
        return;
    const int row = current.row() + rows;
    const int col = current.column() + cols;
    if (row < 0 || col < 0 || row >= m_view->matrixModel()->rowCount() || col >= m_view->matrixModel()->columnCount())
        return;
    if (rows != 0)
        edit(withRowMoved(m_owner.matrices(), m_table, m_head, current.row(), row), tr("move row of %1").arg(tableName(m_table)));
    else
        edit(withColMoved(m_owner.matrices(), m_table, m_head, current.column(), col), tr("move column of %1").arg(tableName(m_table)));
    m_view->goTo(row, col);
}

void MatrixSection::resizeTo(Index rows, Index cols)
{
    const auto bytes = static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(cols) * sizeof(double);
    if (const Result<void> room = checkMemory(bytes, tableName(m_table).toStdString()); !room) {
        showOwnProblem(QString::fromStdString(room.error().sentence()));
        return;
    }
    const SharedMatrix &matrix = matrixOf(m_owner.matrices(), m_table, m_head);
    edit(withMatrix(m_owner.matrices(), m_table, m_head, resized(matrix, rows, cols)), tr("resize %1").arg(tableName(m_table)),
        QStringLiteral("size of ") + tableName(m_table));
}

void MatrixSection::renameRow(int row)
{
    if (isEmpty())
        return;
    m_view->scrollTo(m_view->matrixModel()->index(row, qMax(0, m_view->currentIndex().column())));
    m_view->rowHeader()->edit(row, m_view->matrixModel()->rowName(row));
}

void MatrixSection::hover(int row)
{
    if (row < 0)
        m_selection.setHovered(std::nullopt);
    else if (hasQueryRows(m_table))
        m_selection.setHovered(CellRef{ .row = row, .col = -1 });
    else if (hasKeyRows(m_table))
        m_selection.setHovered(CellRef{ .row = -1, .col = row });
}

void MatrixSection::visit(int row)
{
    CellRef cell = m_selection.picked().value_or(CellRef{ .row = -1, .col = -1 });
    if (hasQueryRows(m_table))
        cell.row = row;
    else if (hasKeyRows(m_table))
        cell.col = row;
    else
        return;
    m_selection.setPicked(cell);
}

void MatrixSection::pasteHere()
{
    paste(false);
}

void MatrixSection::pasteAll()
{
    paste(true);
}

void MatrixSection::paste(bool isWhole)
{
    const Result<PastedMatrices> pasted = parseMatrices(QGuiApplication::clipboard()->text().toStdString());
    if (!pasted) {
        showOwnProblem(QString::fromStdString(pasted.error().sentence()));
        return;
    }
    const MatricesSource &now = m_owner.matrices();
    const QModelIndex current = m_view->currentIndex();
    MatricesSource next = isWhole ? withReplaced(now, m_table, m_head, *pasted)
                                  : withPasted(now, m_table, m_head, qMax(0, current.row()), qMax(0, current.column()), *pasted);
    edit(std::move(next), tr("paste into %1").arg(tableName(m_table)));
}

} // namespace attenscope
