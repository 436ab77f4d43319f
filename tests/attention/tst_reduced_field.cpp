// SPDX-License-Identifier: GPL-3.0-or-later
// Weights with tokens left out and merged: columns add, rows average, and rows are divided by what is left only where that is asked for.
#include "attention/attention_result.h"
#include "core/random.h"
#include "support/field_checks.h"
#include "support/problems.h"

using namespace attenscope;

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
using Ranges = std::vector<Range>;

MapFieldPtr reduced(const Matrix &weights, const Ranges &queries, const Ranges &keys, bool renormalizes)
{
    return reducedField(matrixField(weights), queries, keys, renormalizes);
}

} // namespace

class TestReducedField : public QObject {
    Q_OBJECT

private slots:
    void leftOutKeysLeaveTheOthersAsTheyAre();
    void renormalizedRowsSumToOne();
    void columnsOfAWordAddAndItsRowsAverage();
    void hiddenCellsCountAsZeroUnlessAllAre();
    void aRowWithoutWeightStaysZero();
    void nanReachesItsWordAlone();
    void partsOfARowAreThoseOfTheWhole();
    void coloursFoldTheReducedCells();
    void headsOfReducedBlocksAreReducedHeads();
};

void TestReducedField::leftOutKeysLeaveTheOthersAsTheyAre()
{
    const Matrix weights{ { 0.5, 0.25, 0.25 }, { 0.75, 0.125, 0.125 }, { 0.5, 0.25, 0.25 } };
    QVERIFY(hasCells(*reduced(weights, { { 1, 2 }, { 2, 3 } }, { { 1, 2 }, { 2, 3 } }, false), { 0.125, 0.125, 0.25, 0.25 }));
}

void TestReducedField::renormalizedRowsSumToOne()
{
    const Matrix weights{ { 0.5, 0.125, 0.375 }, { 0.75, 0.25, 0.0 } };
    QVERIFY(hasCells(*reduced(weights, { { 0, 1 }, { 1, 2 } }, { { 1, 2 }, { 2, 3 } }, true), { 0.25, 0.75, 1.0, 0.0 }));
}

void TestReducedField::columnsOfAWordAddAndItsRowsAverage()
{
    // "play ##ing now": (0.5 + 0.25, 0.25) and (0.25 + 0.25, 0.5), averaged; the last row as it is.
    const Matrix weights{ { 0.5, 0.25, 0.25 }, { 0.25, 0.25, 0.5 }, { 0.125, 0.5, 0.375 } };
    const Ranges words{ { 0, 2 }, { 2, 3 } };
    QVERIFY(hasCells(*reduced(weights, words, words, false), { 0.625, 0.375, 0.625, 0.375 }));
    // Rows that sum to one do so after merging: dividing changes nothing.
    QVERIFY(hasCells(*reduced(weights, words, words, true), { 0.625, 0.375, 0.625, 0.375 }));
}

void TestReducedField::hiddenCellsCountAsZeroUnlessAllAre()
{
    const Matrix weights{ { 1.0, maskedCell, maskedCell, absentCell }, { 0.5, 0.5, maskedCell, absentCell } };
    const Ranges words{ { 0, 2 } };
    QVERIFY(hasCells(*reduced(weights, words, { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 2, 4 }, { 3, 4 } }, false),
        { 0.75, 0.25, maskedCell, maskedCell, absentCell }));
    // A hidden cell after a number hides nothing of it.
    QVERIFY(hasCells(*reduced(weights, words, { { 1, 3 } }, false), { 0.25 }));
}

void TestReducedField::aRowWithoutWeightStaysZero()
{
    const Matrix weights{ { 1.0, 0.0, 0.0 } };
    QVERIFY(hasCells(*reduced(weights, { { 0, 1 } }, { { 1, 2 }, { 2, 3 } }, true), { 0.0, 0.0 }));
}

void TestReducedField::nanReachesItsWordAlone()
{
    const Matrix weights{ { notANumber, 0.5, 0.25 } };
    QVERIFY(hasCells(*reduced(weights, { { 0, 1 } }, { { 0, 2 }, { 2, 3 } }, false), { notANumber, 0.25 }));
    // The sum of the row is not known.
    QVERIFY(hasCells(*reduced(weights, { { 0, 1 } }, { { 0, 2 }, { 2, 3 } }, true), { notANumber, notANumber }));
}

void TestReducedField::partsOfARowAreThoseOfTheWhole()
{
    const Matrix weights{ { 0.25, 0.125, 0.5, 0.125 } };
    const MapFieldPtr field = reduced(weights, { { 0, 1 } }, { { 0, 1 }, { 2, 3 }, { 3, 4 } }, true);
    std::vector<double> part(2);
    field->row(0, 1, part);
    QCOMPARE(part, (std::vector<double>{ 0.5 / 0.875, 0.125 / 0.875 }));
    QCOMPARE(field->at(0, 0), 0.25 / 0.875);
}

void TestReducedField::coloursFoldTheReducedCells()
{
    Random random(5);
    Matrix weights(41, 37);
    for (double &cell : weights.reshaped())
        cell = random.uniform();
    Ranges queries;
    for (Index row = 1; row < 40; row += 2)
        queries.push_back({ row, row + (row % 3 == 0 ? 2 : 1) });
    Ranges keys;
    for (Index col = 0; col < 36; col += 3)
        keys.push_back({ col, col + 1 + col % 2 });
    for (const bool renormalizes : { false, true }) {
        const MapFieldPtr field = reduced(weights, queries, keys, renormalizes);
        for (const Fold fold : { Fold::Max, Fold::Mean })
            compareRead(*field, { { 1, field->rows() }, { 2, field->cols() } }, 2, fold, 1e-6);
    }
}

void TestReducedField::headsOfReducedBlocksAreReducedHeads()
{
    const Matrix weights{ { 0.5, 0.25, 0.25 }, { 0.25, 0.25, 0.5 } };
    const auto whole = std::make_shared<const AttentionInput>(AttentionInput{ { recordedBlock(weights) } });
    AttentionBlock block;
    block.queries = 2;
    block.keys = 2;
    block.queryTokens = { "a", "b" };
    block.keyTokens = { "y", "z" };
    block.data = ReducedData{ whole, {}, { { 0, 1 }, { 1, 2 } }, { { 1, 2 }, { 2, 3 } }, true };
    const AttentionInput input{ { block } };
    const auto head = computeHead(input, {}, {}, {});
    QVERIFY(head.ok());
    QVERIFY(hasCells(*(*head)->field(Stage::Weights), { 0.5, 0.5, 0.25 / 0.75, 0.5 / 0.75 }));
    // The summary is that of the shown tokens: half and half has two effective keys.
    QCOMPARE((*head)->summary.rows, 2);
    QVERIFY(std::abs((*head)->stream.entropy(0) - std::log(2.0)) < 1e-6);
    QVERIFY(!(*head)->field(Stage::Scores));
    QCOMPARE(stagesOf(block, {}), std::vector{ Stage::Weights });
}

QTEST_APPLESS_MAIN(TestReducedField)
#include "tst_reduced_field.moc"
