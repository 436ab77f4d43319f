// SPDX-License-Identifier: GPL-3.0-or-later
// Linear attention in time that grows with n, against the pass that has all weights.
#include "attention/linear_stream.h"
#include "attention/stream.h"
#include "core/parallel.h"
#include "support/problems.h"
#include "support/same_bits.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace attenscope;

class TestLinearStream : public QObject {
    Q_OBJECT

private slots:
    void cleanup() { setThreadCount(0); }

    void linearAttentionNeedsNoWeights_data();
    void linearAttentionNeedsNoWeights();
};

void TestLinearStream::linearAttentionNeedsNoWeights_data()
{
    QTest::addColumn<int>("queries");
    QTest::addColumn<int>("keys");
    QTest::addColumn<int>("rule");
    QTest::addColumn<bool>("hasOne");
    QTest::addColumn<bool>("isLinearTime");
    QTest::newRow("all keys") << 70 << 97 << static_cast<int>(MaskRule::None) << false << true;
    QTest::newRow("causal, two chunks") << 1100 << 1100 << static_cast<int>(MaskRule::Causal) << false << true;
    QTest::newRow("causal, rows without keys") << 130 << 65 << static_cast<int>(MaskRule::Causal) << false << true;
    QTest::newRow("softmax1") << 65 << 65 << static_cast<int>(MaskRule::Causal) << true << true;
    QTest::newRow("a window is no sum over the first keys") << 65 << 65 << static_cast<int>(MaskRule::SlidingWindow) << false << false;
}

void TestLinearStream::linearAttentionNeedsNoWeights()
{
    QFETCH(int, queries);
    QFETCH(int, keys);
    QFETCH(int, rule);
    QFETCH(bool, hasOne);
    QFETCH(bool, isLinearTime);
    Case c = sdpaCase(queries, keys, 8);
    setMechanism(c, "linear");
    c.spec.mask.rule = static_cast<MaskRule>(rule);
    c.spec.normalization = hasOne ? Normalization::Softmax1 : Normalization::Softmax;
    Matrix v = c.problem.v;
    // Seen by the last rows of the causal masks only.
    v(keys - 1, 1) = std::numeric_limits<double>::quiet_NaN();
    c.block = projectedBlock(c.problem.q, c.problem.k, v);
    const auto operands = c.operands();
    const auto expected = stream(*operands, { true, 0, true });
    const auto result = stream(*operands, { true, 0, false });
    QVERIFY(expected && result);
    QCOMPARE(result->entropy.size(), Index{ 0 });
    QCOMPARE(prefixEnds(*operands, { 0, queries }).has_value(), isLinearTime);
    for (Index row = 0; row < queries; ++row) {
        const double logSumExp = expected->logSumExp(row);
        QVERIFY(result->logSumExp(row) == logSumExp
            || std::abs(result->logSumExp(row) - logSumExp) <= 5e-6 * std::max(1.0, std::abs(logSumExp)));
        for (Index col = 0; col < expected->output.cols(); ++col) {
            const float number = expected->output(row, col);
            QVERIFY(std::isnan(number) ? std::isnan(result->output(row, col)) : std::abs(result->output(row, col) - number) <= 4e-6F);
        }
    }
    setThreadCount(1);
    const auto again = stream(*operands, { true, 0, false });
    QVERIFY(again && sameBits(again->output, result->output));
}

QTEST_APPLESS_MAIN(TestLinearStream)
#include "tst_linear_stream.moc"
