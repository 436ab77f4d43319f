// SPDX-License-Identifier: GPL-3.0-or-later
// The engine against the golden cases: explain at the manifest's tolerance, stream against double within twice the naive error.
#include "attention/cell.h"
#include "attention/stream.h"
#include "support/golden_case.h"
#include "support/problems.h"

#include <QTest>

using namespace attenscope;

namespace {

const QString folder = QStringLiteral(TEST_DATA "/golden/attention");

const std::vector<GoldenCase> &cases()
{
    static const std::vector<GoldenCase> all = readCases(folder).value_or(std::vector<GoldenCase>());
    return all;
}

bool isAny(const GoldenCase &)
{
    return true;
}

bool hasHeads(const GoldenCase &golden)
{
    return setupOf(golden).has_value();
}

bool isWithin(double result, double expected, const GoldenOutput &declared)
{
    if (result == expected)
        return true;
    return std::abs(result - expected) <= declared.atol + (std::isinf(expected) ? 0.0 : declared.rtol * std::abs(expected));
}

void compareStream(const Matrix &streamed, const Matrix &exact, const Matrix &naive, const char *what)
{
    const double bound = std::max(1e-6 * oracle::largestMagnitude(exact), 2.0 * oracle::largestError(naive, exact));
    const double error = oracle::largestError(streamed, exact);
    QVERIFY2(error <= bound, qPrintable(QStringLiteral("%1: %2 > %3").arg(what).arg(error).arg(bound)));
}

} // namespace

class TestGolden : public QObject {
    Q_OBJECT

private slots:
    void manifestIsRead();
    void explainMatches_data() { addCases(&isAny); }
    void explainMatches();
    void streamMatches_data() { addCases(&hasHeads); }
    void streamMatches();

private:
    static void addCases(bool (*isWanted)(const GoldenCase &));
};

void TestGolden::manifestIsRead()
{
    QCOMPARE(cases().size(), 147U);
}

void TestGolden::addCases(bool (*isWanted)(const GoldenCase &))
{
    QTest::addColumn<int>("place");
    for (std::size_t place = 0; place < cases().size(); ++place)
        if (isWanted(cases()[place]))
            QTest::newRow(cases()[place].name.c_str()) << static_cast<int>(place);
}

void TestGolden::explainMatches()
{
    QFETCH(int, place);
    const GoldenCase &golden = cases()[static_cast<std::size_t>(place)];
    const auto results = computeCase(golden);
    QVERIFY(results);
    std::vector<std::string> names;
    for (const GoldenOutput &declared : golden.outputs)
        names.push_back(declared.name);
    const auto expected = readNpz(folder + '/' + QString::fromStdString(golden.file), names);
    QVERIFY(expected);
    for (const GoldenOutput &declared : golden.outputs) {
        QVERIFY2(results->count(declared.name) > 0, declared.name.c_str());
        const GoldenArray &result = results->at(declared.name);
        QVERIFY2(result.shape == declared.shape, declared.name.c_str());
        for (std::size_t cell = 0; cell < result.numbers.size(); ++cell) {
            const double number = expected->at(declared.name).numbers[cell];
            if (!isWithin(result.numbers[cell], number, declared))
                QFAIL(qPrintable(QStringLiteral("%1[%2] is %3, not %4")
                                     .arg(QString::fromStdString(declared.name))
                                     .arg(cell)
                                     .arg(result.numbers[cell], 0, 'g', 17)
                                     .arg(number, 0, 'g', 17)));
        }
    }
}

void TestGolden::streamMatches()
{
    QFETCH(int, place);
    const GoldenCase &golden = cases()[static_cast<std::size_t>(place)];
    const auto setup = setupOf(golden);
    QVERIFY(setup);
    const int heads = headCount(setup->block, setup->specs.front());
    for (int index = 0; index < setup->block.batch * heads; ++index) {
        const HeadRef ref{ 0, 0, index % heads, index / heads };
        const auto operands = headOperands(setup->block, setup->specs[static_cast<std::size_t>(index)], ref);
        QVERIFY(operands);
        const auto streamed = stream(**operands, { true, setup->block.queries + setup->block.keys });
        QVERIFY(streamed);
        const oracle::Problem problem = problemOf(**operands);
        const oracle::Answer exact = oracle::solve<double>(problem);
        const oracle::Answer naive = oracle::solve<float>(problem);
        Matrix weights = streamed->overview.cast<double>();
        for (Index row = 0; row < weights.rows(); ++row)
            for (Index col = 0; col < weights.cols(); ++col)
                if (cell::kind(streamed->overview(row, col)) == cell::Kind::Masked)
                    weights(row, col) = 0.0;
        compareStream(weights, exact.weights, naive.weights, "weights");
        if (problem.v.size() > 0)
            compareStream(streamed->output.cast<double>(), exact.output, naive.output, "output");
        for (Index row = 0; row < exact.logSumExp.size(); ++row) {
            const double expected = exact.logSumExp(row);
            const double got = streamed->logSumExp(row);
            QVERIFY(got == expected || std::abs(got - expected) <= 5e-6 * std::max(1.0, std::abs(expected)));
        }
    }
}

QTEST_APPLESS_MAIN(TestGolden)
#include "tst_golden.moc"
