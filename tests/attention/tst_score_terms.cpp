// SPDX-License-Identifier: GPL-3.0-or-later
// The terms of a row add up to its scores, its numbers are those of explain, and its orders can be checked by hand.
#include "attention/score_terms.h"

#include "support/problems.h"

#include <QtTest>

#include <numeric>

using namespace attenscope;

namespace {

std::vector<double> termsOf(const ScoreTerms &terms, Index key)
{
    std::vector<double> numbers(static_cast<std::size_t>(terms.units()));
    terms.readTerms(key, numbers);
    return numbers;
}

} // namespace

class TestScoreTerms : public QObject {
    Q_OBJECT

private slots:
    void termsAddUpToTheScore_data();
    void termsAddUpToTheScore();
    void productsByHand();
    void tanhUnitsByHand();
    void ordersByHand();
    void maskedKeysComeLastAndDoNotScale();
    void notANumberComesFirst();
    void stopCancels();
};

void TestScoreTerms::termsAddUpToTheScore_data()
{
    QTest::addColumn<QString>("mechanism");
    for (const std::string &name : mechanismNames())
        QTest::addRow("%s", name.c_str()) << QString::fromStdString(name);
}

void TestScoreTerms::termsAddUpToTheScore()
{
    QFETCH(QString, mechanism);
    Case c = sdpaCase(5, 13, 7);
    setMechanism(c, mechanism.toStdString());
    const auto operands = c.operands();
    const Explanation whole = explain(*operands, { 0, 5 }).value();
    const oracle::Problem problem = problemOf(*operands);
    for (Index row = 0; row < 5; ++row) {
        const ScoreTerms terms = scoreTerms(operands, row).value();
        QCOMPARE(terms.keys(), 13);
        for (Index key = 0; key < terms.keys(); ++key) {
            const std::vector<double> numbers = termsOf(terms, key);
            const double sum = std::accumulate(numbers.begin(), numbers.end(), 0.0);
            const double score = operands->spec.score == ScoreFunction::Linear ? std::exp(terms.score(key)) : terms.score(key);
            QVERIFY(std::abs(sum - score) < 1e-12);
            QCOMPARE(terms.score(key), whole.scores(row, key));
            QCOMPARE(terms.weight(key), whole.weights(row, key));
            QCOMPARE(static_cast<bool>(terms.visible[static_cast<std::size_t>(key)]), problem.visible(row, key));
        }
        QVERIFY(terms.stages.scaled == (whole.scaled.rows() > 0 ? Matrix(whole.scaled.row(row)) : Matrix()));
    }
}

void TestScoreTerms::productsByHand()
{
    const AttentionBlock block
        = projectedBlock(Matrix{ { 1.0, -2.0, 0.5 } }, Matrix{ { 3.0, 0.25, -4.0 }, { 0.0, 1.0, 8.0 } }, Matrix{ { -9.0 }, { 1.0 } });
    const ScoreTerms terms = scoreTerms(headOperands(block, {}, {}).value(), 0).value();
    QCOMPARE(termsOf(terms, 0), (std::vector{ 3.0, -0.5, -2.0 }));
    QCOMPARE(termsOf(terms, 1), (std::vector{ 0.0, -2.0, 4.0 }));
    QCOMPARE(terms.score(0), 0.5);
    QCOMPARE(terms.score(1), 2.0);
    // The value −9 of key 0.
    QCOMPARE(terms.largest, 9.0);
    QCOMPARE(terms.values(), 1);
}

void TestScoreTerms::tanhUnitsByHand()
{
    AttentionSpec spec;
    spec.score = ScoreFunction::Additive;
    spec.parameters.wDec = SharedMatrix(Matrix{ { 2.0 }, { 0.0 } });
    spec.parameters.wEnc = SharedMatrix(Matrix{ { 1.0 }, { -1.0 } });
    spec.parameters.v = SharedMatrix(Matrix{ { 3.0 }, { 0.5 } });
    const ScoreTerms terms
        = scoreTerms(headOperands(projectedBlock(Matrix{ { 0.5 } }, Matrix{ { 0.25 } }, {}), spec, {}).value(), 0).value();
    QCOMPARE(terms.query, (Vector{ { 1.0, 0.0 } }));
    const std::vector<double> numbers = termsOf(terms, 0);
    QCOMPARE(numbers[0], 3.0 * std::tanh(1.25));
    QCOMPARE(numbers[1], 0.5 * std::tanh(-0.25));
    QCOMPARE(terms.values(), 0);
}

void TestScoreTerms::ordersByHand()
{
    const Matrix k{ { 1.0, -3.0, 2.0, 3.0 }, { 9.0, 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0, 0.0 }, { 0.0, 9.0, 0.0, 0.0 } };
    const ScoreTerms terms = scoreTerms(headOperands(projectedBlock(Matrix::Ones(1, 4), k, {}), {}, {}).value(), 0).value();
    QCOMPARE(terms.unitsByTerm(0), (std::vector<Index>{ 1, 3, 2, 0 }));
    QCOMPARE(terms.unitsByTerm(1), (std::vector<Index>{ 0, 1, 2, 3 }));
    // Scores 3, 9, 0, 9.
    QCOMPARE(terms.keysByWeight(), (std::vector<Index>{ 1, 3, 0, 2 }));
}

void TestScoreTerms::maskedKeysComeLastAndDoNotScale()
{
    AttentionSpec spec;
    spec.mask.rule = MaskRule::Causal;
    const Matrix k{ { 1.0 }, { 2.0 }, { 100.0 } };
    const auto operands = headOperands(projectedBlock(Matrix::Ones(3, 1), k, {}), spec, {}).value();
    const ScoreTerms terms = scoreTerms(operands, 1).value();
    QCOMPARE(terms.keysByWeight(), (std::vector<Index>{ 1, 0, 2 }));
    QCOMPARE(terms.largest, 2.0);
    QCOMPARE(terms.weight(2), 0.0);
    QCOMPARE(terms.score(2), 100.0);
}

void TestScoreTerms::notANumberComesFirst()
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    const Matrix k{ { 1.0, nan, -infinity, 5.0 } };
    const ScoreTerms terms = scoreTerms(headOperands(projectedBlock(Matrix::Ones(1, 4), k, {}), {}, {}).value(), 0).value();
    QCOMPARE(terms.unitsByTerm(0), (std::vector<Index>{ 1, 2, 3, 0 }));
    QCOMPARE(terms.largest, 5.0);
}

void TestScoreTerms::stopCancels()
{
    std::stop_source source;
    source.request_stop();
    const auto operands = sdpaCase(2, 3, 4).operands();
    const auto terms = scoreTerms(operands, 0, { source.get_token(), {} });
    QVERIFY(!terms && terms.error().isCancelled);
}

QTEST_APPLESS_MAIN(TestScoreTerms)
#include "tst_score_terms.moc"
