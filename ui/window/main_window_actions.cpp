// SPDX-License-Identifier: GPL-3.0-or-later
// MainWindow: the table of its actions, and its menus.
#include "window/main_window.h"

#include "panels/input/input_panel.h"
#include "panels/input/source_edit.h"
#include "session/color_table_names.h"
#include "state/theme.h"
#include "views/lines/lines_view.h"
#include "views/map/map_view.h"
#include "views/steps/steps_view.h"
#include "window/docks.h"
#include "window/files.h"
#include "window/find_popup.h"
#include "window/help.h"
#include "window/mask_control.h"
#include "window/presentation_bar.h"
#include "window/view_stack.h"

#include <QActionGroup>
#include <QDialog>
#include <QLabel>
#include <QMenuBar>

namespace attenscope {

void MainWindow::makeActions()
{
    addFileActions();
    addEditActions();
    addViewActions();
    addMechanismActions();
    addPresetActions();
    addWindowActions();
    addDemonstrationActions();
}

void MainWindow::addFileActions()
{
    const auto addNew = [this](const char *id, const QString &text, const QList<QKeySequence> &keys, const QString &tip, bool startsGroup,
                            const std::function<Session()> &make) {
        m_actions->add({ QLatin1String(id), MenuId::File, text, keys, {}, tip, false, startsGroup,
            [this, make](bool) {
                // A sample is looked at first, an empty document typed into.
                const Session session = make();
                if (m_files->openSample(session) && !isSampleName(session.name))
                    m_inputPanel->focusInput();
            },
            tr("&New") });
    };
    addNew("file.newTokens", tr("&Tokens"), { QKeySequence::New }, tr("An empty text to type tokens into"), false, newTokens);
    addNew("file.newMatrices", tr("&Matrices"), {}, tr("Q, K and V of zeros to type numbers into"), false, newMatrices);
    addNew("file.newSentence", tr("&Example sentence"), { Qt::CTRL | Qt::SHIFT | Qt::Key_N },
        tr("The sentence that the program starts with"), true, exampleSentence);
    addNew(
        "file.newWorked", tr("&Worked example"), {}, tr("Q, K and V of three tokens, small enough to check by hand"), false, workedExample);
    m_actions
        ->add({ "file.open", MenuId::File, tr("&Open…"), { QKeySequence::Open }, "open", tr("Open files or a session"), false, true,
            [this](bool) { m_files->openDialog(); } })
        ->setIconText(tr("Open"));
    m_actions->add({ "file.save", MenuId::File, tr("&Save"), { QKeySequence::Save }, "save", tr("Save everything as a session"), false,
        true, [this](bool) { m_files->save(); } });
    m_actions->add({ "file.saveAs", MenuId::File, tr("Save &as…"), { Qt::CTRL | Qt::SHIFT | Qt::Key_S }, {}, {}, false, false,
        [this](bool) { m_files->saveAs(); } });
    m_actions->add({ "file.export", MenuId::File, tr("&Export…"), { Qt::CTRL | Qt::Key_E }, "export",
        tr("Save the map as a picture or as numbers"), false, true, [this](bool) { showExport(); } });
    m_actions->add({ "file.quit", MenuId::File, tr("&Quit"), { Qt::CTRL | Qt::Key_Q }, {}, {}, false, true, [this](bool) { close(); } });
}

void MainWindow::addEditActions()
{
    m_actions->add({ "edit.undo", MenuId::Edit, tr("&Undo"), { QKeySequence::Undo }, "undo", {}, false, false,
        [this](bool) { m_document.undoStack()->undo(); } });
    m_actions->add({ "edit.redo", MenuId::Edit, tr("&Redo"), { Qt::CTRL | Qt::SHIFT | Qt::Key_Z, Qt::CTRL | Qt::Key_Y }, "redo", {}, false,
        false, [this](bool) { m_document.undoStack()->redo(); } });
    m_actions->add({ "edit.copyNumbers", MenuId::Edit, tr("&Copy numbers"), { QKeySequence::Copy }, {},
        tr("Copy the numbers of the shown map, with names"), false, true, [this](bool) { copyNumbers(); } });
    m_actions->add({ "edit.copyPicture", MenuId::Edit, tr("Copy &picture"), { Qt::CTRL | Qt::SHIFT | Qt::Key_C }, {}, {}, false, false,
        [this](bool) { copyPicture(); } });
    m_actions->add({ "edit.paste", MenuId::Edit, tr("P&aste tokens or matrices"), { QKeySequence::Paste }, {}, {}, false, false,
        [this](bool) { m_inputPanel->paste(); } });
    m_actions->add({ "edit.find", MenuId::Edit, tr("&Find…"), { Qt::CTRL | Qt::Key_K, Qt::Key_Slash }, "search",
        tr("Find a token, head or command"), false, true, [this](bool) {
            if (!m_find)
                m_find = new FindPopup(m_document, m_selection, *m_actions, this);
            m_find->open(m_isPresenting ? static_cast<QWidget *>(m_presentation) : m_findField);
        } });
    m_actions->add({ "edit.escape", MenuId::Edit, tr("C&lear the pick"), { Qt::Key_Escape }, {},
        tr("Leave presentation, close the message, clear the pick: whichever is there first"), false, false, [this](bool) { escape(); } });
}

void MainWindow::addViewActions()
{
    for (const ViewRow &row : viewRows()) {
        m_actions->add({ QLatin1String(row.id), MenuId::View, tr(row.text), { row.key }, QLatin1String(row.icon), tr(row.tip), true, false,
            [this, shown = row.shown](bool) {
                m_views->showView(shown);
                updateActions();
                m_views->setFocus();
            } });
    }
    m_actions->add({ "steps.play", MenuId::View, tr("Pla&y the steps"), { Qt::Key_Space }, {}, tr("Play or pause"), false, true,
        [this](bool) { m_steps->togglePlaying(); } });
    m_actions->add(
        { "steps.back", MenuId::View, tr("Step &back"), { Qt::Key_Comma }, {}, {}, false, false, [this](bool) { m_steps->back(); } });
    m_actions->add({ "steps.on", MenuId::View, tr("Step o&n"), { Qt::Key_Period }, {}, {}, false, false, [this](bool) { m_steps->on(); } });
    m_actions->add(
        { "view.nextStage", MenuId::View, tr("&Next stage"), { Qt::Key_S }, {}, {}, false, true, [this](bool) { stepStage(1); } });
    m_actions->add({ "view.previousStage", MenuId::View, tr("&Previous stage"), { Qt::SHIFT | Qt::Key_S }, {}, {}, false, false,
        [this](bool) { stepStage(-1); } });
    m_actions->add(
        { "view.nextHead", MenuId::View, tr("Next &head"), { Qt::Key_PageDown }, {}, {}, false, true, [this](bool) { stepHead(1); } });
    m_actions->add({ "view.previousHead", MenuId::View, tr("Previous h&ead"), { Qt::Key_PageUp }, {}, {}, false, false,
        [this](bool) { stepHead(-1); } });
    m_actions->add({ "view.nextLayer", MenuId::View, tr("Next &layer"), { Qt::SHIFT | Qt::Key_PageDown }, {}, {}, false, false,
        [this](bool) { stepLayer(1); } });
    m_actions->add({ "view.previousLayer", MenuId::View, tr("Previous l&ayer"), { Qt::SHIFT | Qt::Key_PageUp }, {}, {}, false, false,
        [this](bool) { stepLayer(-1); } });
    for (const auto &[id, text, shown] : { std::tuple{ "view.singleHead", QT_TR_NOOP("&One head"), HeadsShown::Single },
             std::tuple{ "view.meanHead", QT_TR_NOOP("Mean o&f the heads"), HeadsShown::Mean },
             std::tuple{ "view.maxHead", QT_TR_NOOP("Ma&ximum of the heads"), HeadsShown::Max } }) {
        m_actions->add({ QLatin1String(id), MenuId::View, tr(text), {}, {}, {}, true, shown == HeadsShown::Single,
            [this, shown](bool) { editView(tr("change shown heads"), [shown](ViewState &view) { view.headsShown = shown; }); } });
    }
    auto *shownHeads = new QActionGroup(this);
    for (const char *id : { "view.singleHead", "view.meanHead", "view.maxHead" })
        shownHeads->addAction((*m_actions)[QLatin1String(id)]);
    const auto isLinesShown = [this] { return m_views->currentWidget() == m_views->view<LinesView>(); };
    m_actions->add({ "view.zoomIn", MenuId::View, tr("Zoom &in"), { Qt::Key_Plus, Qt::Key_Equal }, {}, {}, false, true,
        [this, isLinesShown](bool) { isLinesShown() ? m_views->view<LinesView>()->zoomIn() : m_map->zoomIn(); } });
    m_actions->add({ "view.zoomOut", MenuId::View, tr("Zoom o&ut"), { Qt::Key_Minus }, {}, {}, false, false,
        [this, isLinesShown](bool) { isLinesShown() ? m_views->view<LinesView>()->zoomOut() : m_map->zoomOut(); } });
    m_actions->add({ "view.fit", MenuId::View, tr("Fi&t"), { Qt::Key_0 }, "fit", tr("Show all queries and keys"), false, false,
        [this](bool) { m_map->fit(); } });
    m_actions->add(
        { "view.logarithmic", MenuId::View, tr("Lo&garithmic scale"), { Qt::Key_L }, {}, {}, true, true, [this](bool) { toggleScale(); } });
    m_actions->add({ "view.ownRange", MenuId::View, tr("O&wn range of this map"), {}, {},
        tr("Colours from the smallest to the largest number of this map, instead of one range for all heads"), true, false,
        [this](bool isOwn) {
            editView(tr("change colour range"), [isOwn](ViewState &view) { view.range = isOwn ? ColorRange::Own : ColorRange::Shared; });
        } });
    m_actions->add({ "view.rowRange", MenuId::View, tr("Each row up to its largest we&ight"), {}, {},
        tr("Colours from 0 to the largest weight of each row: what a sink leaves is seen. Numbers stay the weights"), true, false,
        [this](bool isByRow) {
            editView(
                tr("change colour range"), [isByRow](ViewState &view) { view.range = isByRow ? ColorRange::Row : ColorRange::Shared; });
        } });
    m_actions->add(
        { "view.numbers", MenuId::View, tr("Num&bers in cells"), { Qt::Key_N }, {}, tr("Where they fit"), true, false, [this](bool isOn) {
             editView(
                 tr("numbers in cells"), [isOn](ViewState &view) { view.numbers = isOn ? CellNumbers::WhenTheyFit : CellNumbers::Never; });
         } });
    addTokenActions();
    auto *colors = new QActionGroup(this);
    for (const std::string_view name : colorTableNames) {
        const auto table = static_cast<ColorTable>(colors->actions().size());
        colors->addAction(m_actions->add({ QStringLiteral("view.colors.") + QLatin1String(name.data()), MenuId::View,
            tr("Colours: %1").arg(QLatin1String(name.data())), {}, {}, {}, true, table == ColorTable::Viridis,
            [this, table](bool) { editView(tr("change colours"), [table](ViewState &view) { view.colors = table; }); } }));
    }
}

void MainWindow::addTokenActions()
{
    const auto add = [this](const char *id, const QString &text, const QList<QKeySequence> &keys, const QString &tip,
                         const QString &undoName, bool TokensShown::*kind, bool startsGroup) {
        m_actions->add({ QLatin1String(id), MenuId::View, text, keys, {}, tip, true, startsGroup,
            [this, undoName, kind](bool isOn) { editView(undoName, [kind, isOn](ViewState &view) { view.tokens.*kind = isOn; }); } });
    };
    add("view.leaveOutFirst", tr("Leave out first to&ken"), { Qt::Key_K }, tr("As a key and, in self-attention, as a query"),
        tr("leave out first token"), &TokensShown::leavesOutFirst, true);
    add("view.leaveOutPadding", tr("Leave out paddin&g"), {}, tr("What the file marks as padding, and tokens such as [PAD]"),
        tr("leave out padding"), &TokensShown::leavesOutPadding, false);
    add("view.leaveOutSpecials", tr("Leave out special tokens"), {}, tr("[CLS], </s>, <|endoftext|> and the like"),
        tr("leave out special tokens"), &TokensShown::leavesOutSpecials, false);
    add("view.renormalizeRows", tr("Divide rows by what is left"), {}, tr("Where tokens are left out: each row is divided by its sum"),
        tr("renormalise rows"), &TokensShown::renormalizes, false);
    add("view.mergePieces", tr("Merge &word pieces"), { Qt::Key_W }, tr("Pieces of a word are one token: columns add, rows average"),
        tr("merge word pieces"), &TokensShown::mergesPieces, false);
    m_actions->add({ "view.everyToken", MenuId::View, tr("Show every token"), {}, {}, tr("Nothing left out, nothing merged"), false, false,
        [this](bool) { editView(tr("show every token"), [](ViewState &view) { view.tokens = {}; }); } });
}

void MainWindow::addMechanismActions()
{
    m_actions->add({ "mechanism.toggle", MenuId::Mechanism, tr("&Causal / unmasked"), { Qt::Key_M }, {}, tr("Who may see whom"), false,
        false, [this](bool) { m_masks->toggle(); } });
    m_actions->add({ "mechanism.causal", MenuId::Mechanism, tr("C&ausal"), {}, {}, tr("Each query sees itself and earlier keys"), true,
        false, [this](bool) { m_masks->setCausal(true); } });
    m_actions->add({ "mechanism.unmasked", MenuId::Mechanism, tr("&Unmasked"), {}, {}, tr("Every query sees every key"), true, false,
        [this](bool) { m_masks->setCausal(false); } });
    m_actions->add(
        { "mechanism.addHead", MenuId::Mechanism, tr("Add a &head"), {}, {}, {}, false, true, [this](bool) { m_inputPanel->addHead(); } });

    m_actions->add({ "compare.toggle", MenuId::Compare, tr("&Compare"), { Qt::Key_C }, "compare",
        tr("Causal and unmasked side by side, with their difference"), true, false, [this](bool isOn) {
            m_masks->setComparing(isOn);
            updateActions();
        } });
    m_actions->add({ "compare.difference", MenuId::Compare, tr("&Difference map"), { Qt::Key_D }, {}, {}, true, false,
        [this](bool isOn) { editView(tr("difference map"), [isOn](ViewState &view) { view.showsDifference = isOn; }); } });
    m_actions->add({ "compare.masks", MenuId::Compare, tr("Ca&usal with unmasked"), {}, {}, {}, false, true, [this](bool) {
                        m_masks->setComparing(false);
                        m_masks->setComparing(true);
                    } });
    m_actions->add(
        { "compare.previous", MenuId::Compare, tr("With the mechanism before the &last change"), {}, {}, {}, false, false, [this](bool) {
             if (m_masks->previous())
                 m_masks->compareWith(*m_masks->previous(), tr("compare with the mechanism before"));
         } });
    m_actions->add({ "compare.score", MenuId::Compare, tr("With the plain dot product"), {}, {}, {}, false, false, [this](bool) {
                        AttentionSpec other = m_document.session().mechanism;
                        other.score = other.score == ScoreFunction::Dot ? ScoreFunction::ScaledDot : ScoreFunction::Dot;
                        other.scale.reset();
                        m_masks->compareWith(other, tr("compare scores"));
                    } });
    m_actions->add({ "compare.copy", MenuId::Compare, tr("With the mechanism as it is &now"), {}, {},
        tr("The second map keeps the mechanism as it is; what is changed from here on changes the first one alone"), false, false,
        [this](bool) { m_masks->compareWith(m_document.session().mechanism, tr("compare with the current mechanism")); } });
}

void MainWindow::addWindowActions()
{
    const auto addFocus = [this](const char *id, const QString &text, Qt::Key key, Dock *MainWindow::*dock, bool startsGroup) {
        m_actions->add(
            { QLatin1String(id), MenuId::Window, text, { Qt::CTRL | Qt::SHIFT | key }, {}, {}, false, startsGroup, [this, dock](bool) {
                 m_docks->focus(this->*dock);
                 updateActions();
             } });
    };
    const auto addShow = [this](const char *id, const QString &text, Dock *MainWindow::*dock) {
        m_actions->add({ QLatin1String(id), MenuId::Window, text, {}, {}, {}, true, false, [this, dock](bool isOn) {
                            m_docks->setClosed(this->*dock, !isOn);
                            updateActions();
                        } });
    };
    addShow("window.showInput", tr("Show input"), &MainWindow::m_inputDock);
    addShow("window.showMechanism", tr("Show mechanism"), &MainWindow::m_mechanismDock);
    addShow("window.showHeads", tr("Show heads"), &MainWindow::m_headsDock);
    addShow("window.showHeadTable", tr("Show head table"), &MainWindow::m_tableDock);
    addShow("window.showOverview", tr("Show overview"), &MainWindow::m_overviewDock);
    addShow("window.showPeaks", tr("Show peaks"), &MainWindow::m_peaksDock);
    addShow("window.showPatches", tr("Show image patches"), &MainWindow::m_patchesDock);
    addFocus("window.input", tr("Go to &Input"), Qt::Key_1, &MainWindow::m_inputDock, true);
    addFocus("window.mechanism", tr("Go to &Mechanism"), Qt::Key_2, &MainWindow::m_mechanismDock, false);
    addFocus("window.heads", tr("Go to &Heads"), Qt::Key_3, &MainWindow::m_headsDock, false);
    m_actions->add(
        { "window.nextPane", MenuId::Window, tr("&Next pane"), { Qt::Key_F6 }, {}, {}, false, false, [this](bool) { stepPane(1); } });
    m_actions->add({ "window.previousPane", MenuId::Window, tr("&Previous pane"), { Qt::SHIFT | Qt::Key_F6 }, {}, {}, false, false,
        [this](bool) { stepPane(-1); } });
    m_actions->add({ "window.fold", MenuId::Window, tr("&Fold or unfold the docks"), { Qt::CTRL | Qt::Key_Backslash }, {}, {}, false, true,
        [this](bool) { m_docks->toggleFolded(); } });
    m_actions->add({ "window.fullScreen", MenuId::Window, tr("F&ull screen"), { Qt::Key_F11 }, {}, {}, true, true,
        [this](bool isOn) { isOn ? showFullScreen() : showNormal(); } });
    m_actions->add({ "window.presentation", MenuId::Window, tr("P&resentation"), { Qt::Key_P }, {},
        tr("Only the view, large enough for a class room"), true, false, [this](bool isOn) { setPresenting(isOn); } });
    m_actions->add({ "window.toggleTheme", MenuId::Window, tr("Light or &dark"), { Qt::SHIFT | Qt::Key_P }, {}, {}, false, true,
        [this](bool) { setTheme(Theme::of(palette()).isDark ? ThemeChoice::Light : ThemeChoice::Dark); } });
    m_actions->add({ "window.systemTheme", MenuId::Window, tr("Light or dark as the d&esktop"), {}, {}, {}, true, false,
        [this](bool) { setTheme(ThemeChoice::System); } });

    m_actions->add({ "help.guide", MenuId::Help, tr("&Guide"), { Qt::Key_F1 }, {}, {}, false, false, [this](bool) {
                        if (!m_guide)
                            m_guide = showGuide(this);
                        m_guide->raise();
                        m_guide->activateWindow();
                    } });
    m_actions->add({ "help.keys", MenuId::Help, tr("&Keyboard shortcuts"), { Qt::Key_Question }, "help", {}, false, false, [this](bool) {
                        if (!m_keys)
                            m_keys = showKeys(*m_actions, this);
                        m_keys->raise();
                        m_keys->activateWindow();
                    } });
    m_actions->add({ "help.about", MenuId::Help, tr("&About Attenscope"), {}, {}, {}, false, true, [this](bool) { showAbout(this); } });
}

void MainWindow::makeMenus()
{
    for (const MenuId id : menuIds()) {
        QMenu *menu = menuBar()->addMenu(menuTitle(id));
        m_actions->fill(menu, id);
        if (id == MenuId::File) {
            m_recent = new QMenu(tr("Open &recent"), menu);
            m_recent->setToolTipsVisible(true);
            menu->insertMenu((*m_actions)[QStringLiteral("file.save")], m_recent);
            connect(m_recent, &QMenu::aboutToShow, this, [this] { m_files->fillRecent(m_recent); });
        }
        if (id == MenuId::Help) {
            auto *demonstrations = new QMenu(menuTitle(MenuId::Demonstrations), menu);
            demonstrations->setToolTipsVisible(true);
            m_actions->fill(demonstrations, MenuId::Demonstrations);
            menu->insertMenu((*m_actions)[QStringLiteral("help.keys")], demonstrations);
        }
    }
    m_documentName = new QLabel(menuBar());
    m_documentName->setContentsMargins(0, 0, 16, 0);
    m_documentName->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_documentName->setForegroundRole(QPalette::PlaceholderText);
    m_documentName->setAccessibleName(tr("Document"));
    menuBar()->setCornerWidget(m_documentName, Qt::TopRightCorner);
}

} // namespace attenscope
