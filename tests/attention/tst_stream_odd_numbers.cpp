// SPDX-License-Identifier: GPL-3.0-or-later
// stream where rows see nothing, and on NaN, infinity and scores beyond float.
#include "attention/stream.h"

#include "attention/cell.h"
#include "support/problems.h"
#include "support/same_bits.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace attenscope;

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

} // namespace

class TestStreamOddNumbers : public QObject {
    Q_OBJECT

private slots:
    void rowsThatSeeNothingAreZero();
    void hiddenNanAndInfinityDoNotLeak();
    void visibleNanMakesItsRowNan();
    void visibleInfiniteScoreMakesItsRowNan();
    void nanValueReachesOnlyRowsThatSeeIt();
    void scoresBeyondFloatAreComputedExactly();
    void hugeNegativeBiasIsAMask();
};

void TestStreamOddNumbers::rowsThatSeeNothingAreZero()
{
    // Six queries, four keys, last query sees all: the first two see none.
    Case c = sdpaCase(6, 4, 4);
    setMechanism(c, "causal");
    const auto result = stream(*c.operands());
    QVERIFY(result);
    for (Index row = 0; row < 2; ++row) {
        QCOMPARE(result->logSumExp(row), -std::numeric_limits<float>::infinity());
        QCOMPARE(result->entropy(row), 0.0F);
        QCOMPARE(result->largest(row), 0.0F);
        QVERIFY(result->output.row(row).isZero(0.0F));
        for (Index key = 0; key < 4; ++key)
            QCOMPARE(cell::kind(result->overview(row, key)), cell::Kind::Masked);
    }
    QVERIFY(result->largest(2) == 1.0F);
}

void TestStreamOddNumbers::hiddenNanAndInfinityDoNotLeak()
{
    for (const double odd : { notANumber, infinity, -infinity }) {
        Case clean = sdpaCase(70, 300, 4);
        clean.spec.mask.paddedKeys = 40;
        Case dirty = clean;
        Matrix k = clean.problem.k;
        Matrix v = clean.problem.v;
        k.bottomRows(40).setConstant(odd);
        v.bottomRows(40).setConstant(odd);
        dirty.block = projectedBlock(clean.problem.q, k, v);
        const auto expected = stream(*clean.operands());
        const auto result = stream(*dirty.operands());
        QVERIFY(expected && result);
        QVERIFY(sameBits(result->output, expected->output));
        QVERIFY(sameBits(result->logSumExp, expected->logSumExp));
        QVERIFY(sameBits(result->overview, expected->overview));
    }
}

void TestStreamOddNumbers::visibleNanMakesItsRowNan()
{
    Case c = sdpaCase(5, 5, 4);
    setMechanism(c, "causal");
    Matrix k = c.problem.k;
    k(3, 1) = notANumber;
    c.block = projectedBlock(c.problem.q, k, c.problem.v);
    const auto result = stream(*c.operands());
    QVERIFY(result);
    for (Index row = 0; row < 5; ++row) {
        QCOMPARE(std::isnan(result->logSumExp(row)), row >= 3);
        QCOMPARE(std::isnan(result->entropy(row)), row >= 3);
        QCOMPARE(std::isnan(result->output(row, 0)), row >= 3);
        for (Index key = 0; key < 5; ++key) {
            const auto expected = key > row ? cell::Kind::Masked : row >= 3 ? cell::Kind::Nan : cell::Kind::Number;
            QCOMPARE(cell::kind(result->overview(row, key)), expected);
        }
    }
}

void TestStreamOddNumbers::visibleInfiniteScoreMakesItsRowNan()
{
    Case c = sdpaCase(2, 3, 1);
    Matrix bias = Matrix::Zero(2, 3);
    bias(0, 1) = infinity;
    bias(1, 1) = -infinity;
    c.spec.bias = SharedMatrix(bias);
    const auto result = stream(*c.operands());
    QVERIFY(result);
    QVERIFY(std::isnan(result->logSumExp(0)) && std::isnan(result->overview(0, 0)) && std::isnan(result->output(0, 0)));
    QVERIFY(std::isfinite(result->logSumExp(1)) && std::isfinite(result->output(1, 0)));
    QCOMPARE(result->overview(1, 1), 0.0F);
}

void TestStreamOddNumbers::nanValueReachesOnlyRowsThatSeeIt()
{
    Case c = sdpaCase(5, 5, 4);
    setMechanism(c, "causal");
    Matrix v = c.problem.v;
    v(3, 1) = notANumber;
    v(4, 2) = infinity;
    c.block = projectedBlock(c.problem.q, c.problem.k, v);
    const auto result = stream(*c.operands());
    QVERIFY(result);
    for (Index row = 0; row < 5; ++row) {
        QCOMPARE(std::isnan(result->output(row, 1)), row >= 3);
        QCOMPARE(std::isinf(result->output(row, 2)), row >= 4);
        QVERIFY(std::isfinite(result->output(row, 0)));
        QVERIFY(std::isfinite(result->logSumExp(row)));
    }
}

void TestStreamOddNumbers::scoresBeyondFloatAreComputedExactly()
{
    // 1e30 · 1e30 is no float; the difference of the scores still decides.
    Case c = sdpaCase(2, 2, 1);
    c.spec.score = ScoreFunction::Dot;
    c.block = projectedBlock(Matrix::Constant(2, 1, 1e30), Matrix{ { 1e30 }, { 2e30 } }, Matrix{ { 1.0 }, { 5.0 } });
    const auto result = stream(*c.operands());
    QVERIFY(result);
    QCOMPARE(result->overview(0, 0), 0.0F);
    QCOMPARE(result->overview(0, 1), 1.0F);
    QCOMPARE(result->output(1, 0), 5.0F);
    QCOMPARE(result->largest(1), 1.0F);
}

void TestStreamOddNumbers::hugeNegativeBiasIsAMask()
{
    // All equally hidden is not hidden: the scores differ by less than 1e300 can show, so the weights are equal.
    Case c = sdpaCase(1, 4, 3);
    c.spec.bias = SharedMatrix(Matrix(Matrix::Constant(1, 4, -1e300)));
    const auto equal = stream(*c.operands());
    QVERIFY(equal);
    QCOMPARE(equal->overview(0, 2), 0.25F);
    Matrix bias = Matrix::Zero(1, 4);
    bias(0, 2) = -1e300;
    c.spec.bias = SharedMatrix(bias);
    const auto hidden = stream(*c.operands());
    QVERIFY(hidden);
    QCOMPARE(hidden->overview(0, 2), 0.0F);
    QVERIFY(hidden->overview(0, 1) > 0.0F);
}

QTEST_APPLESS_MAIN(TestStreamOddNumbers)
#include "tst_stream_odd_numbers.moc"
