// SPDX-License-Identifier: GPL-3.0-or-later
// Damaged session files, other files, and wrong content: each is said, none crashes.
#include "io/session_file.h"
#include "session_parts.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace attenscope;
using namespace attenscope::test;

namespace {

QString errorOf(const QString &path)
{
    const auto loaded = loadSession(path.toStdString());
    return loaded ? QString() : QString::fromStdString(loaded.error().sentence()).remove(" " + path);
}

} // namespace

class TestDamagedSessions : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_path = m_folder->filePath("test.attn");
    }

    void everyCutIsAnError()
    {
        // One small array beside the JSON.
        Session session = exampleSentence();
        session.mechanism.mask.allowed = BitMatrix(10, 10, true);
        QVERIFY(saveSession(m_path.toStdString(), session, {}));
        const QByteArray whole = contentOf(m_path);
        for (qsizetype size = 0; size < whole.size(); ++size) {
            const QString path = m_folder->filePath(QString::number(size));
            writeTo(path, whole.left(size));
            QVERIFY2(!errorOf(path).isEmpty(), qPrintable(QString::number(size)));
        }
    }

    void flippedBytesDoNotCrash()
    {
        QVERIFY(saveSession(m_path.toStdString(), workedExample(), {}));
        const QByteArray whole = contentOf(m_path);
        int errors = 0;
        for (qsizetype place = 0; place < whole.size(); place += 7) {
            QByteArray damaged = whole;
            damaged[place] = static_cast<char>(~damaged[place]);
            const QString path = m_folder->filePath(QString::number(place));
            writeTo(path, damaged);
            errors += errorOf(path).isEmpty() ? 0 : 1;
        }
        // What libzip does not look at (times, version numbers) may differ; contents may not.
        QVERIFY(errors > whole.size() / 7 / 2);
    }

    void otherFilesAreNoSessions_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("error");
        const QString no = "This is not a session. Open it as data, or choose a file that was saved as .attn.";
        QTest::newRow("empty") << QByteArray() << "The file is empty. Save it again.";
        QTest::newRow("one byte") << QByteArray("P") << no;
        QTest::newRow("text") << QByteArray("1,2\n3,4\n") << no;
        QTest::newRow("begins like a zip file") << QByteArray("PK and so on") << "";
    }
    void otherFilesAreNoSessions()
    {
        QFETCH(QByteArray, content);
        QFETCH(QString, error);
        writeTo(m_path, content);
        if (error.isEmpty())
            QVERIFY(errorOf(m_path).startsWith("The zip file is damaged"));
        else
            QCOMPARE(errorOf(m_path), error);
    }

    void aFileThatIsNotThereIsSaid()
    {
        QCOMPARE(errorOf(m_path), QString("There is no such file."));
        QCOMPARE(errorOf(m_folder->path()), QString("This is a folder. Open the files in it."));
    }

    void wrongContentIsSaid_data()
    {
        QTest::addColumn<QByteArray>("before");
        QTest::addColumn<QByteArray>("after");
        QTest::addColumn<QString>("error");
        const auto row = [](const char *name, const QByteArray &before, const QByteArray &after, const char *error) {
            QTest::newRow(name) << before << after << QString::fromUtf8(error);
        };
        const QString damaged = "The session is damaged. %1 Use another copy.";
        row("newer", "\"version\": 1", "\"version\": 3",
            "This session is from a newer Attenscope (format 3). This one reads up to 1. Open it with that version, or update this one.");
        row("much newer", "\"version\": 1", "\"version\": 1e300", "The session is damaged. It does not say its format. Use another copy.");
        row("no version", "\"version\": 1", "\"version\": \"1\"", "The session is damaged. It does not say its format. Use another copy.");
        row("another format", "attenscope-session", "something",
            "This is not a session. Open it as data, or choose a file that was saved as .attn.");
        row("NaN", "\"temperature\": 1", "\"temperature\": NaN", "session.json is no JSON");
        row("text for a number", "\"temperature\": 1", "\"temperature\": \"warm\"", "session/mechanism/temperature is not a number.");
        row("huge number", "\"heads\": 1", "\"heads\": 1e300", "session/mechanism/heads is not a whole number.");
        row("number out of range", "\"heads\": 1", "\"heads\": 99999999999", "session/mechanism/heads is not a whole number.");
        row("fraction", "\"heads\": 1", "\"heads\": 1.5", "session/mechanism/heads is not a whole number.");
        row("missing number", "\"heads\": 1", "\"heads\": null", "session/mechanism/heads is not a whole number.");
        row("unknown word", "\"rule\": \"none\"", "\"rule\": \"maybe\"", "session/mechanism/mask/rule is not a known word.");
        row("number for a word", "\"rule\": \"none\"", "\"rule\": 1", "session/mechanism/mask/rule is not a known word.");
        row("text for true", "\"hasAlibi\": false", "\"hasAlibi\": 0", "session/mechanism/hasAlibi is not true or false.");
        row("number for a text", "\"name\": \"Worked example\"", "\"name\": 5", "session/name is not a text.");
        row("list for an object", "\"mask\": {", "\"mask\": [], \"other\": {", "session/mechanism/mask is not an object.");
        row("object for a list", "\"documentStarts\": [", "\"documentStarts\": {}, \"other\": [",
            "session/mechanism/mask/documentStarts is not a list.");
        row("array that is not there", "source/matrices/heads/0/q.npy", "source/matrices/heads/0/z.npy",
            "The session is incomplete. The array for source/matrices/heads/0/q is missing. Use another copy.");
        row("array used twice", "source/matrices/heads/0/k.npy", "source/matrices/heads/0/q.npy", "The array for source/matrices/heads/0/");
        row("no input", "\"matrices\":", "\"drawings\":", "It does not say what its input is.");
    }
    void wrongContentIsSaid()
    {
        QFETCH(QByteArray, before);
        QFETCH(QByteArray, after);
        QFETCH(QString, error);
        QVERIFY(saveSession(m_path.toStdString(), workedExample(), {}));
        Parts parts = partsOf(m_path);
        QByteArray &json = parts["session.json"];
        QVERIFY(json.contains(before));
        json.replace(before, after);
        pack(m_path, parts);
        QVERIFY2(errorOf(m_path).contains(error), qPrintable(errorOf(m_path)));
    }

    void missingFieldsKeepTheirDefaults()
    {
        Session session;
        session.mechanism.temperature = 2.0;
        session.view.stage = Stage::Scores;
        session.name = "named";
        QVERIFY(saveSession(m_path.toStdString(), session, {}));
        Parts parts = partsOf(m_path);
        QJsonObject root = QJsonDocument::fromJson(parts["session.json"]).object();
        root["session"] = QJsonObject();
        root.remove("selection");
        parts["session.json"] = QJsonDocument(root).toJson();
        pack(m_path, parts);
        const auto loaded = loadSession(m_path.toStdString());
        QVERIFY(loaded);
        QVERIFY(loaded->session == Session());
    }

    void damagedArraysAreSaid_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("no array") << QByteArray("hello");
        QTest::newRow("objects") << QByteArray(
            "\x93NUMPY\x01\x00\x46\x00{'descr': '|O', 'fortran_order': False, 'shape': (3, 4), }          \n", 80);
        QTest::newRow("one axis") << QByteArray(
            "\x93NUMPY\x01\x00\x46\x00{'descr': '<u1', 'fortran_order': False, 'shape': (2,), }           \nab", 82);
    }
    void damagedArraysAreSaid()
    {
        QFETCH(QByteArray, content);
        QVERIFY(saveSession(m_path.toStdString(), workedExample(), {}));
        Parts parts = partsOf(m_path);
        QVERIFY(parts.contains("source/matrices/heads/0/q.npy"));
        parts["source/matrices/heads/0/q.npy"] = content;
        pack(m_path, parts);
        QVERIFY(!errorOf(m_path).isEmpty());
    }

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
};

QTEST_APPLESS_MAIN(TestDamagedSessions)
#include "tst_damaged_sessions.moc"
