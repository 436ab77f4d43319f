// SPDX-License-Identifier: GPL-3.0-or-later
// attenscope-compute in a terminal: how far it is, stopping by Ctrl+C, and a disk that is full behind a redirection.
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

class TestTerminal : public QObject {
    Q_OBJECT

    /// A terminal that a program writes its errors to.
    class Screen {
    public:
        explicit Screen(QProcess &process)
            : m_end(posix_openpt(O_RDWR | O_NOCTTY))
        {
            if (m_end < 0 || grantpt(m_end) != 0 || unlockpt(m_end) != 0)
                qFatal("There is no terminal.");
            process.setStandardErrorFile(QString::fromLocal8Bit(ptsname(m_end)));
        }
        ~Screen() { close(m_end); }

        /// What is written next; nothing once nobody writes any more.
        [[nodiscard]] QByteArray next() const
        {
            std::array<char, 256> piece{};
            const ssize_t count = read(m_end, piece.data(), piece.size());
            return { piece.data(), count > 0 ? static_cast<qsizetype>(count) : 0 };
        }
        [[nodiscard]] QByteArray rest() const
        {
            QByteArray all;
            for (QByteArray piece = next(); !piece.isEmpty(); piece = next())
                all += piece;
            return all;
        }

    private:
        int m_end;
    };

private slots:
    void theLineIsWrittenOverAndGoes()
    {
        const QTemporaryDir folder;
        QProcess process;
        const Screen screen(process);
        process.start(QStringLiteral(COMPUTE_PROGRAM), { "generate", "--queries", "9000", "-o", folder.filePath("a.safetensors") });
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.exitCode(), 0);
        const QByteArray said = screen.rest();
        // A third of the numbers are queries, in three pieces.
        QVERIFY2(said.startsWith("\r 15 %"), said.constData());
        QVERIFY2(said.endsWith("\r100 %\r     \r"), said.constData());
        QVERIFY(process.readAllStandardOutput().startsWith(QFile::encodeName(folder.filePath("a.safetensors"))));
    }

    void nothingIsSaidWithoutATerminal()
    {
        const QTemporaryDir folder;
        QProcess process;
        process.start(QStringLiteral(COMPUTE_PROGRAM), { "generate", "--queries", "9000", "-o", folder.filePath("a.safetensors") });
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.readAllStandardError(), QByteArray());
    }

    void controlCLeavesNoHalfFile()
    {
        const QTemporaryDir folder;
        QFile old(folder.filePath("long.safetensors"));
        QVERIFY(old.open(QIODevice::WriteOnly) && old.write("old") == 3);
        old.close();
        QProcess process;
        const Screen screen(process);
        process.start(QStringLiteral(COMPUTE_PROGRAM), { "generate", "--queries", "1000000", "--value-width", "0", "-o", old.fileName() });
        QVERIFY(process.waitForStarted());
        QCOMPARE(screen.next().left(5), QByteArray("\r  0 "));
        QCOMPARE(::kill(static_cast<pid_t>(process.processId()), SIGINT), 0);
        QVERIFY(process.waitForFinished());
        // As a shell expects of a program that was stopped.
        QCOMPARE(process.exitStatus(), QProcess::CrashExit);
        QCOMPARE(process.exitCode(), SIGINT);
        QVERIFY(screen.rest().endsWith("\r     \r"));
        QCOMPARE(process.readAllStandardOutput(), QByteArray());
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList{ "long.safetensors" });
        QVERIFY(old.open(QIODevice::ReadOnly));
        QCOMPARE(old.readAll(), QByteArray("old"));
    }

    void aFullDiskBehindARedirectionIsNamed()
    {
        QProcess process;
        process.setStandardOutputFile(QStringLiteral("/dev/full"));
        process.start(QStringLiteral(COMPUTE_PROGRAM), { "--help" });
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.exitCode(), 1);
        QCOMPARE(process.readAllStandardError(), QByteArray("attenscope-compute: The output cannot be written: the disk is full.\n"));
    }
};

QTEST_GUILESS_MAIN(TestTerminal)
#include "tst_terminal.moc"
