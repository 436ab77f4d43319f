// SPDX-License-Identifier: GPL-3.0-or-later
// Names on token axes: how many, and how each is written.
#include "views/map/token_ticker.h"

#include <QTest>

using namespace attenscope;

class MapLabelsTest : public QObject {
    Q_OBJECT

private slots:
    void strideIsRoundAndLeavesRoom_data();
    void strideIsRoundAndLeavesRoom();
    void tokenIsOneReadableLine_data();
    void tokenIsOneReadableLine();
    void hugeTokenIsNotReadToItsEnd();
    void labelHasPositionWhereAsked();
    void rowsWithoutNamesAreNamedByPosition();
    void tickerNamesTheMiddleOfEveryStridethCell();
};

void MapLabelsTest::strideIsRoundAndLeavesRoom_data()
{
    QTest::addColumn<double>("cell");
    QTest::addColumn<Index>("stride");
    QTest::newRow("one each") << 14.0 << Index(1);
    QTest::newRow("a bit too small") << 13.9 << Index(2);
    QTest::newRow("six pixels") << 6.0 << Index(5);
    QTest::newRow("1,000 tokens in 560 pixels") << 0.56 << Index(50);
    QTest::newRow("32,768 tokens in 640 pixels") << 640.0 / 32768.0 << Index(1000);
}

void MapLabelsTest::strideIsRoundAndLeavesRoom()
{
    QFETCH(double, cell);
    QFETCH(Index, stride);
    QCOMPARE(labelStride(cell, 14.0), stride);
    QVERIFY(static_cast<double>(stride) * cell >= 14.0);
}

void MapLabelsTest::tokenIsOneReadableLine_data()
{
    QTest::addColumn<QByteArray>("token");
    QTest::addColumn<QString>("text");
    QTest::newRow("word") << QByteArray("because") << QStringLiteral("because");
    QTest::newRow("twelve characters") << QByteArray("abcdefghijkl") << QStringLiteral("abcdefghijkl");
    QTest::newRow("thirteen characters") << QByteArray("abcdefghijklm") << QStringLiteral("abcdefghijk…");
    QTest::newRow("empty") << QByteArray("") << QStringLiteral("∅");
    QTest::newRow("space") << QByteArray(" ") << QStringLiteral("␣");
    QTest::newRow("word start") << QByteArray(" the") << QStringLiteral("·the");
    QTest::newRow("sentencepiece word start") << QByteArray("▁the") << QStringLiteral("·the");
    QTest::newRow("new line") << QByteArray("a\nb") << QStringLiteral("a↵b");
    QTest::newRow("bell") << QByteArray("\x07") << QStringLiteral("␇");
    QTest::newRow("tag") << QByteArray("</script>") << QStringLiteral("</script>");
    QTest::newRow("right to left") << QByteArray("שלום") << QStringLiteral("שלום");
    QTest::newRow("emoji") << QByteArray("😀") << QStringLiteral("😀");
    QTest::newRow("family is one character") << QByteArray("👩‍👩‍👧abcdefghijk")
                                             << QStringLiteral("👩‍👩‍👧abcdefghijk");
    QTest::newRow("accents are not cut off") << QByteArray(
        "e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301")
                                             << QStringLiteral(
                                                    "e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301…");
}

void MapLabelsTest::tokenIsOneReadableLine()
{
    QFETCH(QByteArray, token);
    QFETCH(QString, text);
    QCOMPARE(tokenText(token.toStdString()), text);
}

void MapLabelsTest::hugeTokenIsNotReadToItsEnd()
{
    QCOMPARE(tokenText(std::string(10000000, 'x')), QStringLiteral("xxxxxxxxxxx…"));
}

void MapLabelsTest::labelHasPositionWhereAsked()
{
    const std::vector<std::string> tokens{ "the", "cat" };
    QCOMPARE(axisLabel(&tokens, 1, 1, false).text(), QStringLiteral("cat"));
    QCOMPARE(axisLabel(&tokens, 1, 1, true).text(), QStringLiteral("1 ‘cat’"));
    QCOMPARE(axisLabel(nullptr, 1, 1, true).text(), QStringLiteral("1"));
    QCOMPARE(axisLabel(&tokens, 2, 2, false).text(), QStringLiteral("2"));
    // Another position in the whole input than in the list.
    QCOMPARE(axisLabel(&tokens, 1, 9, true).text(), QStringLiteral("9 ‘cat’"));
}

void MapLabelsTest::rowsWithoutNamesAreNamedByPosition()
{
    const std::vector<std::string> tokens{ "0", "1" };
    QCOMPARE(axisLabel(&tokens, 1, 1, true).text(), QStringLiteral("1"));
    QCOMPARE(axisLabel(&tokens, 0, 0, false).text(), QStringLiteral("0"));
}

void MapLabelsTest::tickerNamesTheMiddleOfEveryStridethCell()
{
    TokenTicker ticker;
    ticker.setStride(5, 23);
    QCOMPARE(ticker.named(QCPRange(0.0, 23.0)), (std::vector<Index>{ 0, 5, 10, 15, 20 }));
    QCOMPARE(ticker.named(QCPRange(3.0, 10.4)), (std::vector<Index>{ 5 }));
    QCOMPARE(ticker.named(QCPRange(5.5, 10.5)), (std::vector<Index>{ 5, 10 }));
    QCOMPARE(ticker.named(QCPRange(5.6, 10.5)), (std::vector<Index>{ 10 }));
}

QTEST_MAIN(MapLabelsTest)
#include "tst_map_labels.moc"
