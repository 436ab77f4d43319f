// SPDX-License-Identifier: GPL-3.0-or-later
// The whole window: keys, menus, compare, demonstrations, copies. Checks what it does, not how it looks.
#include "support/window.h"

#include "demonstrations/demonstration.h"
#include "state/theme.h"
#include "views/map/map_view.h"
#include "views/steps/row_walk_page.h"
#include "views/steps/steps_view.h"
#include "window/files.h"
#include "window/message_bar.h"
#include "window/style.h"
#include "window/view_stack.h"
#include "window/walk_export.h"

#include <QApplication>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>
#include <QTest>

#include <functional>
#include <set>

using namespace attenscope;

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
