// SPDX-License-Identifier: GPL-3.0-or-later
// The walk of a row has the numbers of explain, bit for bit, and every step of its mechanism in order.
#include "attention/flash_block.h"
#include "attention/flash_walk.h"
#include "attention/walk.h"

#include "support/problems.h"

#include <QtTest>

using namespace attenscope;

namespace {

AttentionResult resultOf(const AttentionBlock &block, const AttentionSpec &spec)
{
    return { std::make_shared<AttentionInput>(AttentionInput{ { block } }), spec, {}, {} };
}

/// Equal bit by bit, where NaN equals NaN.
bool same(const Vector &a, const Vector &b)
{
    if (a.size() != b.size())
        return false;
    for (Index place = 0; place < a.size(); ++place) {
        if (!(a(place) == b(place) || (std::isnan(a(place)) && std::isnan(b(place)))))
            return false;
    }
    return true;
}

Vector rowOf(const Matrix &matrix, Index row)
{
    return matrix.rows() == 0 ? Vector() : Vector(matrix.row(row).transpose());
}

/// Seeded embeddings of 5 tokens with 2 heads of 3 numbers, biases and W_o.
AttentionBlock embeddedBlock()
{
    Random random(5);
    Projections projections;
    projections.wq = SharedMatrix(random.normalMatrix(6, 6));
    projections.wk = SharedMatrix(random.normalMatrix(6, 6));
    projections.wv = SharedMatrix(random.normalMatrix(6, 6));
    projections.wo = SharedMatrix(random.normalMatrix(6, 4));
    projections.bq = SharedMatrix(random.normalMatrix(1, 6));
    projections.bo = SharedMatrix(random.normalMatrix(1, 4));
    EmbeddedData data;
    const Matrix words = random.normalMatrix(5, 6);
    data.unplaced = { SharedMatrix(words) };
    data.x = { SharedMatrix(Matrix(words + sinusoidalPositions(5, 6))) };
    data.layers = { projections };
    AttentionBlock block;
    block.queries = block.keys = 5;
    block.heads = block.kvHeads = 0;
    block.data = std::move(data);
    return block;
}

} // namespace

class TestWalk : public QObject {
    Q_OBJECT

private slots:
    void hasTheNumbersOfExplain_data();
    void hasTheNumbersOfExplain();
    void stepsAreThoseOfTheMechanism_data();
    void stepsAreThoseOfTheMechanism();
    void workedExampleCanBeCheckedByHand();
    void embeddedRowIsProjectedAndJoined();
    void keysOfAnotherSequenceHaveTheirPositions();
    void recordedWeightsAreDividedByWhatIsKept();
    void rotationKeepsWhatWasBefore();
    void rowThatSeesNothingIsZero();
    void maskedNanCountsForNothing();
    void flashTilesLeadToTheExactOutput_data();
    void flashTilesLeadToTheExactOutput();
    void flashOfSomeQueriesIsThatOfAll();
    void flashOfManyQueriesGoesPartByPart();
};

void TestWalk::hasTheNumbersOfExplain_data()
{
    QTest::addColumn<QString>("mechanism");
    QTest::addColumn<int>("queries");
    QTest::addColumn<int>("keys");
    QTest::addColumn<int>("d");
    for (const std::string &name : mechanismNames()) {
        const QString mechanism = QString::fromStdString(name);
        for (const auto &[queries, keys, d] : { std::tuple{ 3, 3, 4 }, std::tuple{ 5, 13, 7 }, std::tuple{ 65, 65, 16 } })
            QTest::addRow("%s, %d x %d, d %d", name.c_str(), queries, keys, d) << mechanism << queries << keys << d;
    }
}

void TestWalk::hasTheNumbersOfExplain()
{
    QFETCH(QString, mechanism);
    QFETCH(int, queries);
    QFETCH(int, keys);
    QFETCH(int, d);
    Case c = sdpaCase(queries, keys, d);
    setMechanism(c, mechanism.toStdString());
    const AttentionResult ready = resultOf(c.block, c.spec);
    const auto operands = c.operands();
    const Explanation whole = explain(*operands, { 0, queries }).value();
    for (const Index row : { Index{ 0 }, Index{ queries / 2 }, Index{ queries - 1 } }) {
        const RowWalk walk = explainWalk(ready, {}, row).value();
        QVERIFY(same(walk.scores, rowOf(whole.scores, row)));
        QVERIFY(same(walk.scaled, rowOf(whole.scaled, row)));
        QVERIFY(same(walk.capped, rowOf(whole.capped, row)));
        QVERIFY(same(walk.biased, rowOf(whole.biased, row)));
        QVERIFY(same(walk.tempered, rowOf(whole.tempered, row)));
        QVERIFY(same(walk.masked, rowOf(whole.masked, row)));
        QVERIFY(same(walk.weights, rowOf(whole.weights, row)));
        QVERIFY(same(walk.output, rowOf(whole.output, row)));
        QCOMPARE(walk.max, whole.rowMax(row));
        QCOMPARE(walk.reference + std::log(walk.sum), whole.logSumExp(row));
        // What lies between is consistent with both ends.
        double sum = walk.one;
        Vector output = Vector::Zero(walk.output.size());
        for (Index key = 0; key < keys; ++key) {
            QCOMPARE(walk.exponentials(key) / walk.sum, walk.weights(key));
            sum += walk.exponentials(key);
            output += rowOf(walk.weightedValues, key);
        }
        QCOMPARE(sum, walk.sum);
        QVERIFY((output - walk.output).cwiseAbs().maxCoeff() <= 1e-14 * (1.0 + walk.output.cwiseAbs().maxCoeff()));
    }
}

void TestWalk::stepsAreThoseOfTheMechanism_data()
{
    using enum WalkStep;
    QTest::addColumn<QString>("mechanism");
    QTest::addColumn<std::vector<WalkStep>>("before");
    const std::vector<WalkStep> scaled{ Scores, Scaled, Masked };
    QTest::newRow("plain") << "plain" << scaled;
    QTest::newRow("dot") << "dot" << std::vector{ Scores, Masked };
    QTest::newRow("general") << "general" << std::vector{ PreparedQuery, Scores, Masked };
    QTest::newRow("additive") << "additive" << std::vector{ PreparedQuery, PreparedKey, Units, Scores, Masked };
    QTest::newRow("concat") << "concat" << std::vector{ PreparedQuery, PreparedKey, Units, Scores, Masked };
    QTest::newRow("linear") << "linear" << std::vector{ PreparedQuery, PreparedKey, Scores, Masked };
    QTest::newRow("everything") << "everything" << std::vector{ Scores, Scaled, Capped, Biased, Tempered, Masked };
}

void TestWalk::stepsAreThoseOfTheMechanism()
{
    using enum WalkStep;
    QFETCH(QString, mechanism);
    QFETCH(std::vector<WalkStep>, before);
    Case c = sdpaCase(4, 4, 4);
    setMechanism(c, mechanism.toStdString());
    std::vector<WalkStep> expected = before;
    for (const WalkStep step : { Maximum, Exponentials, Sum, Weights, WeightedValues, Output })
        expected.push_back(step);
    QVERIFY(explainWalk(resultOf(c.block, c.spec), {}, 1).value().steps == expected);
}

void TestWalk::workedExampleCanBeCheckedByHand()
{
    Matrix q(3, 4);
    q << 1, 0, 1, 0, 0, 1, 0, 1, 1, 1, 0, 0;
    Matrix v(3, 2);
    v << 1, 2, 3, 4, 5, 6;
    const RowWalk walk = explainWalk(resultOf(projectedBlock(q, q, v), {}), {}, 0).value();
    QVERIFY(same(walk.scores, Vector{ { 2, 0, 1 } }));
    QVERIFY(same(walk.scaled, Vector{ { 1, 0, 0.5 } }));
    QCOMPARE(walk.max, 1.0);
    QCOMPARE(walk.exponentials(1), std::exp(-1.0));
    QCOMPARE(walk.sum, 1.0 + std::exp(-1.0) + std::exp(-0.5));
    const Vector weights{ { 0.5065, 0.1863, 0.3072 } };
    QVERIFY((walk.weights - weights).cwiseAbs().maxCoeff() < 5e-5);
    QVERIFY((walk.output - Vector{ { 2.6014, 3.6014 } }).cwiseAbs().maxCoeff() < 5e-5);
}

void TestWalk::embeddedRowIsProjectedAndJoined()
{
    const AttentionBlock block = embeddedBlock();
    AttentionSpec spec;
    spec.heads = 2;
    const HeadRef ref{ 0, 0, 1, 0 };
    const Index row = 3;
    const RowWalk walk = explainWalk(resultOf(block, spec), ref, row).value();
    using enum WalkStep;
    QVERIFY((walk.steps
        == std::vector{ Embedding, KeyEmbedding, Query, Key, Value, Scores, Scaled, Masked, Maximum, Exponentials, Sum, Weights,
            WeightedValues, Output, Concatenation, OutputProjection }));
    const auto &data = std::get<EmbeddedData>(block.data);
    const Vector x = data.x[0].rowRange({ row, row + 1 }).row(0).transpose();
    QVERIFY(same(walk.embedding + walk.position, x));
    QCOMPARE(walk.position(0), std::sin(3.0));
    for (Index key = 0; key < walk.keys(); ++key)
        QVERIFY(same(rowOf(walk.keyEmbeddings.toMatrix(), key) + walk.keyPosition(key), rowOf(data.x[0].toMatrix(), key)));
    // q of head 1 = x W_q, columns 3 to 5, plus b_q.
    const Vector q = walk.query.weights.toMatrix().transpose() * x + walk.query.bias;
    QVERIFY(walk.query.weights == SharedMatrix(Matrix(data.layers[0].wq.toMatrix().rightCols(3))));
    QVERIFY((q - rowOf(walk.operands->q.toMatrix(), row)).cwiseAbs().maxCoeff() < 1e-14);
    QCOMPARE(walk.key.bias.size(), Index{ 0 });
    // Both heads side by side, in head order.
    QCOMPARE(walk.concat.size(), Index{ 6 });
    QVERIFY(same(walk.concat.tail(3), walk.output));
    QVERIFY(same(walk.concat.head(3), explainWalk(resultOf(block, spec), {}, row).value().output));
    const Vector projected = data.layers[0].wo.toMatrix().transpose() * walk.concat + walk.bo;
    QVERIFY((walk.projected - projected).cwiseAbs().maxCoeff() < 1e-14);
}

void TestWalk::keysOfAnotherSequenceHaveTheirPositions()
{
    AttentionBlock block = embeddedBlock();
    auto &data = std::get<EmbeddedData>(block.data);
    Random random(6);
    const Matrix words = random.normalMatrix(7, 6);
    data.unplaced.emplace_back(words);
    data.y = { SharedMatrix(Matrix(words + sinusoidalPositions(7, 6))) };
    block.keys = 7;
    AttentionSpec spec;
    spec.heads = 2;
    const RowWalk walk = explainWalk(resultOf(block, spec), {}, 1).value();
    QCOMPARE(walk.keys(), Index{ 7 });
    QVERIFY(same(rowOf(walk.keyEmbeddings.toMatrix(), 6), rowOf(words, 6)));
    QCOMPARE(walk.keyPosition(6)(0), std::sin(6.0));
}

void TestWalk::recordedWeightsAreDividedByWhatIsKept()
{
    Matrix weights(3, 4);
    weights << 0.1, 0.2, 0.3, 0.4, 0.25, 0.25, 0.5, 0, 0.5, 0.5, 0, 0;
    AttentionBlock block;
    block.queries = 3;
    block.keys = 4;
    block.data = RecordedData{ { SharedMatrix(weights) }, { 4, 3, 0 }, {} };
    using enum WalkStep;
    const RowWalk plain = explainWalk(resultOf(block, {}), {}, 0).value();
    QVERIFY(plain.steps == std::vector{ Recorded });
    QVERIFY(same(plain.weights, rowOf(weights, 0)));
    AttentionSpec spec;
    spec.mask.paddedKeys = 1;
    const RowWalk kept = explainWalk(resultOf(block, spec), {}, 0).value();
    QVERIFY((kept.steps == std::vector{ Recorded, Masked, Sum, Weights }));
    QVERIFY(same(kept.masked, Vector{ { 0.1, 0.2, 0.3, 0.0 } }));
    QCOMPARE(kept.sum, 0.1 + 0.2 + 0.3);
    QVERIFY(same(kept.weights, Vector{ { 0.1 / kept.sum, 0.2 / kept.sum, 0.3 / kept.sum, 0.0 } }));
    // The row has three cells in the file, and none of them is hidden.
    const RowWalk whole = explainWalk(resultOf(block, spec), {}, 1).value();
    QVERIFY(whole.steps == std::vector{ Recorded });
    QCOMPARE(whole.keys(), Index{ 3 });
    spec.mask.paddedKeys = 3;
    QVERIFY((explainWalk(resultOf(block, spec), {}, 1).value().steps == std::vector{ Recorded, Masked, Sum, Weights }));
    QVERIFY(!explainWalk(resultOf(block, spec), {}, 2).ok());
}

void TestWalk::rotationKeepsWhatWasBefore()
{
    Case c = sdpaCase(4, 4, 6);
    c.spec.rope = Rope{};
    const RowWalk walk = explainWalk(resultOf(c.block, c.spec), {}, 2).value();
    QVERIFY((std::vector(walk.steps.begin(), walk.steps.begin() + 2) == std::vector{ WalkStep::RotatedQuery, WalkStep::RotatedKey }));
    QVERIFY(walk.plainQ == SharedMatrix(c.problem.q));
    // Pair (0, 3) of position 2 turns by 2 radians.
    const double turned = c.problem.q(2, 0) * std::cos(2.0) - c.problem.q(2, 3) * std::sin(2.0);
    QVERIFY(std::abs(walk.operands->q.at(2, 0) - turned) < 1e-15);
}

void TestWalk::rowThatSeesNothingIsZero()
{
    Case c = sdpaCase(4, 4, 4);
    c.spec.mask.paddedKeys = 4;
    const RowWalk walk = explainWalk(resultOf(c.block, c.spec), {}, 1).value();
    QCOMPARE(walk.sum, 0.0);
    QVERIFY(same(walk.weights, Vector::Zero(4)));
    QVERIFY(same(walk.output, Vector::Zero(5)));
    QVERIFY(std::isinf(walk.max) && walk.max < 0.0);
}

void TestWalk::maskedNanCountsForNothing()
{
    Case c = sdpaCase(4, 4, 4);
    c.problem.k(3, 0) = c.problem.v(3, 0) = std::numeric_limits<double>::quiet_NaN();
    c.block = projectedBlock(c.problem.q, c.problem.k, c.problem.v);
    c.spec.mask.rule = MaskRule::Causal;
    const RowWalk walk = explainWalk(resultOf(c.block, c.spec), {}, 2).value();
    QVERIFY(std::isnan(walk.scores(3)));
    QVERIFY(!walk.visible[3]);
    QCOMPARE(walk.weights(3), 0.0);
    QVERIFY(walk.weightedValues.allFinite());
    QVERIFY(walk.output.allFinite());
}

void TestWalk::flashTilesLeadToTheExactOutput_data()
{
    QTest::addColumn<QString>("mechanism");
    QTest::addColumn<int>("queryBlock");
    QTest::addColumn<int>("keyBlock");
    for (const char *name : { "plain", "causal", "soft cap", "additive", "softmax1", "everything" }) {
        for (const auto &[rows, keys] : { std::pair{ 4, 4 }, std::pair{ 5, 3 }, std::pair{ 64, 64 } })
            QTest::addRow("%s, %d x %d", name, rows, keys) << name << rows << keys;
    }
}

void TestWalk::flashTilesLeadToTheExactOutput()
{
    QFETCH(QString, mechanism);
    QFETCH(int, queryBlock);
    QFETCH(int, keyBlock);
    Case c = sdpaCase(13, 13, 4);
    setMechanism(c, mechanism.toStdString());
    c.spec.algorithm = Algorithm::Flash;
    c.spec.queryBlock = queryBlock;
    c.spec.keyBlock = keyBlock;
    const auto operands = c.operands();
    const FlashWalk walk = explainFlashWalk(operands, { 0, 13 }).value();
    QCOMPARE(static_cast<Index>(walk.tiles.size()), walk.states.visitedTiles);
    QCOMPARE(walk.skipped(), walk.states.skippedTiles);
    QVERIFY(walk.largestDifference <= 1e-13);
    const Explanation exact = explain(*operands, { 0, 13 }).value();
    for (std::size_t at = 0; at < walk.tiles.size(); ++at) {
        const FlashTile &tile = walk.tiles[at];
        // Query block by query block, in each from left to right.
        if (at > 0)
            QVERIFY(std::pair(walk.tiles[at - 1].queryBlock, walk.tiles[at - 1].keyBlock) < std::pair(tile.queryBlock, tile.keyBlock));
        const Matrix weights = flashWeights(walk, at);
        for (Index row = tile.rows.first; row < tile.rows.end; ++row) {
            const FlashRow found = flashRow(walk, at, row);
            const FlashRow alone = flashRow(*operands, row, tile.keys.first);
            QVERIFY(alone.mBefore == found.mBefore && alone.mAfter == found.mAfter && alone.correction == found.correction);
            QVERIFY(alone.lBefore == found.lBefore && alone.lAfter == found.lAfter && alone.tileSum == found.tileSum);
            QVERIFY(same(alone.accAfter, found.accAfter));
            QCOMPARE(found.mAfter, std::max(found.mBefore, found.tileMax));
            QVERIFY(std::abs(found.correction * found.lBefore + found.tileSum - found.lAfter) <= 1e-13 * (1.0 + found.lAfter));
            double sum = 0.0;
            for (Index key = 0; key < weights.cols(); ++key)
                sum += cell::kind(weights(row - tile.rows.first, key)) == cell::Kind::Masked ? 0.0 : weights(row - tile.rows.first, key);
            QVERIFY(found.lAfter == 0.0 || std::abs(sum - 1.0) < 1e-13);
            // The largest of all tiles is that of the row.
            if (at + 1 == walk.tiles.size() || walk.tiles[at + 1].queryBlock != tile.queryBlock)
                QCOMPARE(found.mAfter, exact.rowMax(row));
        }
    }
}

void TestWalk::flashOfSomeQueriesIsThatOfAll()
{
    Case c = sdpaCase(13, 13, 4);
    setMechanism(c, "causal");
    c.spec.algorithm = Algorithm::Flash;
    c.spec.queryBlock = c.spec.keyBlock = 3;
    const auto operands = c.operands();
    const FlashWalk all = explainFlashWalk(operands, { 0, 13 }).value();
    const FlashWalk part = explainFlashWalk(operands, { 6, 12 }).value();
    // Three tiles of queries 6 to 8, four of 9 to 11; after those of queries 0 to 5, which are 1 + 2.
    QCOMPARE(part.tiles.size(), std::size_t{ 7 });
    QCOMPARE(part.skipped(), Index{ 3 });
    QCOMPARE(part.states.visitedTiles, Index{ 7 });
    for (std::size_t at = 0; at < part.tiles.size(); ++at) {
        QVERIFY(part.tiles[at] == all.tiles[at + 3]);
        for (Index row = part.tiles[at].rows.first; row < part.tiles[at].rows.end; ++row) {
            const FlashRow found = flashRow(part, at, row);
            const FlashRow same = flashRow(all, at + 3, row);
            QVERIFY(found.mAfter == same.mAfter && found.lBefore == same.lBefore && found.lAfter == same.lAfter);
            QVERIFY(found.accAfter == same.accAfter);
        }
        QVERIFY(flashWeights(part, at).array().isNaN().isApprox(flashWeights(all, at + 3).array().isNaN()));
    }
    QVERIFY(part.states.output == all.states.output.middleRows(6, 6));
    QVERIFY(part.exact == all.exact.middleRows(6, 6));
}

void TestWalk::flashOfManyQueriesGoesPartByPart()
{
    const SharedMatrix column(Matrix(Matrix::Ones(65536, 1)));
    HeadOperands operands;
    operands.scoreQ = operands.scoreK = operands.v = column;
    operands.spec.queryBlock = 4;
    operands.spec.keyBlock = 1;
    // m, l and one number, before and after each of 65,536 keys: 1,572,888 bytes; 268,435,456 have room for 170 of them.
    QCOMPARE(flashBytes(operands, 1), std::uint64_t{ 1'572'888 });
    QVERIFY((flashRows(operands, 0) == Range{ 0, 168 }));
    QVERIFY((flashRows(operands, 168) == Range{ 168, 336 }));
    QVERIFY((flashRows(operands, 65535) == Range{ 65520, 65536 }));
    // A block is never cut.
    operands.spec.queryBlock = 1000;
    QVERIFY((flashRows(operands, 1999) == Range{ 1000, 2000 }));
    operands.spec.keyBlock = 65536;
    QVERIFY((flashRows(operands, 1999) == Range{ 0, 65536 }));
}

QTEST_GUILESS_MAIN(TestWalk)
#include "tst_walk.moc"
