// SPDX-License-Identifier: GPL-3.0-or-later
// SharedMatrix: reading, edits that leave the original alone, equality.
#include "core/shared_matrix.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>

using namespace attenscope;

namespace {

/// rows x cols, cell (r, c) is 1000 r + c.
Matrix numbered(Index rows, Index cols)
{
    Matrix matrix(rows, cols);
    for (Index row = 0; row < rows; ++row)
        for (Index col = 0; col < cols; ++col)
            matrix(row, col) = static_cast<double>(1000 * row + col);
    return matrix;
}

/// A file that is not in memory and has lost its end.
class BrokenFile final : public ByteSource {
public:
    [[nodiscard]] std::uint64_t size() const override { return 32; }
    void read(std::uint64_t, std::span<std::byte> out) const override { std::fill(out.begin(), out.end(), std::byte{ 0xff }); }
    [[nodiscard]] std::optional<Error> error() const override
    {
        Error error;
        error.what = "The file changed.";
        return error;
    }
};

} // namespace

class TestSharedMatrix : public QObject {
    Q_OBJECT

private slots:
    void numbersComeBack_data();
    void numbersComeBack();
    void viewsReadTheirTensor();
    void readingGoesOnInTheNextRow();
    void editsLeaveTheOriginal();
    void pastingGrowsTheMatrix();
    void rowsAndColumnsMove();
    void equalityLooksAtNumbers();
    void equalityOfMatricesWithoutNumbers();
    void failuresOfTheSourceAreTold();
};

void TestSharedMatrix::numbersComeBack_data()
{
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("cols");
    for (const auto &[rows, cols] : { std::pair{ 1, 1 }, { 63, 3 }, { 64, 3 }, { 65, 3 }, { 130, 1 }, { 3, 0 }, { 0, 3 } })
        QTest::addRow("%d x %d", rows, cols) << rows << cols;
}

void TestSharedMatrix::numbersComeBack()
{
    QFETCH(int, rows);
    QFETCH(int, cols);
    const Matrix matrix = numbered(rows, cols);
    const SharedMatrix shared(matrix);
    QCOMPARE(shared.rows(), Index{ rows });
    QCOMPARE(shared.cols(), Index{ cols });
    QVERIFY(!shared.isEmpty());
    QCOMPARE(shared.toMatrix(), matrix);
    QCOMPARE(shared.toMatrixF(), MatrixF(matrix.cast<float>()));
    if (rows > 60)
        QCOMPARE(shared.rowRange({ 60, rows }), Matrix(matrix.bottomRows(rows - 60)));
    QCOMPARE(shared.bytes(), static_cast<std::uint64_t>(rows * cols * 8));
}

void TestSharedMatrix::viewsReadTheirTensor()
{
    const std::array swap{ 1, 0 };
    const SharedMatrix view(Tensor::fromMatrix(numbered(3, 2)).transposed(swap));
    QCOMPARE(view.toMatrix(), (Matrix{ { 0, 1000, 2000 }, { 1, 1001, 2001 } }));
    QCOMPARE(view.at(1, 2), 2001.0);
    QCOMPARE(view.rowRange({ 1, 2 }), (Matrix{ { 1, 1001, 2001 } }));
    const Tensor numbers = Tensor::fromMatrix(numbered(9, 3));
    QCOMPARE(SharedMatrix(numbers).rowRange({ 4, 6 }), (Matrix{ { 4000, 4001, 4002 }, { 5000, 5001, 5002 } }));
    // Rows that do not lie behind each other.
    QCOMPARE(SharedMatrix(numbers.sliced(1, { 1, 3 })).rowRange({ 4, 6 }), (Matrix{ { 4001, 4002 }, { 5001, 5002 } }));
    QVERIFY(view == SharedMatrix(Matrix(numbered(3, 2).transpose())));
    QCOMPARE(view.withCell(0, 1, 5.0).toMatrix(), (Matrix{ { 0, 5, 2000 }, { 1, 1001, 2001 } }));
    QVERIFY(view.isInMemory() && SharedMatrix(numbered(1, 1)).isInMemory());
}

void TestSharedMatrix::readingGoesOnInTheNextRow()
{
    // Over the ends of two blocks.
    const Matrix numbers = numbered(200, 3);
    std::vector<double> read(400);
    std::vector<float> floats(400);
    SharedMatrix(numbers).readRow(61, 2, std::span<double>(read));
    SharedMatrix(numbers).readRow(61, 2, std::span<float>(floats));
    for (std::size_t place = 0; place < read.size(); ++place) {
        QCOMPARE(read[place], numbers.data()[61 * 3 + 2 + place]);
        QCOMPARE(floats[place], static_cast<float>(read[place]));
    }
}

void TestSharedMatrix::editsLeaveTheOriginal()
{
    const SharedMatrix original(numbered(70, 2));
    const SharedMatrix changed = original.withCell(69, 1, -1.0);
    QCOMPARE(original.at(69, 1), 69001.0);
    QCOMPARE(changed.at(69, 1), -1.0);
    QCOMPARE(changed.at(69, 0), 69000.0);
}

void TestSharedMatrix::pastingGrowsTheMatrix()
{
    const SharedMatrix pasted = SharedMatrix(numbered(2, 2)).withPasted(1, 1, Matrix{ { 7, 8 }, { 9, 10 } });
    QCOMPARE(pasted.toMatrix(), (Matrix{ { 0, 1, 0 }, { 1000, 7, 8 }, { 0, 9, 10 } }));
    QCOMPARE(SharedMatrix().withPasted(0, 0, Matrix{ { 1, 2 } }).toMatrix(), (Matrix{ { 1, 2 } }));
}

void TestSharedMatrix::rowsAndColumnsMove()
{
    const SharedMatrix matrix(Matrix{ { 1, 2, 3 }, { 4, 5, 6 } });
    QCOMPARE(matrix.withRowsInserted(1, 1).toMatrix(), (Matrix{ { 1, 2, 3 }, { 0, 0, 0 }, { 4, 5, 6 } }));
    QCOMPARE(matrix.withColsInserted(3, 1).toMatrix(), (Matrix{ { 1, 2, 3, 0 }, { 4, 5, 6, 0 } }));
    QCOMPARE(matrix.withRowsRemoved(0, 1).toMatrix(), (Matrix{ { 4, 5, 6 } }));
    QCOMPARE(matrix.withColsRemoved(1, 2).toMatrix(), (Matrix{ { 1 }, { 4 } }));
    QCOMPARE(matrix.withRowMoved(0, 1).toMatrix(), (Matrix{ { 4, 5, 6 }, { 1, 2, 3 } }));
    QCOMPARE(matrix.withColMoved(2, 0).toMatrix(), (Matrix{ { 3, 1, 2 }, { 6, 4, 5 } }));
    QCOMPARE(matrix.withColMoved(0, 2).toMatrix(), (Matrix{ { 2, 3, 1 }, { 5, 6, 4 } }));
    QCOMPARE(matrix.withRowsRemoved(0, 2).rows(), Index{ 0 });
}

void TestSharedMatrix::equalityLooksAtNumbers()
{
    Matrix numbers = numbered(70, 2);
    numbers(3, 1) = std::nan("");
    const SharedMatrix matrix(numbers);
    QVERIFY(matrix == SharedMatrix(numbers));
    QVERIFY(matrix == SharedMatrix(Tensor::fromMatrix(numbers)));
    QVERIFY(!(matrix == matrix.withCell(69, 0, 0.5)));
    QVERIFY(matrix == matrix.withCell(69, 0, 0.5).withCell(69, 0, 69000.0));
    QVERIFY(!(SharedMatrix(Matrix(Matrix::Zero(1, 1))) == SharedMatrix(Matrix(Matrix::Constant(1, 1, -0.0)))));
    QVERIFY(!(matrix == SharedMatrix(numbered(2, 70))));
}

void TestSharedMatrix::equalityOfMatricesWithoutNumbers()
{
    QVERIFY(SharedMatrix() == SharedMatrix());
    QVERIFY(SharedMatrix().isEmpty());
    QVERIFY(SharedMatrix(Matrix(0, 3)) == SharedMatrix(Tensor::fromMatrix(Matrix(0, 3))));
    QVERIFY(!(SharedMatrix(Matrix(0, 3)) == SharedMatrix(Matrix(3, 0))));
}

void TestSharedMatrix::failuresOfTheSourceAreTold()
{
    const SharedMatrix matrix(Tensor(std::make_shared<BrokenFile>(), 0, ElementType::F64, { 2, 2 }));
    QVERIFY(std::isnan(matrix.at(1, 1)));
    QVERIFY(!matrix.isInMemory());
    QVERIFY(matrix.readError());
    QCOMPARE(matrix.readError()->what, std::string("The file changed."));
    QVERIFY(!SharedMatrix(numbered(1, 1)).readError());
}

QTEST_APPLESS_MAIN(TestSharedMatrix)
#include "tst_shared_matrix.moc"
