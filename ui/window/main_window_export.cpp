// SPDX-License-Identifier: GPL-3.0-or-later
// MainWindow: what leaves it: numbers and pictures on the clipboard and in files.
#include "window/main_window.h"

#include "io/atomic_file.h"
#include "io/output_path.h"
#include "views/steps/steps_view.h"
#include "window/export_dialog.h"
#include "window/message_bar.h"
#include "window/numbers.h"
#include "window/view_figure.h"
#include "window/view_stack.h"
#include "window/walk_export.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>

namespace attenscope {

namespace {

/// Larger maps are files, not clipboard text.
constexpr Index mostCopiedCells = 4'000'000;

} // namespace

void MainWindow::copyNumbers()
{
    const Result<MapNumbers> numbers = numbersOf(m_document, NumbersScope::ShownMap);
    if (!numbers) {
        m_messages->showMessage({ Message::Kind::Error, numbers.error(), {} });
        return;
    }
    const MapField &field = *numbers->fields.front();
    if (field.rows() * field.cols() > mostCopiedCells) {
        m_messages->showMessage(
            { Message::Kind::Error,
                Error{ "The map is too large for the clipboard.", "It has more than 4,000,000 cells.", "Export it as NPY.", {} }, {} },
            { { tr("Export…"), [this] { showExport(); } } });
        return;
    }
    const Result<std::string> text = mapCsv(*numbers);
    if (!text) {
        m_messages->showMessage({ Message::Kind::Error, text.error(), {} });
        return;
    }
    auto *copied = new QMimeData;
    copied->setText(QString::fromStdString(*text));
    copied->setData(QStringLiteral("text/csv"), QByteArray::fromStdString(*text));
    QApplication::clipboard()->setMimeData(copied);
}

void MainWindow::exportHeadTable(const QString &csv)
{
    const QString name = QString::fromStdString(m_document.session().name) + tr(" heads") + QStringLiteral(".csv");
    const QString path = QFileDialog::getSaveFileName(this, tr("Export the head table"), name, tr("Comma-separated values (*.csv)"));
    if (path.isEmpty())
        return;
    const Result<void> isFree = checkNoInput(path, inputFiles(m_document.session()));
    const Result<void> written = isFree ? writeText(path.toStdString(), csv.toStdString()) : isFree;
    if (written)
        say(tr("Exported %1.").arg(QFileInfo(path).fileName()), path.toStdString());
    else
        m_messages->showMessage({ Message::Kind::Error, written.error(), {} });
}

void MainWindow::copyPicture()
{
    if (m_demonstration) {
        copyDemonstration();
        return;
    }
    const auto copy = [this](const Result<QImage> &image) {
        if (image)
            QApplication::clipboard()->setImage(*image);
        else
            m_messages->showMessage({ Message::Kind::Error, image.error(), {} });
    };
    if (m_views->currentWidget() == m_steps) {
        if (const auto picture = m_steps->picture())
            copy(walkImage(*picture, picture->state, {}));
        return;
    }
    const Result<Figure> figure = viewFigure(m_document, m_selection, {});
    copy(figure ? figureImage(*figure) : Result<QImage>(figure.error()));
}

void MainWindow::sayExported(const QString &path, int files)
{
    const QString name = QFileInfo(path).fileName();
    say(files == 1 ? tr("Exported %1.").arg(name) : tr("Exported %1 files, %2 and on.").arg(files).arg(name), path.toStdString());
}

void MainWindow::showWalkExport()
{
    if (!m_walkExport) {
        m_walkExport = new WalkExportDialog(m_document, *m_steps, this);
        connect(m_walkExport, &WalkExportDialog::exported, this, &MainWindow::sayExported);
        connect(m_walkExport, &WalkExportDialog::failed, this, [this](const Error &error) {
            m_messages->showMessage({ Message::Kind::Error, error, {} });
        });
    }
    m_walkExport->show();
    m_walkExport->raise();
    m_walkExport->activateWindow();
}

void MainWindow::showExport()
{
    if (m_demonstration) {
        exportDemonstration();
        return;
    }
    if (m_views->currentWidget() == m_steps) {
        showWalkExport();
        return;
    }
    if (!m_export) {
        m_export = new ExportDialog(m_document, m_selection, this);
        connect(m_export, &ExportDialog::exported, this, &MainWindow::sayExported);
        connect(m_export, &ExportDialog::failed, this, [this](const Error &error) {
            m_messages->showMessage({ Message::Kind::Error, error, {} });
        });
    }
    m_export->show();
    m_export->raise();
    m_export->activateWindow();
}

} // namespace attenscope
