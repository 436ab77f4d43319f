// SPDX-License-Identifier: GPL-3.0-or-later
// MessageBar and LoadingBar: what is shown, what its buttons do, when it goes.
#include "window/message_bar.h"

#include <QApplication>
#include <QClipboard>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QVBoxLayout>

using namespace attenscope;

namespace {

const Error tooShort{ "The file ends too early.", "Tensor layer.3.attn should end at byte 146,600; the file has 98,304.",
    "Download it again.", "/data/stories-attn.safetensors" };

/// A bar at the top of a window of some width.
struct Shown {
    explicit Shown(int width = 700)
    {
        auto *column = new QVBoxLayout(&window);
        column->setContentsMargins(0, 0, 0, 0);
        column->addWidget(bar);
        column->addStretch(1);
        window.resize(width, 400);
        window.show();
    }

    QPushButton *button(const QString &caption) const
    {
        for (auto *candidate : bar->findChildren<QPushButton *>()) {
            if (candidate->text() == caption && candidate->isVisible())
                return candidate;
        }
        return nullptr;
    }

    QWidget window;
    MessageBar *bar = new MessageBar;
};

} // namespace

class TestMessageBar : public QObject {
    Q_OBJECT

private slots:
    void takesNoRoomBeforeThereIsSomethingToSay()
    {
        Shown shown;
        QVERIFY(!shown.bar->isVisible());
        QCOMPARE(shown.bar->sentence(), QString());
    }

    void hasEveryPartInOrderWithThePathLast()
    {
        Shown shown;
        shown.bar->showMessage({ Message::Kind::Error, tooShort, {} });
        QVERIFY(shown.bar->isVisible());
        QCOMPARE(shown.bar->sentence(),
            QStringLiteral(
                "The file ends too early. Tensor layer.3.attn should end at byte 146,600; the file has 98,304. Download it again. "
                "/data/stories-attn.safetensors"));
    }

    void whatDoesNotFitOnOneLineFlowsOn()
    {
        // What and where alone: one line where they fit, two where they do not.
        Error error = tooShort;
        error.remedy.clear();
        error.path.clear();
        Shown wide(1400);
        wide.bar->showMessage({ Message::Kind::Notice, error, {} });
        Shown narrow(500);
        narrow.bar->showMessage({ Message::Kind::Notice, error, {} });
        QTest::qWait(0);
        const auto textHeight = [](const Shown &shown) { return shown.bar->findChild<MessageText *>()->height(); };
        const int line = narrow.bar->fontMetrics().height();
        QVERIFY2(textHeight(narrow) >= textHeight(wide) + line, qPrintable(QString::number(textHeight(narrow))));
    }

    void isAtMostNinetySixHighHoweverLongTheMessage()
    {
        Shown shown(560);
        Error endless = tooShort;
        endless.where = std::string(5000, 'w');
        endless.path = "/" + std::string(5000, 'p');
        shown.bar->showMessage({ Message::Kind::Error, endless, {} }, { { QStringLiteral("Choose another file…"), [] {} } });
        QTest::qWait(0);
        QVERIFY(shown.bar->height() > 40);
        QVERIFY2(shown.bar->height() <= 96, qPrintable(QString::number(shown.bar->height())));
        QCOMPARE(shown.window.width(), 560);
    }

    void firstNextStepIsTheAccentedButtonAndRuns()
    {
        Shown shown;
        int opened = 0;
        int chosen = 0;
        shown.bar->showMessage({ Message::Kind::Error, tooShort, {} },
            { { QStringLiteral("Open 3 layers"), [&opened] { ++opened; } },
                { QStringLiteral("Choose another file…"), [&chosen] { ++chosen; } } });
        QVERIFY(shown.button(QStringLiteral("Open 3 layers"))->property("primary").toBool());
        QVERIFY(!shown.button(QStringLiteral("Choose another file…"))->property("primary").toBool());
        shown.button(QStringLiteral("Choose another file…"))->click();
        QCOMPARE(opened, 0);
        QCOMPARE(chosen, 1);
    }

    void nextStepMayReplaceTheMessageItBelongsTo()
    {
        Shown shown;
        shown.bar->showMessage({ Message::Kind::Error, tooShort, {} },
            { { QStringLiteral("Again"), [&shown] {
                   shown.bar->showMessage({ Message::Kind::Notice, Error{ "Done.", {}, {}, {} }, {} });
               } } });
        shown.button(QStringLiteral("Again"))->click();
        QCOMPARE(shown.bar->sentence(), QStringLiteral("Done."));
        QCOMPARE(shown.button(QStringLiteral("Again")), nullptr);
    }

    void errorsCanBeCopiedWhole()
    {
        Shown shown;
        shown.bar->showMessage({ Message::Kind::Error, tooShort, {} });
        shown.button(QStringLiteral("Copy message"))->click();
        QCOMPARE(QApplication::clipboard()->text(), QString::fromStdString(tooShort.sentence()));
    }

    void noticesAreNotForCopying()
    {
        Shown shown;
        shown.bar->showMessage({ Message::Kind::Notice, Error{ "The file changed.", {}, {}, {} }, {} });
        QCOMPARE(shown.button(QStringLiteral("Copy message")), nullptr);
    }

    void cancelledWorkIsNeverShown()
    {
        Shown shown;
        shown.bar->showMessage({ Message::Kind::Error, Error::cancelled(), {} });
        QVERIFY(!shown.bar->isShown());
        QVERIFY(!shown.bar->isVisible());
    }

    void escapeClosesIt()
    {
        Shown shown;
        const QSignalSpy closed(shown.bar, &MessageBar::closed);
        shown.bar->showMessage({ Message::Kind::Error, tooShort, {} });
        QTest::keyClick(shown.bar, Qt::Key_Escape);
        QVERIFY(!shown.bar->isVisible());
        QCOMPARE(closed.count(), 1);
    }

    void loadingShowsNothingAtFirstAndThenProgress()
    {
        QWidget window;
        auto *column = new QVBoxLayout(&window);
        auto *loading = new LoadingBar;
        column->addWidget(loading);
        window.show();
        loading->start(QStringLiteral("Reading a.npy…"));
        QVERIFY(!loading->isVisible());
        QTRY_VERIFY(loading->isVisible());
        loading->finish();
        QVERIFY(!loading->isVisible());
    }

    void loadingThatIsQuickShowsNothingAtAll()
    {
        QWidget window;
        auto *column = new QVBoxLayout(&window);
        auto *loading = new LoadingBar;
        column->addWidget(loading);
        window.show();
        loading->start(QStringLiteral("Reading a.npy…"));
        loading->finish();
        QTest::qWait(300);
        QVERIFY(!loading->isVisible());
    }

    void loadingCanBeCancelled()
    {
        LoadingBar loading;
        const QSignalSpy cancelled(&loading, &LoadingBar::cancelled);
        loading.start(QStringLiteral("Reading a.npy…"));
        loading.findChild<QPushButton *>()->click();
        QCOMPARE(cancelled.count(), 1);
    }
};

QTEST_MAIN(TestMessageBar)
#include "tst_message_bar.moc"
