// SPDX-License-Identifier: GPL-3.0-or-later
// MainWindow: what stands beside the view, and when.
#include "panels/input/input_panel.h"
#include "panels/mechanism/mechanism_panel.h"
#include "views/heads/heads.h"
#include "views/overview/overview.h"
#include "views/overview/peak_list.h"
#include "views/patches/patches_view.h"
#include "window/docks.h"
#include "window/files.h"
#include "window/main_window.h"
#include "window/mask_control.h"
#include "window/message_bar.h"
#include "window/presentation_bar.h"
#include "window/view_stack.h"

#include <QHBoxLayout>

namespace attenscope {

void MainWindow::makeDocks()
{
    m_inputPanel = new InputPanel(m_document, m_selection);
    m_mechanismPanel = new MechanismPanel(m_document, m_selection);
    m_headGrid = new HeadGrid(m_document, m_selection);
    m_headTable = new HeadTable(m_document, m_selection);
    m_patches = new PatchesView(m_document, m_selection);
    m_inputDock = new Dock(QStringLiteral("input"), tr("Input"), m_inputPanel, leftMinimum);
    m_mechanismDock = new Dock(QStringLiteral("mechanism"), m_mechanismPanel->title(), m_mechanismPanel, leftMinimum);
    m_headsDock = new Dock(QStringLiteral("heads"), tr("Heads"), m_headGrid, rightMinimum);
    m_tableDock = new Dock(QStringLiteral("headTable"), tr("Head table"), m_headTable, rightMinimum);
    m_overview = new Overview(m_document, m_selection);
    m_peaks = new PeakList(m_document, m_selection);
    m_overviewDock = new Dock(QStringLiteral("overview"), tr("Overview"), m_overview, rightMinimum);
    m_peaksDock = new Dock(QStringLiteral("peaks"), tr("Peaks"), m_peaks, rightMinimum);
    m_patchesDock = new Dock(QStringLiteral("patches"), tr("Image patches"), m_patches, rightMinimum);
    m_docks = new Docks(this, { m_inputDock, m_mechanismDock }, { m_overviewDock, m_peaksDock, m_patchesDock, m_headsDock, m_tableDock });
    m_docks->startClosed(m_patchesDock);
    followLength();
    connect(m_overview, &Overview::titleNoteChanged, this, &MainWindow::updateNotes);
    connect(m_peaks, &PeakList::titleNoteChanged, this, &MainWindow::updateNotes);
    connect(&m_document, &Document::changed, this, [this](const Session &before, const Session &after) {
        if (before.view.patches.has_value() != after.view.patches.has_value()) {
            m_docks->setClosed(m_patchesDock, !after.view.patches);
            updateActions();
        }
    });

    connect(m_inputPanel, &InputPanel::titleNoteChanged, this, &MainWindow::updateNotes);
    connect(m_inputPanel, &InputPanel::openRequested, m_files, &Files::openDialog);
    connect(m_inputPanel, &InputPanel::locateRequested, m_files, &Files::locate);
    connect(m_mechanismPanel, &MechanismPanel::titleChanged, this, [this] { m_mechanismDock->setWindowTitle(m_mechanismPanel->title()); });
    connect(m_mechanismPanel, &MechanismPanel::compareRequested, this, &MainWindow::compareWithPreset);
    connect(&m_selection, &Selection::paintingMaskChanged, this, &MainWindow::updateActions);
    connect(m_headGrid, &HeadGrid::addHeadRequested, m_inputPanel, &InputPanel::addHead);
    connect(m_headGrid, &HeadGrid::titleNoteChanged, this, &MainWindow::updateNotes);
    connect(m_headTable, &HeadTable::titleNoteChanged, this, &MainWindow::updateNotes);
    connect(m_headTable, &HeadTable::exportRequested, this, &MainWindow::exportHeadTable);

    auto *column = new QVBoxLayout;
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_presentation);
    column->addWidget(m_messages);
    column->addWidget(m_loading);
    column->addWidget(m_views, 1);
    auto *centre = new QWidget;
    auto *row = new QHBoxLayout(centre);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(m_docks->rail(DockSide::Left));
    row->addLayout(column, 1);
    row->addWidget(m_docks->rail(DockSide::Right));
    setCentralWidget(centre);
}

void MainWindow::updateNotes()
{
    m_inputDock->setNote(m_inputPanel->titleNote());
    m_headsDock->setNote(m_headGrid->titleNote());
    m_tableDock->setNote(m_headTable->titleNote());
    m_overviewDock->setNote(m_overview->titleNote());
    m_peaksDock->setNote(m_peaks->titleNote());
}

void MainWindow::followLength()
{
    const AttentionBlock &block = m_document.block();
    m_docks->setAway({ m_overviewDock, m_peaksDock }, !hasOverview(block.queries, block.keys));
}

void MainWindow::followComparing()
{
    const bool isComparing = m_masks->isComparing();
    if (isComparing == m_wasComparing)
        return;
    m_wasComparing = isComparing;
    if (isComparing && !m_docks->isFolded(DockSide::Left) && !m_docks->isFolded(DockSide::Right)) {
        m_foldedForCompare = true;
        m_docks->setFolded(DockSide::Left, true);
        m_docks->setFolded(DockSide::Right, true);
    } else if (!isComparing && m_foldedForCompare) {
        m_foldedForCompare = false;
        m_docks->setFolded(DockSide::Left, false);
        m_docks->setFolded(DockSide::Right, false);
    }
}

} // namespace attenscope
