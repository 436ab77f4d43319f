// SPDX-License-Identifier: GPL-3.0-or-later
// stream against the textbook in double precision, and what must hold for it beyond numbers.
#include "attention/stream.h"

#include "attention/cell.h"
#include "attention/explain.h"
#include "core/parallel.h"
#include "support/problems.h"
#include "support/same_bits.h"

#include <QTest>

#include <atomic>
#include <functional>

using namespace attenscope;

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

/// Weights of an overview of pool 1; masked cells are 0.
Matrix weightsOf(const StreamResult &result)
{
    return result.overview.unaryExpr([](float value) { return cell::kind(value) == cell::Kind::Masked ? 0.0F : value; }).cast<double>();
}

bool isWithinTwiceNaive(const Matrix &streamed, const Matrix &exact, const Matrix &naive)
{
    return oracle::largestError(streamed, exact)
        <= std::max(1e-6 * oracle::largestMagnitude(exact), 2.0 * oracle::largestError(naive, exact));
}

/// Every mask rule of the engine, RoPE in both layouts, and flash, beside the mechanisms of problems.h.
const std::vector<std::pair<std::string, std::function<void(AttentionSpec &, const AttentionBlock &)>>> &otherMechanisms()
{
    const auto rule = [](MaskRule mask) { return [mask](AttentionSpec &spec, const AttentionBlock &) { spec.mask.rule = mask; }; };
    static const std::vector<std::pair<std::string, std::function<void(AttentionSpec &, const AttentionBlock &)>>> all{
        { "sliding window", rule(MaskRule::SlidingWindow) },
        { "causal sliding window", rule(MaskRule::CausalSlidingWindow) },
        { "prefix", rule(MaskRule::PrefixLm) },
        { "strided", rule(MaskRule::SparseStrided) },
        { "fixed", rule(MaskRule::SparseFixed) },
        { "sinks and window", rule(MaskRule::SinksWindow) },
        { "block-sparse",
            [](AttentionSpec &spec, const AttentionBlock &block) {
                spec.mask.rule = MaskRule::BlockSparse;
                spec.mask.blockLayout = BitMatrix((block.queries + 3) / 4, (block.keys + 3) / 4, false);
                for (Index row = 0; row < spec.mask.blockLayout.rows(); ++row)
                    for (Index col = row % 2; col < spec.mask.blockLayout.cols(); col += 2)
                        spec.mask.blockLayout.set(row, col, true);
            } },
        { "documents",
            [](AttentionSpec &spec, const AttentionBlock &) {
                spec.mask.rule = MaskRule::Document;
                spec.mask.documentStarts = { 1, 30 };
            } },
        { "causal from the top left",
            [](AttentionSpec &spec, const AttentionBlock &) {
                spec.mask.rule = MaskRule::Causal;
                spec.mask.alignment = CausalAlignment::TopLeft;
            } },
        { "padding", [](AttentionSpec &spec, const AttentionBlock &block) { spec.mask.paddedKeys = block.keys / 3; } },
        { "RoPE, half",
            [](AttentionSpec &spec, const AttentionBlock &) {
                spec.rope = Rope{ RopeLayout::Half, 10000.0, 3, 0 };
            } },
        { "RoPE, interleaved",
            [](AttentionSpec &spec, const AttentionBlock &) {
                spec.rope = Rope{ RopeLayout::Interleaved, 500.0, 0, 0 };
            } },
        { "flash", [](AttentionSpec &spec, const AttentionBlock &) { spec.algorithm = Algorithm::Flash; } },
    };
    return all;
}

/// One head under a mechanism of either list. Every third row sees nothing if wanted.
std::shared_ptr<const HeadOperands> operandsOf(Case c, const std::string &mechanism, bool hasDeadRows)
{
    setMechanism(c, mechanism);
    for (const auto &[name, set] : otherMechanisms())
        if (name == mechanism)
            set(c.spec, c.block);
    if (hasDeadRows) {
        c.spec.mask.allowed = BitMatrix(c.block.queries, c.block.keys, true);
        for (Index row = 0; row < c.block.queries; row += 3)
            for (Index key = 0; key < c.block.keys; ++key)
                c.spec.mask.allowed.set(row, key, false);
    }
    return check(c.block, c.spec) ? nullptr : c.operands();
}

} // namespace

class TestStream : public QObject {
    Q_OBJECT

private slots:
    void cleanup() { setThreadCount(0); }

    void agreesWithTextbook_data();
    void agreesWithTextbook();
    void agreesWithExplain_data();
    void agreesWithExplain();
    void poolIsSmallestPowerOfTwoThatFits();
    void overviewIsTheLargestWeightOfEveryCell_data();
    void overviewIsTheLargestWeightOfEveryCell();
    void anyNumberOfThreadsGivesTheSameBits();
    void rowsAloneAreAsInTheWhole();
    void withoutValuesThereIsNoOutput();
    void outputIsLeftOutWhenNotWanted();
    void stopCancels();
    void progressReachesOne();
};

void TestStream::agreesWithTextbook_data()
{
    QTest::addColumn<int>("queries");
    QTest::addColumn<int>("keys");
    QTest::addColumn<int>("d");
    QTest::addColumn<QString>("mechanism");
    const auto add = [](int queries, int keys, int d, const std::string &mechanism) {
        QTest::addRow("%d x %d, d %d, %s", queries, keys, d, mechanism.c_str())
            << queries << keys << d << QString::fromStdString(mechanism);
    };
    for (const std::string &mechanism : mechanismNames()) {
        add(65, 97, 8, mechanism);
        add(3, 2, 4, mechanism);
    }
    for (const int n : { 1, 2, 63, 65, 97, 130 })
        for (const int d : { 1, 3, 59, 64 })
            add(n, n, d, d == 64 ? "causal" : "plain");
    for (const auto &[queries, keys] : { std::pair{ 1, 130 }, { 130, 1 }, { 63, 300 }, { 300, 63 } })
        add(queries, keys, 8, "causal");
    add(1025, 1025, 3, "causal");
    add(65, 1025, 64, "plain");
}

void TestStream::agreesWithTextbook()
{
    QFETCH(int, queries);
    QFETCH(int, keys);
    QFETCH(int, d);
    QFETCH(QString, mechanism);
    Case c = sdpaCase(queries, keys, d);
    setMechanism(c, mechanism.toStdString());
    QVERIFY(!check(c.block, c.spec));
    const auto result = stream(*c.operands(), { true, 2048 });
    QVERIFY(result);
    const oracle::Answer exact = oracle::solve<double>(c.problem);
    const oracle::Answer naive = oracle::solve<float>(c.problem);
    QVERIFY(isWithinTwiceNaive(weightsOf(*result), exact.weights, naive.weights));
    QVERIFY(isWithinTwiceNaive(result->output.cast<double>(), exact.output, naive.output));
    for (Index row = 0; row < queries; ++row) {
        const double expected = exact.logSumExp(row);
        QVERIFY(
            result->logSumExp(row) == expected || std::abs(result->logSumExp(row) - expected) <= 5e-6 * std::max(1.0, std::abs(expected)));
        QVERIFY(std::abs(result->entropy(row) - exact.entropy(row)) <= 1e-5);
        QVERIFY(std::abs(result->largest(row) - exact.weights.row(row).maxCoeff()) <= 2e-6);
    }
}

void TestStream::agreesWithExplain_data()
{
    QTest::addColumn<int>("queries");
    QTest::addColumn<int>("keys");
    QTest::addColumn<QString>("mechanism");
    std::vector<std::string> mechanisms = mechanismNames();
    for (const auto &[name, set] : otherMechanisms())
        mechanisms.push_back(name);
    for (const std::string &mechanism : mechanisms)
        for (const auto &[queries, keys] : { std::pair{ 63, 97 }, { 97, 63 }, { 1, 65 }, { 65, 1 }, { 65, 65 } })
            QTest::addRow("%s, %d x %d", mechanism.c_str(), queries, keys) << queries << keys << QString::fromStdString(mechanism);
}

void TestStream::agreesWithExplain()
{
    QFETCH(int, queries);
    QFETCH(int, keys);
    QFETCH(QString, mechanism);
    enum class Content { Plain, DeadRows, Nan };
    for (const Content content : { Content::Plain, Content::DeadRows, Content::Nan }) {
        Case c = sdpaCase(queries, keys, 6);
        const auto clean = operandsOf(c, mechanism.toStdString(), content == Content::DeadRows);
        QVERIFY(clean);
        if (content == Content::Nan) {
            Matrix k = c.problem.k;
            Matrix v = c.problem.v;
            k(keys / 2, 1) = notANumber;
            v(keys / 3, 2) = notANumber;
            c.block = projectedBlock(c.problem.q, k, v);
        }
        const auto operands = operandsOf(c, mechanism.toStdString(), content == Content::DeadRows);
        const auto streamed = stream(*operands, { true, 256 });
        auto exact = explain(*operands, { 0, queries });
        QVERIFY(streamed && exact);
        // What naive float is off by, on the numbers without NaN.
        const oracle::Problem problem = problemOf(*clean);
        const oracle::Answer naive = oracle::solve<float>(problem);
        const oracle::Answer textbook = oracle::solve<double>(problem);
        const auto compare = [](Matrix approximate, Matrix expected, double naiveError) {
            for (Index row = 0; row < expected.rows(); ++row) {
                for (Index col = 0; col < expected.cols(); ++col) {
                    if (std::isnan(approximate(row, col)) != std::isnan(expected(row, col)))
                        QFAIL(qPrintable(QStringLiteral("NaN in one of them at %1, %2").arg(row).arg(col)));
                    if (std::isnan(expected(row, col)))
                        approximate(row, col) = expected(row, col) = 0.0;
                }
            }
            const double error = oracle::largestError(approximate, expected);
            QVERIFY2(error <= std::max(1e-6 * oracle::largestMagnitude(expected), 2.0 * naiveError), QByteArray::number(error).constData());
        };
        compare(weightsOf(*streamed), exact->weights, oracle::largestError(naive.weights, textbook.weights));
        compare(streamed->output.cast<double>(), exact->output, oracle::largestError(naive.output, textbook.output));
        for (Index row = 0; row < queries; ++row) {
            const double expected = exact->logSumExp(row);
            const double got = streamed->logSumExp(row);
            QVERIFY(got == expected || (std::isnan(got) && std::isnan(expected))
                || std::abs(got - expected) <= 5e-6 * std::max(1.0, std::abs(expected)));
        }
        if (content == Content::DeadRows)
            QVERIFY(exact->weights.row(0).isZero(0.0) && std::isinf(streamed->logSumExp(0)));
        if (content == Content::Nan && mechanism == "plain")
            QVERIFY(std::isnan(streamed->logSumExp(0)));
    }
}

void TestStream::poolIsSmallestPowerOfTwoThatFits()
{
    QCOMPARE(overviewPool(1024, 3, 1024), Index{ 1 });
    QCOMPARE(overviewPool(3, 1025, 1024), Index{ 2 });
    QCOMPARE(overviewPool(4096, 4096, 512), Index{ 8 });
    QCOMPARE(overviewPool(4097, 4096, 512), Index{ 16 });
}

void TestStream::overviewIsTheLargestWeightOfEveryCell_data()
{
    QTest::addColumn<int>("queries");
    QTest::addColumn<int>("keys");
    QTest::addColumn<int>("size");
    QTest::addColumn<int>("pool");
    QTest::newRow("pool 1") << 97 << 130 << 130 << 1;
    QTest::newRow("pool 2") << 97 << 130 << 65 << 2;
    QTest::newRow("pool 8, edges cut") << 97 << 130 << 17 << 8;
    QTest::newRow("pool of one query block") << 130 << 97 << 3 << 64;
    QTest::newRow("pool of two query blocks") << 300 << 97 << 3 << 128;
    QTest::newRow("pool of more than a key block") << 65 << 600 << 2 << 512;
    QTest::newRow("one cell") << 65 << 600 << 1 << 1024;
}

void TestStream::overviewIsTheLargestWeightOfEveryCell()
{
    QFETCH(int, queries);
    QFETCH(int, keys);
    QFETCH(int, size);
    QFETCH(int, pool);
    Case c = sdpaCase(queries, keys, 4);
    setMechanism(c, "causal");
    const auto result = stream(*c.operands(), { false, size });
    QVERIFY(result);
    QCOMPARE(result->pool, Index{ pool });
    const Matrix weights = oracle::solve<double>(c.problem).weights;
    for (Index row = 0; row < result->overview.rows(); ++row) {
        for (Index col = 0; col < result->overview.cols(); ++col) {
            double largest = -1.0;
            for (Index i = row * pool; i < std::min<Index>(queries, (row + 1) * pool); ++i)
                for (Index j = col * pool; j < std::min<Index>(keys, (col + 1) * pool); ++j)
                    if (c.problem.visible(i, j))
                        largest = std::max(largest, weights(i, j));
            const float cell = result->overview(row, col);
            if (largest < 0.0)
                QCOMPARE(cell::kind(cell), cell::Kind::Masked);
            else
                QVERIFY(std::abs(cell - largest) <= 2e-6);
        }
    }
}

void TestStream::anyNumberOfThreadsGivesTheSameBits()
{
    Case c = sdpaCase(330, 290, 19);
    setMechanism(c, "causal");
    const auto operands = c.operands();
    setThreadCount(1);
    const auto one = stream(*operands, { true, 64 });
    for (const int threads : { 2, 3 }) {
        setThreadCount(threads);
        const auto many = stream(*operands, { true, 64 });
        QVERIFY(one && many);
        QVERIFY(sameBits(many->output, one->output));
        QVERIFY(sameBits(many->overview, one->overview));
        QVERIFY(sameBits(many->logSumExp, one->logSumExp));
        QVERIFY(sameBits(many->entropy, one->entropy));
        QVERIFY(sameBits(many->largest, one->largest));
    }
}

void TestStream::rowsAloneAreAsInTheWhole()
{
    const auto operands = sdpaCase(130, 97, 8).operands();
    const auto all = stream(*operands, {});
    const auto some = streamRows(*operands, { 64, 130 }, {});
    QVERIFY(all && some);
    QVERIFY(sameBits(VectorF(all->logSumExp.tail(66)), some->logSumExp));
    QCOMPARE(some->overview.size(), Index{ 0 });
}

void TestStream::withoutValuesThereIsNoOutput()
{
    Case c = sdpaCase(3, 4, 2);
    c.block = projectedBlock(c.problem.q, c.problem.k, Matrix());
    const auto result = stream(*c.operands());
    QVERIFY(result);
    QCOMPARE(result->output.rows(), Index{ 0 });
    QCOMPARE(result->overview.rows(), Index{ 3 });
}

void TestStream::outputIsLeftOutWhenNotWanted()
{
    const auto result = stream(*sdpaCase(3, 4, 2).operands(), { false, 0 });
    QVERIFY(result);
    QCOMPARE(result->output.size(), Index{ 0 });
    QCOMPARE(result->overview.size(), Index{ 0 });
    QCOMPARE(result->logSumExp.size(), Index{ 3 });
}

void TestStream::stopCancels()
{
    const auto operands = sdpaCase(200, 600, 4).operands();
    std::stop_source source;
    std::atomic<int> reports = 0;
    const Run run{ source.get_token(), [&](double) {
                      ++reports;
                      source.request_stop();
                  } };
    const auto result = stream(*operands, {}, run);
    QVERIFY(!result);
    QVERIFY(result.error().isCancelled);
    QVERIFY(reports > 0);
}

void TestStream::progressReachesOne()
{
    std::atomic<double> largest = 0.0;
    std::atomic<int> reports = 0;
    const Run run{ {}, [&](double fraction) {
                      ++reports;
                      double seen = largest;
                      while (fraction > seen && !largest.compare_exchange_weak(seen, fraction)) { }
                  } };
    QVERIFY(stream(*sdpaCase(700, 5, 2).operands(), {}, run));
    QCOMPARE(largest.load(), 1.0);
    QVERIFY(reports <= 200);
}

QTEST_APPLESS_MAIN(TestStream)
#include "tst_stream.moc"
