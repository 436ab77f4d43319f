// SPDX-License-Identifier: GPL-3.0-or-later
// What a head computes with: projections, groups of heads, positions, and the layer that puts heads together.
#include "attention/explain.h"

#include "support/problems.h"

#include <QTest>

using namespace attenscope;

namespace {

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

} // namespace

class TestOperands : public QObject {
    Q_OBJECT

private slots:
    void projectionsAndBiasesAreAsInTheFormula();
    void groupsReadTheFirstHeadOfTheGroup();
    void embeddedHeadsShareKeys();
    void layerPutsHeadsSideBySide();
    void valueNormsUseTheOutputProjection();
    void ropeScoresDependOnDistanceOnly_data();
    void ropeScoresDependOnDistanceOnly();
    void alibiSlopesOfTwelveHeads();
    void sinusoidalPositionsByHand();
};

void TestOperands::projectionsAndBiasesAreAsInTheFormula()
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

void TestOperands::groupsReadTheFirstHeadOfTheGroup()
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

void TestOperands::embeddedHeadsShareKeys()
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

void TestOperands::layerPutsHeadsSideBySide()
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

void TestOperands::valueNormsUseTheOutputProjection()
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

void TestOperands::ropeScoresDependOnDistanceOnly_data()
{
    QTest::addColumn<bool>("isInterleaved");
    QTest::newRow("half") << false;
    QTest::newRow("interleaved") << true;
}

void TestOperands::ropeScoresDependOnDistanceOnly()
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

void TestOperands::alibiSlopesOfTwelveHeads()
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

void TestOperands::sinusoidalPositionsByHand()
{
    const Matrix positions = sinusoidalPositions(2, 3, 5);
    QCOMPARE(positions(0, 0), std::sin(5.0));
    QCOMPARE(positions(1, 1), std::cos(6.0));
    QCOMPARE(positions(0, 2), std::sin(5.0 / std::pow(10000.0, 2.0 / 3.0)));
}

QTEST_APPLESS_MAIN(TestOperands)
#include "tst_operands.moc"
