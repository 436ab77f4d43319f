// SPDX-License-Identifier: GPL-3.0-or-later
// Recorded weights as a field: the numbers of the file, and what a mask makes of them.
#include "core/random.h"
#include "support/field_checks.h"
#include "support/problems.h"

using namespace attenscope;

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

MaskSpec causal()
{
    MaskSpec spec;
    spec.rule = MaskRule::Causal;
    return spec;
}

Mask causalMask(Index n)
{
    AttentionBlock block;
    block.queries = block.keys = n;
    return { block, causal(), 0 };
}

} // namespace

class TestRecordedField : public QObject {
    Q_OBJECT

private slots:
    void recordedNumbersAreTheFile();
    void recordedUnderAMaskSumsToOne();
    void recordedRowWithoutHiddenWeightIsUnchanged();
    void recordedRowsMayBeShort();
    void recordedNanIsKept();
    void recordedFoldsAreFoldsOfTheCells();
};

void TestRecordedField::recordedNumbersAreTheFile()
{
    // Not even summing to one: the numbers are the file's.
    const Matrix weights{ { 0.1, 0.3 }, { 0.5, 0.7 } };
    const MapFieldPtr field = recordedField(SharedMatrix(weights), {}, Mask(2, 2));
    QVERIFY(hasCells(*field, { 0.1, 0.3, 0.5, 0.7 }));
}

void TestRecordedField::recordedUnderAMaskSumsToOne()
{
    const Matrix weights{ { 0.25, 0.25, 0.5 }, { 0.25, 0.25, 0.5 }, { 0.0, 0.5, 0.5 } };
    const MapFieldPtr field = recordedField(SharedMatrix(weights), {}, causalMask(3));
    QVERIFY(hasCells(*field, { 1.0, maskedCell, maskedCell, 0.5, 0.5, maskedCell, 0.0, 0.5, 0.5 }));
    // Nothing is left of a row whose weight was all hidden.
    const MapFieldPtr empty = recordedField(SharedMatrix(Matrix{ { 0.0, 1.0 }, { 0.0, 1.0 } }), {}, causalMask(2));
    QVERIFY(hasCells(*empty, { 0.0, maskedCell, 0.0, 1.0 }));
}

void TestRecordedField::recordedRowWithoutHiddenWeightIsUnchanged()
{
    // Causal weights, rounded when they were saved: hiding keys without weight changes no number.
    const Matrix weights{ { 0.999, 0.0 }, { 0.3, 0.699 } };
    QVERIFY(hasCells(*recordedField(SharedMatrix(weights), {}, causalMask(2)), { 0.999, maskedCell, 0.3, 0.699 }));
}

void TestRecordedField::recordedRowsMayBeShort()
{
    const Matrix weights{ { 1.0, 9.0, 9.0 }, { 0.5, 0.5, 9.0 }, { 0.2, 0.3, 0.5 } };
    QVERIFY(hasCells(*recordedField(SharedMatrix(weights), { 1, 2, 3 }, Mask(3, 3)),
        { 1.0, absentCell, absentCell, 0.5, 0.5, absentCell, 0.2, 0.3, 0.5 }));
    MaskSpec padded;
    padded.paddedKeys = 2;
    AttentionBlock block = recordedBlock(weights);
    QVERIFY(hasCells(*recordedField(SharedMatrix(weights), { 1, 2, 3 }, Mask(block, padded, 0)),
        { 1.0, absentCell, absentCell, 1.0, maskedCell, absentCell, 1.0, maskedCell, maskedCell }));
}

void TestRecordedField::recordedNanIsKept()
{
    const Matrix weights{ { notANumber, 0.5 }, { 0.5, notANumber } };
    QVERIFY(hasCells(*recordedField(SharedMatrix(weights), {}, Mask(2, 2)), { notANumber, 0.5, 0.5, notANumber }));
    // A hidden NaN is gone; what is left sums to one.
    MaskSpec padded;
    padded.paddedKeys = 1;
    QVERIFY(hasCells(
        *recordedField(SharedMatrix(weights), {}, Mask(recordedBlock(weights), padded, 0)), { notANumber, maskedCell, 1.0, maskedCell }));
}

void TestRecordedField::recordedFoldsAreFoldsOfTheCells()
{
    Random random(4);
    Matrix weights = random.normalMatrix(100, 70).cwiseAbs();
    weights(17, 4) = notANumber;
    const std::vector<Index> lengths(100, 50);
    MaskSpec window;
    window.rule = MaskRule::SlidingWindow;
    window.window = 20;
    const AttentionBlock block = recordedBlock(weights);
    for (const MapFieldPtr &field :
        { recordedField(SharedMatrix(weights), {}, Mask(100, 70)), recordedField(SharedMatrix(weights), lengths, Mask(100, 70)),
            recordedField(SharedMatrix(weights), lengths, Mask(block, window, 0)) })
        for (const int level : { 0, 1, 3, 7 })
            for (const Fold fold : { Fold::Max, Fold::Mean })
                compareRead(*field, { { 3, 99 }, { 2, 69 } }, level, fold, 1e-6);
}

QTEST_APPLESS_MAIN(TestRecordedField)
#include "tst_recorded_field.moc"
