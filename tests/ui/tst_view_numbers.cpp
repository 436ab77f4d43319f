// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers that are copied, exported or written by attenscope render are those of what is shown, and open again as what they were.
#include "window/numbers.h"

#include "io/open.h"
#include "state/head_list.h"
#include "support/recorded_session.h"
#include "support/render_answer.h"
#include "views/layers/layers_content.h"

#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

using namespace attenscope;

namespace {

QStringList lines(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).split(u'\n', Qt::SkipEmptyParts) : QStringList();
}

/// Two layers of two heads with names, as the file NAME.npz of @p folder; head h has 0.25 + h / 8 in its first cell.
QString recordedFile(const QTemporaryDir &folder)
{
    NumbersArray weights{ "weights", { 2, 2, 2, 2 }, {} };
    for (int head = 0; head < 4; ++head)
        for (const double weight : { 0.25 + head / 8.0, 0.75 - head / 8.0, 0.5, 0.5 })
            weights.numbers.push_back(weight);
    NumbersArray tokens{ "tokens", {}, {}, { "the", "cat" } };
    QString path = folder.filePath(QStringLiteral("weights.npz"));
    return writeNpz(path.toStdString(), { weights, tokens }) ? path : QString();
}

} // namespace

class TestViewNumbers : public QObject {
    Q_OBJECT

private slots:
    void layersGiveWhatTheyShow_data()
    {
        QTest::addColumn<LayersShown>("shown");
        QTest::addColumn<QString>("stage");
        QTest::newRow("rollout") << LayersShown::Rollout << "rollout";
        QTest::newRow("flow") << LayersShown::Flow << "flow";
        QTest::newRow("similarity") << LayersShown::Similarity << "divergence";
        QTest::newRow("embedding") << LayersShown::Embedding << "points";
    }
    void layersGiveWhatTheyShow()
    {
        QFETCH(LayersShown, shown);
        QFETCH(QString, stage);
        Session session = exampleSentence();
        session.view.shown = ShownView::Layers;
        session.view.layersShown = shown;
        Document document;
        document.reset(session);
        const Result<LayersContent> content = shownLayers(document);
        const Result<MapNumbers> numbers = numbersOf(document, NumbersScope::ShownMap);
        QVERIFY(content && numbers);
        QCOMPARE(QString::fromStdString(numbers->stage), stage);
        QCOMPARE(numbers->isOfHeads, content->showsHeads());
        const MapField &field = *numbers->fields.front();
        const Matrix &values = shown == LayersShown::Embedding ? content->values->points.points : content->values->values;
        QCOMPARE(field.rows(), values.rows());
        for (Index row = 0; row < values.rows(); ++row)
            for (Index col = 0; col < values.cols(); ++col)
                QCOMPARE(field.at(row, col), values(row, col));
        QCOMPARE(
            numbers->rowNames, content->showsHeads() ? std::vector<std::string>({ "0", "1", "2", "3" }) : document.block().queryTokens);
        QCOMPARE(static_cast<Index>(numbers->colNames.size()), values.cols());
        QVERIFY(!numbers->notes.empty());
    }

    void vectorsAreNotWrittenAsWeights()
    {
        Session session = exampleSentence();
        session.view.shown = ShownView::Vectors;
        Document document;
        document.reset(session);
        const Result<MapNumbers> numbers = numbersOf(document, NumbersScope::ShownMap);
        QVERIFY(!numbers);
        QVERIFY(numbers.error().sentence().starts_with("Vectors are drawn, not written as numbers."));
        QVERIFY(numbersOf(document, NumbersScope::AllHeads));
    }

    void layersAreWrittenByName()
    {
        const QTemporaryDir folder;
        const QString input = recordedFile(folder);
        const QString path = folder.filePath(QStringLiteral("out.csv"));
        QCOMPARE(renderAnswer({ input, "--view", "layers", "-o", path }), QString());
        // Means of the heads are 0.3125 and 0.5625 in the corner, each half of its layer: 0.65625 and 0.78125.
        QStringList rows = lines(path);
        QCOMPARE(rows.front(), QStringLiteral("query,the,cat"));
        QCOMPARE(rows[1].section(u',', 0, 0), QStringLiteral("the"));
        QCOMPARE(rows[1].section(u',', 1, 1).toDouble(), 0.78125 * 0.65625 + 0.21875 * 0.25);
        QCOMPARE(renderAnswer({ input, "--view", "layers", "--across", "embedding", "-o", path }), QString());
        rows = lines(path);
        QCOMPARE(rows.size(), 5);
        QCOMPARE(rows.front(), QStringLiteral("head,x,y"));
        QVERIFY(rows.last().startsWith(QStringLiteral("1·1,")));
        QVERIFY(renderAnswer({ input, "--view", "layers", "--all-heads", "-o", path })
                    .startsWith(QStringLiteral("--view layers is of all heads")));
        QVERIFY(renderAnswer({ input, "--view", "vectors", "-o", path })
                    .startsWith(QStringLiteral("Vectors are drawn, not written as numbers.")));
    }

    void theHeadTableIsWrittenAsCsv()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("table.csv"));
        QCOMPARE(renderAnswer({ "--example", "sentence", "--view", "table", "-o", path }), QString());
        Document document;
        document.reset(exampleSentence());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(QString::fromUtf8(file.readAll()), headTableCsv(listHeads(document)));
        QCOMPARE(renderAnswer({ "--example", "sentence", "--view", "table", "-o", folder.filePath(QStringLiteral("table.npy")) }),
            QStringLiteral("--view table is a picture or CSV. Give an output such as table.csv."));
    }

    void allHeadsOpenAgainAsTheyWere()
    {
        const QTemporaryDir folder;
        const QString input = recordedFile(folder);
        const QString path = folder.filePath(QStringLiteral("out.npz"));
        QCOMPARE(renderAnswer({ input, "--all-heads", "-o", path }), QString());
        const auto opened = openFiles({ path.toStdString() });
        QVERIFY(opened);
        const auto first = buildInput(openFiles({ input.toStdString() }).value());
        const auto again = buildInput(*opened);
        QVERIFY(first && again);
        const AttentionBlock &block = again->blocks.front();
        QCOMPARE(block.layers, 2);
        QCOMPARE(block.heads, 2);
        QCOMPARE(block.queryTokens, first->blocks.front().queryTokens);
        QCOMPARE(block.keyTokens, std::vector<std::string>({ "the", "cat" }));
        QCOMPARE(renderAnswer({ input, "--all-heads", "--layer", "1", "-o", path }), QString());
        const auto layer = openFiles({ path.toStdString() });
        QVERIFY(layer);
        QCOMPARE(layer->tensors->tensors.front().tensor.shape(), std::vector<Index>({ 2, 2, 2 }));
        QCOMPARE(layer->tensors->tensors.front().tensor.toNumbers().front(), 0.5);
        QVERIFY(
            renderAnswer({ input, "--all-heads", "--head", "1", "-o", path }).startsWith(QStringLiteral("--head and --all-heads exclude")));
    }

    void picturesOfAllHeadsOfALayerAreThoseOfIt()
    {
        const QTemporaryDir folder;
        QCOMPARE(renderAnswer({ recordedFile(folder), "--all-heads", "--layer", "1", "--size", "200x200", "-o", folder.filePath("a.png") }),
            QString());
        QVERIFY(QFileInfo::exists(folder.filePath("a-1-0.png")) && QFileInfo::exists(folder.filePath("a-1-1.png")));
        QVERIFY(!QFileInfo::exists(folder.filePath("a-0-0.png")));
    }
};

QTEST_MAIN(TestViewNumbers)
#include "tst_view_numbers.moc"
