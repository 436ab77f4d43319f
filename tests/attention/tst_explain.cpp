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

/// A block of embeddings with the identity for every projection that is not given.
AttentionBlock embeddedBlock(const Matrix &x, const Projections &layer, const Matrix &y = {})
{
    AttentionBlock block;
    block.queries = x.rows();
    block.keys = y.size() > 0 ? y.rows() : x.rows();
    block.heads = block.kvHeads = 0;
    EmbeddedData data;
    data.x = { SharedMatrix(x) };
    if (y.size() > 0)
        data.y = { SharedMatrix(y) };
    data.layers = { layer };
    block.data = std::move(data);
    return block;
}

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
    void valueNormsUseTheOutputProjection();
    void projectionsAndBiasesAreAsInTheFormula();
    void groupsReadTheFirstHeadOfTheGroup();
    void embeddedHeadsShareKeys();
    void layerPutsHeadsSideBySide();
    void flashEndsAtTheExactResult_data() { addMechanisms(); }
    void flashEndsAtTheExactResult();
    void flashSkipsHiddenTiles();
    void ropeScoresDependOnDistanceOnly_data();
    void ropeScoresDependOnDistanceOnly();
    void alibiSlopesOfTwelveHeads();
    void sinusoidalPositionsByHand();
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

void TestExplain::valueNormsUseTheOutputProjection()
{
    // Each key's value is one of the axes; W_o stretches them by 3 and 4, or puts both into one.
    Projections layer;
    layer.wq = layer.wk = layer.wv = SharedMatrix(Matrix(Matrix::Identity(2, 2)));
    const Matrix x = Matrix::Identity(2, 2);
    const auto weighted = [&x](const Projections &projections) {
        const auto operands = headOperands(embeddedBlock(x, projections), {}, {}).value();
        std::vector<double> weights(2);
        std::vector<double> cells(2);
        explainRow(*operands, Stage::Weights, 0, 0, weights);
        explainRow(*operands, Stage::ValueWeighted, 0, 0, cells);
        return std::vector{ cells[0] / weights[0], cells[1] / weights[1] };
    };
    QCOMPARE(weighted(layer), (std::vector{ 1.0, 1.0 }));
    layer.wo = SharedMatrix(Matrix{ { 3.0, 4.0 }, { 0.0, 2.0 } });
    QCOMPARE(weighted(layer), (std::vector{ 5.0, 2.0 }));
}

void TestExplain::projectionsAndBiasesAreAsInTheFormula()
{
    Projections layer;
    layer.wq = SharedMatrix(Matrix{ { 1.0, 2.0 }, { 0.0, 1.0 } });
    layer.wk = SharedMatrix(Matrix{ { 1.0, 0.0 } });
    layer.wv = SharedMatrix(Matrix{ { 5.0 } });
    layer.bq = SharedMatrix(Matrix{ { 10.0, 20.0 } });
    layer.bv = SharedMatrix(Matrix{ { 7.0 } });
    const auto operands = headOperands(embeddedBlock(Matrix{ { 1.0, 3.0 } }, layer, Matrix{ { 2.0 }, { 4.0 } }), {}, {});
    QVERIFY(operands);
    QCOMPARE((*operands)->q.toMatrix(), (Matrix{ { 11.0, 25.0 } }));
    QCOMPARE((*operands)->k.toMatrix(), (Matrix{ { 2.0, 0.0 }, { 4.0, 0.0 } }));
    QCOMPARE((*operands)->v.toMatrix(), (Matrix{ { 17.0 }, { 27.0 } }));
}

void TestExplain::groupsReadTheFirstHeadOfTheGroup()
{
    // Four query heads; key/value head h holds h everywhere.
    AttentionBlock block;
    block.queries = block.keys = 1;
    block.heads = block.kvHeads = 4;
    ProjectedData data;
    for (int head = 0; head < 4; ++head) {
        data.q.emplace_back(Matrix(Matrix::Ones(1, 1)));
        data.k.emplace_back(Matrix(Matrix::Constant(1, 1, head)));
        data.v.emplace_back(Matrix(Matrix::Constant(1, 1, head)));
    }
    block.data = data;
    const auto headsRead = [&block](int kvHeads) {
        AttentionSpec spec;
        spec.kvHeads = kvHeads;
        std::vector<double> read;
        for (int head = 0; head < 4; ++head)
            read.push_back(headOperands(block, spec, { 0, 0, head, 0 }).value()->k.at(0, 0));
        return read;
    };
    QCOMPARE(headsRead(0), (std::vector{ 0.0, 1.0, 2.0, 3.0 }));
    QCOMPARE(headsRead(2), (std::vector{ 0.0, 0.0, 2.0, 2.0 }));
    QCOMPARE(headsRead(1), (std::vector{ 0.0, 0.0, 0.0, 0.0 }));
    // Two in the data: as they are, or the first of them.
    block.kvHeads = 2;
    data.k.resize(2);
    data.v.resize(2);
    block.data = data;
    QCOMPARE(headsRead(0), (std::vector{ 0.0, 0.0, 1.0, 1.0 }));
    QCOMPARE(headsRead(1), (std::vector{ 0.0, 0.0, 0.0, 0.0 }));
}

void TestExplain::embeddedHeadsShareKeys()
{
    // Four query heads of width 1; two key columns, so two key/value heads.
    Projections layer;
    layer.wq = SharedMatrix(Matrix{ { 1.0, 2.0, 3.0, 4.0 } });
    layer.wk = SharedMatrix(Matrix{ { 10.0, 20.0 } });
    layer.wv = SharedMatrix(Matrix{ { 1.0, 2.0, 3.0, 4.0 } });
    const AttentionBlock block = embeddedBlock(Matrix{ { 1.0 } }, layer);
    AttentionSpec spec;
    spec.heads = 4;
    QCOMPARE(kvHeadCount(block, spec), 2);
    const auto operands = headOperands(block, spec, { 0, 0, 2, 0 });
    QVERIFY(operands);
    QCOMPARE((*operands)->q.toMatrix(), (Matrix{ { 3.0 } }));
    QCOMPARE((*operands)->k.toMatrix(), (Matrix{ { 20.0 } }));
    QCOMPARE((*operands)->v.toMatrix(), (Matrix{ { 3.0, 4.0 } }));
}

void TestExplain::layerPutsHeadsSideBySide()
{
    Projections layer;
    layer.wq = layer.wk = layer.wv = SharedMatrix(Matrix(Matrix::Identity(2, 2)));
    layer.wo = SharedMatrix(Matrix{ { 1.0 }, { 10.0 } });
    layer.bo = SharedMatrix(Matrix{ { 0.5 } });
    const LayerExplanation result
        = explainLayer(embeddedBlock(Matrix::Ones(2, 2), layer), 0, { Matrix{ { 1.0 }, { 2.0 } }, Matrix{ { 3.0 }, { 4.0 } } });
    QCOMPARE(result.concat, (Matrix{ { 1.0, 3.0 }, { 2.0, 4.0 } }));
    QCOMPARE(result.output, (Matrix{ { 31.5 }, { 42.5 } }));
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

void TestExplain::ropeScoresDependOnDistanceOnly_data()
{
    QTest::addColumn<bool>("isInterleaved");
    QTest::newRow("half") << false;
    QTest::newRow("interleaved") << true;
}

void TestExplain::ropeScoresDependOnDistanceOnly()
{
    QFETCH(bool, isInterleaved);
    Random random(5);
    const Matrix q = random.normalMatrix(1, 6).replicate(4, 1);
    const Matrix k = random.normalMatrix(1, 6).replicate(4, 1);
    AttentionSpec spec;
    spec.rope = Rope{ isInterleaved ? RopeLayout::Interleaved : RopeLayout::Half, 100.0, 3, 3 };
    const auto turnedOperands = headOperands(projectedBlock(q, k, Matrix()), spec, {}).value();
    const auto stages = explain(*turnedOperands, { 0, 4 });
    QVERIFY(stages);
    for (Index row = 1; row < 4; ++row)
        for (Index key = 1; key < 4; ++key)
            QVERIFY(std::abs(stages->scores(row, key) - stages->scores(row - 1, key - 1)) < 1e-12);
    QVERIFY(std::abs(stages->scores(0, 0) - q.row(0).dot(k.row(0))) < 1e-12);
    QVERIFY(std::abs(stages->scores(0, 1) - stages->scores(0, 0)) > 1e-3);
    // Pair 0 of position 3 turns by 3 radians.
    const Index partner = isInterleaved ? 1 : 3;
    QVERIFY(std::abs(turnedOperands->q.at(0, 0) - (q(0, 0) * std::cos(3.0) - q(0, partner) * std::sin(3.0))) < 1e-15);
}

void TestExplain::alibiSlopesOfTwelveHeads()
{
    const std::vector<double> slopes = alibiSlopes(12);
    QCOMPARE(slopes.size(), 12U);
    for (std::size_t head = 0; head < 8; ++head)
        QCOMPARE(slopes[head], std::exp2(-static_cast<double>(head + 1)));
    // Those of 16 heads, every other one: 2^(-1/2), 2^(-3/2), …
    for (std::size_t head = 8; head < 12; ++head)
        QCOMPARE(slopes[head], std::exp2(-0.5 - static_cast<double>(head - 8)));
    QCOMPARE(alibiSlopes(1), (std::vector{ 1.0 / 256.0 }));
}

void TestExplain::sinusoidalPositionsByHand()
{
    const Matrix positions = sinusoidalPositions(2, 3, 5);
    QCOMPARE(positions(0, 0), std::sin(5.0));
    QCOMPARE(positions(1, 1), std::cos(6.0));
    QCOMPARE(positions(0, 2), std::sin(5.0 / std::pow(10000.0, 2.0 / 3.0)));
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
