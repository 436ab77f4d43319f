// SPDX-License-Identifier: GPL-3.0-or-later
// Whole matrices and one pass give the same, for every mechanism and every length of a head; what is measured of them.
#include "analysis/tiled.h"
#include "support/problems.h"

#include <QTest>

using namespace attenscope;

class TestTiled : public QObject {
    Q_OBJECT

private slots:
    void tiledGivesTheSameOutput();
    void tiledTakesEveryMechanism_data();
    void tiledTakesEveryMechanism();
    void lengthsUpToTheOwnOneAreOwnNumbers();
    void missingValuesAreSeeded();
    void tiledTakesLessMemory();
    void tiledIsRefusedOrStopped();
};

void TestTiled::tiledGivesTheSameOutput()
{
    for (const Index n : { 1, 65, 300 }) {
        const auto comparison = compareTiled(plainHead(16), n, 5);
        QVERIFY(comparison);
        QCOMPARE(comparison->n, n);
        QVERIFY(comparison->largestDifference < 3e-6);
        QVERIFY(comparison->whole.seconds > 0.0 && comparison->tiled.seconds > 0.0);
    }
    QVERIFY(compareTiled(plainHead(16), 300, 5)->largestDifference > 0.0);
}

void TestTiled::tiledTakesEveryMechanism_data()
{
    QTest::addColumn<QString>("mechanism");
    for (const std::string &name : mechanismNames())
        QTest::newRow(name.c_str()) << QString::fromStdString(name);
}

void TestTiled::tiledTakesEveryMechanism()
{
    QFETCH(QString, mechanism);
    Case c = sdpaCase(70, 70, 8);
    setMechanism(c, mechanism.toStdString());
    const auto own = c.operands();
    // Its own numbers, a part of them, and seeded ones of the same kind.
    for (const Index n : { 70, 33, 150 }) {
        const auto comparison = compareTiled(*own, n, 5);
        QVERIFY(comparison);
        QVERIFY2(comparison->largestDifference < 1e-5, qPrintable(QString::number(comparison->largestDifference)));
    }
}

void TestTiled::lengthsUpToTheOwnOneAreOwnNumbers()
{
    Case c = sdpaCase(40, 40, 8);
    setMechanism(c, "everything"); // a causal window of 9 among others
    const auto own = c.operands();
    QCOMPARE(ownLength(*own), 40);
    const HeadOperands part = headOfLength(*own, 20, 1);
    QCOMPARE(part.scoreQ.at(19, 3), own->scoreQ.at(19, 3));
    QCOMPARE(part.v.at(19, 2), own->v.at(19, 2));
    QCOMPARE(part.mask.visibleCount(19), 9);
    QCOMPARE(part.mask.visibleCount(3), 4);
    // Beyond: the same mask rule, scale and steps, no bias of other tokens, seeded numbers.
    const HeadOperands longer = headOfLength(*own, 100, 1);
    QCOMPARE(longer.scoreQ.rows(), 100);
    QCOMPARE(longer.scoreQ.cols(), 8);
    QCOMPARE(longer.v.cols(), own->v.cols());
    QCOMPARE(longer.mask.visibleCount(99), 9);
    QCOMPARE(longer.scale, own->scale);
    QCOMPARE(longer.spec.temperature, own->spec.temperature);
    QVERIFY(longer.spec.bias.isEmpty());
    QCOMPARE(longer.scoreK, headOfLength(*own, 100, 1).scoreK);
    // What is made for one number of tokens is no rule for others.
    MaskSpec blocks;
    blocks.rule = MaskRule::BlockSparse;
    QCOMPARE(longerMask(blocks).rule, MaskRule::None);
}

void TestTiled::missingValuesAreSeeded()
{
    const Case c = sdpaCase(12, 15, 8, 0);
    const HeadOperands head = headOfLength(*c.operands(), 12, 1);
    QCOMPARE(head.v.rows(), 12);
    QCOMPARE(head.v.cols(), 8);
    QVERIFY(compareTiled(*c.operands(), 12, 1));
}

void TestTiled::tiledTakesLessMemory()
{
    if (!allocatedBytes())
        QSKIP("This allocator does not say what it has allocated.");
    const auto comparison = compareTiled(plainHead(16), 1000, 5);
    QVERIFY(comparison && comparison->whole.bytes && comparison->tiled.bytes);
    QCOMPARE(wholeBytes(1000), std::uint64_t{ 8000000 });
    QVERIFY(*comparison->whole.bytes >= wholeBytes(1000));
    QVERIFY(*comparison->whole.bytes < wholeBytes(1000) + 1000000);
    QVERIFY(*comparison->tiled.bytes > 1000 * 16 * sizeof(float));
    QVERIFY(*comparison->tiled.bytes < wholeBytes(1000) / 2);
}

void TestTiled::tiledIsRefusedOrStopped()
{
    const auto refused = compareTiled(plainHead(64), Index{ 1 } << 40, 1);
    QVERIFY(!refused);
    QVERIFY(refused.error().where.starts_with("At most half of the free memory is used, "));
    std::stop_source source;
    source.request_stop();
    const auto stopped = compareTiled(plainHead(16), 300, 5, Run{ source.get_token(), {} });
    QVERIFY(!stopped && stopped.error().isCancelled);
}

QTEST_APPLESS_MAIN(TestTiled)
#include "tst_tiled.moc"
