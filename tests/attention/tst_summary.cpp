// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers that sum up a head, against values found by hand.
#include "attention/summary.h"

#include "support/field_checks.h"

#include <cmath>

using namespace attenscope;

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

/// Uniform over the keys up to the query's own; the later ones are masked.
Matrix uniformCausal(Index n)
{
    Matrix weights = Matrix::Constant(n, n, maskedCell);
    for (Index row = 0; row < n; ++row)
        weights.row(row).head(row + 1).setConstant(1.0 / static_cast<double>(row + 1));
    return weights;
}

/// Every query on one key: its own plus @p step, or key 0 where there is none.
Matrix onOneKey(Index n, Index step)
{
    Matrix weights = Matrix::Zero(n, n);
    for (Index row = 0; row < n; ++row)
        weights(row, std::max<Index>(row + step, 0)) = 1.0;
    return weights;
}

bool isNear(double a, double b)
{
    return std::abs(a - b) <= 1e-14 * std::max(1.0, std::abs(b));
}

} // namespace

class TestSummary : public QObject {
    Q_OBJECT

private slots:
    void uniformRowsByHand();
    void uniformCausalByHand();
    void knownHeadsByHand();
    void inductionLooksAfterTheLatestSameToken();
    void queriesOfACacheStandAtTheEnd();
    void oddRowsAreLeftOutAndCounted();
    void withoutPositionsThereIsNothingAboutThem();
    void stopCancels();
};

void TestSummary::uniformRowsByHand()
{
    const auto summary = summarize(*matrixField(Matrix{ { 0.25, 0.25, 0.25, 0.25 }, { 0.5, 0.5, maskedCell, maskedCell } }));
    QVERIFY(summary);
    QVERIFY(isNear(summary->entropy, 1.5 * std::log(2.0)));
    QVERIFY(isNear(summary->effectiveKeys, 3.0));
    QCOMPARE(summary->largest, 0.375);
}

void TestSummary::uniformCausalByHand()
{
    const auto summary = summarize(*matrixField(uniformCausal(10)), QueryPositions{});
    QVERIFY(summary);
    // 1 + 1/2 + ... + 1/10 = 7381/2520.
    constexpr double harmonic = 7381.0 / 2520.0;
    QVERIFY(isNear(summary->first.mean, harmonic / 10.0)); // 0.29
    QVERIFY(isNear(summary->own.mean, harmonic / 10.0)); // 0.29
    QVERIFY(isNear(summary->previous.mean, (harmonic - 1.0) / 9.0)); // 0.21
    QCOMPARE(summary->first.rows, Index{ 10 });
    QCOMPARE(summary->previous.rows, Index{ 9 });
    // Row i looks i/2 back on average.
    QVERIFY(isNear(summary->distance.mean, 2.25));
    QVERIFY(isNear(summary->largest, harmonic / 10.0));
    QVERIFY(isNear(summary->effectiveKeys, 5.5));
    QVERIFY(isNear(summary->entropy, std::log(3628800.0) / 10.0));
    QCOMPARE(summary->induction, RowMean{});
}

void TestSummary::knownHeadsByHand()
{
    const auto previous = summarize(*matrixField(onOneKey(4, -1)), QueryPositions{});
    QVERIFY(previous);
    QCOMPARE(previous->previous, (RowMean{ 1.0, 3 }));
    QCOMPARE(previous->own, (RowMean{ 0.25, 4 })); // row 0 has no other key
    QCOMPARE(previous->first, (RowMean{ 0.5, 4 }));
    QCOMPARE(previous->distance, (RowMean{ 0.75, 4 }));
    QCOMPARE(previous->entropy, 0.0);
    QCOMPARE(previous->effectiveKeys, 1.0);
    const auto own = summarize(*matrixField(onOneKey(4, 0)), QueryPositions{});
    QVERIFY(own);
    QCOMPARE(own->own, (RowMean{ 1.0, 4 }));
    QCOMPARE(own->previous, (RowMean{ 0.0, 3 }));
    QCOMPARE(own->distance, (RowMean{ 0.0, 4 }));
}

void TestSummary::inductionLooksAfterTheLatestSameToken()
{
    const std::vector<std::string> tokens{ "a", "b", "a", "a", "c", "b" };
    QCOMPARE(inductionKeys(tokens), (std::vector<Index>{ -1, -1, 1, 3, -1, 2 }));
    QVERIFY(inductionKeys({}).empty());
    Matrix weights = Matrix::Zero(6, 6);
    weights(2, 1) = 0.5;
    weights(3, 3) = 0.25;
    weights(5, 2) = 1.0;
    weights(4, 1) = 1.0;
    const auto summary = summarize(*matrixField(weights), QueryPositions{ 0, inductionKeys(tokens) });
    QVERIFY(summary);
    QCOMPARE(summary->induction, (RowMean{ 1.75 / 3.0, 3 }));
}

void TestSummary::queriesOfACacheStandAtTheEnd()
{
    // Two queries after two cached tokens: positions 2 and 3.
    const Matrix weights{ { 0.1, 0.2, 0.7, maskedCell }, { 0.1, 0.2, 0.3, 0.4 } };
    const auto summary = summarize(*matrixField(weights), QueryPositions{ 2, { -1, -1, 1, -1 } });
    QVERIFY(summary);
    QVERIFY(isNear(summary->own.mean, 0.55));
    QVERIFY(isNear(summary->previous.mean, 0.25));
    QCOMPARE(summary->previous.rows, Index{ 2 });
    QVERIFY(isNear(summary->distance.mean, (0.4 + 1.0) / 2.0));
    QCOMPARE(summary->induction, (RowMean{ 0.2, 1 }));
}

void TestSummary::oddRowsAreLeftOutAndCounted()
{
    const Matrix weights{ { maskedCell, maskedCell, maskedCell }, { 0.5, notANumber, 0.5 }, { 0.25, 0.25, 0.5 } };
    const auto summary = summarize(*matrixField(weights), QueryPositions{});
    QVERIFY(summary);
    QCOMPARE(summary->rows, Index{ 1 });
    QCOMPARE(summary->nanRows, Index{ 1 });
    QCOMPARE(summary->first, (RowMean{ 0.25, 1 }));
    QCOMPARE(summary->own, (RowMean{ 0.5, 1 }));
}

void TestSummary::withoutPositionsThereIsNothingAboutThem()
{
    const auto summary = summarize(*matrixField(onOneKey(3, 0)));
    QVERIFY(summary);
    for (const RowMean &mean : { summary->distance, summary->previous, summary->first, summary->own, summary->induction })
        QCOMPARE(mean, RowMean{});
    QCOMPARE(summary->rows, Index{ 3 });
}

void TestSummary::stopCancels()
{
    std::stop_source source;
    source.request_stop();
    const auto summary = summarize(*matrixField(onOneKey(3, 0)), QueryPositions{}, Run{ source.get_token(), {} });
    QVERIFY(!summary && summary.error().isCancelled);
}

QTEST_APPLESS_MAIN(TestSummary)
#include "tst_summary.moc"
