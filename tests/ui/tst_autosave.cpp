// SPDX-License-Identifier: GPL-3.0-or-later
// Autosave: a copy while there is unsaved work, none otherwise, and the copies of the dead told from those of the living.
#include "state/autosave.h"

#include "io/session_file.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QSignalSpy>
#include <QSysInfo>
#include <QTemporaryDir>
#include <QTest>

using namespace attenscope;
using namespace std::chrono_literals;

namespace {

constexpr Autosave::Delays atOnce{ 0ms, 0ms };

Session withScale(Session session, double scale)
{
    session.mechanism.scale = scale;
    return session;
}

void writeFile(const QString &path, const QByteArray &bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

} // namespace

class TestAutosave : public QObject {
    Q_OBJECT

private slots:
    void unsavedWorkIsCopiedAndGoesOnACleanExit()
    {
        const QTemporaryDir folder;
        Document document;
        Selection selection;
        selection.setPicked(CellRef{ 7, 0 });
        QString path;
        {
            const Autosave autosave(document, selection, folder.path(), atOnce);
            path = autosave.path();
            document.edit(withScale(document.session(), 0.1), QStringLiteral("change scale"));
            QTRY_VERIFY(QFile::exists(path));
            const auto copy = loadSession(path.toStdString());
            QVERIFY2(copy.ok(), copy.ok() ? "" : copy.error().what.c_str());
            QCOMPARE(copy->session.mechanism, document.session().mechanism);
            QCOMPARE(copy->session.source, document.session().source);
            QCOMPARE(copy->selection, selection.state());
            QVERIFY(Autosave::leftover(folder.path()).isEmpty());
        }
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList());
    }

    void aNewEditRenewsTheCopy()
    {
        const QTemporaryDir folder;
        Document document;
        Selection selection;
        const Autosave autosave(document, selection, folder.path(), atOnce);
        const auto scaleInCopy = [&autosave] {
            const auto copy = loadSession(autosave.path().toStdString());
            return copy.ok() ? copy->session.mechanism.scale.value_or(0.0) : 0.0;
        };
        for (const double scale : { 0.1, 0.2, 0.3 }) {
            document.edit(withScale(document.session(), scale), QStringLiteral("change scale"));
            QTRY_COMPARE(scaleInCopy(), scale);
        }
    }

    void pickingAHeadIsNoWorkToSave()
    {
        const QTemporaryDir folder;
        Document document;
        Selection selection;
        const Autosave autosave(document, selection, folder.path(), atOnce);
        document.pickHead({ 0, 0, 1, 0 });
        QTest::qWait(50);
        QVERIFY(!QFile::exists(autosave.path()));
    }

    void savingRemovesTheCopy()
    {
        const QTemporaryDir folder;
        Document document;
        Selection selection;
        const Autosave autosave(document, selection, folder.path(), atOnce);
        document.edit(withScale(document.session(), 0.1), QStringLiteral("change scale"));
        QTRY_VERIFY(QFile::exists(autosave.path()));
        document.setSaved(folder.filePath(QStringLiteral("mine.attn")));
        QTRY_VERIFY(!QFile::exists(autosave.path()));
    }

    void theCopiesOfTheDeadAreFound()
    {
        QProcess dead;
        dead.start(QStringLiteral("true"));
        QVERIFY(dead.waitForStarted());
        const QByteArray pid = QByteArray::number(dead.processId());
        QVERIFY(dead.waitForFinished());

        const QTemporaryDir folder;
        const QString unlocked = folder.filePath(QStringLiteral("recovery-a.attn"));
        const QString killed = folder.filePath(QStringLiteral("recovery-b.attn"));
        const QString living = folder.filePath(QStringLiteral("recovery-c.attn"));
        for (const QString &path : { unlocked, killed, living })
            writeFile(path, "x");
        writeFile(folder.filePath(QStringLiteral("other.attn")), "x");
        writeFile(killed + QStringLiteral(".lock"), pid + "\nattenscope\n" + QSysInfo::machineHostName().toUtf8() + '\n');
        QLockFile lock(living + QStringLiteral(".lock"));
        QVERIFY(lock.tryLock(0));

        QStringList found = Autosave::leftover(folder.path());
        found.sort();
        QCOMPARE(found, QStringList({ unlocked, killed }));
        Autosave::forget(killed);
        QCOMPARE(Autosave::leftover(folder.path()), QStringList({ unlocked }));
    }

    void aFailureIsSaidOnce()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("file"));
        writeFile(file, "x");
        Document document;
        Selection selection;
        const Autosave autosave(document, selection, file + QStringLiteral("/below"), atOnce);
        QSignalSpy failed(&autosave, &Autosave::failed);
        document.edit(withScale(document.session(), 0.1), QStringLiteral("change scale"));
        QTRY_COMPARE(failed.count(), 1);
        document.edit(withScale(document.session(), 0.2), QStringLiteral("change scale"));
        QTest::qWait(50);
        QCOMPARE(failed.count(), 1);
    }
};

QTEST_GUILESS_MAIN(TestAutosave)
#include "tst_autosave.moc"
