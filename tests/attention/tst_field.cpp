// SPDX-License-Identifier: GPL-3.0-or-later
// Map fields: colours that agree with exact rows, folding, and fields made of others.
#include "attention/field.h"

#include "attention/stream.h"
#include "core/parallel.h"
#include "support/field_checks.h"
#include "support/problems.h"
#include "support/same_bits.h"

#include <QTest>

using namespace attenscope;

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

/// A field whose cells are all kinds.
MapFieldPtr mixedField(Index rows, Index cols)
{
    Random random(8);
    Matrix cells = random.normalMatrix(rows, cols);
    for (Index row = 0; row < rows; ++row) {
        for (Index col = 0; col < cols; ++col) {
            const double dice = random.uniform();
            cells(row, col) = dice < 0.02 ? notANumber : col > row + 5 ? (row % 2 == 0 ? maskedCell : absentCell) : cells(row, col);
        }
    }
    return matrixField(cells);
}

} // namespace

class TestField : public QObject {
    Q_OBJECT

private slots:
    void cleanup() { setThreadCount(0); }

    void kindsSurviveConversion();
    void foldingFollowsItsDefinition_data();
    void foldingFollowsItsDefinition();
    void computedColorsAgreeWithExactRows_data();
    void computedColorsAgreeWithExactRows();
    void computedFoldsAreFoldsOfTheCells_data();
    void computedFoldsAreFoldsOfTheCells();
    void hugeScoresAreReadExactly();
    void cellsOfARowHaveTheBitsOfTheWhole_data();
    void cellsOfARowHaveTheBitsOfTheWhole();
    void outputColumnsAreDimensions();
    void differenceCombinesBeforeItFolds();
    void differenceCountsMaskedAsZero();
    void differenceIsSymmetricInSign();
    void meanAndMaxOfHeads();
    void preparedCellsGiveTheColors();
    void preparedCellsAreWhatDifferencesAreMadeOf();
    void previewsSayWhereTheyAreEstimates();
    void readStops();
    void anyNumberOfThreadsReadsTheSame();
    void smallAndRecordedFieldsAreAtHand();
};

void TestField::kindsSurviveConversion()
{
    QCOMPARE(cell::kind(cell::toFloat(maskedCell)), cell::Kind::Masked);
    QCOMPARE(cell::kind(cell::toFloat(absentCell)), cell::Kind::Absent);
    QCOMPARE(cell::kind(cell::toFloat(notANumber)), cell::Kind::Nan);
    QCOMPARE(cell::kind(cell::toDouble(cell::masked<float>())), cell::Kind::Masked);
    QCOMPARE(cell::kind(cell::toDouble(cell::absent<float>())), cell::Kind::Absent);
    QCOMPARE(cell::kind(cell::toDouble(std::numeric_limits<float>::quiet_NaN())), cell::Kind::Nan);
    QCOMPARE(cell::kind(std::numeric_limits<double>::infinity()), cell::Kind::Number);
    QCOMPARE(cell::toDouble(0.5F), 0.5);
}

void TestField::foldingFollowsItsDefinition_data()
{
    QTest::addColumn<int>("fold");
    QTest::addColumn<int>("level");
    for (const auto &[name, fold] : { std::pair{ "max", Fold::Max }, { "mean", Fold::Mean }, { "max magnitude", Fold::MaxMagnitude } })
        for (const int level : { 0, 1, 2, 3, 7 })
            QTest::addRow("%s, level %d", name, level) << static_cast<int>(fold) << level;
}

void TestField::foldingFollowsItsDefinition()
{
    QFETCH(int, fold);
    QFETCH(int, level);
    const MapFieldPtr field = mixedField(29, 37);
    compareRead(*field, { { 0, 29 }, { 0, 37 } }, level, static_cast<Fold>(fold), 1e-6);
    compareRead(*field, { { 3, 20 }, { 5, 36 } }, level, static_cast<Fold>(fold), 1e-6);
}

void TestField::computedColorsAgreeWithExactRows_data()
{
    QTest::addColumn<QString>("mechanism");
    QTest::addColumn<bool>("hasLogSumExp");
    for (const std::string &mechanism : mechanismNames()) {
        QTest::addRow("%s", mechanism.c_str()) << QString::fromStdString(mechanism) << true;
        QTest::addRow("%s, normalised while read", mechanism.c_str()) << QString::fromStdString(mechanism) << false;
    }
}

void TestField::computedColorsAgreeWithExactRows()
{
    QFETCH(QString, mechanism);
    QFETCH(bool, hasLogSumExp);
    Case c = sdpaCase(70, 90, 6);
    setMechanism(c, mechanism.toStdString());
    const auto operands = c.operands();
    const VectorF logSumExp = hasLogSumExp ? stream(*operands).value().logSumExp : VectorF();
    for (const Stage stage : stagesOf(c.block, c.spec)) {
        const MapFieldPtr field = computedField(operands, stage, logSumExp);
        QCOMPARE(field->rows(), Index{ 70 });
        compareRead(*field, { { 2, 70 }, { 0, field->cols() } }, 0, Fold::Max, 3e-5);
    }
}

void TestField::computedFoldsAreFoldsOfTheCells_data()
{
    QTest::addColumn<int>("level");
    QTest::addColumn<int>("fold");
    for (const int level : { 1, 3, 7, 9 })
        for (const Fold fold : { Fold::Max, Fold::Mean })
            QTest::addRow("level %d, %s", level, fold == Fold::Max ? "max" : "mean") << level << static_cast<int>(fold);
}

void TestField::computedFoldsAreFoldsOfTheCells()
{
    QFETCH(int, level);
    QFETCH(int, fold);
    Case c = sdpaCase(150, 530, 3);
    setMechanism(c, "causal");
    const auto operands = c.operands();
    const MapFieldPtr field = computedField(operands, Stage::Weights, stream(*operands).value().logSumExp);
    compareRead(*field, { { 10, 150 }, { 7, 530 } }, level, static_cast<Fold>(fold), 1e-6);
}

void TestField::hugeScoresAreReadExactly()
{
    // Two scores of 1e8: in float the log-sum-exp cannot hold ln 2.
    const auto operands = headOperands(projectedBlock(Matrix::Constant(1, 1, 1e4), Matrix::Constant(2, 1, 1e4), Matrix()), {}, {}).value();
    const MapFieldPtr field = computedField(operands, Stage::Weights, stream(*operands).value().logSumExp);
    MatrixF read;
    QVERIFY(field->read({ { 0, 1 }, { 0, 2 } }, 0, Fold::Max, read));
    QCOMPARE(read, (MatrixF{ { 0.5F, 0.5F } }));
}

void TestField::cellsOfARowHaveTheBitsOfTheWhole_data()
{
    QTest::addColumn<QString>("mechanism");
    QTest::addColumn<double>("odd");
    for (const std::string &mechanism : mechanismNames())
        QTest::addRow("%s", mechanism.c_str()) << QString::fromStdString(mechanism) << 0.5;
    QTest::newRow("NaN") << QStringLiteral("causal") << notANumber;
    QTest::newRow("infinity") << QStringLiteral("plain") << std::numeric_limits<double>::infinity();
}

void TestField::cellsOfARowHaveTheBitsOfTheWhole()
{
    QFETCH(QString, mechanism);
    QFETCH(double, odd);
    Case c = sdpaCase(80, 70, 6); // more queries than keys: the first causal rows see none
    Matrix q = c.problem.q;
    q(40, 2) = odd;
    c.block = projectedBlock(q, c.problem.k, c.problem.v);
    setMechanism(c, mechanism.toStdString());
    const auto operands = c.operands();
    for (const Stage stage : { Stage::Weights, Stage::ValueWeighted }) {
        const MapFieldPtr field = computedField(operands, stage);
        for (Index row = 0; row < field->rows(); ++row) {
            std::vector<double> whole(70);
            explainRow(*operands, stage, row, 0, whole);
            // The second time what the row is divided by is known.
            for (const Index first : { 3, 0, 60, 69 }) {
                std::vector<double> part(static_cast<std::size_t>(std::min<Index>(25, 70 - first)));
                field->row(row, first, part);
                for (std::size_t place = 0; place < part.size(); ++place) {
                    const double expected = whole[static_cast<std::size_t>(first) + place];
                    QCOMPARE(cell::kind(part[place]), cell::kind(expected));
                    if (cell::kind(expected) == cell::Kind::Number)
                        QCOMPARE(std::bit_cast<std::uint64_t>(part[place]), std::bit_cast<std::uint64_t>(expected));
                }
            }
        }
    }
}

void TestField::outputColumnsAreDimensions()
{
    const MapFieldPtr field = computedField(sdpaCase(3, 4, 2, 7).operands(), Stage::Output);
    QCOMPARE(field->cols(), Index{ 7 });
    QCOMPARE(field->columns(), Columns::Dimensions);
}

void TestField::differenceCombinesBeforeItFolds()
{
    // The largest of each is in another place, so the difference of the folds would be 0.
    const MapFieldPtr field
        = differenceField(matrixField(Matrix{ { 1.0, 0.25 }, { 0.0, 0.0 } }), matrixField(Matrix{ { 0.25, 1.0 }, { 0.0, 0.125 } }));
    QCOMPARE(field->fold(), Fold::MaxMagnitude);
    QVERIFY(hasCells(*field, { 0.75, -0.75, 0.0, -0.125 }));
    MatrixF read;
    QVERIFY(field->read({ { 0, 2 }, { 0, 2 } }, 1, field->fold(), read));
    QCOMPARE(read(0, 0), 0.75F);
    QVERIFY(field->read({ { 1, 2 }, { 0, 2 } }, 1, field->fold(), read));
    QCOMPARE(read(0, 0), -0.125F);
}

void TestField::differenceCountsMaskedAsZero()
{
    const MapFieldPtr field
        = differenceField(matrixField(Matrix{ { maskedCell, maskedCell, 0.5, notANumber, absentCell, absentCell, absentCell } }),
            matrixField(Matrix{ { maskedCell, 0.25, maskedCell, maskedCell, absentCell, maskedCell, 0.5 } }));
    QVERIFY(hasCells(*field, { maskedCell, -0.25, 0.5, notANumber, absentCell, maskedCell, -0.5 }));
    compareRead(*field, { { 0, 1 }, { 0, 7 } }, 0, Fold::MaxMagnitude, 0.0);
}

void TestField::differenceIsSymmetricInSign()
{
    const MapFieldPtr first = mixedField(40, 40);
    const MapFieldPtr second = matrixField(Matrix(Matrix::Constant(40, 40, 0.1)));
    compareRead(*differenceField(first, second), { { 0, 40 }, { 0, 40 } }, 2, Fold::MaxMagnitude, 1e-6);
    compareRead(*differenceField(second, first), { { 1, 39 }, { 2, 38 } }, 3, Fold::MaxMagnitude, 1e-6);
}

void TestField::meanAndMaxOfHeads()
{
    const std::vector<MapFieldPtr> heads{ matrixField(Matrix{ { 0.25, maskedCell, maskedCell, notANumber, -1.0 } }),
        matrixField(Matrix{ { 0.75, 0.5, maskedCell, 0.0, maskedCell } }) };
    const MapFieldPtr mean = headsField(heads, HeadsCombination::Mean);
    const MapFieldPtr max = headsField(heads, HeadsCombination::Max);
    QVERIFY(hasCells(*mean, { 0.5, 0.25, maskedCell, notANumber, -0.5 }));
    QVERIFY(hasCells(*max, { 0.75, 0.5, maskedCell, notANumber, -1.0 }));
    compareRead(*mean, { { 0, 1 }, { 0, 5 } }, 0, Fold::Max, 0.0);
    compareRead(*max, { { 0, 1 }, { 0, 3 } }, 1, Fold::Max, 0.0);
    QVERIFY(hasCells(*headsField({ heads.front() }, HeadsCombination::Mean), { 0.25, maskedCell, maskedCell, notANumber, -1.0 }));
}

void TestField::preparedCellsGiveTheColors()
{
    const MapFieldPtr exact = matrixField(Matrix(Matrix::Zero(10, 7)));
    const auto cells = std::make_shared<MatrixF>(MatrixF::Constant(5, 4, 0.5F));
    const MapFieldPtr field = preparedField(exact, cells, 2);
    const auto colorAt = [&field](const CellRect &rect, int level, Fold fold) {
        MatrixF read;
        return field->read(rect, level, fold, read) ? read(0, 0) : -1.0F;
    };
    QCOMPARE(field->at(0, 0), 0.0);
    QCOMPARE(colorAt({ { 0, 10 }, { 0, 7 } }, 1, Fold::Max), 0.5F);
    QCOMPARE(colorAt({ { 4, 10 }, { 2, 7 } }, 3, Fold::Max), 0.5F);
    // Closer, off the grid or folded otherwise: the cells themselves.
    QCOMPARE(colorAt({ { 0, 10 }, { 0, 7 } }, 0, Fold::Max), 0.0F);
    QCOMPARE(colorAt({ { 1, 10 }, { 0, 7 } }, 1, Fold::Max), 0.0F);
    QCOMPARE(colorAt({ { 0, 10 }, { 0, 5 } }, 1, Fold::Max), 0.0F);
    QCOMPARE(colorAt({ { 0, 10 }, { 0, 7 } }, 1, Fold::Mean), 0.0F);
    QCOMPARE(field->levelAtHand(Fold::Max), std::optional(1));
    QCOMPARE(field->levelAtHand(Fold::Mean), std::nullopt);
    QVERIFY(!field->isEstimate(1));
}

void TestField::preparedCellsAreWhatDifferencesAreMadeOf()
{
    // The output of a long head: its rows take all keys, its cells have been computed.
    const auto prepared = [](float number) {
        return preparedField(matrixField(Matrix(Matrix::Zero(10, 7))), std::make_shared<MatrixF>(MatrixF::Constant(10, 7, number)), 1);
    };
    MatrixF read;
    QVERIFY(differenceField(prepared(0.75F), prepared(0.5F))->read({ { 0, 10 }, { 0, 7 } }, 0, Fold::Max, read));
    QCOMPARE(read, MatrixF(MatrixF::Constant(10, 7, 0.25F)));
    // An estimate is no cell.
    const MapFieldPtr estimate
        = previewField(matrixField(Matrix(Matrix::Zero(10, 7))), std::make_shared<MatrixF>(MatrixF::Constant(10, 7, 0.5F)), 1);
    QVERIFY(differenceField(prepared(0.75F), estimate)->read({ { 0, 10 }, { 0, 7 } }, 0, Fold::Max, read));
    QCOMPARE(read, MatrixF(MatrixF::Constant(10, 7, 0.75F)));
}

void TestField::previewsSayWhereTheyAreEstimates()
{
    const MapFieldPtr field
        = previewField(matrixField(Matrix(Matrix::Zero(10, 7))), std::make_shared<MatrixF>(MatrixF::Constant(3, 2, 0.5F)), 4);
    MatrixF read;
    for (const Fold fold : { Fold::Max, Fold::Mean }) {
        QCOMPARE(field->levelAtHand(fold), std::optional(2));
        QVERIFY(field->read({ { 0, 10 }, { 0, 7 } }, 3, fold, read));
        QCOMPARE(read(0, 0), 0.5F);
        QVERIFY(field->read({ { 0, 10 }, { 0, 7 } }, 1, fold, read));
        QCOMPARE(read(0, 0), 0.0F);
    }
    QVERIFY(field->isEstimate(2) && field->isEstimate(3));
    QVERIFY(!field->isEstimate(1));
    QCOMPARE(field->at(9, 6), 0.0);
}

void TestField::readStops()
{
    std::stop_source source;
    source.request_stop();
    const Run run{ source.get_token(), {} };
    const auto operands = sdpaCase(70, 70, 2).operands();
    const MapFieldPtr recorded = recordedField(SharedMatrix(Matrix(Matrix::Zero(70, 70))), {}, Mask(70, 70));
    MatrixF read;
    for (const MapFieldPtr &field : { computedField(operands, Stage::Scores), computedField(operands, Stage::Weights), recorded,
             differenceField(recorded, recorded), matrixField(Matrix(Matrix::Zero(70, 70))) })
        QVERIFY(!field->read({ { 0, 70 }, { 0, 70 } }, 1, Fold::Max, read, run));
}

void TestField::anyNumberOfThreadsReadsTheSame()
{
    Case c = sdpaCase(200, 200, 5);
    setMechanism(c, "causal");
    const MapFieldPtr field = computedField(c.operands(), Stage::Weights);
    MatrixF one;
    MatrixF three;
    setThreadCount(1);
    QVERIFY(field->read({ { 0, 200 }, { 0, 200 } }, 2, Fold::Mean, one));
    setThreadCount(3);
    QVERIFY(field->read({ { 0, 200 }, { 0, 200 } }, 2, Fold::Mean, three));
    QVERIFY(sameBits(one, three));
}

void TestField::smallAndRecordedFieldsAreAtHand()
{
    QVERIFY(computedField(sdpaCase(128, 128, 128).operands(), Stage::Weights)->isAtHand());
    QVERIFY(!computedField(sdpaCase(129, 128, 128).operands(), Stage::Weights)->isAtHand());
    const MapFieldPtr recorded = recordedField(SharedMatrix(Matrix(Matrix::Zero(2000, 2000))), {}, Mask(2000, 2000));
    QVERIFY(recorded->isAtHand());
    QVERIFY(differenceField(recorded, recorded)->isAtHand() == false);
}

QTEST_APPLESS_MAIN(TestField)
#include "tst_field.moc"
