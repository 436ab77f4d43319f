// SPDX-License-Identifier: GPL-3.0-or-later
// The inner loops alone, on every instruction set that this processor has.
#include "attention/kernels/kernels.h"
#include "attention/kernels/matrix_product.h"
#include "attention/score_blocks.h"
#include "core/parallel.h"
#include "core/random.h"
#include "support/instruction_sets.h"

#include <QTest>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stop_token>

using namespace attenscope;

class TestKernelLoops : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();

    void powersAreExactWhereTheyMustBe();
    void transposeExchangesRowsAndColumns();
    void matrixProductIsTheSumOfProducts_data();
    void matrixProductIsTheSumOfProducts();
    void tilesStartWithALineOfTheCache();
    void floatRowsKnowTheirMagnitude();
};

void TestKernelLoops::initTestCase()
{
    QStringList names;
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets())
        names.append(hwy::TargetName(target));
    qInfo("Instruction sets: %s", qPrintable(names.join(", ")));
    QVERIFY(!names.isEmpty());
}

void TestKernelLoops::powersAreExactWhereTheyMustBe()
{
    onEveryInstructionSet([&] {
        const Kernels &own = kernels();
        std::vector<float> scores(static_cast<std::size_t>(own.width), -std::numeric_limits<float>::infinity());
        RunningSoftmax::Lanes reference{};
        RunningSoftmax::Lanes factor;
        factor.fill(1.0F);
        own.weights(scores.data(), 1, reference.data(), factor.data());
        QVERIFY(scores.front() == 0.0F && !std::signbit(scores.front()));
        for (float exponent = 0.0F; exponent >= -126.0F; exponent -= 0.37F) {
            scores.assign(scores.size(), exponent);
            own.weights(scores.data(), 1, reference.data(), factor.data());
            const double exact = std::exp2(static_cast<double>(exponent));
            QVERIFY(std::abs(scores.back() - exact) <= 1.5e-7 * exact);
            QVERIFY(exponent != 0.0F || scores.back() == 1.0F);
        }
    });
}

void TestKernelLoops::transposeExchangesRowsAndColumns()
{
    Random random(6);
    for (const auto &[rows, cols] : { std::pair<Index, Index>{ 1, 1 }, { 3, 9 }, { 4, 4 }, { 7, 5 }, { 64, 13 }, { 16, 64 }, { 59, 33 } }) {
        const MatrixF numbers = random.normalMatrix(rows + 2, cols + 3).cast<float>();
        onEveryInstructionSet([&, rows = rows, cols = cols] {
            MatrixF turned = MatrixF::Constant(cols + 1, rows + 5, 7.0F);
            kernels().transpose(numbers.data(), numbers.cols(), rows, cols, turned.data(), turned.cols());
            QVERIFY(turned.topLeftCorner(cols, rows) == numbers.topLeftCorner(rows, cols).transpose());
            // Beside it nothing is written.
            QVERIFY((turned.rightCols(5).array() == 7.0F).all());
            QVERIFY((turned.bottomRows(1).array() == 7.0F).all());
        });
    }
}

void TestKernelLoops::matrixProductIsTheSumOfProducts_data()
{
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("depth");
    QTest::addColumn<int>("cols");
    for (const auto &[rows, depth, cols] : { std::array{ 1, 1, 1 }, { 7, 13, 65 }, { 65, 3, 31 }, { 300, 64, 32 }, { 2, 0, 3 } })
        QTest::addRow("%d x %d x %d", rows, depth, cols) << rows << depth << cols;
}

void TestKernelLoops::matrixProductIsTheSumOfProducts()
{
    QFETCH(int, rows);
    QFETCH(int, depth);
    QFETCH(int, cols);
    Random random(5);
    const Matrix a = random.normalMatrix(rows, depth);
    const Matrix b = random.normalMatrix(depth, cols);
    onEveryInstructionSet([&] {
        const Matrix result = matrixProduct(a, b);
        QCOMPARE(result.rows(), Index{ rows });
        QCOMPARE(result.cols(), Index{ cols });
        for (Index row = 0; row < rows; ++row) {
            for (Index col = 0; col < cols; ++col) {
                double sum = 0.0;
                for (Index t = 0; t < depth; ++t)
                    sum += a(row, t) * b(t, col);
                QVERIFY(std::abs(result(row, col) - sum) <= 1e-13);
            }
        }
    });
}

void TestKernelLoops::tilesStartWithALineOfTheCache()
{
    std::vector<TileNumbers> some;
    for (std::size_t size = 1; size < 100; size += 7) {
        some.emplace_back(size);
        QCOMPARE(std::bit_cast<std::uintptr_t>(some.back().data()) % 64, std::uintptr_t{ 0 });
    }
}

void TestKernelLoops::floatRowsKnowTheirMagnitude()
{
    // So many are read in several parts: what is odd is in the first of them, what is largest in the last.
    Matrix numbers = Matrix::Constant(1000, 64, 0.25);
    numbers(998, 3) = -7.0;
    for (const int threads : { 1, 3 }) {
        setThreadCount(threads);
        const FloatRows some = floatRows(SharedMatrix(numbers), { 1, 1000 });
        QVERIFY(some.numbers == numbers.bottomRows(999).cast<float>());
        QCOMPARE(some.magnitude.largest, 7.0F);
        QVERIFY(some.magnitude.isFinite());
        QVERIFY(!floatRows(SharedMatrix(Matrix(numbers * 1e300)), { 1, 1000 }).magnitude.isFinite());
        Matrix odd = numbers;
        odd(1, 0) = std::numeric_limits<double>::quiet_NaN();
        const Magnitude magnitude = floatRows(SharedMatrix(odd), { 1, 1000 }).magnitude;
        QVERIFY(magnitude.hasNan && !magnitude.isFinite());
        QCOMPARE(magnitude.largest, 7.0F);
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(floatRows(SharedMatrix(numbers), { 1, 1000 }, { stop.get_token(), {} }).magnitude.largest, 0.0F);
    }
    setThreadCount(0);
}

QTEST_APPLESS_MAIN(TestKernelLoops)
#include "tst_kernel_loops.moc"
