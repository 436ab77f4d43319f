// SPDX-License-Identifier: GPL-3.0-or-later
// Overviews of maps made of others: what is estimated from folded parts, and what is read.
#include "attention/field_overview.h"

#include "core/random.h"
#include "support/field_checks.h"

using namespace attenscope;

namespace {

MapFieldPtr differenceOf(const std::vector<MapFieldPtr> &fields)
{
    return differenceField(fields.front(), fields.back());
}

/// @p cells with their maxima over 2 x 2 at hand.
MapFieldPtr preparedOf(const Matrix &cells)
{
    const MapFieldPtr exact = matrixField(cells);
    auto folded = std::make_shared<MatrixF>();
    exact->read({ { 0, exact->rows() }, { 0, exact->cols() } }, 1, Fold::Max, *folded);
    return preparedField(exact, folded, 2);
}

} // namespace

class TestFieldOverview : public QObject {
    Q_OBJECT

private slots:
    void partsAreCombinedAsTheyAreFolded()
    {
        Matrix first(3, 2);
        first << 0.5, 0.25, 0.0, 1.0, 0.125, maskedCell;
        Matrix second(3, 2);
        second << 0.75, 0.0, 0.0, 0.0, maskedCell, maskedCell;
        const auto overview = overviewOfParts({ preparedOf(first), preparedOf(second) }, &differenceOf);
        QVERIFY(overview);
        QCOMPARE(overview->pool, Index{ 2 });
        // The largest difference of the first block is 1: of maxima 1 - 0.75 is found, an estimate.
        QCOMPARE(overview->cells->rows(), Index{ 2 });
        QCOMPARE((*overview->cells)(0, 0), 0.25F);
        QCOMPARE((*overview->cells)(1, 0), 0.125F);
    }

    void withoutCellsAtHandThereIsNoEstimate()
    {
        const Matrix cells = Matrix::Zero(4, 4);
        QVERIFY(!overviewOfParts({ preparedOf(cells), matrixField(cells) }, &differenceOf));
    }

    void readingKeepsTheLargestMagnitudeWithItsSign()
    {
        // Folded by four, in more than one stripe.
        constexpr Index rows = 70;
        constexpr Index cols = 2051;
        Random random(5);
        const Matrix first = random.normalMatrix(rows, cols);
        Matrix second = random.normalMatrix(rows, cols);
        second(69, 2050) = 100.0;
        const MapFieldPtr difference = differenceField(matrixField(first), matrixField(second));
        const auto overview = readOverview(*difference);
        QVERIFY(overview);
        QCOMPARE(overview->pool, Index{ 4 });
        const Matrix exact = exactCells(*difference);
        for (Index row = 0; row < overview->cells->rows(); ++row) {
            for (Index col = 0; col < overview->cells->cols(); ++col) {
                const CellRect block{ { 4 * row, std::min(rows, 4 * row + 4) }, { 4 * col, std::min(cols, 4 * col + 4) } };
                QVERIFY(isClose((*overview->cells)(row, col), foldedByHand(exact, block, Fold::MaxMagnitude), 1e-6));
            }
        }
        QVERIFY((*overview->cells)(17, 512) < -90.0F);
    }

    void stoppingIsCancelling()
    {
        std::stop_source stop;
        stop.request_stop();
        const auto overview = readOverview(*matrixField(Matrix::Zero(10, 10)), { stop.get_token(), {} });
        QVERIFY(!overview && overview.error().isCancelled);
    }
};

QTEST_APPLESS_MAIN(TestFieldOverview)
#include "tst_field_overview.moc"
