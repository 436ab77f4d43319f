// SPDX-License-Identifier: GPL-3.0-or-later
// MainWindow: the demonstrations, which stand in place of the view until they are closed.
#include "demonstrations/demonstration.h"
#include "window/main_window.h"
#include "window/message_bar.h"
#include "window/view_stack.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>

#include <utility>

namespace attenscope {

void MainWindow::addDemonstrationActions()
{
    connect(m_views, &ViewStack::shownChanged, this, [this] {
        if (m_demonstration && m_views->currentWidget() != m_demonstration)
            closeDemonstration();
    });
    m_actions->add({ "help.whyScale", MenuId::Demonstrations, tr("&Why scale"), {}, {},
        tr("How q·k spreads with d_k, and what the softmax makes of it with and without 1/√d_k"), false, false,
        [this](bool) { showDemonstration(makeWhyScale()); } });
    m_actions->add({ "help.exactAndTiled", MenuId::Demonstrations, tr("&Exact and tiled"), {}, {},
        tr("Whole matrices and one pass as in flash attention: times, memory, difference"), false, false,
        [this](bool) { showDemonstration(makeExactAndTiled(m_document)); } });
    m_actions->add({ "help.otherWeights", MenuId::Demonstrations, tr("&Same output, other weights"), {}, {},
        tr("How small and how large the picked weight could be with the same output"), false, false,
        [this](bool) { showDemonstration(makeOtherWeights(m_document, m_selection)); } });
}

void MainWindow::showDemonstration(Demonstration *made)
{
    closeDemonstration();
    m_demonstration = made;
    connect(made, &Demonstration::closeRequested, this, &MainWindow::closeDemonstration);
    connect(made, &Demonstration::copyRequested, this, &MainWindow::copyDemonstration);
    connect(made, &Demonstration::exportRequested, this, &MainWindow::exportDemonstration);
    m_views->addWidget(made);
    m_views->setCurrentWidget(made);
    made->setFocus();
    updateActions();
}

void MainWindow::closeDemonstration()
{
    if (!m_demonstration)
        return;
    Demonstration *closed = std::exchange(m_demonstration, nullptr);
    closed->disconnect(this);
    m_views->showView(m_document.session().view.shown);
    m_views->removeWidget(closed);
    closed->hide();
    // From one of its own buttons, perhaps: it goes when that has returned.
    closed->deleteLater();
    m_views->setFocus();
    updateActions();
}

void MainWindow::copyDemonstration()
{
    QApplication::clipboard()->setImage(m_demonstration->chart().picture());
}

void MainWindow::exportDemonstration()
{
    QString path = QFileDialog::getSaveFileName(this, tr("Export"),
        QDir::home().filePath(m_demonstration->title() + QStringLiteral(".png")), tr("PNG (*.png);;SVG (*.svg);;PDF (*.pdf)"));
    if (path.isEmpty() || !m_demonstration)
        return;
    if (QFileInfo(path).suffix().isEmpty())
        path += QStringLiteral(".png");
    if (const Result<void> saved = m_demonstration->chart().save(path); !saved)
        m_messages->showMessage({ Message::Kind::Error, saved.error(), {} });
    else
        say(tr("Exported %1.").arg(QFileInfo(path).fileName()), path.toStdString());
}

} // namespace attenscope
