// SPDX-License-Identifier: GPL-3.0-or-later
// Keys wherever the focus is, what the mouse leaves when a key takes over, and number fields of view bars.
#include "support/window.h"

#include "state/settings.h"
#include "state/theme.h"
#include "views/heads/heads.h"
#include "window/message_bar.h"
#include "window/style.h"

#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QStandardPaths>
#include <QTableView>
#include <QTest>

using namespace attenscope;

namespace {

QDoubleSpinBox *hideBelow(const Window &window)
{
    for (auto *field : window.findChildren<QDoubleSpinBox *>()) {
        if (field->isVisible() && field->accessibleName() == QLatin1String("Hide below"))
            return field;
    }
    return nullptr;
}

/// Types @p text over the number of "Hide below" in Lines; null without the field.
QDoubleSpinBox *typeHideBelow(Window &window, const QString &text)
{
    window.activateWindow();
    if (!QTest::qWaitForWindowActive(&window))
        return nullptr;
    window.press(Qt::Key_2);
    QDoubleSpinBox *field = hideBelow(window);
    if (field) {
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, text);
    }
    return field;
}

} // namespace

class TestKeysAndFields : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        applyTheme(*qApp, ThemeChoice::Light);
    }

    void aKeyThatMovesThePickEndsTheHover_data()
    {
        QTest::addColumn<Qt::Key>("view");
        QTest::addColumn<Qt::Key>("key");
        QTest::newRow("map") << Qt::Key_1 << Qt::Key_Right;
        QTest::newRow("map, last visible key") << Qt::Key_1 << Qt::Key_End;
        QTest::newRow("lines") << Qt::Key_2 << Qt::Key_Right;
        QTest::newRow("vectors") << Qt::Key_3 << Qt::Key_Right;
        QTest::newRow("steps") << Qt::Key_4 << Qt::Key_Down;
        QTest::newRow("text") << Qt::Key_5 << Qt::Key_Right;
        QTest::newRow("layers") << Qt::Key_6 << Qt::Key_Down;
    }

    void aKeyThatMovesThePickEndsTheHover()
    {
        QFETCH(Qt::Key, view);
        QFETCH(Qt::Key, key);
        Window window;
        window.press(view);
        window.selection().setPicked(CellRef{ 2, 0 });
        window.selection().setHovered(CellRef{ 2, 1 });
        QWidget *focus = window.findChild<ViewStack *>()->currentWidget();
        while (focus->focusProxy())
            focus = focus->focusProxy();
        QTest::keyClick(focus, key);
        QVERIFY(!window.selection().hovered());
        QVERIFY(window.selection().picked().has_value());
        QVERIFY(window.selection().picked() != std::optional(CellRef{ 2, 0 }));
    }

    void escapeInAViewBarRestoresTheNumberAndFocusesTheView()
    {
        Window window;
        QDoubleSpinBox *field = typeHideBelow(window, QStringLiteral("0.5"));
        QVERIFY(field);
        QTest::keyClick(field, Qt::Key_Escape);
        QCOMPARE(field->text(), QStringLiteral("0"));
        QVERIFY(!field->hasFocus());
        QVERIFY(window.findChild<ViewStack *>()->currentWidget()->focusProxy()->hasFocus());
        QVERIFY(window.selection().picked().has_value());
        QCOMPARE(window.document().session().view.filter.threshold, 0.0);
    }

    void whatIsNoNumberInRangeIsRefusedInWords_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::newRow("too large") << "5";
        QTest::newRow("no number") << "abc";
        QTest::newRow("negative") << "-1";
    }

    void whatIsNoNumberInRangeIsRefusedInWords()
    {
        QFETCH(QString, typed);
        Window window;
        QDoubleSpinBox *field = typeHideBelow(window, typed);
        QVERIFY(field);
        QVERIFY(field->text() == typed);
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(field->text(), QStringLiteral("0"));
        auto *bar = window.findChild<MessageBar *>();
        QVERIFY(bar->isShown());
        QCOMPARE(bar->sentence(), QStringLiteral("“%1” is no weight to hide below. Type a number from 0 to 1.").arg(typed));
        // What is right is taken as ever.
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("0.25"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(window.document().session().view.filter.threshold, 0.25);
    }

    void keysOfTheWindowActInTheHeadTableToo()
    {
        Window window;
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        auto *table = window.findChild<HeadTable *>()->findChild<QTableView *>();
        table->setFocus();
        QVERIFY(table->hasFocus());
        const auto press = [&window](Qt::Key key) {
            QTest::keyClick(window.windowHandle(), key);
            QCoreApplication::processEvents();
        };
        press(Qt::Key_5);
        QCOMPARE(window.document().session().view.shown, ShownView::Text);
        table->setFocus();
        const bool isComparing = window.document().session().comparison.has_value();
        press(Qt::Key_C);
        QCOMPARE(window.document().session().comparison.has_value(), !isComparing);
    }

    void changedRulesAreSaidAndReset()
    {
        Settings().setPatternRules({});
        Window window;
        auto *table = window.findChild<HeadTable *>();
        QLabel *said = nullptr;
        QToolButton *reset = nullptr;
        for (auto *label : table->findChildren<QLabel *>())
            said = label->text() == QLatin1String("Rules changed") ? label : said;
        for (auto *button : table->findChildren<QToolButton *>())
            reset = button->text() == QLatin1String("Use the defaults") ? button : reset;
        QVERIFY(said && reset);
        QVERIFY(!said->isVisibleTo(table));
        PatternRules rules;
        rules.share = 0.95;
        window.document().setPatternRules(rules);
        Settings().setPatternRules(rules);
        QVERIFY(said->isVisibleTo(table));
        reset->click();
        QVERIFY(!said->isVisibleTo(table));
        QVERIFY(window.document().patternRules() == PatternRules());
        QVERIFY(Settings().patternRules() == PatternRules());
    }

    void theQuestionOnClosingSpeaksOfTheSession()
    {
        Window window;
        Session next = window.document().session();
        next.name = "sent";
        next.mechanism.temperature = 2.0;
        window.document().edit(std::move(next), QStringLiteral("change"));
        QString text;
        QTimer::singleShot(0, qApp, [&text] {
            for (QWidget *widget : QApplication::topLevelWidgets()) {
                if (auto *box = qobject_cast<QMessageBox *>(widget)) {
                    text = box->text() + u' ' + box->informativeText();
                    box->button(QMessageBox::Cancel)->click();
                }
            }
        });
        window.close();
        QVERIFY2(text.startsWith(QStringLiteral("Save this session of “sent”? It becomes an .attn file of its own")), qPrintable(text));
        window.document().undoStack()->setClean();
    }
};

QTEST_MAIN(TestKeysAndFields)
#include "tst_keys_and_fields.moc"
