// SPDX-License-Identifier: GPL-3.0-or-later
// What attenscope render cannot draw as it was asked for is refused in one sentence that says what to do, and nothing is written.
#include "window/render_command.h"
#include "window/render_job.h"

#include "io/numbers_file.h"
#include "support/render_answer.h"

#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

using namespace attenscope;

class TestRenderRefusals : public QObject {
    Q_OBJECT

private slots:
    void oneSentenceSaysWhatToDo_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("view") << QStringList{ "--view",
            "foo" } << QStringLiteral("--view cannot be “foo”. It is map, lines, vectors, steps, text, layers, grid, table or patches.");
        QTest::newRow("text") << QStringList{ "--view", "text" }
                              << "Nothing is picked. Text has the colours of a token's weights. Give --pick QUERY,KEY, such as --pick 0,0.";
        QTest::newRow("patches") << QStringList{ "--view", "patches", "--patches",
            "2x5" } << "Nothing is picked. Patches have the colours of a query's weights. Give --pick QUERY,KEY, such as --pick 0,0.";
        QTest::newRow("too few patches") << QStringList{ "--view", "patches", "--patches", "2x2", "--pick", "0,0" }
                                         << "--patches 2x2 does not fit 10 keys. These do: 3x3+1, 2x5, 5x2.";
        QTest::newRow("too many before") << QStringList{ "--view", "patches", "--patches", "2x2+11", "--pick", "0,0" }
                                         << "--patches 2x2+11 does not fit 10 keys. These do: 3x3+1, 2x5, 5x2.";
        QTest::newRow("step") << QStringList{ "--view", "steps", "--step", "99" } << "There is no step 99. There are steps 1 to 16.";
        QTest::newRow("every token") << QStringList{ "--leave-out", "0-9" }
                                     << "No query is left. Every token is left out. Leave out fewer tokens.";
    }
    void oneSentenceSaysWhatToDo()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, sentence);
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a.png"));
        QCOMPARE(renderAnswer(QStringList{ "--example", "sentence", "-o", path } + arguments), sentence);
        QVERIFY(!QFileInfo::exists(path));
    }

    void gridsThatFitAreDrawn()
    {
        const QTemporaryDir folder;
        for (const char *grid : { "2x5", "3x3+1", "1x2+8" }) {
            const QString path = folder.filePath(QLatin1String(grid) + QStringLiteral(".png"));
            QCOMPARE(
                renderAnswer({ "--example", "sentence", "--view", "patches", "--patches", grid, "--pick", "3,0", "-o", path }), QString());
            QVERIFY(QFileInfo::exists(path));
        }
    }

    void jobsAreRefusedBeforeAnythingIsDrawn_data()
    {
        QTest::addColumn<QByteArray>("figures");
        QTest::addColumn<QString>("where");
        QTest::newRow("one output twice") << QByteArray(R"([{"output": "a.png"}, {"output": "b.png"}, {"output": "./a"}])")
                                          << "Figures 1 and 3 are both a.png.";
        QTest::newRow("a switch with a text") << QByteArray(R"([{"output": "a.png", "compare": "yes"}])")
                                              << QStringLiteral("Figure 1: “compare” is true or false.");
        QTest::newRow("a switch with a number") << QByteArray(R"([{"output": "a.png"}, {"output": "b.png", "no-title": 1}])")
                                                << QStringLiteral("Figure 2: “no-title” is true or false.");
    }
    void jobsAreRefusedBeforeAnythingIsDrawn()
    {
        QFETCH(QByteArray, figures);
        QFETCH(QString, where);
        const QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("job.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"defaults": {"example": "worked"}, "figures": )" + figures + "}");
        file.close();
        const auto requests = readRenderJob(file.fileName());
        QVERIFY(!requests);
        QCOMPARE(QString::fromStdString(requests.error().where), where);
    }
};

QTEST_MAIN(TestRenderRefusals)
#include "tst_render_refusals.moc"
