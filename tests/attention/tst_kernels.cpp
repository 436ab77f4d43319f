// SPDX-License-Identifier: GPL-3.0-or-later
// The streaming pass on every instruction set that this processor has, at the edges of tiles and blocks, against the textbook in double precision.
#include "attention/cell.h"
#include "attention/kernels/kernels.h"
#include "attention/stream.h"
#include "core/parallel.h"
#include "support/instruction_sets.h"
#include "support/problems.h"
#include "support/same_bits.h"

#include <QTest>

using namespace attenscope;

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// All rows of a small problem; of a large one some, and those around the edges of vectors and tiles.
std::vector<Index> rowsToCheck(Index rows)
{
    std::vector<Index> some;
    for (Index row = 0; row < rows; ++row)
        if (rows < 130 || row % 37 == 0 || row % 64 == 0 || row % 64 == 63 || row == rows - 1)
            some.push_back(row);
    return some;
}

/// The same problem for some of its queries only.
oracle::Problem ofRows(const oracle::Problem &problem, const std::vector<Index> &rows)
{
    oracle::Problem some = problem;
    some.q = problem.q(rows, Eigen::all);
    some.visible = [&problem, rows](Index i, Index j) { return problem.visible(rows[static_cast<std::size_t>(i)], j); };
    return some;
}

} // namespace

class TestKernels : public QObject {
    Q_OBJECT

private slots:
    void cleanup() { setThreadCount(0); }

    void agreeWithTextbook_data();
    void agreeWithTextbook();
    void computeEveryMechanism_data();
    void computeEveryMechanism();
    void maskedKeysLeaveNoTrace();
    void visibleNanAndInfinityMakeTheirRowsNan();
    void rowsWithoutKeysAreZero();
    void weightsThatNobodyWantsChangeNothingElse_data();
    void weightsThatNobodyWantsChangeNothingElse();
    void logSumExpHoldsAtLength();
    void overviewIsTheLargestWeightOfEveryCell();
    void nanOfOneRowStaysInTheOverview();
    void anyNumberOfThreadsGivesTheSameBits();
};

void TestKernels::agreeWithTextbook_data()
{
    QTest::addColumn<int>("queries");
    QTest::addColumn<int>("keys");
    QTest::addColumn<int>("d");
    const auto add = [](int queries, int keys, int d) { QTest::addRow("%d x %d, d %d", queries, keys, d) << queries << keys << d; };
    for (const int n : { 1, 2, 63, 64, 65, 127, 257, 1025 })
        add(n, n, 8);
    for (const int d : { 1, 3, 59, 64, 80, 128, 256 })
        add(65, 127, d);
    add(1, 257, 64);
    add(257, 1, 64);
    add(64, 1025, 3);
    add(1025, 63, 3);
}

void TestKernels::agreeWithTextbook()
{
    QFETCH(int, queries);
    QFETCH(int, keys);
    QFETCH(int, d);
    const std::vector<Index> rows = rowsToCheck(queries);
    for (const char *mask : { "plain", "causal" }) {
        Case c = sdpaCase(queries, keys, d, d);
        setMechanism(c, mask);
        const auto operands = c.operands();
        const oracle::Problem some = ofRows(c.problem, rows);
        const oracle::Answer exact = oracle::solve<double>(some);
        const oracle::Answer naive = oracle::solve<float>(some);
        const double bound
            = std::max(1e-6 * oracle::largestMagnitude(exact.output), 2.0 * oracle::largestError(naive.output, exact.output));
        onEveryInstructionSet([&] {
            const auto result = stream(*operands, { true, 0 });
            QVERIFY(result);
            QVERIFY(oracle::largestError(result->output(rows, Eigen::all).cast<double>(), exact.output) <= bound);
            for (std::size_t place = 0; place < rows.size(); ++place) {
                const auto at = static_cast<Index>(place);
                const double expected = exact.logSumExp(at);
                const double got = result->logSumExp(rows[place]);
                QVERIFY(got == expected || std::abs(got - expected) <= 5e-6 * std::max(1.0, std::abs(expected)));
                QVERIFY(std::abs(result->entropy(rows[place]) - exact.entropy(at)) <= 1e-5);
                QVERIFY(std::abs(result->largest(rows[place]) - exact.weights.row(at).maxCoeff()) <= 2e-6);
            }
        });
    }
}

void TestKernels::computeEveryMechanism_data()
{
    QTest::addColumn<QString>("mechanism");
    for (const std::string &mechanism : mechanismNames())
        QTest::newRow(mechanism.c_str()) << QString::fromStdString(mechanism);
}

void TestKernels::computeEveryMechanism()
{
    QFETCH(QString, mechanism);
    Case c = sdpaCase(65, 97, 8);
    setMechanism(c, mechanism.toStdString());
    const auto operands = c.operands();
    const oracle::Answer exact = oracle::solve<double>(c.problem);
    const double naive = oracle::largestError(oracle::solve<float>(c.problem).output, exact.output);
    onEveryInstructionSet([&] {
        const auto result = stream(*operands, { true, 0 });
        QVERIFY(result);
        QVERIFY(oracle::largestError(result->output.cast<double>(), exact.output)
            <= std::max(1e-6 * oracle::largestMagnitude(exact.output), 2.0 * naive));
        for (Index row = 0; row < 65; ++row)
            QVERIFY(std::abs(result->logSumExp(row) - exact.logSumExp(row)) <= 5e-6 * std::max(1.0, std::abs(exact.logSumExp(row))));
    });
}

void TestKernels::maskedKeysLeaveNoTrace()
{
    for (const double odd : { notANumber, infinity, -infinity, 1e38 }) {
        Case clean = sdpaCase(70, 300, 4);
        // Not a multiple of anything, so that the last block is masked in part.
        clean.spec.mask.paddedKeys = 41;
        Case dirty = clean;
        Matrix k = clean.problem.k;
        Matrix v = clean.problem.v;
        k.bottomRows(41).setConstant(odd);
        v.bottomRows(41).setConstant(odd);
        dirty.block = projectedBlock(clean.problem.q, k, v);
        onEveryInstructionSet([&] {
            const auto expected = stream(*clean.operands());
            const auto result = stream(*dirty.operands());
            QVERIFY(expected && result);
            QVERIFY(expected->output.allFinite());
            QVERIFY(sameBits(result->output, expected->output));
            QVERIFY(sameBits(result->logSumExp, expected->logSumExp));
            QVERIFY(sameBits(result->overview, expected->overview));
        });
    }
}

void TestKernels::visibleNanAndInfinityMakeTheirRowsNan()
{
    constexpr Index oddKey = 100;
    // A NaN with bits of its own, as files have them, must not become a number either.
    const auto ownNan = std::bit_cast<float>(0x7fc0a001U);
    for (const double odd : { notANumber, -notANumber, static_cast<double>(ownNan), infinity }) {
        Case c = sdpaCase(150, 150, 4);
        setMechanism(c, "causal");
        Matrix q = c.problem.q.cwiseAbs();
        Matrix k = c.problem.k;
        const auto clean = projectedBlock(q, k, c.problem.v);
        k.row(oddKey).setConstant(odd);
        c.block = projectedBlock(q, k, c.problem.v);
        const auto operands = c.operands();
        onEveryInstructionSet([&] {
            const auto result = stream(*operands);
            const auto expected = stream(*headOperands(clean, c.spec, {}).value());
            QVERIFY(result && expected);
            QVERIFY(sameBits(MatrixF(result->output.topRows(oddKey)), MatrixF(expected->output.topRows(oddKey))));
            for (Index row = 0; row < 150; ++row) {
                QCOMPARE(std::isnan(result->logSumExp(row)), row >= oddKey);
                QCOMPARE(std::isnan(result->entropy(row)), row >= oddKey);
                QCOMPARE(std::isnan(result->largest(row)), row >= oddKey);
                QCOMPARE(std::isnan(result->output(row, 1)), row >= oddKey);
                QCOMPARE(cell::kind(result->overview(row, 0)), row >= oddKey ? cell::Kind::Nan : cell::Kind::Number);
            }
        });
    }
}

void TestKernels::rowsWithoutKeysAreZero()
{
    Case c = sdpaCase(150, 20, 4);
    setMechanism(c, "causal");
    const auto operands = c.operands();
    onEveryInstructionSet([&] {
        const auto result = stream(*operands);
        QVERIFY(result);
        QVERIFY(result->output.topRows(130).isZero(0.0F));
        QVERIFY((result->logSumExp.head(130).array() == -std::numeric_limits<float>::infinity()).all());
        QVERIFY((result->entropy.head(130).array() == 0.0F).all());
        QVERIFY(result->output.row(130).isApprox(c.problem.v.row(0).cast<float>()));
    });
}

void TestKernels::weightsThatNobodyWantsChangeNothingElse_data()
{
    QTest::addColumn<double>("odd");
    QTest::addColumn<bool>("isQuery");
    QTest::newRow("numbers") << 1.0 << false;
    QTest::newRow("NaN in a key") << notANumber << false;
    QTest::newRow("a NaN of its own in a key") << static_cast<double>(std::bit_cast<float>(0x7fc0a001U)) << false;
    QTest::newRow("infinite key") << infinity << false;
    QTest::newRow("key out of range") << 1e30 << false;
    QTest::newRow("NaN in a query") << notANumber << true;
    QTest::newRow("infinite query") << infinity << true;
    QTest::newRow("query out of range") << 1e39 << true;
}

void TestKernels::weightsThatNobodyWantsChangeNothingElse()
{
    QFETCH(double, odd);
    QFETCH(bool, isQuery);
    Case c = sdpaCase(70, 150, 6);
    setMechanism(c, "causal");
    Matrix q = c.problem.q;
    Matrix k = c.problem.k;
    (isQuery ? q : k)(60, 2) = odd;
    c.block = projectedBlock(q, k, c.problem.v);
    const auto operands = c.operands();
    onEveryInstructionSet([&] {
        const auto all = stream(*operands, { true, 0, true });
        const auto some = stream(*operands, { true, 0, false });
        QVERIFY(all && some);
        QCOMPARE(some->entropy.size(), Index{ 0 });
        QCOMPARE(some->largest.size(), Index{ 0 });
        QVERIFY(sameBits(some->output, all->output));
        QVERIFY(sameBits(some->logSumExp, all->logSumExp));
        QCOMPARE(some->logSumExp.array().isNaN().any(), !std::isfinite(odd));
    });
}

void TestKernels::logSumExpHoldsAtLength()
{
    const Case c = sdpaCase(20, 16384, 64, 1);
    const auto operands = c.operands();
    const oracle::Answer exact = oracle::solve<double>(c.problem);
    onEveryInstructionSet([&] {
        const auto result = stream(*operands, { true, 0 });
        QVERIFY(result);
        for (Index row = 0; row < 20; ++row) {
            QVERIFY(std::abs(result->logSumExp(row) - exact.logSumExp(row)) <= 5e-6 * std::max(1.0, std::abs(exact.logSumExp(row))));
            QVERIFY(std::abs(result->output(row, 0) - exact.output(row, 0)) <= 1e-6);
        }
    });
}

void TestKernels::overviewIsTheLargestWeightOfEveryCell()
{
    constexpr Index queries = 130;
    constexpr Index keys = 230;
    Case c = sdpaCase(queries, keys, 4);
    setMechanism(c, "causal");
    const auto operands = c.operands();
    const Matrix weights = oracle::solve<double>(c.problem).weights;
    for (const Index pool : { 1, 2, 8, 64, 256 }) {
        onEveryInstructionSet([&] {
            const auto result = stream(*operands, { false, (keys + pool - 1) / pool });
            QVERIFY(result);
            QCOMPARE(result->pool, pool);
            for (Index row = 0; row < result->overview.rows(); ++row) {
                for (Index col = 0; col < result->overview.cols(); ++col) {
                    double largest = -1.0;
                    for (Index i = row * pool; i < std::min(queries, (row + 1) * pool); ++i)
                        for (Index j = col * pool; j < std::min(keys, (col + 1) * pool); ++j)
                            largest = c.problem.visible(i, j) ? std::max(largest, weights(i, j)) : largest;
                    const float cell = result->overview(row, col);
                    if (largest < 0.0)
                        QCOMPARE(cell::kind(cell), cell::Kind::Masked);
                    else
                        QVERIFY(std::abs(cell - largest) <= 2e-6);
                }
            }
        });
    }
}

void TestKernels::nanOfOneRowStaysInTheOverview()
{
    constexpr Index pool = 8;
    Case c = sdpaCase(150, 150, 4);
    setMechanism(c, "causal");
    Matrix q = c.problem.q;
    q.row(5 * pool).setConstant(notANumber);
    c.block = projectedBlock(q, c.problem.k, c.problem.v);
    const auto operands = c.operands();
    onEveryInstructionSet([&] {
        for (const bool wantsWeights : { false, true }) {
            const auto result = stream(*operands, { false, 20, wantsWeights });
            QVERIFY(result);
            QCOMPARE(result->pool, pool);
            // The rows after it fold numbers into the same cells.
            for (Index row = 0; row < result->overview.rows(); ++row)
                for (Index col = 0; col < result->overview.cols(); ++col)
                    QCOMPARE(cell::kind(result->overview(row, col)),
                        col > row      ? cell::Kind::Masked
                            : row == 5 ? cell::Kind::Nan
                                       : cell::Kind::Number);
        }
    });
}

void TestKernels::anyNumberOfThreadsGivesTheSameBits()
{
    Case c = sdpaCase(330, 290, 19);
    setMechanism(c, "causal");
    const auto operands = c.operands();
    onEveryInstructionSet([&] {
        setThreadCount(1);
        const auto one = stream(*operands, { true, 64 });
        for (const int threads : { 1, 2, 3 }) {
            setThreadCount(threads);
            const auto again = stream(*operands, { true, 64 });
            QVERIFY(one && again);
            QVERIFY(sameBits(again->output, one->output));
            QVERIFY(sameBits(again->overview, one->overview));
            QVERIFY(sameBits(again->logSumExp, one->logSumExp));
            QVERIFY(sameBits(again->entropy, one->entropy));
        }
    });
}

QTEST_APPLESS_MAIN(TestKernels)
#include "tst_kernels.moc"
