// SPDX-License-Identifier: GPL-3.0-or-later
// MainWindow: which actions can be used, and which are checked.
#include "window/main_window.h"

#include "session/color_table_names.h"
#include "views/lines/lines_view.h"
#include "views/map/map_view.h"
#include "views/overview/overview.h"
#include "views/steps/steps_view.h"
#include "window/docks.h"
#include "window/mask_control.h"
#include "window/view_stack.h"

#include <QToolBar>
#include <QToolButton>
#include <QUndoStack>

namespace attenscope {

void MainWindow::updateActions()
{
    const Session &session = m_document.session();
    const ViewState &view = session.view;
    const QUndoStack *undo = m_document.undoStack();
    const auto action = [this](const char *id) { return (*m_actions)[QLatin1String(id)]; };
    const auto check = [&action](const char *id, bool isChecked) { action(id)->setChecked(isChecked); };

    action("edit.undo")->setText(undo->canUndo() ? tr("&Undo %1").arg(undo->undoText()) : tr("&Undo"));
    action("edit.redo")->setText(undo->canRedo() ? tr("&Redo %1").arg(undo->redoText()) : tr("&Redo"));
    m_actions->setEnabled(QStringLiteral("edit.undo"), undo->canUndo(), tr("Nothing to undo"));
    m_actions->setEnabled(QStringLiteral("edit.redo"), undo->canRedo(), tr("Nothing to redo"));
    if (undo->canUndo())
        action("edit.undo")
            ->setToolTip(tr("Undo %1 (%2)").arg(undo->undoText(), action("edit.undo")->shortcut().toString(QKeySequence::NativeText)));
    if (undo->canRedo())
        action("edit.redo")
            ->setToolTip(tr("Redo %1 (%2)").arg(undo->redoText(), action("edit.redo")->shortcut().toString(QKeySequence::NativeText)));

    for (const ViewRow &row : viewRows())
        check(row.id, m_views->showsView() && view.shown == row.shown);
    for (const char *id : { "steps.play", "steps.back", "steps.on" })
        m_actions->setEnabled(QLatin1String(id), m_views->currentWidget() == m_steps, tr("The view Steps is not shown"));
    const bool isMapShown = m_views->currentWidget() == m_map;
    const bool isLinesShown = m_views->currentWidget() == m_views->view<LinesView>();
    for (const char *id : { "view.zoomIn", "view.zoomOut" })
        m_actions->setEnabled(QLatin1String(id), isMapShown || isLinesShown, tr("The map and the lines can be zoomed"));
    // Text and vectors follow the zoom of the map.
    const bool followsZoom = m_views->showsView() && (view.shown == ShownView::Text || view.shown == ShownView::Vectors);
    m_actions->setEnabled(QStringLiteral("view.fit"), isMapShown || isLinesShown || followsZoom, tr("This view has all queries and keys"));
    check("view.singleHead", view.headsShown == HeadsShown::Single);
    check("view.meanHead", view.headsShown == HeadsShown::Mean);
    check("view.maxHead", view.headsShown == HeadsShown::Max);
    const Index keys = m_document.block().keys;
    check("view.logarithmic", view.scale == ColorScale::Logarithmic || (view.scale == ColorScale::Automatic && keys > 128));
    check("view.ownRange", view.range == ColorRange::Own);
    check("view.leaveOutFirst", view.tokens.leavesOutFirst);
    check("view.leaveOutPadding", view.tokens.leavesOutPadding);
    check("view.leaveOutSpecials", view.tokens.leavesOutSpecials);
    check("view.renormalizeRows", view.tokens.renormalizes);
    check("view.mergePieces", view.tokens.mergesPieces);
    m_actions->setEnabled(QStringLiteral("view.renormalizeRows"), !view.tokens.showsAll(), tr("No tokens are left out or merged"));
    m_actions->setEnabled(QStringLiteral("view.everyToken"), !view.tokens.showsAll(), tr("Every token is shown"));
    check("view.rowRange", view.range == ColorRange::Row);
    m_actions->setEnabled(QStringLiteral("view.rowRange"), m_document.stage() == Stage::Weights, tr("Only weights have rows that share 1"));
    check("view.numbers", view.numbers == CellNumbers::WhenTheyFit);
    const std::string colors = "view.colors." + std::string(colorTableNames[static_cast<std::size_t>(view.colors)]);
    check(colors.c_str(), true);
    m_actions->setEnabled(QStringLiteral("view.ownRange"), !session.comparison, tr("While comparing both maps share one range"));

    const bool isComparing = m_masks->isComparing();
    const bool isCausal = m_masks->isCausal();
    const QString whyNotUnmasked = m_masks->whyNotUnmasked();
    const QString whyNotCompared = m_masks->whyNotCompared();
    check("mechanism.causal", isCausal);
    // Other masks are neither.
    const bool isUnmasked = !isCausal && session.mechanism.mask.rule == MaskRule::None;
    check("mechanism.unmasked", isUnmasked);
    m_actions->setEnabled(QStringLiteral("mechanism.unmasked"), whyNotUnmasked.isEmpty(), whyNotUnmasked);
    m_actions->setEnabled(QStringLiteral("mechanism.toggle"), whyNotUnmasked.isEmpty(), whyNotUnmasked);
    m_causal->setChecked(m_masks->isComparingMasks() || isCausal);
    m_unmasked->setChecked(m_masks->isComparingMasks() || isUnmasked);
    m_unmasked->setEnabled(whyNotUnmasked.isEmpty());
    const QString key = QStringLiteral(" (M)");
    const QString note = m_masks->causalNote();
    m_causal->setToolTip(tr("Each query sees itself and earlier keys") + key + (note.isEmpty() ? QString() : QLatin1Char('\n') + note));
    m_unmasked->setToolTip(whyNotUnmasked.isEmpty() ? tr("Every query sees every key") + key : whyNotUnmasked);

    check("compare.toggle", isComparing);
    check("compare.difference", view.showsDifference);
    m_actions->setEnabled(QStringLiteral("compare.toggle"), isComparing || whyNotCompared.isEmpty(), whyNotCompared);
    m_actions->setEnabled(QStringLiteral("compare.masks"), whyNotCompared.isEmpty(), whyNotCompared);
    m_actions->setEnabled(QStringLiteral("compare.difference"), isComparing, tr("There is a difference only while comparing"));
    const bool isRecorded = m_document.block().hasWeightsOnly();
    const QString recorded = tr("Recorded weights cannot be computed with another score");
    m_actions->setEnabled(
        QStringLiteral("compare.previous"), m_masks->previous().has_value(), tr("The mechanism has not been changed yet"));
    m_actions->setEnabled(QStringLiteral("compare.score"), !isRecorded, recorded);
    m_actions->setEnabled(QStringLiteral("compare.copy"), !isRecorded, recorded);
    action("compare.score")
        ->setText(session.mechanism.score == ScoreFunction::Dot ? tr("With the &scaled dot product") : tr("With the plain &dot product"));
    m_actions->setEnabled(
        QStringLiteral("mechanism.addHead"), !std::holds_alternative<FileSource>(session.source), tr("The heads are those of the file"));

    for (const auto &[id, dock] : { std::pair{ "window.showInput", m_inputDock }, std::pair{ "window.showMechanism", m_mechanismDock },
             std::pair{ "window.showHeads", m_headsDock }, std::pair{ "window.showHeadTable", m_tableDock },
             std::pair{ "window.showOverview", m_overviewDock }, std::pair{ "window.showPeaks", m_peaksDock },
             std::pair{ "window.showPatches", m_patchesDock } })
        check(id, !m_docks->isClosed(dock));
    const bool isLong = hasOverview(m_document.block().queries, m_document.block().keys);
    for (const char *id : { "window.showOverview", "window.showPeaks" })
        m_actions->setEnabled(QLatin1String(id), isLong, tr("The whole map is seen: only maps of more than 1,024 tokens have it"));
    // The steps say themselves what the strip would.
    m_readoutStrip->setVisible(!m_isPresenting || m_views->currentWidget() != m_steps);
    updatePresetActions();
    check("window.presentation", m_isPresenting);
    check("window.fullScreen", isFullScreen());
    check("window.systemTheme", m_settings.theme() == ThemeChoice::System);
    m_actions->setEnabled(QStringLiteral("edit.escape"), true);
}

} // namespace attenscope
