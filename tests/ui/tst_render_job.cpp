// SPDX-License-Identifier: GPL-3.0-or-later
// Job files and series: many figures in one run, faults named by the number of the figure, and one fault does not keep the others back.
#include "window/render_job.h"

#include "window/render_command.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace attenscope;

namespace {

QString writeJob(const QTemporaryDir &folder, const QByteArray &text)
{
    QFile file(folder.filePath(QStringLiteral("job.json")));
    if (file.open(QIODevice::WriteOnly))
        file.write(text);
    return file.fileName();
}

} // namespace

class TestRenderJob : public QObject {
    Q_OBJECT

private slots:
    void optionsComeFromTheDefaultsAndTheFigure()
    {
        const QTemporaryDir folder;
        const QString path = writeJob(folder, R"({
            "defaults": { "size": "300x200", "no-title": true, "head": 1 },
            "figures": [
                { "input": ["q.npy", "k.npy"], "output": "one.svg", "head": 2 },
                { "example": "worked", "output": "sub/two.png", "no-title": false, "top-p": 0.5 }
            ] })");
        const auto requests = readRenderJob(path);
        QVERIFY2(requests.ok(), requests.ok() ? "" : requests.error().sentence().c_str());
        QCOMPARE(requests->size(), std::size_t{ 2 });
        const RenderRequest &first = requests->at(0);
        QCOMPARE(first.inputs, QStringList({ folder.filePath(QStringLiteral("q.npy")), folder.filePath(QStringLiteral("k.npy")) }));
        QCOMPARE(first.output, folder.filePath(QStringLiteral("one.svg")));
        QCOMPARE(first.head.value_or(-1), 2);
        QCOMPARE(first.figure.pixels, QSize(300, 200));
        QVERIFY(!first.figure.hasTitle);
        const RenderRequest &second = requests->at(1);
        QCOMPARE(second.output, folder.filePath(QStringLiteral("sub/two.png")));
        QCOMPARE(second.head.value_or(-1), 1);
        QVERIFY(second.figure.hasTitle);
        QVERIFY(second.filter == (WeightFilter{ 0.0, 0, 0.5 }));
    }

    void whatIsWrongIsSaid_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("where");
        QTest::newRow("no JSON") << QByteArray("{") << "It is not JSON: unterminated object at byte 1.";
        QTest::newRow("empty") << QByteArray("{}") << "It lists no figures.";
        QTest::newRow("no object") << QByteArray("[1]") << "It lists no figures.";
        QTest::newRow("other keys") << QByteArray(R"({"figure": []})") << QStringLiteral("It has “figure”.");
        QTest::newRow("no output") << QByteArray(R"({"figures": [{"example": "worked"}]})") << "Figure 1: There is no output.";
        QTest::newRow("option") << QByteArray(
            R"({"figures": [{"example": "worked", "output": "a"}, {"example": "worked", "output": "b", "sauce": 1}]})")
                                << "Figure 2: Unknown option 'sauce'.";
        QTest::newRow("value") << QByteArray(R"({"figures": [{"example": "worked", "output": "a", "head": [1]}]})")
                               << QStringLiteral("Figure 1: “head” is neither a text, a number, true nor false.");
        QTest::newRow("input") << QByteArray(R"({"figures": [{"input": 3, "output": "a"}]})")
                               << QStringLiteral("Figure 1: “input” is neither a file name nor a list of them.");
        QTest::newRow("no figure") << QByteArray(R"({"figures": [7]})") << "Figure 1: There is no input.";
        QTest::newRow("job") << QByteArray(R"({"figures": [{"job": "a.json"}]})") << "Figure 1: A job file cannot name another one.";
    }
    void whatIsWrongIsSaid()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, where);
        const QTemporaryDir folder;
        const QString path = writeJob(folder, text);
        const auto requests = readRenderJob(path);
        QVERIFY(!requests.ok());
        QCOMPARE(QString::fromStdString(requests.error().where), where);
        QCOMPARE(QString::fromStdString(requests.error().path), path);
    }

    void aFigureThatFailsDoesNotKeepTheOthersBack()
    {
        const QTemporaryDir folder;
        const QString path = writeJob(folder, R"({
            "defaults": { "example": "worked", "size": "200x150" },
            "figures": [ { "output": "a.png" }, { "output": "b.png", "layer": 3 }, { "output": "c.png" } ] })");
        const auto requests = readRenderJob(path);
        QVERIFY(requests.ok());
        QStringList said;
        const Result<void> done = renderAll(*requests, [&said](const QString &text) { said << text; });
        QVERIFY(!done.ok());
        QCOMPARE(QString::fromStdString(done.error().sentence()), QStringLiteral("1 of 3 figures could not be drawn."));
        QCOMPARE(said,
            QStringList({ QStringLiteral("1 of 3: a.png"), QStringLiteral("2 of 3: b.png"),
                QStringLiteral("There is no layer 3. There is layer 0 only."), QStringLiteral("3 of 3: c.png") }));
        QCOMPARE(QImage(folder.filePath(QStringLiteral("a.png"))).size(), QSize(200, 150));
        QVERIFY(!QFileInfo::exists(folder.filePath(QStringLiteral("b.png"))));
        QCOMPARE(QImage(folder.filePath(QStringLiteral("c.png"))).size(), QSize(200, 150));
    }

    void figuresAreSharesOfTheProgressAndStopTogether()
    {
        const QTemporaryDir folder;
        const QString path = writeJob(folder, R"({
            "defaults": { "example": "worked", "size": "200x150" },
            "figures": [ { "output": "a.png" }, { "output": "b.png" }, { "output": "c.csv" }, { "output": "d.png" } ] })");
        const auto requests = readRenderJob(path);
        QVERIFY(requests.ok());
        QStringList said;
        std::stop_source source;
        std::vector<double> told;
        const Run run{ source.get_token(), [&](double fraction) {
                          told.push_back(fraction);
                          if (fraction >= 0.5)
                              source.request_stop();
                      } };
        const Result<void> done = renderAll(
            *requests, [&said](const QString &text) { said << text; }, run);
        QVERIFY(!done.ok() && done.error().isCancelled);
        QVERIFY(std::find(told.begin(), told.end(), 0.25) != told.end());
        QCOMPARE(told.back(), 0.5);
        QCOMPARE(said, QStringList({ QStringLiteral("1 of 4: a.png"), QStringLiteral("2 of 4: b.png"), QStringLiteral("3 of 4: c.csv") }));
        QVERIFY(QFileInfo::exists(folder.filePath(QStringLiteral("b.png"))));
        QVERIFY(!QFileInfo::exists(folder.filePath(QStringLiteral("c.csv"))));
    }

    void aViewWithoutAPictureSaysWhyAndWhatToDo()
    {
        const QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("attention.csv")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("head,query,a,b,c\n0,x,0.5,0.25,0.25\n0,y,1,0,0\n1,x,0,0,1\n1,y,0,1,0\n");
        file.close();
        const QString path = writeJob(folder, R"({
            "defaults": { "input": "attention.csv", "size": "400x300" },
            "figures": [ { "view": "vectors", "output": "a.png" }, { "view": "layers", "output": "b.png" },
                         { "view": "layers", "across": "similarity", "output": "c.png" } ] })");
        const auto requests = readRenderJob(path);
        QVERIFY2(requests.ok(), requests.ok() ? "" : requests.error().sentence().c_str());
        QStringList said;
        QVERIFY(!renderAll(*requests, [&said](const QString &text) { said << text; }).ok());
        QCOMPARE(said,
            QStringList({ QStringLiteral("1 of 3: a.png"),
                QStringLiteral(
                    "The weights are recorded, and the file has no queries, keys and values that vectors could be drawn of: show the "
                    "map, lines or text, or open a file with q and k."),
                QStringLiteral("2 of 3: b.png"),
                QStringLiteral(
                    "Rollout and flow need self-attention, where a layer leads to the next. This block is 2 × 3. Choose a block of "
                    "self-attention, or head similarity."),
                QStringLiteral("3 of 3: c.png") }));
        QCOMPARE(QImage(folder.filePath(QStringLiteral("c.png"))).size(), QSize(400, 300));
        QVERIFY(!parseRender({ "--example", "worked", "--across", "flow", "-o", "a.png" }).ok());
    }

    void allHeadsAreASeriesOfPictures()
    {
        const QTemporaryDir folder;
        const auto draw = [&folder](const QStringList &options) {
            const Result<RenderRequest> request
                = parseRender(QStringList{ "--example", "sentence", "--size", "300x300", "--no-title" } + options);
            return request.ok() && render(*request).ok();
        };
        QVERIFY(draw({ "--all-heads", "-o", folder.filePath(QStringLiteral("map.png")) }));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files, QDir::Name),
            QStringList({ QStringLiteral("map-0-0.png"), QStringLiteral("map-0-1.png"), QStringLiteral("map-0-2.png"),
                QStringLiteral("map-0-3.png") }));
        QVERIFY(draw({ "--head", "2", "-o", folder.filePath(QStringLiteral("alone.png")) }));
        QCOMPARE(QImage(folder.filePath(QStringLiteral("map-0-2.png"))), QImage(folder.filePath(QStringLiteral("alone.png"))));
        QVERIFY(QImage(folder.filePath(QStringLiteral("map-0-1.png"))) != QImage(folder.filePath(QStringLiteral("alone.png"))));
    }
};

QTEST_MAIN(TestRenderJob)
#include "tst_render_job.moc"
