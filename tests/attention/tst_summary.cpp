// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers that sum up a head, against values found by hand.
#include "attention/summary.h"

#include "support/field_checks.h"

#include <array>
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

Sequence positions(Index first = 0, std::vector<Index> inductionKeys = {})
{
    return { first, std::move(inductionKeys), {}, false };
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
    void rowsThatAreNoDistributionAreLeftOutAndCounted();
    void withoutPositionsThereIsNothingAboutThem();
    void uniformStandsBesideEachMean();
    void normalizedEntropyLeavesOutRowsThatSeeOneKey();
    void nextCountsWhereItIsVisible();
    void separatorsAreAddedUp();
    void separatorTokens_data();
    void separatorTokens();
    void zerosAfterEveryQueryCountAsHidden();
    void sequencesKnowTheirPositions();
    void partsAddUpToTheWhole();
    void stopCancels();
};

void TestSummary::uniformRowsByHand()
{
    const auto summary = summarize(*matrixField(Matrix{ { 0.25, 0.25, 0.25, 0.25 }, { 0.5, 0.5, maskedCell, maskedCell } }));
    QVERIFY(summary);
    QVERIFY(isNear(summary->entropy.mean, 1.5 * std::log(2.0)));
    QVERIFY(isNear(summary->effectiveKeys.mean, 3.0));
    QCOMPARE(summary->largest.mean, 0.375);
}

void TestSummary::uniformCausalByHand()
{
    const auto summary = summarize(*matrixField(uniformCausal(10)), positions());
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
    QVERIFY(isNear(summary->largest.mean, harmonic / 10.0));
    QVERIFY(isNear(summary->effectiveKeys.mean, 5.5));
    QVERIFY(isNear(summary->entropy.mean, std::log(3628800.0) / 10.0));
    QCOMPARE(summary->induction, RowMean{});
    // Even weights are what they are compared with.
    for (const RowMean &mean : { summary->entropy, summary->normalizedEntropy, summary->effectiveKeys, summary->largest, summary->distance,
             summary->previous, summary->first, summary->own })
        QVERIFY(isNear(mean.mean, mean.uniform));
}

void TestSummary::uniformStandsBesideEachMean()
{
    // All on the own token of 10, causal: uniform has first and own 0.29, previous 0.21, and one token in two on average would be 2.25 away.
    Matrix weights = onOneKey(10, 0);
    for (Index row = 0; row < 10; ++row)
        weights.row(row).tail(9 - row).setConstant(maskedCell);
    const auto summary = summarize(*matrixField(weights), positions(0, { -1, -1, -1, 2, -1, -1, -1, -1, -1, -1 }));
    QVERIFY(summary);
    constexpr double harmonic = 7381.0 / 2520.0;
    QCOMPARE(summary->own.mean, 1.0);
    QVERIFY(isNear(summary->own.uniform, harmonic / 10.0));
    QCOMPARE(summary->first.mean, 0.1);
    QVERIFY(isNear(summary->first.uniform, harmonic / 10.0));
    QCOMPARE(summary->previous.mean, 0.0);
    QVERIFY(isNear(summary->previous.uniform, (harmonic - 1.0) / 9.0));
    QVERIFY(isNear(summary->distance.uniform, 2.25));
    QVERIFY(isNear(summary->largest.uniform, harmonic / 10.0));
    QVERIFY(isNear(summary->effectiveKeys.uniform, 5.5));
    QVERIFY(isNear(summary->entropy.uniform, std::log(3628800.0) / 10.0));
    QCOMPARE(summary->induction, (RowMean{ 0.0, 1, 0.25 }));
}

void TestSummary::normalizedEntropyLeavesOutRowsThatSeeOneKey()
{
    const Matrix weights{ { 1.0, maskedCell, maskedCell, maskedCell }, { 0.5, 0.5, maskedCell, maskedCell }, { 0.5, 0.5, 0.0, 0.0 } };
    const auto summary = summarize(*matrixField(weights));
    QVERIFY(summary);
    QCOMPARE(summary->normalizedEntropy.rows, Index{ 2 });
    QVERIFY(isNear(summary->normalizedEntropy.mean, 0.75));
    QCOMPARE(summary->normalizedEntropy.uniform, 1.0);
    QCOMPARE(summary->entropy.rows, Index{ 3 });
    // e to each entropy, not e to their mean.
    QVERIFY(isNear(summary->effectiveKeys.mean, 5.0 / 3.0));
}

void TestSummary::nextCountsWhereItIsVisible()
{
    const Matrix weights{ { 0.25, 0.75, 0.0 }, { 0.5, 0.5, maskedCell }, { 0.0, 0.5, 0.5 } };
    const auto summary = summarize(*matrixField(weights), positions());
    QVERIFY(summary);
    QCOMPARE(summary->next, (RowMean{ 0.75, 1, 1.0 / 3.0 }));
    QCOMPARE(summarize(*matrixField(uniformCausal(5)), positions()).value().next, RowMean{});
}

void TestSummary::separatorsAreAddedUp()
{
    const Matrix weights{ { 0.25, 0.5, 0.25, 0.0 }, { 0.5, 0.125, maskedCell, 0.375 } };
    const auto summary = summarize(*matrixField(weights), { {}, {}, { false, true, true, false }, false });
    QVERIFY(summary);
    QCOMPARE(summary->separator.rows, Index{ 2 });
    QVERIFY(isNear(summary->separator.mean, (0.75 + 0.125) / 2.0));
    QVERIFY(isNear(summary->separator.uniform, (0.5 + 1.0 / 3.0) / 2.0));
    // Nothing else is known of cross-attention.
    QCOMPARE(summary->first, RowMean{});
    QCOMPARE(summarize(*matrixField(weights)).value().separator, RowMean{});
}

void TestSummary::separatorTokens_data()
{
    QTest::addColumn<QString>("token");
    QTest::addColumn<bool>("counts");
    for (const char *token : { "[SEP]", "</s>", "<|endoftext|>", ".", ",", "Ġ.", "▁,", "·.", " ," })
        QTest::newRow(token) << QString::fromUtf8(token) << true;
    for (const char *token : { "", "Ġ", "▁", "<s>", "[CLS]", "...", ";", "the", "1.5" })
        QTest::addRow("not %s", token) << QString::fromUtf8(token) << false;
}

void TestSummary::separatorTokens()
{
    QFETCH(QString, token);
    QTEST(isSeparator(token.toStdString()), "counts");
}

void TestSummary::zerosAfterEveryQueryCountAsHidden()
{
    Matrix weights = uniformCausal(10).unaryExpr([](double cell) { return std::isnan(cell) ? 0.0 : cell; });
    Sequence sequence = positions();
    sequence.mayBeCausal = true;
    const auto causal = summarize(*matrixField(weights), sequence);
    QVERIFY(causal);
    QVERIFY(isNear(causal->first.uniform, 0.1 * 7381.0 / 2520.0));
    QVERIFY(isNear(causal->normalizedEntropy.mean, 1.0));
    QCOMPARE(causal->normalizedEntropy.rows, Index{ 9 });
    QCOMPARE(causal->next.rows, Index{ 0 });
    // One weight to the right, and every key is visible; the same without leave to guess.
    weights(3, 7) = 0.1;
    QCOMPARE(summarize(*matrixField(weights), sequence).value().first.uniform, 0.1);
    weights(3, 7) = 0.0;
    QCOMPARE(summarize(*matrixField(weights), positions()).value().first.uniform, 0.1);
}

void TestSummary::sequencesKnowTheirPositions()
{
    AttentionBlock block;
    block.queries = block.keys = 4;
    block.queryTokens = block.keyTokens = { "a", "b", "a", "." };
    block.data = RecordedData{};
    const Sequence self = sequenceOf(block, {});
    QCOMPARE(self.firstPosition, std::optional<Index>(0));
    QCOMPARE(self.inductionKeys, (std::vector<Index>{ -1, -1, 1, -1 }));
    QCOMPARE(self.separators, (std::vector{ false, false, false, true }));
    QVERIFY(self.mayBeCausal);
    AttentionSpec causal;
    causal.mask.rule = MaskRule::Causal;
    QVERIFY(!sequenceOf(block, causal).mayBeCausal);
    // A query of a cached decode stands at its index + keys - queries.
    block.queries = 1;
    block.queryTokens = { "." };
    QCOMPARE(sequenceOf(block, {}).firstPosition, std::optional<Index>(3));
    block.role = BlockRole::Cross;
    QVERIFY(!sequenceOf(block, {}).firstPosition);
    QCOMPARE(sequenceOf(block, {}).separators.size(), 4U);
    block.role = BlockRole::Plain;
    block.queries = 5;
    QVERIFY(!sequenceOf(block, {}).firstPosition);
    block.queries = 4;
    block.queryTokens = { "w", "x", "y", "z" };
    QVERIFY(!sequenceOf(block, {}).firstPosition);
    // Positions without names are not all the same token.
    block.queryTokens = block.keyTokens = { "", "", "", "" };
    QCOMPARE(sequenceOf(block, {}).inductionKeys, (std::vector<Index>{ -1, -1, -1, -1 }));
}

void TestSummary::partsAddUpToTheWhole()
{
    // More rows than one task has.
    const Matrix weights = uniformCausal(50);
    const Sequence sequence = positions();
    HeadSums sums(sequence);
    for (Index row = 0; row < 50; ++row)
        sums.addRow(row, { weights.row(row).data(), 50 });
    const HeadSummary one = sums.means();
    const auto parts = summarize(*matrixField(weights), sequence);
    QVERIFY(parts);
    QCOMPARE(parts->rows, one.rows);
    QVERIFY(isNear(parts->distance.mean, one.distance.mean));
    QVERIFY(isNear(parts->entropy.uniform, one.entropy.uniform));
}

void TestSummary::knownHeadsByHand()
{
    const auto previous = summarize(*matrixField(onOneKey(4, -1)), positions());
    QVERIFY(previous);
    QCOMPARE(previous->previous, (RowMean{ 1.0, 3, 0.25 }));
    QCOMPARE(previous->own, (RowMean{ 0.25, 4, 0.25 })); // row 0 has no other key
    QCOMPARE(previous->first, (RowMean{ 0.5, 4, 0.25 }));
    QCOMPARE(previous->distance, (RowMean{ 0.75, 4, 1.25 }));
    QCOMPARE(previous->entropy.mean, 0.0);
    QCOMPARE(previous->effectiveKeys.mean, 1.0);
    const auto own = summarize(*matrixField(onOneKey(4, 0)), positions());
    QVERIFY(own);
    QCOMPARE(own->own, (RowMean{ 1.0, 4, 0.25 }));
    QCOMPARE(own->previous, (RowMean{ 0.0, 3, 0.25 }));
    QCOMPARE(own->distance, (RowMean{ 0.0, 4, 1.25 }));
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
    const auto summary = summarize(*matrixField(weights), positions(0, inductionKeys(tokens)));
    QVERIFY(summary);
    QCOMPARE(summary->induction, (RowMean{ 1.75 / 3.0, 3, 1.0 / 6.0 }));
}

void TestSummary::queriesOfACacheStandAtTheEnd()
{
    // Two queries after two cached tokens: positions 2 and 3.
    const Matrix weights{ { 0.1, 0.2, 0.7, maskedCell }, { 0.1, 0.2, 0.3, 0.4 } };
    const auto summary = summarize(*matrixField(weights), positions(2, { -1, -1, 1, -1 }));
    QVERIFY(summary);
    QVERIFY(isNear(summary->own.mean, 0.55));
    QVERIFY(isNear(summary->previous.mean, 0.25));
    QCOMPARE(summary->previous.rows, Index{ 2 });
    QVERIFY(isNear(summary->distance.mean, (0.4 + 1.0) / 2.0));
    QCOMPARE(summary->induction, (RowMean{ 0.2, 1, 1.0 / 3.0 }));
}

void TestSummary::oddRowsAreLeftOutAndCounted()
{
    const Matrix weights{ { maskedCell, maskedCell, maskedCell }, { 0.5, notANumber, 0.5 }, { 0.25, 0.25, 0.5 } };
    const auto summary = summarize(*matrixField(weights), positions());
    QVERIFY(summary);
    QCOMPARE(summary->rows, Index{ 1 });
    QCOMPARE(summary->nanRows, Index{ 1 });
    QCOMPARE(summary->first, (RowMean{ 0.25, 1, 1.0 / 3.0 }));
    QCOMPARE(summary->own, (RowMean{ 0.5, 1, 1.0 / 3.0 }));
}

void TestSummary::rowsThatAreNoDistributionAreLeftOutAndCounted()
{
    const double infinity = std::numeric_limits<double>::infinity();
    const Matrix weights{ { 0.0, 7.0, 0.0 }, { -0.5, 0.75, 0.75 }, { infinity, 0.0, 0.0 }, { infinity, -infinity, 0.0 },
        { maskedCell, 0.5, 0.6 }, { 0.5, notANumber, 7.0 }, { maskedCell, maskedCell, maskedCell }, { 0.25, 0.25, 0.5 },
        { 0.25, 0.25, 0.0 } };
    const auto summary = summarize(*matrixField(weights), positions());
    QVERIFY(summary);
    QCOMPARE(summary->rows, Index{ 2 });
    QCOMPARE(summary->nanRows, Index{ 1 });
    QCOMPARE(summary->otherRows, Index{ 5 });
    // 1.5 ln 2 of the row that sums to 1, ln 2 of the one that is left of softmax1.
    QVERIFY(isNear(summary->entropy.mean, 1.25 * std::log(2.0)));
    QCOMPARE(summary->largest, (RowMean{ 0.375, 2, 1.0 / 3.0 }));
    QCOMPARE(summary->first, (RowMean{ 0.25, 2, 1.0 / 3.0 }));
    QCOMPARE(summary->distance.rows, Index{ 2 });

    const std::array kinds{ RowKind::NoDistribution, RowKind::NoDistribution, RowKind::NoDistribution, RowKind::NoDistribution,
        RowKind::NoDistribution, RowKind::Nan, RowKind::Hidden, RowKind::Distribution, RowKind::Distribution };
    for (Index row = 0; row < weights.rows(); ++row) {
        const std::span<const double> cells(weights.row(row).data(), 3);
        const RowKind kind = kinds[static_cast<std::size_t>(row)];
        QCOMPARE(rowKind(cells), kind);
        QCOMPARE(std::isnan(rowEntropy(cells)), kind == RowKind::NoDistribution || kind == RowKind::Nan);
    }
    QVERIFY(isNear(rowEntropy({ weights.row(7).data(), 3 }), 1.5 * std::log(2.0)));
    // What 16 bits round to: the weights of a model may add up to a little more than 1.
    QCOMPARE(rowKind(std::array{ 1.0, 0.0039 }), RowKind::Distribution);
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
    const auto summary = summarize(*matrixField(onOneKey(3, 0)), positions(), Run{ source.get_token(), {} });
    QVERIFY(!summary && summary.error().isCancelled);
}

QTEST_APPLESS_MAIN(TestSummary)
#include "tst_summary.moc"
