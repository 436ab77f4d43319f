// SPDX-License-Identifier: GPL-3.0-or-later
// The whole window: keys, docks, compare, files, presentation. Checks what it does, not how it looks.
#include "window/main_window.h"

#include "demonstrations/demonstration.h"
#include "panels/input/input_panel.h"
#include "state/theme.h"
#include "views/map/map_plot.h"
#include "views/map/map_view.h"
#include "views/steps/row_walk_page.h"
#include "views/steps/steps_view.h"
#include "window/docks.h"
#include "window/files.h"
#include "window/mask_control.h"
#include "window/message_bar.h"
#include "window/presentation_bar.h"
#include "window/style.h"
#include "window/view_stack.h"
#include "window/walk_export.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScreen>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>

#include <functional>
#include <set>

using namespace attenscope;

namespace {

/// A shown window that does not ask when the test is over.
class Window : public MainWindow {
public:
    using MainWindow::eventFilter;

    explicit Window(QSize size = QSize(1400, 900))
    {
        resize(size);
        show();
        QTest::qWait(0);
    }

    QDockWidget *dock(const char *name) const { return findChild<QDockWidget *>(QLatin1String(name)); }
    QToolButton *segment(const QString &text) const
    {
        for (auto *button : findChildren<QToolButton *>()) {
            if (button->text() == text && !button->property("segment").toString().isEmpty())
                return button;
        }
        return nullptr;
    }
    QPlainTextEdit *text() const
    {
        for (auto *edit : findChildren<QPlainTextEdit *>()) {
            if (edit->isVisible())
                return edit;
        }
        return nullptr;
    }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::keyClick(findChild<ViewStack *>()->currentWidget()->focusProxy(), key, modifiers);
        QCoreApplication::processEvents();
    }
};

QString writeFile(const QTemporaryDir &folder, const QString &name, const QByteArray &contents)
{
    const QString path = folder.filePath(name);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(contents) != contents.size())
        return {};
    return path;
}

/// Answers the next question box with @p button.
void answerNext(QMessageBox::StandardButton button)
{
    QTimer::singleShot(0, qApp, [button] {
        for (QWidget *widget : QApplication::topLevelWidgets()) {
            if (auto *box = qobject_cast<QMessageBox *>(widget))
                box->button(button)->click();
        }
    });
}

} // namespace

class TestMainWindow : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        applyTheme(*qApp, ThemeChoice::Light);
    }
    void keysSwitchTheView()
    {
        Window window;
        auto *views = window.findChild<ViewStack *>();
        QVERIFY(qobject_cast<MapView *>(views->currentWidget()));
        QVERIFY(!window.actionTable()[QStringLiteral("steps.on")]->isEnabled());
        window.press(Qt::Key_4);
        QVERIFY(qobject_cast<StepsView *>(views->currentWidget()));
        QVERIFY(window.actionTable()[QStringLiteral("view.steps")]->isChecked());
        QVERIFY(!window.actionTable()[QStringLiteral("view.map")]->isChecked());
        QVERIFY(!window.actionTable()[QStringLiteral("view.zoomIn")]->isEnabled());
        QCOMPARE(window.document().session().view.shown, ShownView::Steps);
        window.press(Qt::Key_1);
        QVERIFY(qobject_cast<MapView *>(views->currentWidget()));
        // One step back to before both.
        window.document().undoStack()->undo();
        QVERIFY(!window.document().undoStack()->canUndo());
    }
    void keysWalkThroughTheSteps()
    {
        Window window;
        window.document().reset(workedExample());
        window.press(Qt::Key_4);
        auto *walk = window.findChild<RowWalkPage *>();
        const StepPosition start = walk->position();
        window.press(Qt::Key_Period);
        QCOMPARE(walk->position().key, start.key + 1);
        window.press(Qt::Key_Comma);
        QCOMPARE(walk->position(), start);
        auto *view = window.findChild<StepsView *>();
        window.press(Qt::Key_Space);
        QVERIFY(view->isPlaying());
        window.press(Qt::Key_Space);
        QVERIFY(!view->isPlaying());
        // Export is that of the steps.
        window.press(Qt::Key_E, Qt::ControlModifier);
        QVERIFY(window.findChild<WalkExportDialog *>());
    }
    void otherPagesGoAwayWithAView()
    {
        Window window;
        auto *views = window.findChild<ViewStack *>();
        auto *page = new QLabel(QStringLiteral("for a while"));
        views->addWidget(page);
        views->setCurrentWidget(page);
        QVERIFY(!window.actionTable()[QStringLiteral("view.map")]->isChecked());
        window.actionTable()[QStringLiteral("view.map")]->trigger();
        QVERIFY(qobject_cast<MapView *>(views->currentWidget()));
        QVERIFY(window.actionTable()[QStringLiteral("view.map")]->isChecked());
    }
    void init()
    {
        QSettings().clear();
        QDir(Autosave::defaultFolder()).removeRecursively();
    }

    void firstStartShowsTheExampleWithAPickedCell()
    {
        Window window;
        QVERIFY(window.document().field() != nullptr);
        QVERIFY(window.selection().picked() == (CellRef{ 2, 0 }));
        QVERIFY(!window.document().isModified());
        QVERIFY(!window.messages().isShown());
    }

    void everyActionIsInTheMenuItNames()
    {
        Window window;
        std::set<QAction *> inMenus;
        const std::function<void(const QMenu *)> collect = [&](const QMenu *menu) {
            for (QAction *action : menu->actions()) {
                inMenus.insert(action);
                if (action->menu())
                    collect(action->menu());
            }
        };
        for (QAction *menu : window.menuBar()->actions())
            collect(menu->menu());
        for (const ActionSpec &spec : window.actionTable().specs())
            QVERIFY2(inMenus.count(window.actionTable()[spec.id]), qPrintable(spec.id));
    }

    void noKeyHasTwoMeanings()
    {
        Window window;
        std::set<QString> seen;
        for (const ActionSpec &spec : window.actionTable().specs()) {
            for (const QKeySequence &key : window.actionTable()[spec.id]->shortcuts())
                QVERIFY2(seen.insert(key.toString()).second, qPrintable(spec.id + QLatin1Char(' ') + key.toString()));
        }
    }

    void demonstrationsStandInPlaceOfTheView()
    {
        Window window;
        auto *map = window.findChild<MapView *>();
        const auto shown = [&] { return window.findChild<Demonstration *>(); };
        for (const char *id : { "help.whyScale", "help.exactAndTiled", "help.otherWeights" }) {
            window.actionTable()[QLatin1String(id)]->trigger();
            QVERIFY(shown() && shown()->isVisible() && !map->isVisible());
            QTest::keyClick(&window, Qt::Key_Escape);
            QVERIFY(map->isVisible());
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
            QVERIFY(!shown());
        }
        window.actionTable()["help.whyScale"]->trigger();
        window.actionTable()["edit.copyPicture"]->trigger();
        QCOMPARE(QApplication::clipboard()->image().size(), 2 * shown()->chart().size());
        shown()->findChild<QPushButton *>("close")->click();
        QVERIFY(map->isVisible());
        QVERIFY(window.selection().picked() == (CellRef{ 2, 0 }));
        // Another view takes its place, and the window can go while one is shown.
        window.actionTable()["help.otherWeights"]->trigger();
        window.actionTable()["view.map"]->trigger();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QVERIFY(map->isVisible() && !shown());
        window.actionTable()["help.exactAndTiled"]->trigger();
    }

    void keyTogglesTheMaskAndUndoBringsItBack()
    {
        Window window;
        QVERIFY(window.document().session().mechanism.mask.rule == MaskRule::Causal);
        QVERIFY(window.segment(QStringLiteral("Causal"))->isChecked());
        window.press(Qt::Key_M);
        QVERIFY(window.document().session().mechanism.mask.rule == MaskRule::None);
        QVERIFY(window.segment(QStringLiteral("Unmasked"))->isChecked());
        QVERIFY(!window.segment(QStringLiteral("Causal"))->isChecked());
        window.press(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(window.document().session().mechanism.mask.rule == MaskRule::Causal);
        window.press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(window.document().session().mechanism.mask.rule == MaskRule::None);
    }

    void segmentsSetTheMask()
    {
        Window window;
        window.segment(QStringLiteral("Unmasked"))->click();
        QVERIFY(window.document().session().mechanism.mask.rule == MaskRule::None);
        window.segment(QStringLiteral("Unmasked"))->click();
        QVERIFY(window.segment(QStringLiteral("Unmasked"))->isChecked());
        window.segment(QStringLiteral("Causal"))->click();
        QVERIFY(window.document().session().mechanism.mask.rule == MaskRule::Causal);
    }

    void lettersTypedIntoTextStayText()
    {
        Window window;
        QPlainTextEdit *text = window.text();
        QVERIFY(text);
        text->setFocus();
        QTest::keyClicks(text, QStringLiteral("mclnds0+-/?"));
        QVERIFY(text->toPlainText().contains(QLatin1String("mclnds0+-/?")));
        QVERIFY(window.document().session().mechanism.mask.rule == MaskRule::Causal);
        QVERIFY(!window.document().session().comparison);
    }

    void stageKeysWalkThroughTheStages()
    {
        Window window;
        QVERIFY(window.document().stage() == Stage::Weights);
        window.press(Qt::Key_S);
        QVERIFY(window.document().stage() == Stage::ValueWeighted);
        window.press(Qt::Key_S, Qt::ShiftModifier);
        window.press(Qt::Key_S, Qt::ShiftModifier);
        QVERIFY(window.document().stage() == Stage::Masked);
    }

    void pageKeysWalkThroughTheHeadsAndStopAtTheEnds()
    {
        Window window;
        window.document().pickHead({ 0, 0, 1, 0 });
        window.press(Qt::Key_PageUp);
        QCOMPARE(window.document().head().head, 0);
        window.press(Qt::Key_PageUp);
        QCOMPARE(window.document().head().head, 0);
        for (const int head : { 1, 2, 3, 3 }) {
            window.press(Qt::Key_PageDown);
            QCOMPARE(window.document().head().head, head);
        }
        QVERIFY(!window.document().isModified());
    }

    void scaleKeyTurnsWhatIsShown()
    {
        Window window;
        window.press(Qt::Key_L);
        QVERIFY(window.document().session().view.scale == ColorScale::Logarithmic);
        window.press(Qt::Key_L);
        QVERIFY(window.document().session().view.scale == ColorScale::Linear);
        QCOMPARE(window.document().undoStack()->undoText(), QStringLiteral("change scale"));
    }

    void comparingFoldsTheDocksAndBringsThemBack()
    {
        Window window;
        QVERIFY(window.dock("input")->isVisible());
        window.press(Qt::Key_C);
        const Session &session = window.document().session();
        QVERIFY(session.mechanism.mask.rule == MaskRule::Causal);
        QVERIFY(session.comparison && session.comparison->mask.rule == MaskRule::None);
        QVERIFY(!window.dock("input")->isVisible() && !window.dock("headTable")->isVisible());
        QCOMPARE(window.findChildren<Rail *>().size(), 2);
        for (const Rail *rail : window.findChildren<Rail *>()) {
            QVERIFY(rail->isVisible());
            QCOMPARE(rail->width(), 40);
        }
        QVERIFY(window.segment(QStringLiteral("Causal"))->isChecked() && window.segment(QStringLiteral("Unmasked"))->isChecked());
        window.press(Qt::Key_C);
        QVERIFY(!window.document().session().comparison);
        QVERIFY(window.dock("input")->isVisible() && window.dock("headTable")->isVisible());
        for (const Rail *rail : window.findChildren<Rail *>())
            QVERIFY(!rail->isVisible());
    }

    void comparingFromUnmaskedReturnsToUnmasked()
    {
        Window window;
        window.files().openSample(workedExample());
        window.press(Qt::Key_C);
        QVERIFY(window.document().session().mechanism.mask.rule == MaskRule::Causal);
        window.press(Qt::Key_C);
        QVERIFY(window.document().session().mechanism.mask.rule == MaskRule::None);
    }

    void comparesWithTheMechanismBeforeTheLastChange()
    {
        Window window;
        QAction *previous = window.actionTable()[QStringLiteral("compare.previous")];
        QVERIFY(!previous->isEnabled());
        QVERIFY(!previous->toolTip().isEmpty());
        const AttentionSpec before = window.document().session().mechanism;
        Session next = window.document().session();
        next.mechanism.temperature = 2.0;
        window.document().edit(next, QStringLiteral("change temperature"));
        QVERIFY(previous->isEnabled());
        previous->trigger();
        QVERIFY(window.document().session().comparison == before);
        QCOMPARE(window.document().session().mechanism.temperature, 2.0);
    }

    void foldKeyFoldsBothSidesAndUnfoldsThem()
    {
        Window window;
        window.press(Qt::Key_Backslash, Qt::ControlModifier);
        QVERIFY(!window.dock("mechanism")->isVisible() && !window.dock("heads")->isVisible());
        window.press(Qt::Key_Backslash, Qt::ControlModifier);
        QVERIFY(window.dock("mechanism")->isVisible() && window.dock("heads")->isVisible());
    }

    void docksHaveTheirWidths()
    {
        Window window;
        QCOMPARE(window.dock("input")->width(), 320);
        QCOMPARE(window.dock("heads")->width(), 296);
    }

    void linesHaveAWiderRightDock()
    {
        Window window(QSize(1600, 900));
        if (window.width() < 1600)
            QSKIP("The screen is too small.");
        const auto show = [&window](ShownView shown) {
            Session next = window.document().session();
            next.view.shown = shown;
            window.document().edit(next, QStringLiteral("show"));
            QTest::qWait(0);
            return window.dock("heads")->width();
        };
        QCOMPARE(show(ShownView::Lines), 592);
        QCOMPARE(show(ShownView::Map), 296);
        window.resizeDocks({ window.dock("heads") }, { 320 }, Qt::Horizontal);
        QTest::qWait(0);
        QCOMPARE(show(ShownView::Lines), 592);
        QCOMPARE(show(ShownView::Map), 320);
    }

    void narrowWindowGathersTheDocksAtTheLeft()
    {
        Window window(QSize(1100, 700));
        QVERIFY(window.tabifiedDockWidgets(window.dock("input")).contains(window.dock("heads")));
        QVERIFY(window.findChild<MapView *>()->width() >= 560);
        window.resize(1400, 900);
        QTest::qWait(0);
        QVERIFY(window.tabifiedDockWidgets(window.dock("input")).isEmpty());
        QVERIFY(window.dock("heads")->isVisible());
    }

    void docksHaveTheirWidthsAgainAfterANarrowWindow_data()
    {
        QTest::addColumn<QSize>("first");
        QTest::newRow("narrow in between") << QSize(1400, 900);
        QTest::newRow("narrow from the start") << QSize(1100, 700);
    }

    void docksHaveTheirWidthsAgainAfterANarrowWindow()
    {
        QFETCH(QSize, first);
        Window window(first);
        for (const QSize &size : { QSize(1100, 700), QSize(1400, 900) }) {
            window.resize(size);
            QTest::qWait(0);
        }
        QCOMPARE(window.dock("input")->width(), 320);
        QCOMPARE(window.dock("heads")->width(), 296);
    }

    void smallestWindowKeepsTheViewWide()
    {
        Window window(QSize(100, 100));
        // A screen may have less room than that.
        QCOMPARE(window.size(), QSize(880, 600).boundedTo(window.screen()->availableSize()));
        QVERIFY(window.findChild<MapView *>()->width() >= std::min(560, window.width() - 264 - 8));
    }

    void presentationShowsOnlyTheViewAndEscapeLeavesIt_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("wide") << QSize(1400, 900);
        QTest::newRow("narrow, docks are gathered") << QSize(1100, 700);
        QTest::newRow("smallest") << QSize(880, 600);
    }
    void presentationShowsOnlyTheViewAndEscapeLeavesIt()
    {
        QFETCH(QSize, size);
        Window window(size);
        auto *plot = window.findChild<MapPlot *>();
        auto *tools = window.findChild<QToolBar *>(QStringLiteral("tools"));
        QVERIFY(tools->isVisible());
        const QRectF before = plot->mapLayout().maps.front();
        window.press(Qt::Key_P);
        QVERIFY(window.isPresenting());
        QVERIFY(!tools->isVisible());
        const QRectF presented = plot->mapLayout().maps.front();
        QVERIFY2(presented.width() > before.width() && presented.height() > before.height(),
            qPrintable(QStringLiteral("%1 and %2").arg(before.height()).arg(presented.height())));
        QVERIFY(!window.menuBar()->isVisible() && !window.dock("input")->isVisible() && !window.dock("heads")->isVisible());
        window.press(Qt::Key_Escape);
        QVERIFY(!window.isPresenting());
        QVERIFY(window.menuBar()->isVisible() && tools->isVisible() && window.dock("input")->isVisible());
        QVERIFY(window.selection().picked().has_value());
        QCOMPARE(window.size(), size);
        QTest::qWait(0);
        if (size.width() >= 1200) {
            QCOMPARE(window.dock("input")->width(), 320);
            QCOMPARE(window.dock("heads")->width(), 296);
        }
        QTRY_COMPARE(plot->mapLayout().maps.front(), before);
    }

    void presentationSaysTheSizeOfWhatIsShown_data()
    {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<QString>("ending");
        QTest::newRow("two") << std::string("a b") << QStringLiteral(", 2 tokens");
        QTest::newRow("one") << std::string("a") << QStringLiteral(", 1 token");
        QTest::newRow("none") << std::string() << QString();
    }
    void presentationSaysTheSizeOfWhatIsShown()
    {
        QFETCH(std::string, text);
        QFETCH(QString, ending);
        Window window;
        Session session = exampleSentence();
        std::get<TokensSource>(session.source).text = text;
        window.document().reset(session);
        window.press(Qt::Key_P);
        const QString what = window.findChild<PresentationBar *>()->findChild<QLabel *>(QStringLiteral("presented"))->text();
        QVERIFY2(text.empty() ? what.isEmpty() : what.endsWith(ending), qPrintable(what));
    }

    void comparedMapsAreLargerWhilePresenting()
    {
        Window window(QSize(1100, 700));
        window.press(Qt::Key_C);
        auto *plot = window.findChild<MapPlot *>();
        QTRY_COMPARE(plot->content().panels.size(), std::size_t(3));
        QTest::qWait(0);
        const double before = plot->mapLayout().maps.front().height();
        window.press(Qt::Key_P);
        QVERIFY2(plot->mapLayout().maps.front().height() > before, qPrintable(QString::number(before)));
    }

    void escapeClosesTheMessageBeforeItClearsThePick()
    {
        Window window;
        window.messages().showMessage({ Message::Kind::Error, Error{ "Wrong.", {}, {}, {} }, {} });
        window.press(Qt::Key_Escape);
        QVERIFY(!window.messages().isShown());
        QVERIFY(window.selection().picked().has_value());
        window.press(Qt::Key_Escape);
        QVERIFY(!window.selection().picked().has_value());
    }

    void escapeInAFieldGivesUpWhatWasTypedAndKeepsThePick_data()
    {
        QTest::addColumn<QString>("field");
        for (const char *name : { "scale", "temperature", "dModel", "seed", "maskPadding", "heads", "kvHeads" })
            QTest::newRow(name) << QString::fromLatin1(name);
    }

    void escapeInAFieldGivesUpWhatWasTypedAndKeepsThePick()
    {
        QFETCH(QString, field);
        Window window;
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        auto *edit = window.findChild<QLineEdit *>(field);
        QVERIFY(edit);
        const QString before = edit->text();
        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, QStringLiteral("7"));
        QTest::keyClick(edit, Qt::Key_Escape);
        QCOMPARE(edit->text(), before);
        QVERIFY(edit->hasFocus());
        QVERIFY(window.selection().picked().has_value());
        // With nothing to give up the focus goes to the map; only there Escape clears the pick.
        QTest::keyClick(edit, Qt::Key_Escape);
        QVERIFY(window.selection().picked().has_value());
        QVERIFY(window.findChild<MapView *>()->focusProxy()->hasFocus());
        window.press(Qt::Key_Escape);
        QVERIFY(!window.selection().picked().has_value());
    }

    void escapeInTheTextKeepsThePick()
    {
        Window window;
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QPlainTextEdit *text = window.text();
        const QString before = text->toPlainText();
        text->setFocus();
        QTest::keyClicks(text, QStringLiteral("xyz"));
        QTest::keyClick(text, Qt::Key_Escape);
        QCOMPARE(text->toPlainText(), before);
        QTest::keyClick(text, Qt::Key_Escape);
        QVERIFY(window.selection().picked().has_value());
        QVERIFY(window.findChild<MapView *>()->focusProxy()->hasFocus());
    }

    void newDocumentsAreReadyToTypeInto()
    {
        Window window;
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        window.press(Qt::Key_N, Qt::ControlModifier);
        QVERIFY(!window.document().hasPicture());
        QVERIFY(!window.document().isModified());
        QCOMPARE(window.document().session().name, std::string("Typed tokens"));
        QVERIFY(window.text()->hasFocus());
        QTest::keyClicks(window.text(), QStringLiteral("a b"));
        QCOMPARE(window.document().block().queries, Index{ 2 });
        window.document().undoStack()->setClean();
        window.actionTable()[QStringLiteral("file.newMatrices")]->trigger();
        QVERIFY(std::holds_alternative<MatricesSource>(window.document().session().source));
        QVERIFY(QApplication::focusWidget()->inherits("QTableView"));
        window.actionTable()[QStringLiteral("file.newWorked")]->trigger();
        QVERIFY(window.document().session() == workedExample());
    }

    void closedDocksStayClosed()
    {
        {
            Window window;
            QAction *show = window.actionTable()[QStringLiteral("window.showHeadTable")];
            QVERIFY(show->isChecked());
            show->trigger();
            QVERIFY(!show->isChecked());
            QVERIFY(!window.dock("headTable")->isVisible());
            QVERIFY(window.dock("heads")->isVisible());
            // Folding and unfolding, and a narrow window, do not bring it back.
            window.press(Qt::Key_Backslash, Qt::ControlModifier);
            window.press(Qt::Key_Backslash, Qt::ControlModifier);
            QVERIFY(!window.dock("headTable")->isVisible());
            window.resize(1100, 700);
            QTest::qWait(0);
            QVERIFY(!window.tabifiedDockWidgets(window.dock("input")).contains(window.dock("headTable")));
            window.resize(1400, 900);
            QTest::qWait(0);
            QVERIFY(!window.dock("headTable")->isVisible());
            QVERIFY(window.close());
        }
        Window window;
        QVERIFY(!window.dock("headTable")->isVisible());
        QVERIFY(!window.actionTable()[QStringLiteral("window.showHeadTable")]->isChecked());
        window.actionTable()[QStringLiteral("window.showHeadTable")]->trigger();
        QVERIFY(window.dock("headTable")->isVisible());
        QVERIFY(window.actionTable()[QStringLiteral("window.showHeadTable")]->isChecked());
        window.actionTable()[QStringLiteral("window.showInput")]->trigger();
        window.press(Qt::Key_1, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY2(window.dock("input")->isVisible(), "going to a closed dock opens it");
    }

    void listsOfChoicesHaveRowsAsHighAsControls()
    {
        Window window;
        auto *split = window.findChild<QComboBox *>(QStringLiteral("split"));
        QVERIFY(split);
        split->showPopup();
        QVERIFY(split->view()->visualRect(split->model()->index(0, 0)).height() >= 28);
        split->hidePopup();
    }

    void masksThatAreComparedShareTheirSettingsAndOtherComparisonsDoNot()
    {
        Window window;
        window.press(Qt::Key_C);
        QVERIFY(window.document().session().comparisonFollows);
        window.press(Qt::Key_C);
        window.actionTable()[QStringLiteral("compare.copy")]->trigger();
        const AttentionSpec frozen = window.document().session().mechanism;
        QVERIFY(!window.document().session().comparisonFollows);
        QVERIFY(window.document().session().comparison == frozen);
        // The mask is a setting like any other here, not the end of the comparison.
        window.press(Qt::Key_M);
        QVERIFY(window.document().session().mechanism.mask.rule == MaskRule::None);
        QVERIFY(window.document().session().comparison == frozen);
        window.press(Qt::Key_M);
        QVERIFY(window.document().session().comparison == frozen);
    }

    void nothingButTheWindowIsShownWhileAFileOpens()
    {
        QTemporaryDir folder;
        Window window;
        class Watcher : public QObject {
        public:
            QStringList shown;

            bool eventFilter(QObject *watched, QEvent *event) override
            {
                const auto *widget = qobject_cast<QWidget *>(watched);
                if (event->type() == QEvent::Show && widget && widget->isWindow())
                    shown << QString::fromLatin1(widget->metaObject()->className());
                return false;
            }
        } watcher;
        qApp->installEventFilter(&watcher);
        window.files().open({ writeFile(folder, QStringLiteral("weights.csv"), "1,0\n0.5,0.5\n") });
        QTRY_VERIFY(window.document().block().isRecorded());
        QTest::qWait(0);
        qApp->removeEventFilter(&watcher);
        QCOMPARE(watcher.shown, QStringList());
    }

    void fileThatCannotBeReadIsSaidAndThePictureStays()
    {
        QTemporaryDir folder;
        Window window;
        const MapFieldPtr before = window.document().field();
        window.files().open({ writeFile(folder, QStringLiteral("broken.npy"), "not an array") });
        QTRY_VERIFY(window.messages().isShown());
        QVERIFY(window.messages().kind() == Message::Kind::Error);
        QVERIFY(window.messages().sentence().endsWith(QLatin1String("broken.npy")));
        QCOMPARE(window.document().field(), before);
    }

    void nextSuccessTakesTheErrorAway()
    {
        QTemporaryDir folder;
        Window window;
        window.files().open({ folder.filePath(QStringLiteral("missing.npy")) });
        QTRY_VERIFY(window.messages().isShown());
        window.files().open({ writeFile(folder, QStringLiteral("weights.csv"), "0.9,0.1\n0.4,0.6\n") });
        QTRY_VERIFY(std::holds_alternative<FileSource>(window.document().session().source));
        QTRY_VERIFY(!window.messages().isShown() || window.messages().kind() == Message::Kind::Notice);
        QTRY_COMPARE(window.document().block().queries, Index{ 2 });
    }

    void unmaskingRecordedCausalWeightsIsOffAndSaysWhy()
    {
        QTemporaryDir folder;
        Window window;
        window.files().open({ writeFile(folder, QStringLiteral("weights.csv"), "1,0,0\n0.4,0.6,0\n0.2,0.3,0.5\n") });
        QTRY_VERIFY(window.document().block().isRecorded());
        QVERIFY(window.segment(QStringLiteral("Causal"))->isChecked());
        const QToolButton *unmasked = window.segment(QStringLiteral("Unmasked"));
        QVERIFY(!unmasked->isEnabled());
        QVERIFY2(unmasked->toolTip().contains(QLatin1String("needs Q and K")), qPrintable(unmasked->toolTip()));
        const QAction *compare = window.actionTable()[QStringLiteral("compare.toggle")];
        QVERIFY(!compare->isEnabled());
        QVERIFY(compare->toolTip().contains(QLatin1String("needs Q and K")));
    }

    void hidingKeysOfRecordedWeightsIsOffered()
    {
        QTemporaryDir folder;
        Window window;
        window.files().open({ writeFile(folder, QStringLiteral("weights.csv"), "0.5,0.25,0.25\n0.3,0.6,0.1\n0.2,0.3,0.5\n") });
        QTRY_VERIFY(window.document().block().isRecorded());
        window.segment(QStringLiteral("Causal"))->click();
        QTRY_VERIFY(window.document().field());
        QVERIFY(cell::kind(window.document().field()->at(1, 2)) == cell::Kind::Masked);
        // 0.3 and 0.6 are kept.
        QVERIFY(std::abs(window.document().field()->at(1, 0) - 0.3 / 0.9) < 1e-12);
    }

    void filesCanBeDroppedOnTextToo()
    {
        QTemporaryDir folder;
        Window window;
        const QString path = writeFile(folder, QStringLiteral("weights.csv"), "0.9,0.1\n0.4,0.6\n");
        QMimeData data;
        data.setUrls({ QUrl::fromLocalFile(path) });
        QPlainTextEdit *text = window.text();
        QDropEvent drop(QPointF(4, 4), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        // Qt delivers drops only to the target of a drag under way; the window sees them first.
        QVERIFY(window.eventFilter(text->viewport(), &drop));
        QTRY_VERIFY(window.document().block().isRecorded());
    }

    void sessionComesBackWithPickAndView()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("work.attn"));
        Window window;
        Session changed = window.document().session();
        changed.view.stage = Stage::Scaled;
        window.document().edit(changed, QStringLiteral("change stage"));
        window.selection().setPicked(CellRef{ 5, 3 });
        const Result<void> saved = saveSession(path.toStdString(), window.document().session(), window.selection().state());
        QVERIFY2(saved.ok(), saved.ok() ? "" : saved.error().sentence().c_str());
        window.document().setSaved(path);

        Window other;
        other.files().open({ path });
        QTRY_COMPARE(other.document().path(), path);
        QCOMPARE(other.document().session().name, std::string("work"));
        QVERIFY(other.document().stage() == Stage::Scaled);
        QVERIFY(other.selection().picked() == (CellRef{ 5, 3 }));
        QVERIFY(!other.document().isModified());
    }

    void whatAKilledProcessLeftIsOfferedAndRestored()
    {
        Session lost = workedExample();
        lost.mechanism.temperature = 3.0;
        const QString copy = QDir(Autosave::defaultFolder()).filePath(QStringLiteral("recovery-1.attn"));
        QVERIFY(QDir().mkpath(Autosave::defaultFolder()));
        const Result<void> saved = saveSession(copy.toStdString(), lost, {});
        QVERIFY2(saved.ok(), saved.ok() ? "" : saved.error().sentence().c_str());

        Window window;
        window.files().offerRecovery();
        QVERIFY(window.messages().kind() == Message::Kind::Notice);
        QVERIFY2(window.messages().sentence().contains(QLatin1String("was not saved")), qPrintable(window.messages().sentence()));
        QPushButton *restore = nullptr;
        for (auto *button : window.messages().findChildren<QPushButton *>()) {
            if (button->text() == QLatin1String("Restore"))
                restore = button;
        }
        QVERIFY(restore);
        restore->click();
        QCOMPARE(window.document().session().mechanism.temperature, 3.0);
        QVERIFY(window.document().session().source == lost.source);
        QVERIFY(window.document().isModified());
        QVERIFY(!window.document().undoStack()->canUndo());
        Session edited = window.document().session();
        edited.mechanism.temperature = 2.0;
        window.document().edit(edited, QStringLiteral("change temperature"));
        window.document().undoStack()->undo();
        QVERIFY(window.document().isModified());
        QVERIFY(window.document().path().isEmpty());
        QVERIFY(!window.messages().isShown());
        // A second crash right now would find it again; it goes once another copy has been written.
        QVERIFY(QFile::exists(copy));
        window.files().forgetRestored();
        QVERIFY(!QFile::exists(copy));
    }

    void discardedCopyIsNotOfferedAgain()
    {
        const QString copy = QDir(Autosave::defaultFolder()).filePath(QStringLiteral("recovery-2.attn"));
        QVERIFY(QDir().mkpath(Autosave::defaultFolder()));
        QVERIFY(saveSession(copy.toStdString(), workedExample(), {}).ok());
        Window window;
        window.files().offerRecovery();
        for (auto *button : window.messages().findChildren<QPushButton *>()) {
            if (button->text() == QLatin1String("Discard"))
                button->click();
        }
        QVERIFY(!QFile::exists(copy));
        QVERIFY(!window.messages().isShown());
        window.files().offerRecovery();
        QVERIFY(!window.messages().isShown());
    }

    void missingDataFileOfASessionCanBeLocated()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("work.attn"));
        Window window;
        // Beyond what is stored inside: 2,100 x 2,100 doubles.
        QByteArray npy("\x93NUMPY\x01\x00\x76\x00{'descr': '<f8', 'fortran_order': False, 'shape': (2100, 2100), }", 10 + 65);
        npy = npy.leftJustified(127, ' ') + '\n' + QByteArray(2100 * 2100 * 8, '\0');
        const QString data = writeFile(folder, QStringLiteral("weights.npy"), npy);
        window.files().open({ data });
        QTRY_VERIFY_WITH_TIMEOUT(std::holds_alternative<FileSource>(window.document().session().source), 60000);
        const Result<void> saved = saveSession(path.toStdString(), window.document().session(), {});
        QVERIFY2(saved.ok(), saved.ok() ? "" : saved.error().sentence().c_str());
        QVERIFY(QFile::remove(data));
        window.messages().clear();
        window.files().open({ path });
        QTRY_VERIFY_WITH_TIMEOUT(window.messages().isShown(), 60000);
        QVERIFY2(window.messages().sentence().startsWith(QLatin1String("A data file of this session is missing.")),
            qPrintable(window.messages().sentence()));
        QVERIFY(window.messages().sentence().endsWith(QLatin1String("weights.npy")));
    }

    void unsavedChangesAreAskedAboutOnClose()
    {
        Window window;
        window.press(Qt::Key_M);
        QVERIFY(window.document().isModified());
        answerNext(QMessageBox::Cancel);
        QVERIFY(!window.close());
        QVERIFY(window.isVisible());
        answerNext(QMessageBox::Discard);
        QVERIFY(window.close());
    }

    void nothingIsAskedWhereNothingChanged()
    {
        Window window;
        QVERIFY(window.close());
    }

    void sizesAreRemembered()
    {
        {
            Window window(QSize(1300, 800));
            QVERIFY(window.close());
        }
        MainWindow window;
        window.show();
        QCOMPARE(window.size(), QSize(1300, 800));
    }

    void copiesTheNumbersOfTheMap()
    {
        Window window;
        window.files().openSample(workedExample());
        window.press(Qt::Key_C, Qt::ControlModifier);
        const QStringList lines = QApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        const auto row
            = std::find_if(lines.begin(), lines.end(), [](const QString &line) { return line.startsWith(QLatin1String("the,")); });
        QVERIFY(row != lines.end());
        QVERIFY(std::abs(row->section(QLatin1Char(','), 2, 2).toDouble() - 1.0 / (std::exp(1.0) + 1.0 + std::exp(0.5))) < 1e-15);
    }

    void copiesThePicture()
    {
        Window window;
        window.press(Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(!QApplication::clipboard()->image().isNull());
    }

    void everyControlHasANameForScreenReaders()
    {
        Window window;
        for (const auto *widget : window.findChildren<QWidget *>()) {
            if (!widget->isVisible() || !(widget->focusPolicy() & Qt::TabFocus) || widget->focusProxy())
                continue;
            const auto *button = qobject_cast<const QAbstractButton *>(widget);
            const bool hasText = button && !button->text().isEmpty();
            QVERIFY2(hasText || !widget->accessibleName().isEmpty() || qobject_cast<const QTabBar *>(widget),
                qPrintable(QStringLiteral("%1 “%2” in %3")
                               .arg(QLatin1String(widget->metaObject()->className()), widget->objectName(),
                                   QLatin1String(widget->parentWidget()->metaObject()->className()))));
        }
    }

    void themeKeyTurnsLightAndDarkAndIsRemembered()
    {
        Window window;
        window.press(Qt::Key_P, Qt::ShiftModifier);
        QVERIFY(Theme::of(QApplication::palette()).isDark);
        QVERIFY(Settings().theme() == ThemeChoice::Dark);
        window.press(Qt::Key_P, Qt::ShiftModifier);
        QVERIFY(!Theme::of(QApplication::palette()).isDark);
    }
};

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
