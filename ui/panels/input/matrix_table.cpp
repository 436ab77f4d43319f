// SPDX-License-Identifier: GPL-3.0-or-later
// A matrix of the mechanism as a table.
#include "panels/input/matrix_table.h"

#include "core/memory.h"
#include "core/text.h"
#include "panels/input/matrix_edit.h"
#include "panels/input/matrix_view.h"

#include <QBoxLayout>
#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>

namespace attenscope {

namespace {

/// Larger ones are shown by their shape alone.
constexpr Index mostCellsShown = 4096 * 4096;

QString shapeText(Index rows, Index cols)
{
    return QStringLiteral("%1 × %2").arg(QString::fromStdString(groupedCount(rows)), QString::fromStdString(groupedCount(cols)));
}

QString symbolOf(const QString &name)
{
    const auto line = name.indexOf(QLatin1Char('_'));
    const QString letter = line < 0 ? name : name.left(line);
    const QString index = line < 0 ? QString() : QStringLiteral("<sub>%1</sub>").arg(name.mid(line + 1));
    return QStringLiteral("<i>%1</i>%2").arg(letter, index);
}

} // namespace

MatrixTableRow::MatrixTableRow(const QString &name, QWidget *parent)
    : PanelRow(parent)
    , m_name(name)
    , m_title(new QLabel)
    , m_fill(new QMenu(this))
    , m_view(new MatrixView)
{
    setObjectName(QStringLiteral("table ") + name);
    m_title->setTextFormat(Qt::RichText);
    auto *fillButton = new LinkButton(tr("Fill"));
    fillButton->setMenu(m_fill);
    fillButton->setAccessibleName(tr("Fill %1").arg(name));
    auto *pasteButton = new LinkButton(tr("Paste"));
    pasteButton->setObjectName(QStringLiteral("paste"));
    pasteButton->setAccessibleName(tr("Paste %1").arg(name));
    pasteButton->setToolTip(tr("The clipboard in place of %1: spreadsheet cells, CSV, NumPy, PyTorch, MATLAB, JSON.").arg(name));
    auto *heading = new QHBoxLayout;
    heading->setSpacing(8);
    heading->addWidget(m_title, 1);
    heading->addWidget(fillButton);
    heading->addWidget(pasteButton);
    body()->addLayout(heading);
    m_view->setAccessibleName(name);
    m_view->setFont(scaledFont(font(), MatrixView::fontScale));
    body()->addWidget(m_view);

    m_fill->addAction(
        tr("Normal random numbers"), this, [this] { fill(static_cast<int>(Fill::Normal), tr("fill %1 with random numbers")); });
    m_fill->addAction(tr("Identity"), this, [this] { fill(static_cast<int>(Fill::Identity), tr("fill %1 with the identity")); });
    m_fill->addAction(tr("Zeros"), this, [this] { fill(static_cast<int>(Fill::Zeros), tr("fill %1 with zeros")); });
    connect(pasteButton, &LinkButton::clicked, this, &MatrixTableRow::paste);
    connect(m_view, &MatrixView::pasteRequested, this, &MatrixTableRow::paste);
    connect(m_view, &MatrixView::copyRequested, this, [this] { QGuiApplication::clipboard()->setText(m_view->chosenText()); });
    connect(m_view, &MatrixView::clearRequested, this, [this] {
        const QItemSelectionRange range = m_view->chosen();
        if (range.isValid())
            emit edited(m_matrix.withPasted(range.top(), range.left(), Matrix(Matrix::Zero(range.height(), range.width()))),
                tr("set cells of %1 to zero").arg(m_name));
    });
    connect(m_view->matrixModel(), &MatrixModel::cellEntered, this,
        [this](int row, int col, double number) { emit edited(m_matrix.withCell(row, col, number), tr("edit %1").arg(m_name)); });
    connect(m_view->matrixModel(), &MatrixModel::badTextEntered, this, [this](const QString &problem) { setProblem(problem); });
}

void MatrixTableRow::show(const SharedMatrix &matrix, Index rows, Index cols, const QString &problem)
{
    m_matrix = matrix;
    m_rows = rows;
    m_cols = cols;
    m_title->setText(QStringLiteral("%1&nbsp; %2").arg(symbolOf(m_name), shapeText(matrix.rows(), matrix.cols())));
    const bool isShown = matrix.rows() * matrix.cols() <= mostCellsShown && !matrix.isEmpty();
    m_view->setVisible(isShown);
    if (isShown)
        m_view->showMatrix(matrix, {}, false);
    setProblem(problem);
}

void MatrixTableRow::addFill(const QString &text, const QString &undoName, std::function<Matrix(Index rows, Index cols)> make)
{
    m_fill->addAction(text, this, [this, undoName, make = std::move(make)] { emitIfRoom(undoName, [&] { return make(m_rows, m_cols); }); });
}

void MatrixTableRow::addReset(const QString &text, const QString &undoName)
{
    m_fill->addSeparator();
    m_fill->addAction(text, this, [this, undoName] { emit resetRequested(undoName); });
}

void MatrixTableRow::focusTable()
{
    m_view->setFocus(Qt::OtherFocusReason);
}

void MatrixTableRow::fill(int kind, const QString &name)
{
    emitIfRoom(name.arg(m_name), [&] { return filled(static_cast<Fill>(kind), m_rows, m_cols, ++m_seed); });
}

void MatrixTableRow::emitIfRoom(const QString &name, const std::function<Matrix()> &make)
{
    const auto bytes = saturatingProduct(saturatingProduct(static_cast<std::uint64_t>(m_rows), static_cast<std::uint64_t>(m_cols)), 16);
    if (const Result<void> room = checkMemory(bytes, m_name.toStdString()); !room) {
        setProblem(QString::fromStdString(room.error().sentence()));
        return;
    }
    emit edited(SharedMatrix(make()), name);
}

void MatrixTableRow::paste()
{
    const Result<PastedMatrices> pasted = parseMatrices(QGuiApplication::clipboard()->text().toStdString());
    if (!pasted) {
        setProblem(QString::fromStdString(pasted.error().sentence()));
        return;
    }
    const Matrix &numbers = pasted->matrices.front();
    if (numbers.rows() != m_rows || numbers.cols() != m_cols) {
        setProblem(
            tr("The clipboard has %1, %2 must be %3.").arg(shapeText(numbers.rows(), numbers.cols()), m_name, shapeText(m_rows, m_cols)));
        return;
    }
    emit edited(SharedMatrix(numbers), tr("paste into %1").arg(m_name));
}

} // namespace attenscope
