// SPDX-License-Identifier: GPL-3.0-or-later
// The preview of a head against its definition in double precision.
#include "attention/preview.h"

#include "support/field_checks.h"
#include "support/problems.h"

using namespace attenscope;

namespace {

Index blocksOf(Index count, Index pool)
{
    return (count + pool - 1) / pool;
}

Index sizeOf(Index block, Index count, Index pool)
{
    return std::min(pool, count - block * pool);
}

Matrix meansByHand(const Matrix &rows, Index pool)
{
    Matrix means = Matrix::Zero(blocksOf(rows.rows(), pool), rows.cols());
    for (Index block = 0; block < means.rows(); ++block) {
        const Index size = sizeOf(block, rows.rows(), pool);
        const Index taken = std::min<Index>(size, 16);
        for (Index place = 0; place < taken; ++place)
            means.row(block) += rows.row(block * pool + place * size / taken) / static_cast<double>(taken);
    }
    return means;
}

/// The definition, word by word; the scores of the means are the textbook's.
Matrix previewByHand(const HeadOperands &operands, Index pool)
{
    const oracle::Problem whole = problemOf(operands);
    oracle::Problem averaged = whole;
    averaged.q = meansByHand(whole.q, pool);
    averaged.k = meansByHand(whole.k, pool);
    averaged.v = Matrix(averaged.k.rows(), 0);
    averaged.slope = whole.slope * static_cast<double>(pool);
    averaged.offset = whole.offset / pool;
    averaged.visible = [](Index, Index) { return true; };
    const auto middle = [pool](Index block, Index count) { return block * pool + sizeOf(block, count, pool) / 2; };
    if (whole.bias.size() > 0) {
        averaged.bias.resize(averaged.q.rows(), averaged.k.rows());
        for (Index row = 0; row < averaged.bias.rows(); ++row)
            for (Index col = 0; col < averaged.bias.cols(); ++col)
                averaged.bias(row, col) = whole.bias(middle(row, whole.q.rows()), middle(col, whole.k.rows()));
    }
    const Matrix scores = oracle::solve<double>(averaged).scores;
    Matrix cells(scores.rows(), scores.cols());
    for (Index row = 0; row < cells.rows(); ++row) {
        double sum = whole.hasOne ? 1.0 : 0.0;
        std::vector<int> seen(static_cast<std::size_t>(cells.cols()), 0);
        for (Index key = 0; key < whole.k.rows(); ++key) {
            if (!whole.visible(middle(row, whole.q.rows()), key))
                continue;
            ++seen[static_cast<std::size_t>(key / pool)];
            sum += std::exp(scores(row, key / pool));
        }
        for (Index col = 0; col < cells.cols(); ++col)
            cells(row, col) = seen[static_cast<std::size_t>(col)] > 0 ? std::exp(scores(row, col)) / sum : maskedCell;
    }
    return cells;
}

void compareCells(const MatrixF &cells, const Matrix &exact, double tolerance)
{
    QCOMPARE(cells.rows(), exact.rows());
    QCOMPARE(cells.cols(), exact.cols());
    for (Index row = 0; row < exact.rows(); ++row)
        for (Index col = 0; col < exact.cols(); ++col)
            QVERIFY2(isClose(cells(row, col), exact(row, col), tolerance),
                qPrintable(QStringLiteral("%1, %2: %3, not %4").arg(row).arg(col).arg(cells(row, col)).arg(exact(row, col))));
}

} // namespace

class TestPreview : public QObject {
    Q_OBJECT

private slots:
    void previewIsTheSoftmaxOfMeans_data();
    void previewIsTheSoftmaxOfMeans();
    void blocksOfEqualTokensAreExact();
    void oddRowsStayWhatTheyAre();
    void stoppingIsCancelling();
};

void TestPreview::previewIsTheSoftmaxOfMeans_data()
{
    QTest::addColumn<QString>("mechanism");
    QTest::addColumn<Index>("pool");
    for (const char *name : { "plain", "causal", "own scale", "additive", "soft cap", "bias", "alibi", "softmax1", "everything" }) {
        for (const Index pool : { 1, 4, 37 })
            QTest::addRow("%s, %d", name, static_cast<int>(pool)) << QString::fromLatin1(name) << pool;
    }
}

void TestPreview::previewIsTheSoftmaxOfMeans()
{
    QFETCH(QString, mechanism);
    QFETCH(Index, pool);
    Case c = sdpaCase(130, 257, 8);
    setMechanism(c, mechanism.toStdString());
    const auto operands = c.operands();
    const auto preview = previewWeights(*operands, pool);
    QVERIFY(preview);
    QCOMPARE(preview->pool, pool);
    compareCells(preview->cells, previewByHand(*operands, pool), 1e-5);
}

void TestPreview::blocksOfEqualTokensAreExact()
{
    // Four queries and four keys in a row are the same: then no mean loses anything.
    Case c = sdpaCase(16, 24, 8);
    oracle::Problem &p = c.problem;
    for (Index row = 0; row < p.q.rows(); ++row)
        p.q.row(row) = p.q.row(row / 4 * 4);
    for (Index row = 0; row < p.k.rows(); ++row)
        p.k.row(row) = p.k.row(row / 4 * 4);
    c.block = projectedBlock(p.q, p.k, p.v);
    const Matrix weights = oracle::solve<double>(p).weights;
    Matrix folded(4, 6);
    for (Index row = 0; row < 4; ++row)
        for (Index col = 0; col < 6; ++col)
            folded(row, col) = weights(row * 4, col * 4);
    const auto preview = previewWeights(*c.operands(), 4);
    QVERIFY(preview);
    compareCells(preview->cells, folded, 1e-6);
}

void TestPreview::oddRowsStayWhatTheyAre()
{
    // The first two queries see no key, the last has NaN.
    Case c = sdpaCase(4, 2, 3);
    c.spec.mask.rule = MaskRule::Causal;
    c.spec.mask.alignment = CausalAlignment::BottomRight;
    c.problem.q(3, 0) = std::numeric_limits<double>::quiet_NaN();
    c.block = projectedBlock(c.problem.q, c.problem.k, c.problem.v);
    const auto preview = previewWeights(*c.operands(), 1);
    QVERIFY(preview);
    Matrix expected = Matrix::Constant(4, 2, maskedCell);
    expected(2, 0) = 1.0;
    expected.row(3).setConstant(std::numeric_limits<double>::quiet_NaN());
    compareCells(preview->cells, expected, 1e-6);
}

void TestPreview::stoppingIsCancelling()
{
    std::stop_source stop;
    stop.request_stop();
    const auto preview = previewWeights(*sdpaCase(20, 20, 4).operands(), 2, { stop.get_token(), {} });
    QVERIFY(!preview && preview.error().isCancelled);
}

QTEST_APPLESS_MAIN(TestPreview)
#include "tst_preview.moc"
