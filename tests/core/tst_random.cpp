// SPDX-License-Identifier: GPL-3.0-or-later
// Seeded numbers: always the same, spread as they should be.
#include "core/random.h"

#include <QTest>

#include <cmath>

using namespace attenscope;

class TestRandom : public QObject {
    Q_OBJECT

private slots:
    void sequenceIsSplitMix64();
    void uniformNumbersAreThoseOfTheBits();
    void normalNumbersHaveTheirMoments();
    void matricesAreFilledRowByRow();
    void namedSeedsAreFnv1a();
};

void TestRandom::sequenceIsSplitMix64()
{
    // The first outputs of the reference implementation for seed 1234567.
    Random random(1234567);
    QCOMPARE(random.next(), std::uint64_t{ 6457827717110365317U });
    QCOMPARE(random.next(), std::uint64_t{ 3203168211198807973U });
    QCOMPARE(random.next(), std::uint64_t{ 9817491932198370423U });
}

void TestRandom::uniformNumbersAreThoseOfTheBits()
{
    Random bits(7);
    Random numbers(7);
    for (int count = 0; count < 100; ++count) {
        const double number = numbers.uniform();
        QCOMPARE(number, (std::floor(static_cast<double>(bits.next() >> 11U)) + 0.5) / 9007199254740992.0);
        QVERIFY(number > 0.0 && number < 1.0);
    }
}

void TestRandom::normalNumbersHaveTheirMoments()
{
    Random random(1);
    const Matrix numbers = random.normalMatrix(200, 200, 3.0);
    QVERIFY(std::abs(numbers.mean()) < 0.05);
    QVERIFY(std::abs(numbers.array().square().mean() - 9.0) < 0.2);
    QVERIFY(std::abs(numbers.array().cube().mean()) < 1.5);
}

void TestRandom::matricesAreFilledRowByRow()
{
    Random one(5);
    Random other(5);
    const Matrix matrix = one.normalMatrix(2, 3, 2.0);
    for (Index row = 0; row < 2; ++row)
        for (Index col = 0; col < 3; ++col)
            QCOMPARE(matrix(row, col), 2.0 * other.normal());
}

void TestRandom::namedSeedsAreFnv1a()
{
    // FNV-1a over eight zero bytes, then over "a" after them, by hand of the definition.
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (int byte = 0; byte < 8; ++byte)
        hash *= 0x100000001b3U;
    QCOMPARE(namedSeed(0, ""), hash);
    QCOMPARE(namedSeed(0, "a"), (hash ^ 0x61U) * 0x100000001b3U);
    QVERIFY(namedSeed(1, "cat") != namedSeed(2, "cat"));
    QVERIFY(namedSeed(1, "cat") != namedSeed(1, "cats"));
}

QTEST_APPLESS_MAIN(TestRandom)
#include "tst_random.moc"
