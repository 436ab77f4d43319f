// SPDX-License-Identifier: GPL-3.0-or-later
// Weights as shares of the largest of their row, at every zoom.
#include "attention/row_share_field.h"

#include <QTest>

#include <limits>

using namespace attenscope;

namespace {

MatrixF readAll(const MapField &field, int level, Fold fold = Fold::Max)
{
    MatrixF out;
    if (!field.read({ { 0, field.rows() }, { 0, field.cols() } }, level, fold, out))
        qFatal("Reading was stopped.");
    return out;
}

} // namespace

class TestRowShare : public QObject {
    Q_OBJECT

private slots:
    void everyRowReachesOne()
    {
        const auto field = rowShareField(matrixField((Matrix(2, 4) << 0.8, 0.1, 0.1, 0.0, 0.25, 0.25, 0.5, 0.0).finished()));
        QCOMPARE(readAll(*field, 0), (MatrixF(2, 4) << 1.0F, 0.125F, 0.125F, 0.0F, 0.5F, 0.5F, 1.0F, 0.0F).finished());
        std::vector<double> cells(2);
        field->row(1, 1, cells);
        QCOMPARE(cells, (std::vector<double>{ 0.5, 1.0 }));
    }

    void aPartIsDividedByTheWholeRow()
    {
        const auto field = rowShareField(matrixField((Matrix(2, 4) << 0.8, 0.1, 0.1, 0.0, 0.25, 0.25, 0.5, 0.0).finished()));
        MatrixF part;
        QVERIFY(field->read({ { 1, 2 }, { 0, 2 } }, 0, Fold::Max, part));
        QCOMPARE(part, (MatrixF(1, 2) << 0.5F, 0.5F).finished());
        // What is remembered of some rows is not taken for others.
        QVERIFY(field->read({ { 0, 1 }, { 0, 2 } }, 0, Fold::Max, part));
        QCOMPARE(part, (MatrixF(1, 2) << 1.0F, 0.125F).finished());
    }

    void rowsThatAreFoldedTogetherAreOneRow()
    {
        const Matrix weights = (Matrix(4, 4) << 0.8, 0.2, 0.0, 0.0, 0.1, 0.4, 0.4, 0.1, 0.0, 0.0, 0.0, 0.2, 0.1, 0.1, 0.0, 0.0).finished();
        const auto field = rowShareField(matrixField(weights));
        QCOMPARE(readAll(*field, 1), (MatrixF(2, 2) << 1.0F, 0.5F, 0.5F, 1.0F).finished());
        QCOMPARE(readAll(*field, 2), MatrixF::Ones(1, 1));
        // A mean of cells is a share of the largest cell too.
        QCOMPARE(readAll(*field, 1, Fold::Mean)(1, 1), 0.25F);
    }

    void wideRowsAreOneRowToo()
    {
        // Wider than what is looked at at once.
        const Index cols = (Index(1) << 20) + 5;
        Matrix weights = Matrix::Constant(1, cols, 0.25);
        weights(0, cols - 1) = 0.5;
        const auto field = rowShareField(matrixField(std::move(weights)));
        MatrixF part;
        QVERIFY(field->read({ { 0, 1 }, { 0, 3 } }, 0, Fold::Max, part));
        QCOMPARE(part, MatrixF(MatrixF::Constant(1, 3, 0.5F)));
    }

    void whatIsNoNumberStaysAsItIs()
    {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        Matrix weights(4, 3);
        weights << 0.5, cell::masked<double>(), cell::absent<double>(), 0.0, 0.0, cell::masked<double>(),
            std::numeric_limits<double>::quiet_NaN(), 0.5, 0.25, 0.5, infinity, 0.25;
        const auto field = rowShareField(matrixField(weights));
        const MatrixF shares = readAll(*field, 0);
        QCOMPARE(shares(0, 0), 1.0F);
        QVERIFY(cell::kind(shares(0, 1)) == cell::Kind::Masked);
        QVERIFY(cell::kind(shares(0, 2)) == cell::Kind::Absent);
        QCOMPARE(shares(1, 0), 0.0F);
        QVERIFY(cell::kind(shares(1, 2)) == cell::Kind::Masked);
        QVERIFY(cell::kind(shares(2, 0)) == cell::Kind::Nan);
        QCOMPARE(shares(2, 2), 0.5F);
        // Nothing is a share of infinity.
        QCOMPARE(shares(3, 0), 0.5F);
        QCOMPARE(shares(3, 1), static_cast<float>(infinity));
    }
};

QTEST_APPLESS_MAIN(TestRowShare)
#include "tst_row_share.moc"
