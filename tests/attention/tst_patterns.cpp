// SPDX-License-Identifier: GPL-3.0-or-later
// Names of patterns, on maps made to have them and at the bounds of the rules.
#include "attention/patterns.h"

#include "support/field_checks.h"

using namespace attenscope;

namespace {

/// n queries under a causal mask: @p share of the weight on the key that @p keyOf says, the rest even over the visible keys.
template <typename KeyOf>
FoundPattern found(Index n, double share, KeyOf keyOf, const std::vector<std::string> &tokens = {}, const PatternRules &rules = {})
{
    Matrix weights = Matrix::Constant(n, n, maskedCell);
    for (Index row = 0; row < n; ++row) {
        weights.row(row).head(row + 1).setConstant((1.0 - share) / static_cast<double>(row + 1));
        weights(row, std::clamp<Index>(keyOf(row), 0, row)) += share;
    }
    Sequence sequence;
    sequence.firstPosition = 0;
    sequence.inductionKeys = inductionKeys(tokens);
    for (const std::string &token : tokens)
        sequence.separators.push_back(isSeparator(token));
    return findPattern(summarize(*matrixField(weights), sequence).value(), rules);
}

HeadSummary withMean(RowMean HeadSummary::*mean, const RowMean &value)
{
    HeadSummary summary;
    summary.isComplete = true;
    summary.*mean = value;
    return summary;
}

} // namespace

Q_DECLARE_METATYPE(attenscope::Pattern)

class TestPatterns : public QObject {
    Q_OBJECT

private slots:
    void constructedHeadsHaveTheirNames()
    {
        QCOMPARE(found(10, 0.9, [](Index row) { return row - 1; }).pattern, Pattern::Previous);
        QCOMPARE(found(10, 0.9, [](Index row) { return row; }).pattern, Pattern::Own);
        QCOMPARE(found(10, 0.9, [](Index) { return 0; }).pattern, Pattern::First);
        QCOMPARE(found(10, 0.0, [](Index) { return 0; }).pattern, Pattern::Uniform);
        QCOMPARE(found(10, 0.35, [](Index) { return 0; }).pattern, Pattern::Broad);
        // Two back: near, but neither the own nor the previous token.
        QCOMPARE(found(20, 0.9, [](Index row) { return row - 2; }).pattern, Pattern::Local);
        // The middle of what is visible.
        QCOMPARE(found(20, 0.9, [](Index row) { return row / 3; }).pattern, Pattern::Mixed);
    }

    void inductionNeedsRepeatedTokens()
    {
        const std::vector<std::string> tokens{ "a", "b", "c", "d", "e", "a", "b", "c", "d", "e" };
        const auto induction = [](Index row) { return row >= 5 ? row - 4 : 0; };
        QCOMPARE(found(10, 0.9, induction, tokens).pattern, Pattern::Induction);
        QVERIFY(found(10, 0.9, induction).pattern != Pattern::Induction);
    }

    void separatorsNeedTheirTokens()
    {
        const std::vector<std::string> tokens{ "a", "b", ".", "d", "e", "f", "g", "h", "i", "j" };
        const auto stop = [](Index) { return 2; };
        QCOMPARE(found(10, 0.9, stop, tokens).pattern, Pattern::Separator);
        QVERIFY(found(10, 0.9, stop).pattern != Pattern::Separator);
    }

    void nextTokenNeedsAnOpenMask()
    {
        Matrix weights = Matrix::Constant(6, 6, 0.02);
        for (Index row = 0; row < 6; ++row)
            weights(row, std::min<Index>(row + 1, 5)) = 0.9;
        Sequence sequence;
        sequence.firstPosition = 0;
        QCOMPARE(findPattern(summarize(*matrixField(weights), sequence).value()).pattern, Pattern::Next);
        // Cross-attention has no positions.
        QCOMPARE(findPattern(summarize(*matrixField(weights)).value()).pattern, Pattern::Mixed);
    }

    void boundsAreInclusive_data()
    {
        QTest::addColumn<double>("mean");
        QTest::addColumn<double>("uniform");
        QTest::addColumn<int>("rows");
        QTest::addColumn<bool>("isNamed");
        QTest::newRow("at all bounds") << 0.5 << 0.25 << 4 << true;
        QTest::newRow("too little weight") << 0.49 << 0.1 << 9 << false;
        QTest::newRow("less than twice uniform") << 0.6 << 0.31 << 9 << false;
        QTest::newRow("three rows") << 0.9 << 0.1 << 3 << false;
    }

    void boundsAreInclusive()
    {
        QFETCH(double, mean);
        QFETCH(double, uniform);
        QFETCH(int, rows);
        QFETCH(bool, isNamed);
        for (const auto &[pattern, member] :
            { std::pair{ Pattern::Previous, &HeadSummary::previous }, { Pattern::First, &HeadSummary::first },
                { Pattern::Own, &HeadSummary::own }, { Pattern::Induction, &HeadSummary::induction }, { Pattern::Next, &HeadSummary::next },
                { Pattern::Separator, &HeadSummary::separator } })
            QCOMPARE(findPattern(withMean(member, { mean, rows, uniform })).pattern, isNamed ? pattern : Pattern::Mixed);
    }

    void evenRowsAreUniformFromTheBoundOn()
    {
        QCOMPARE(findPattern(withMean(&HeadSummary::normalizedEntropy, { 0.95, 3, 1.0 })).pattern, Pattern::Uniform);
        QCOMPARE(findPattern(withMean(&HeadSummary::normalizedEntropy, { 0.94, 3, 1.0 })).pattern, Pattern::Broad);
        QCOMPARE(findPattern(withMean(&HeadSummary::normalizedEntropy, { 0.74, 3, 1.0 })).pattern, Pattern::Mixed);
    }

    void hardlyAnyWeightHasNoName()
    {
        // A part of a long input: four queries whose weight lies outside but for a hundredth of it, which goes to the query's own key.
        Matrix weights = 0.01 * Matrix::Identity(4, 4);
        Sequence sequence;
        sequence.firstPosition = 0;
        const auto found = [&] { return findPattern(summarize(*matrixField(weights), sequence).value()); };
        QVERIFY(!found().pattern);
        QCOMPARE(found().rule, std::string("weight of a row 0.01 < 0.5: too little for a name"));
        // Recorded rows of zeros.
        weights.setZero();
        QVERIFY(!found().pattern);
        // From half of the weight on there is one.
        weights = 0.5 * Matrix::Identity(4, 4);
        QCOMPARE(found().pattern, Pattern::Own);
    }

    void localIsLocalAmongWhatIsThere()
    {
        // Even weights of 12 open keys are 143 / 36 = 3.97 keys away on average. Rows that look 3 keys away are not local, with all of their weight or
        // with 0.6 of it, though their distance is then 1.8, less than half of 3.97.
        Matrix weights = Matrix::Zero(12, 12);
        for (Index row = 0; row < 12; ++row)
            weights(row, row < 6 ? row + 3 : row - 3) = 1.0;
        Sequence sequence;
        sequence.firstPosition = 0;
        for (const double part : { 1.0, 0.6 })
            QCOMPARE(findPattern(summarize(*matrixField(Matrix(part * weights)), sequence).value()).pattern, Pattern::Mixed);
    }

    void theFirstRuleOfTheOrderWins()
    {
        HeadSummary summary;
        summary.first = { 0.7, 9, 0.3 };
        summary.previous = { 0.6, 8, 0.2 };
        QCOMPARE(findPattern(summary).pattern, Pattern::Previous);
        summary.previous = {};
        summary.induction = { 0.6, 5, 0.1 };
        QCOMPARE(findPattern(summary).pattern, Pattern::Induction);
    }

    void otherBoundsGiveOtherNames()
    {
        PatternRules rules;
        rules.share = 0.95;
        const auto own = [](Index row) { return row; };
        QCOMPARE(found(10, 0.9, own, {}, rules).pattern, Pattern::Local);
        rules.local = 0.11;
        QCOMPARE(found(10, 0.9, own, {}, rules).pattern, Pattern::Local);
        rules.local = 0.05;
        QCOMPARE(found(10, 0.9, own, {}, rules).pattern, Pattern::Mixed);
    }

    void rulesSayTheirNumbers()
    {
        QCOMPARE(findPattern(withMean(&HeadSummary::previous, { 0.8312, 9, 0.2143 })).rule,
            std::string("previous 0.83 ≥ 0.5 and ≥ 2 × 0.21 of uniform, 9 rows"));
        QCOMPARE(findPattern(withMean(&HeadSummary::distance, { 1.0, 9, 4.0 })).rule,
            std::string("distance 1.00 ≤ 0.5 × 4.00 of uniform, 9 rows"));
        QCOMPARE(findPattern(withMean(&HeadSummary::normalizedEntropy, { 0.97, 9, 1.0 })).rule, std::string("H/ln 0.97 ≥ 0.95"));
        QCOMPARE(findPattern({}).rule, std::string("no rule reaches its bound"));
    }
};

QTEST_APPLESS_MAIN(TestPatterns)
#include "tst_patterns.moc"
