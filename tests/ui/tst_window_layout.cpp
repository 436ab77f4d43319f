// SPDX-License-Identifier: GPL-3.0-or-later
// The whole window: docks, widths, presentation. Checks what is where, not how it looks.
#include "support/window.h"

#include "state/theme.h"
#include "views/map/map_plot.h"
#include "views/map/map_view.h"
#include "window/docks.h"
#include "window/presentation_bar.h"
#include "window/style.h"

#include <QApplication>
#include <QComboBox>
#include <QDebug>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QScreen>
#include <QSettings>
#include <QSpinBox>
#include <QStandardPaths>
#include <QStyleOptionFrame>
#include <QTabBar>
#include <QTest>
#include <QToolBar>

using namespace attenscope;

class TestWindowLayout : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        applyTheme(*qApp, ThemeChoice::Light);
    }

    void init()
    {
        QSettings().clear();
        QDir(Autosave::defaultFolder()).removeRecursively();
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

    void foldKeyFoldsBothSidesAndUnfoldsThem()
    {
        Window window;
        window.press(Qt::Key_Backslash, Qt::ControlModifier);
        QVERIFY(!window.dock("mechanism")->isVisible() && !window.dock("heads")->isVisible());
        window.press(Qt::Key_Backslash, Qt::ControlModifier);
        QVERIFY(window.dock("mechanism")->isVisible() && window.dock("heads")->isVisible());
    }

    void aThirdDockAtTheRightLeavesTheHeadsAndTheirTableOnePlace()
    {
        Window window;
        const auto areTabs = [&window] { return window.tabifiedDockWidgets(window.dock("heads")).contains(window.dock("headTable")); };
        QVERIFY(!areTabs());
        // Tokens that are patches of an image have a dock of their own.
        Session session = window.document().session();
        session.view.patches = PatchGrid{ 2, 5, 0, {} };
        window.document().edit(session, QStringLiteral("patches"));
        QVERIFY(window.dock("patches")->isVisible());
        QVERIFY(areTabs());
        window.document().undoStack()->undo();
        QVERIFY(!window.dock("patches")->isVisible());
        QVERIFY(!areTabs());
        QVERIFY(window.dock("heads")->isVisible() && window.dock("headTable")->isVisible());
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
        QCOMPARE(window.width(), 1600);
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
        // In a narrow window the left dock gives some of its width, and gets it back.
        window.resize(1400, 900);
        QTest::qWait(0);
        window.resizeDocks({ window.dock("input") }, { 315 }, Qt::Horizontal);
        QTest::qWait(0);
        for (int time = 0; time < 2; ++time) {
            show(ShownView::Lines);
            QVERIFY(window.dock("input")->width() < 315);
            QCOMPARE(show(ShownView::Map), 320);
            QCOMPARE(window.dock("input")->width(), 315);
        }
    }

    void opensInsideItsScreenWithItsFrame()
    {
        const QRect room = QGuiApplication::primaryScreen()->availableGeometry();
        {
            // Larger than the screen, and stored like that.
            MainWindow window;
            window.open();
            QTRY_VERIFY2(room.contains(window.frameGeometry()), qPrintable(QDebug::toString(window.frameGeometry())));
            window.setMinimumSize(0, 0);
            window.setGeometry(room.left() + 100, room.top() + 100, room.width(), room.height());
            QVERIFY(!room.contains(window.frameGeometry()));
            QVERIFY(window.close());
        }
        MainWindow window;
        window.open();
        QTRY_VERIFY2(room.contains(window.frameGeometry()), qPrintable(QDebug::toString(window.frameGeometry())));
    }

    /// Titles of gathered docks are read whole; those that do not fit are scrolled to.
    void tabsOfDocksAreNeverElided()
    {
        Window window(QSize(1100, 700));
        int count = 0;
        for (const auto *tabs : window.findChildren<QTabBar *>(QString(), Qt::FindDirectChildrenOnly)) {
            count = std::max(count, tabs->count());
            QCOMPARE(tabs->elideMode(), Qt::ElideNone);
            QVERIFY(tabs->usesScrollButtons());
        }
        QVERIFY(count >= 4);
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

    void whatIsPresentedIsNotCut_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<QString>("text");
        QTest::newRow("wide") << QSize(1400, 900) << QStringLiteral("weights, head 3, causal and unmasked, 10 tokens");
        QTest::newRow("narrow") << QSize(880, 600) << QStringLiteral("weights, head 3, causal and unmasked");
    }

    void whatIsPresentedIsNotCut()
    {
        QFETCH(QSize, size);
        QFETCH(QString, text);
        Window window(size);
        window.press(Qt::Key_C);
        window.press(Qt::Key_P);
        const auto *what = window.findChild<PresentationBar *>()->findChild<QLabel *>(QStringLiteral("presented"));
        QTRY_COMPARE(what->text(), text);
        QVERIFY(what->fontMetrics().horizontalAdvance(text) <= what->width());
        QVERIFY(what->font().pixelSize() >= 17);
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

    void spinBoxesHaveRoomForTheirLargestNumber()
    {
        QSpinBox box;
        box.setRange(0, 1'000'000);
        box.resize(box.sizeHint());
        box.show();
        const auto *field = box.findChild<QLineEdit *>();
        QStyleOptionFrame option;
        option.initFrom(field);
        const QRect room = field->style()->subElementRect(QStyle::SE_LineEditContents, &option, field);
        constexpr int margins = 2 * 2; // of QLineEdit itself
        QVERIFY(room.width() - margins >= field->fontMetrics().horizontalAdvance(QStringLiteral("1000000")));
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
};

QTEST_MAIN(TestWindowLayout)
#include "tst_window_layout.moc"
