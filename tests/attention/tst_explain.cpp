// SPDX-License-Identifier: GPL-3.0-or-later
// explain: the worked example by hand, every mechanism against the textbook, and one row like the whole.
#include "attention/explain.h"

#include "attention/cell.h"
#include "support/problems.h"

#include <QTest>

#include <cstring>

using namespace attenscope;

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

bool sameBits(double a, double b)
{
    return std::memcmp(&a, &b, sizeof(double)) == 0;
}

} // namespace

class TestExplain : public QObject {
    Q_OBJECT

private slots:
    void workedExampleByHand();
    void agreesWithTextbook_data();
    void agreesWithTextbook();
    void oneRowIsBitForBitTheWhole_data() { addMechanisms(); }
    void oneRowIsBitForBitTheWhole();
    void stagesWithoutAStepAreEmpty();
    void rowsThatSeeNothingAreZero();
    void hiddenNanDoesNotLeak();
    void visibleNanMakesItsRowNan();
    void equalHugeScoresShareTheWeight();
    void softmaxOneLetsARowSumToLess();
    void flashEndsAtTheExactResult_data() { addMechanisms(); }
    void flashEndsAtTheExactResult();
    void flashSkipsHiddenTiles();
    void linearStateGivesTheOutput();
    void softmaxOfExtremes();
    void cacheSizeByHand();
    void stopCancels();
    void tooLargeIsRefusedInWords();

private:
    static void addMechanisms();
};

void TestExplain::addMechanisms()
{
    QTest::addColumn<QString>("mechanism");
    for (const std::string &mechanism : mechanismNames())
        QTest::newRow(mechanism.c_str()) << QString::fromStdString(mechanism);
}

void TestExplain::workedExampleByHand()
{
    const Matrix q{ { 1, 0, 1, 0 }, { 0, 1, 0, 1 }, { 1, 1, 0, 0 } };
    const Matrix v{ { 1, 2 }, { 3, 4 }, { 5, 6 } };
    const auto operands = headOperands(projectedBlock(q, q, v), {}, {});
    QVERIFY(operands);
    const auto stages = explain(**operands, { 0, 3 });
    QVERIFY(stages);
    QCOMPARE(stages->scores, (Matrix{ { 2, 0, 1 }, { 0, 2, 1 }, { 1, 1, 2 } }));
    QCOMPARE(stages->scaled, (Matrix{ { 1, 0, 0.5 }, { 0, 1, 0.5 }, { 0.5, 0.5, 1 } }));
    const double sum = std::exp(1.0) + 1.0 + std::exp(0.5);
    QVERIFY(std::abs(stages->weights(0, 0) - std::exp(1.0) / sum) < 1e-15);
    const std::vector<double> rounded{ 0.5065, 0.1863, 0.3072 };
    for (Index key = 0; key < 3; ++key)
        QVERIFY(std::abs(stages->weights(0, key) - rounded[static_cast<std::size_t>(key)]) < 5e-5);
    QVERIFY(std::abs(stages->output(0, 0) - 2.6014) < 5e-5);
    QVERIFY(std::abs(stages->output(0, 1) - 3.6014) < 5e-5);
    QCOMPARE(stages->rowMax(0), 1.0);
    QVERIFY(std::abs(stages->logSumExp(0) - std::log(sum)) < 1e-15);
}

void TestExplain::agreesWithTextbook_data()
{
    QTest::addColumn<int>("queries");
    QTest::addColumn<int>("keys");
    QTest::addColumn<int>("d");
    QTest::addColumn<QString>("mechanism");
    for (const std::string &mechanism : mechanismNames())
        for (const auto &[queries, keys, d] : { std::tuple{ 1, 1, 1 }, { 2, 3, 4 }, { 63, 65, 3 }, { 65, 63, 8 }, { 1, 97, 59 } })
            QTest::addRow("%s, %d x %d, d %d", mechanism.c_str(), queries, keys, d)
                << queries << keys << d << QString::fromStdString(mechanism);
}

void TestExplain::agreesWithTextbook()
{
    QFETCH(int, queries);
    QFETCH(int, keys);
    QFETCH(int, d);
    QFETCH(QString, mechanism);
    Case c = sdpaCase(queries, keys, d);
    setMechanism(c, mechanism.toStdString());
    const auto stages = explain(*c.operands(), { 0, queries });
    QVERIFY(stages);
    const oracle::Answer exact = oracle::solve<double>(c.problem);
    const double bound = 1e-13 * std::max(1.0, oracle::largestMagnitude(exact.scores)) * d;
    QVERIFY(oracle::largestError(stages->weights, exact.weights) <= bound);
    QVERIFY(oracle::largestError(stages->output, exact.output) <= 10 * bound);
    QVERIFY(oracle::largestError(stages->logSumExp, exact.logSumExp) <= bound);
    QVERIFY(oracle::largestError(stages->entropy, exact.entropy) <= 100 * bound);
    for (Index row = 0; row < queries; ++row)
        for (Index key = 0; key < keys; ++key)
            QVERIFY(c.problem.visible(row, key) ? std::abs(stages->masked(row, key) - exact.scores(row, key)) <= bound
                                                : stages->masked(row, key) == -infinity);
}

void TestExplain::oneRowIsBitForBitTheWhole()
{
    QFETCH(QString, mechanism);
    Case c = sdpaCase(20, 37, 6);
    setMechanism(c, mechanism.toStdString());
    const auto operands = c.operands();
    const auto stages = explain(*operands, { 3, 20 });
    QVERIFY(stages);
    const std::vector<std::pair<Stage, const Matrix *>> matrices{ { Stage::Scores, &stages->scores }, { Stage::Scaled, &stages->scaled },
        { Stage::Capped, &stages->capped }, { Stage::Biased, &stages->biased }, { Stage::Tempered, &stages->tempered },
        { Stage::Masked, &stages->masked }, { Stage::Weights, &stages->weights }, { Stage::Output, &stages->output } };
    for (const auto &[stage, matrix] : matrices) {
        for (Index row = 0; row < matrix->rows(); ++row) {
            const Index first = matrix->cols() / 3;
            std::vector<double> cells(static_cast<std::size_t>(matrix->cols() - first));
            explainRow(*operands, stage, 3 + row, first, cells);
            for (std::size_t place = 0; place < cells.size(); ++place) {
                const Index col = first + static_cast<Index>(place);
                const bool isMasked = stage >= Stage::Masked && stage != Stage::Output && !c.problem.visible(3 + row, col);
                if (isMasked)
                    QCOMPARE(cell::kind(cells[place]), cell::Kind::Masked);
                else
                    QVERIFY(sameBits(cells[place], (*matrix)(row, col)));
            }
        }
    }
}

void TestExplain::stagesWithoutAStepAreEmpty()
{
    Case c = sdpaCase(3, 4, 2);
    c.spec.score = ScoreFunction::Dot;
    const auto plain = explain(*c.operands(), { 0, 3 });
    QVERIFY(plain);
    for (const Matrix *matrix : { &plain->scaled, &plain->capped, &plain->biased, &plain->tempered })
        QCOMPARE(matrix->size(), Index{ 0 });
    setMechanism(c, "everything");
    c.spec.scale = 1.0;
    const auto full = explain(*c.operands(), { 0, 3 });
    QVERIFY(full);
    for (const Matrix *matrix : { &full->scaled, &full->capped, &full->biased, &full->tempered })
        QCOMPARE(matrix->size(), Index{ 12 });
}

void TestExplain::rowsThatSeeNothingAreZero()
{
    Case c = sdpaCase(6, 4, 4);
    setMechanism(c, "causal");
    const auto stages = explain(*c.operands(), { 0, 6 });
    QVERIFY(stages);
    for (Index row = 0; row < 2; ++row) {
        QVERIFY(stages->weights.row(row).isZero(0.0));
        QVERIFY(stages->output.row(row).isZero(0.0));
        QCOMPARE(stages->logSumExp(row), -infinity);
        QCOMPARE(stages->rowMax(row), -infinity);
        QCOMPARE(stages->entropy(row), 0.0);
    }
    QCOMPARE(stages->weights(2, 0), 1.0);
}

void TestExplain::hiddenNanDoesNotLeak()
{
    Case c = sdpaCase(4, 6, 3);
    c.spec.mask.paddedKeys = 2;
    const auto expected = explain(*c.operands(), { 0, 4 });
    Matrix k = c.problem.k;
    Matrix v = c.problem.v;
    k.bottomRows(2).setConstant(notANumber);
    v.bottomRows(2).setConstant(infinity);
    c.block = projectedBlock(c.problem.q, k, v);
    const auto stages = explain(*c.operands(), { 0, 4 });
    QVERIFY(expected && stages);
    QCOMPARE(stages->weights, expected->weights);
    QCOMPARE(stages->output, expected->output);
    QVERIFY(std::isnan(stages->scores(0, 5)));
}

void TestExplain::visibleNanMakesItsRowNan()
{
    Case c = sdpaCase(3, 3, 2);
    setMechanism(c, "causal");
    Matrix q = c.problem.q;
    q(1, 0) = notANumber;
    c.block = projectedBlock(q, c.problem.k, c.problem.v);
    Matrix bias = Matrix::Zero(3, 3);
    bias(2, 0) = infinity;
    c.spec.bias = SharedMatrix(bias);
    const auto stages = explain(*c.operands(), { 0, 3 });
    QVERIFY(stages);
    QCOMPARE(stages->weights(0, 0), 1.0);
    for (Index row = 1; row < 3; ++row) {
        QVERIFY(std::isnan(stages->weights(row, 0)) && std::isnan(stages->weights(row, 1)));
        QVERIFY(std::isnan(stages->output(row, 0)));
        QVERIFY(std::isnan(stages->logSumExp(row)));
    }
    QCOMPARE(stages->weights(1, 2), 0.0);
}

void TestExplain::equalHugeScoresShareTheWeight()
{
    Case c = sdpaCase(1, 2, 1);
    c.block = projectedBlock(Matrix::Constant(1, 1, 1e150), Matrix::Constant(2, 1, 1e150), Matrix());
    const auto stages = explain(*c.operands(), { 0, 1 });
    QVERIFY(stages);
    QCOMPARE(stages->weights, (Matrix{ { 0.5, 0.5 } }));
    QCOMPARE(stages->output.size(), Index{ 0 });
}

void TestExplain::softmaxOneLetsARowSumToLess()
{
    Case c = sdpaCase(1, 2, 1);
    c.block = projectedBlock(Matrix::Zero(1, 1), Matrix::Zero(2, 1), Matrix());
    c.spec.normalization = Normalization::Softmax1;
    const auto stages = explain(*c.operands(), { 0, 1 });
    QVERIFY(stages);
    QVERIFY(oracle::largestError(stages->weights, Matrix{ { 1.0 / 3.0, 1.0 / 3.0 } }) < 1e-16);
    QCOMPARE(stages->rowSum(0), 3.0);
    // Far below 0 the one is all there is, and exp(1000) must not appear on the way.
    c.block = projectedBlock(Matrix::Constant(1, 1, -1000), Matrix::Ones(2, 1), Matrix());
    const auto low = explain(*c.operands(), { 0, 1 });
    QVERIFY(low);
    QCOMPARE(low->weights, (Matrix{ { 0.0, 0.0 } }));
    QCOMPARE(low->logSumExp(0), 0.0);
}

void TestExplain::flashEndsAtTheExactResult()
{
    QFETCH(QString, mechanism);
    Case c = sdpaCase(11, 17, 4);
    setMechanism(c, mechanism.toStdString());
    c.spec.algorithm = Algorithm::Flash;
    c.spec.queryBlock = 3;
    c.spec.keyBlock = 5;
    const auto flash = explainFlash(*c.operands());
    const auto exact = explain(*c.operands(), { 0, 11 });
    QVERIFY(flash && exact);
    QCOMPARE(flash->blocks.size(), 4U);
    QVERIFY(oracle::largestError(flash->output, exact->output) < 1e-13);
    QVERIFY(oracle::largestError(flash->logSumExp, exact->logSumExp) < 1e-13);
    QVERIFY(oracle::largestError(flash->blocks.back().m, exact->rowMax) == 0.0);
}

void TestExplain::flashSkipsHiddenTiles()
{
    Case c = sdpaCase(8, 8, 2);
    setMechanism(c, "causal");
    c.spec.queryBlock = c.spec.keyBlock = 2;
    const auto flash = explainFlash(*c.operands());
    QVERIFY(flash);
    // Four by four tiles: the diagonal and below.
    QCOMPARE(flash->visitedTiles, Index{ 10 });
    QCOMPARE(flash->skippedTiles, Index{ 6 });
}

void TestExplain::linearStateGivesTheOutput()
{
    Case c = sdpaCase(5, 5, 3);
    setMechanism(c, "linear");
    c.spec.mask.rule = MaskRule::Causal;
    const auto operands = c.operands();
    const auto stages = explain(*operands, { 0, 5 });
    QVERIFY(stages);
    const LinearState state = linearState(*operands, 4);
    const Eigen::RowVectorXd phi = operands->scoreQ.rowRange({ 3, 4 });
    QVERIFY(oracle::largestError(phi * state.s / phi.dot(state.z), stages->output.row(3)) < 1e-14);
}

void TestExplain::softmaxOfExtremes()
{
    double logSumExp = 0.0;
    QCOMPARE(softmax(Vector{ { 1e300, 1e300, -infinity } }, &logSumExp), (Vector{ { 0.5, 0.5, 0.0 } }));
    QCOMPARE(logSumExp, 1e300);
    QCOMPARE(softmax(Vector{ { -infinity, -infinity } }, &logSumExp), (Vector{ { 0.0, 0.0 } }));
    QCOMPARE(logSumExp, -infinity);
}

void TestExplain::cacheSizeByHand()
{
    QCOMPARE(kvCacheElements(32, 8, 128, 4096, 1), 2.0 * 32 * 8 * 128 * 4096);
}

void TestExplain::stopCancels()
{
    std::stop_source source;
    source.request_stop();
    const auto operands = sdpaCase(5, 5, 2).operands();
    const auto stages = explain(*operands, { 0, 5 }, { source.get_token(), {} });
    QVERIFY(!stages && stages.error().isCancelled);
    const auto flash = explainFlash(*operands, { source.get_token(), {} });
    QVERIFY(!flash && flash.error().isCancelled);
}

void TestExplain::tooLargeIsRefusedInWords()
{
    const auto operands = sdpaCase(3, 3, 2).operands();
    const auto stages = explain(*operands, { 0, Index{ 1 } << 50 });
    QVERIFY(!stages);
    QVERIFY(QString::fromStdString(stages.error().what).startsWith("Every stage of these rows would need "));
}

QTEST_APPLESS_MAIN(TestExplain)
#include "tst_explain.moc"
