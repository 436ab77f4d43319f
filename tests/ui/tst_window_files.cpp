// SPDX-License-Identifier: GPL-3.0-or-later
// The whole window: opening, dropping, saving, recovery, and what is asked about unsaved work.
#include "support/window.h"

#include "state/theme.h"
#include "views/patches/patches_canvas.h"
#include "window/files.h"
#include "window/message_bar.h"
#include "window/style.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QMessageBox>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace attenscope;

class TestWindowFiles : public QObject {
    Q_OBJECT

    /// A button of the message bar that can be seen; null: none.
    static QPushButton *button(Window &window, const char *caption)
    {
        for (auto *candidate : window.messages().findChildren<QPushButton *>()) {
            if (candidate->text() == QLatin1String(caption) && candidate->isVisible())
                return candidate;
        }
        return nullptr;
    }

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
        QTRY_VERIFY(window.document().block().hasWeightsOnly());
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
        QTRY_VERIFY(window.document().block().hasWeightsOnly());
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
        QTRY_VERIFY(window.document().block().hasWeightsOnly());
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
        QTRY_VERIFY(window.document().block().hasWeightsOnly());
    }

    void picturesDroppedOnPatchesAreTheirs_data()
    {
        QTest::addColumn<bool>("hasGrid");
        QTest::newRow("grid chosen") << true;
        QTest::newRow("no grid yet") << false;
    }
    void picturesDroppedOnPatchesAreTheirs()
    {
        QFETCH(bool, hasGrid);
        QTemporaryDir folder;
        Window window;
        QObject *canvas = window.findChild<PatchesCanvas *>();
        const auto dropped = [&](const QString &path) {
            QMimeData data;
            data.setUrls({ QUrl::fromLocalFile(path) });
            QDropEvent drop(QPointF(4, 4), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
            return window.eventFilter(canvas, &drop) || canvas->event(&drop);
        };
        // Numbers are opened, wherever they fall.
        QVERIFY(dropped(writeFile(folder, QStringLiteral("weights.csv"), "1,0,0,0\n0,1,0,0\n0,0,1,0\n0,0,0,1\n")));
        QTRY_VERIFY(window.document().block().hasWeightsOnly());
        if (hasGrid) {
            Session next = window.document().session();
            next.view.patches = PatchGrid{ 2, 2, 0, {} };
            window.document().edit(next, QStringLiteral("patches"));
        }
        QImage image(4, 4, QImage::Format_RGB32);
        image.fill(Qt::red);
        const QString path = folder.filePath(QStringLiteral("red.png"));
        QVERIFY(image.save(path));
        QVERIFY(dropped(path));
        QVERIFY(window.document().session().view.patches);
        QCOMPARE(window.document().session().view.patches->picture, path.toStdString());
        QCOMPARE(window.document().session().view.patches->rows, Index(2));
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

    void whatWasRestoredTwiceIsCalledSoOnce()
    {
        Session lost = workedExample();
        lost.name = "Worked example (restored)";
        const QString copy = QDir(Autosave::defaultFolder()).filePath(QStringLiteral("recovery-3.attn"));
        QVERIFY(QDir().mkpath(Autosave::defaultFolder()));
        QVERIFY(saveSession(copy.toStdString(), lost, {}).ok());
        Window window;
        window.files().offerRecovery();
        QVERIFY(button(window, "Restore"));
        button(window, "Restore")->click();
        QCOMPARE(window.document().session().name, std::string("Worked example (restored)"));
    }

    void changedFileIsNoticedBesideTheActiveWindow_data()
    {
        QTest::addColumn<bool>("isReplaced");
        QTest::newRow("written over") << false;
        QTest::newRow("replaced by another") << true;
    }

    void changedFileIsNoticedBesideTheActiveWindow()
    {
        QFETCH(bool, isReplaced);
        QTemporaryDir folder;
        const QString data = writeFile(folder, QStringLiteral("weights.csv"), "1,0\n0.5,0.5\n");
        Window window;
        window.files().open({ data });
        QTRY_VERIFY(std::holds_alternative<FileSource>(window.document().session().source) && !window.document().isComputing());
        window.messages().clear();
        for (const char *next : { "1,0\n0.25,0.75\n", "1,0\n0.125,0.875\n" }) {
            if (isReplaced) {
                writeFile(folder, QStringLiteral("other.csv"), next);
                QVERIFY(QFile::remove(data));
                QVERIFY(QFile::rename(folder.filePath(QStringLiteral("other.csv")), data));
            } else {
                writeFile(folder, QStringLiteral("weights.csv"), next);
            }
            QTRY_VERIFY(window.messages().isShown());
            QVERIFY2(window.messages().sentence().startsWith(QLatin1String("The file changed.")), qPrintable(window.messages().sentence()));
            QVERIFY(button(window, "Reload"));
            button(window, "Reload")->click();
            QTRY_VERIFY(!window.messages().isShown());
        }
        QTRY_COMPARE(window.document().field()->at(1, 0), 0.125);
    }

    void whatFailedForAChangedFileOffersToReadItAgain()
    {
        QTemporaryDir folder;
        const QString data = writeFile(folder, QStringLiteral("weights.csv"), "1,0\n0.5,0.5\n");
        Window window;
        window.files().open({ data });
        QTRY_VERIFY(std::holds_alternative<FileSource>(window.document().session().source) && !window.document().isComputing());
        // As the reader of a file says it that became shorter under its hands.
        const Error shorter{ "The file became shorter or unreadable while it was open.", {}, "Reload it.", data.toStdString() };
        emit window.document().message({ Message::Kind::Error, shorter, {} });
        QVERIFY2(!button(window, "Reload"), "the file is as it was");
        writeFile(folder, QStringLiteral("weights.csv"), "1,0\n");
        emit window.document().message({ Message::Kind::Error, shorter, {} });
        QTRY_VERIFY(button(window, "Reload"));
        QVERIFY(window.messages().sentence().startsWith(QLatin1String("The file became shorter")));
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
};

QTEST_MAIN(TestWindowFiles)
#include "tst_window_files.moc"
