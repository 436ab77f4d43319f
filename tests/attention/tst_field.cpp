// SPDX-License-Identifier: GPL-3.0-or-later
// Map fields: exact rows, colours that agree with them, folding, and fields made of others.
#include "attention/field.h"

#include "attention/attention_result.h"
#include "core/parallel.h"
#include "support/problems.h"

#include <QTest>

using namespace attenscope;

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
const double masked = cell::masked<double>();
const double absent = cell::absent<double>();

/// Folding as its definition says, cell by cell.
double foldedByHand(const Matrix &exact, const CellRect &cells, Fold fold)
{
    std::vector<double> numbers;
    bool hasNan = false;
    bool hasMasked = false;
    for (Index row = cells.rows.first; row < cells.rows.end; ++row) {
        for (Index col = cells.cols.first; col < cells.cols.end; ++col) {
            const double value = exact(row, col);
            hasNan = hasNan || cell::kind(value) == cell::Kind::Nan;
            hasMasked = hasMasked || cell::kind(value) == cell::Kind::Masked;
            if (cell::kind(value) == cell::Kind::Number)
                numbers.push_back(value);
        }
    }
    if (hasNan)
        return notANumber;
    if (numbers.empty())
        return hasMasked ? masked : absent;
    double sum = 0.0;
    double best = numbers.front();
    for (const double number : numbers) {
        sum += number;
        if (fold == Fold::Max ? number > best : std::abs(number) > std::abs(best))
            best = number;
    }
    return fold == Fold::Mean ? sum / static_cast<double>(numbers.size()) : best;
}

Matrix exactCells(const MapField &field)
{
    Matrix cells(field.rows(), field.cols());
    for (Index row = 0; row < cells.rows(); ++row)
        field.row(row, 0, std::span(cells.data() + row * cells.cols(), static_cast<std::size_t>(cells.cols())));
    return cells;
}

bool isClose(float color, double exact, double tolerance)
{
    if (cell::kind(color) != cell::kind(exact))
        return false;
    return std::isnan(exact) || color == cell::toFloat(exact) || std::abs(color - exact) <= tolerance;
}

/// Reads @p cells at @p level and compares every folded cell.
void compareRead(const MapField &field, const CellRect &cells, int level, Fold fold, double tolerance)
{
    MatrixF read;
    QVERIFY(field.read(cells, level, fold, read));
    const Matrix exact = exactCells(field);
    const Index size = Index{ 1 } << level;
    QCOMPARE(read.rows(), (cells.rows.size() + size - 1) / size);
    QCOMPARE(read.cols(), (cells.cols.size() + size - 1) / size);
    for (Index row = 0; row < read.rows(); ++row) {
        for (Index col = 0; col < read.cols(); ++col) {
            const Range rows{ cells.rows.first + row * size, std::min(cells.rows.end, cells.rows.first + (row + 1) * size) };
            const Range cols{ cells.cols.first + col * size, std::min(cells.cols.end, cells.cols.first + (col + 1) * size) };
            const double expected = foldedByHand(exact, { rows, cols }, fold);
            if (!isClose(read(row, col), expected, tolerance))
                QFAIL(qPrintable(QStringLiteral("(%1, %2): %3, not %4").arg(row).arg(col).arg(read(row, col)).arg(expected)));
        }
    }
}

bool hasCells(const MapField &field, const std::vector<double> &expected)
{
    for (Index row = 0; row < field.rows(); ++row)
        for (Index col = 0; col < field.cols(); ++col) {
            const double want = expected[static_cast<std::size_t>(row * field.cols() + col)];
            const double have = field.at(row, col);
            if (cell::kind(have) != cell::kind(want) || (!std::isnan(want) && have != want))
                return false;
        }
    return true;
}

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

AttentionBlock recordedBlock(const Matrix &weights)
{
    AttentionBlock block;
    block.queries = weights.rows();
    block.keys = weights.cols();
    block.data = RecordedData{ { SharedMatrix(weights) }, {}, 0 };
    return block;
}

/// A field whose cells are all kinds.
MapFieldPtr mixedField(Index rows, Index cols)
{
    Random random(8);
    Matrix cells = random.normalMatrix(rows, cols);
    for (Index row = 0; row < rows; ++row) {
        for (Index col = 0; col < cols; ++col) {
            const double dice = random.uniform();
            cells(row, col) = dice < 0.02 ? notANumber : col > row + 5 ? (row % 2 == 0 ? masked : absent) : cells(row, col);
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
    void outputColumnsAreDimensions();
    void recordedNumbersAreTheFile();
    void recordedUnderAMaskSumsToOne();
    void recordedRowWithoutHiddenWeightIsUnchanged();
    void recordedRowsMayBeShort();
    void recordedNanIsKept();
    void recordedFoldsAreFoldsOfTheCells();
    void differenceCombinesBeforeItFolds();
    void differenceCountsMaskedAsZero();
    void differenceIsSymmetricInSign();
    void meanAndMaxOfHeads();
    void preparedCellsGiveTheColors();
    void readStops();
    void anyNumberOfThreadsReadsTheSame();
    void headFieldFindsTheHead();
    void stagesDependOnDataAndSpec();
    void smallAndRecordedFieldsAreAtHand();
    void computedHeadHasItsFields();
    void recordedHeadIsSummedUp();
    void ragsAndMasksAreCountedInSummaries();
    void summaryOfUniformRowsByHand();
    void problemsAreAnsweredNotComputed();
};

void TestField::kindsSurviveConversion()
{
    QCOMPARE(cell::kind(cell::toFloat(masked)), cell::Kind::Masked);
    QCOMPARE(cell::kind(cell::toFloat(absent)), cell::Kind::Absent);
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

void TestField::outputColumnsAreDimensions()
{
    const MapFieldPtr field = computedField(sdpaCase(3, 4, 2, 7).operands(), Stage::Output);
    QCOMPARE(field->cols(), Index{ 7 });
    QCOMPARE(field->columns(), Columns::Dimensions);
}

void TestField::recordedNumbersAreTheFile()
{
    // Not even summing to one: the numbers are the file's.
    const Matrix weights{ { 0.1, 0.3 }, { 0.5, 0.7 } };
    const MapFieldPtr field = recordedField(SharedMatrix(weights), {}, Mask(2, 2));
    QVERIFY(hasCells(*field, { 0.1, 0.3, 0.5, 0.7 }));
}

void TestField::recordedUnderAMaskSumsToOne()
{
    const Matrix weights{ { 0.25, 0.25, 0.5 }, { 0.25, 0.25, 0.5 }, { 0.0, 0.5, 0.5 } };
    const MapFieldPtr field = recordedField(SharedMatrix(weights), {}, causalMask(3));
    QVERIFY(hasCells(*field, { 1.0, masked, masked, 0.5, 0.5, masked, 0.0, 0.5, 0.5 }));
    // Nothing is left of a row whose weight was all hidden.
    const MapFieldPtr empty = recordedField(SharedMatrix(Matrix{ { 0.0, 1.0 }, { 0.0, 1.0 } }), {}, causalMask(2));
    QVERIFY(hasCells(*empty, { 0.0, masked, 0.0, 1.0 }));
}

void TestField::recordedRowWithoutHiddenWeightIsUnchanged()
{
    // Causal weights, rounded when they were saved: hiding keys without weight changes no number.
    const Matrix weights{ { 0.999, 0.0 }, { 0.3, 0.699 } };
    QVERIFY(hasCells(*recordedField(SharedMatrix(weights), {}, causalMask(2)), { 0.999, masked, 0.3, 0.699 }));
}

void TestField::recordedRowsMayBeShort()
{
    const Matrix weights{ { 1.0, 9.0, 9.0 }, { 0.5, 0.5, 9.0 }, { 0.2, 0.3, 0.5 } };
    QVERIFY(
        hasCells(*recordedField(SharedMatrix(weights), { 1, 2, 3 }, Mask(3, 3)), { 1.0, absent, absent, 0.5, 0.5, absent, 0.2, 0.3, 0.5 }));
    MaskSpec padded;
    padded.paddedKeys = 2;
    AttentionBlock block = recordedBlock(weights);
    QVERIFY(hasCells(*recordedField(SharedMatrix(weights), { 1, 2, 3 }, Mask(block, padded, 0)),
        { 1.0, absent, absent, 1.0, masked, absent, 1.0, masked, masked }));
}

void TestField::recordedNanIsKept()
{
    const Matrix weights{ { notANumber, 0.5 }, { 0.5, notANumber } };
    QVERIFY(hasCells(*recordedField(SharedMatrix(weights), {}, Mask(2, 2)), { notANumber, 0.5, 0.5, notANumber }));
    // A hidden NaN is gone; what is left sums to one.
    MaskSpec padded;
    padded.paddedKeys = 1;
    QVERIFY(
        hasCells(*recordedField(SharedMatrix(weights), {}, Mask(recordedBlock(weights), padded, 0)), { notANumber, masked, 1.0, masked }));
}

void TestField::recordedFoldsAreFoldsOfTheCells()
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
    const MapFieldPtr field = differenceField(matrixField(Matrix{ { masked, masked, 0.5, notANumber, absent, absent, absent } }),
        matrixField(Matrix{ { masked, 0.25, masked, masked, absent, masked, 0.5 } }));
    QVERIFY(hasCells(*field, { masked, -0.25, 0.5, notANumber, absent, masked, -0.5 }));
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
    const std::vector<MapFieldPtr> heads{ matrixField(Matrix{ { 0.25, masked, masked, notANumber, -1.0 } }),
        matrixField(Matrix{ { 0.75, 0.5, masked, 0.0, masked } }) };
    const MapFieldPtr mean = headsField(heads, HeadsCombination::Mean);
    const MapFieldPtr max = headsField(heads, HeadsCombination::Max);
    QVERIFY(hasCells(*mean, { 0.5, 0.25, masked, notANumber, -0.5 }));
    QVERIFY(hasCells(*max, { 0.75, 0.5, masked, notANumber, -1.0 }));
    compareRead(*mean, { { 0, 1 }, { 0, 5 } }, 0, Fold::Max, 0.0);
    compareRead(*max, { { 0, 1 }, { 0, 3 } }, 1, Fold::Max, 0.0);
    QVERIFY(hasCells(*headsField({ heads.front() }, HeadsCombination::Mean), { 0.25, masked, masked, notANumber, -1.0 }));
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
    QVERIFY(std::memcmp(one.data(), three.data(), static_cast<std::size_t>(one.size()) * sizeof(float)) == 0);
}

void TestField::headFieldFindsTheHead()
{
    // Two layers, two elements, two heads: the weight of the only cell is its index.
    AttentionBlock block;
    block.queries = block.keys = 1;
    block.layers = block.batch = block.heads = block.kvHeads = 2;
    RecordedData data;
    for (int index = 0; index < 8; ++index)
        data.weights.emplace_back(Matrix(Matrix::Constant(1, 1, index)));
    block.data = data;
    const AttentionInput input{ { block } };
    const auto field = headField(input, {}, { 0, 1, 0, 1 }, Stage::Weights);
    QVERIFY(field);
    QCOMPARE((*field)->at(0, 0), 6.0);
    const auto none = headField(input, {}, { 0, 1, 0, 1 }, Stage::Scores);
    QVERIFY(none && *none == nullptr);
    const Case c = sdpaCase(3, 4, 2);
    const auto output = headField({ { c.block } }, c.spec, {}, Stage::Output);
    QVERIFY(output && *output);
    QCOMPARE((*output)->at(1, 2), explain(*c.operands(), { 0, 3 }).value().output(1, 2));
}

void TestField::stagesDependOnDataAndSpec()
{
    using enum Stage;
    Case c = sdpaCase(3, 4, 2);
    QCOMPARE(stagesOf(c.block, c.spec), (std::vector{ Scores, Scaled, Masked, Weights, ValueWeighted, Output }));
    c.spec.score = ScoreFunction::Dot;
    c.block = projectedBlock(c.problem.q, c.problem.k, Matrix());
    QCOMPARE(stagesOf(c.block, c.spec), (std::vector{ Scores, Masked, Weights }));
    c.spec.softCap = 2.0;
    c.spec.hasAlibi = true;
    c.spec.temperature = 0.5;
    c.spec.scale = 1.0;
    QCOMPARE(stagesOf(c.block, c.spec), (std::vector{ Scores, Scaled, Capped, Biased, Tempered, Masked, Weights }));
    QCOMPARE(stagesOf(recordedBlock(Matrix::Ones(1, 1)), c.spec), (std::vector{ Weights }));
}

void TestField::smallAndRecordedFieldsAreAtHand()
{
    QVERIFY(computedField(sdpaCase(128, 128, 64).operands(), Stage::Weights)->isAtHand());
    QVERIFY(!computedField(sdpaCase(129, 128, 64).operands(), Stage::Weights)->isAtHand());
    const MapFieldPtr recorded = recordedField(SharedMatrix(Matrix(Matrix::Zero(2000, 2000))), {}, Mask(2000, 2000));
    QVERIFY(recorded->isAtHand());
    QVERIFY(differenceField(recorded, recorded)->isAtHand() == false);
}

void TestField::computedHeadHasItsFields()
{
    const Case c = sdpaCase(20, 30, 4);
    const auto head = computeHead({ { c.block } }, c.spec, {}, { true, 16 });
    QVERIFY(head);
    QCOMPARE((*head)->stream.pool, Index{ 2 });
    for (const Stage stage : stagesOf(c.block, c.spec)) {
        const MapFieldPtr field = (*head)->field(stage);
        QVERIFY(field);
        compareRead(*field, { { 0, 20 }, { 0, field->cols() } }, 0, Fold::Max, 1e-5);
        compareRead(*field, { { 0, 20 }, { 0, field->cols() } }, 2, Fold::Max, 1e-5);
    }
    QVERIFY((*head)->field(Stage::Capped) == nullptr);
    QVERIFY((*head)->recorded == nullptr);
    const oracle::Answer exact = oracle::solve<double>(c.problem);
    QVERIFY(std::abs((*head)->summary.entropy - exact.entropy.mean()) < 1e-5);
    QCOMPARE((*head)->summary.rows, Index{ 20 });
    AttentionResult result;
    result.heads = { *head };
    QVERIFY(result.find({}) == *head);
    QVERIFY(result.find({ 0, 0, 1, 0 }) == nullptr);
}

void TestField::recordedHeadIsSummedUp()
{
    // Rows: all on one key; half and half; nothing.
    const Matrix weights{ { 1.0, 0.0, 0.0, 0.0 }, { 0.5, 0.5, 0.0, 0.0 }, { 0.0, 0.0, 0.0, 0.0 } };
    const auto head = computeHead({ { recordedBlock(weights) } }, {}, {}, { true, 2 });
    QVERIFY(head);
    QVERIFY((*head)->operands == nullptr);
    QVERIFY((*head)->field(Stage::Scores) == nullptr);
    QVERIFY((*head)->field(Stage::Weights) != nullptr);
    QCOMPARE((*head)->stream.pool, Index{ 2 });
    QCOMPARE((*head)->stream.overview, (MatrixF{ { 1.0F, 0.0F }, { 0.0F, 0.0F } }));
    QVERIFY(std::abs((*head)->stream.entropy(1) - std::log(2.0)) < 1e-6);
    QCOMPARE((*head)->stream.largest(1), 0.5F);
    QVERIFY(std::abs((*head)->summary.entropy - std::log(2.0) / 3.0) < 1e-6);
    QCOMPARE((*head)->summary.largest, 0.5);
    const auto without = computeHead({ { recordedBlock(weights) } }, {}, {}, { true, 0 });
    QVERIFY(without);
    QCOMPARE((*without)->stream.overview.size(), Index{ 0 });
}

void TestField::ragsAndMasksAreCountedInSummaries()
{
    AttentionBlock block = recordedBlock(Matrix{ { 0.5, 0.5 }, { notANumber, 0.5 }, { 0.25, 0.75 } });
    std::get<RecordedData>(block.data).rowLengths = { 1, 2, 2 };
    block.masks = { BitMatrix(3, 2, true) };
    block.masks.front().set(2, 0, false);
    block.masks.front().set(2, 1, false);
    const auto head = computeHead({ { block } }, {}, {}, { true, 16 });
    QVERIFY(head);
    QCOMPARE((*head)->summary.rows, Index{ 1 });
    QCOMPARE((*head)->summary.nanRows, Index{ 1 });
    QCOMPARE((*head)->summary.largest, 0.5);
    QCOMPARE(cell::kind((*head)->stream.overview(0, 1)), cell::Kind::Absent);
    QCOMPARE(cell::kind((*head)->stream.overview(2, 1)), cell::Kind::Masked);
    const auto exact = summarize(*(*head)->recorded);
    QVERIFY(exact);
    QCOMPARE(exact->rows, Index{ 1 });
    QCOMPARE(exact->nanRows, Index{ 1 });
}

void TestField::summaryOfUniformRowsByHand()
{
    const auto summary = summarize(*matrixField(Matrix{ { 0.25, 0.25, 0.25, 0.25 }, { 0.5, 0.5, masked, masked } }));
    QVERIFY(summary);
    QVERIFY(std::abs(summary->entropy - 1.5 * std::log(2.0)) < 1e-15);
    QVERIFY(std::abs(summary->effectiveKeys - 3.0) < 1e-14);
    QCOMPARE(summary->largest, 0.375);
}

void TestField::problemsAreAnsweredNotComputed()
{
    Case c = sdpaCase(3, 4, 2);
    c.spec.temperature = 0.0;
    const auto head = computeHead({ { c.block } }, c.spec, {}, {});
    QVERIFY(!head);
    QCOMPARE(head.error().what, std::string("The temperature is 0."));
    QVERIFY(!headField({ { c.block } }, c.spec, {}, Stage::Weights));
}

QTEST_APPLESS_MAIN(TestField)
#include "tst_field.moc"
