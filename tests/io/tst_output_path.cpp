// SPDX-License-Identifier: GPL-3.0-or-later
// What -o names: extensions that are added, folders, and inputs that are not to be replaced.
#include "test_files.h"

#include "io/output_path.h"

using namespace attenscope;
using namespace attenscope::test;

class TestOutputPath : public QObject {
    Q_OBJECT

private slots:
    void extensionIsAddedOnlyWhereThereIsNone_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("expected");
        QTest::newRow("none") << "figure"
                              << "figure.png";
        QTest::newRow("a dot alone") << "figure."
                                     << "figure.png";
        QTest::newRow("there") << "figure.png"
                               << "figure.png";
        QTest::newRow("another") << "figure.csv"
                                 << "figure.csv";
        QTest::newRow("in a folder with a dot") << "/a.b/figure"
                                                << "/a.b/figure.png";
        QTest::newRow("empty") << ""
                               << "";
    }
    void extensionIsAddedOnlyWhereThereIsNone()
    {
        QFETCH(QString, name);
        QFETCH(QString, expected);
        QCOMPARE(withExtension(name, QStringLiteral("png")), expected);
        QCOMPARE(outputFile(name, QStringLiteral("in.npy"), QStringLiteral("png")), expected);
    }

    void foldersGetTheNameOfTheInput()
    {
        const Folder folder;
        const QString there = QString::fromStdString(folder.path("")) + QLatin1Char('/');
        const QString input = QStringLiteral("/data/a.b/q.one.npy");
        QCOMPARE(outputFile(there, input, QStringLiteral("npz")), there + QStringLiteral("q.one.npz"));
        QCOMPARE(outputFile(there.chopped(1), input, QStringLiteral("npz")), there + QStringLiteral("q.one.npz"));
        QCOMPARE(outputFile(QStringLiteral("not there/"), input, QStringLiteral("npz")), QStringLiteral("not there/q.one.npz"));
    }

    void inputsAreNotReplacedUnderAnyName()
    {
        const Folder folder;
        const QString input = QString::fromStdString(folder.write("a.npz", "x"));
        const QString link = QString::fromStdString(folder.path("link.npz"));
        QVERIFY(QFile::link(input, link));
        const QString around = QString::fromStdString(folder.path("../")) + QFileInfo(input).dir().dirName() + QStringLiteral("/a.npz");
        for (const QString &output : { input, link, around }) {
            const auto found = checkNoInput(output, { QStringLiteral("b.npz"), input });
            QVERIFY2(!found, qPrintable(output));
            QCOMPARE(QString::fromStdString(found.error().sentence()),
                QStringLiteral("The output would replace an input. Choose another name. ") + output);
        }
        QVERIFY_OK(checkNoInput(QString::fromStdString(folder.path("b.npz")), { input, QStringLiteral("b.npz") }));
        QVERIFY_OK(checkNoInput(QString::fromStdString(folder.path("a.npy")), { input }));
    }
};

QTEST_APPLESS_MAIN(TestOutputPath)
#include "tst_output_path.moc"
