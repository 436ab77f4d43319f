// SPDX-License-Identifier: GPL-3.0-or-later
// Cells in passing: differences, means and reduced maps of computed heads, folded, against exact rows folded by hand.
#include "attention/cell_tiles.h"

#include "attention/field_overview.h"
#include "attention/fold.h"
#include "attention/stream.h"
#include "core/parallel.h"
#include "support/field_checks.h"
#include "support/instruction_sets.h"
#include "support/problems.h"
#include "support/same_bits.h"

#include <QTest>

using namespace attenscope;

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

/// The weights of a head under a mask; @p window counts for sliding windows.
MapFieldPtr weightsUnder(Case c, MaskRule rule, Index window = 40)
{
    c.spec.mask.rule = rule;
    c.spec.mask.window = window;
    const auto operands = c.operands();
    return computedField(operands, Stage::Weights, stream(*operands).value().logSumExp);
}

/// Normal numbers, and what a name says of them.
Case caseOf(Index n, const QString &numbers)
{
    Case c = sdpaCase(n, n, 5);
    Matrix q = c.problem.q;
    Matrix k = c.problem.k;
    if (numbers == QLatin1String("NaN"))
        k(n / 2, 1) = q(n / 3, 0) = notANumber;
    if (numbers == QLatin1String("huge"))
        q.row(n / 2) *= 1e36;
    if (numbers == QLatin1String("far"))
        q.row(n / 2) *= 5e3;
    c.block = projectedBlock(q, k, c.problem.v);
    // Nothing is left for the first queries.
    if (numbers == QLatin1String("dead rows")) {
        std::vector<bool> isReal(static_cast<std::size_t>(n), true);
        std::fill_n(isReal.begin(), n / 4, false);
        c.block.keyPadding = { isReal };
    }
    return c;
}

CellRect allOf(const MapField &field)
{
    return { { 0, field.rows() }, { 0, field.cols() } };
}

void compareFolds(const MapField &field, const std::vector<Fold> &folds)
{
    for (const Fold fold : folds) {
        for (const int level : { 0, 1, 5, 7 }) {
            compareRead(field, allOf(field), level, fold, 1e-6);
            if (field.rows() > 60 && (level == 1 || level == 5))
                compareRead(field, { { 3, field.rows() - 1 }, { 7, field.cols() - 2 } }, level, fold, 1e-6);
        }
    }
}

} // namespace

class TestCellTiles : public QObject {
    Q_OBJECT

private slots:
    void cleanup() { setThreadCount(0); }

    void differencesFoldTheExactDifferences_data();
    void differencesFoldTheExactDifferences();
    void everyInstructionSetFindsTheSign();
    void meansAndMaximaFoldTheExactOnes();
    void reducedMapsFoldTheExactOnes_data();
    void reducedMapsFoldTheExactOnes();
    void blocksOfNumbersAreToldFromOthers();
    void numbersThatAreTooLargeTogetherAreNotNumbers();
    void anyNumberOfThreadsGivesTheSameBits();
    void overviewsOfDifferencesStop();
};

void TestCellTiles::differencesFoldTheExactDifferences_data()
{
    QTest::addColumn<Index>("n");
    QTest::addColumn<MaskRule>("first");
    QTest::addColumn<MaskRule>("second");
    QTest::addColumn<QString>("numbers");
    for (const Index n : { 1, 63, 65, 257 })
        for (const auto &[name, second] : { std::pair{ "none", MaskRule::None }, { "window", MaskRule::CausalSlidingWindow } })
            QTest::addRow("%d, causal and %s", static_cast<int>(n), name) << n << MaskRule::Causal << second << QString();
    for (const char *numbers : { "NaN", "huge", "far", "dead rows" })
        QTest::addRow("%s", numbers) << Index{ 130 } << MaskRule::Causal << MaskRule::None << QString(numbers);
    QTest::addRow("the same mask") << Index{ 130 } << MaskRule::Causal << MaskRule::Causal << QString();
    QTest::addRow("no mask first") << Index{ 200 } << MaskRule::None << MaskRule::Causal << QString();
}

void TestCellTiles::differencesFoldTheExactDifferences()
{
    QFETCH(Index, n);
    QFETCH(MaskRule, first);
    QFETCH(MaskRule, second);
    QFETCH(QString, numbers);
    const Case c = caseOf(n, numbers);
    const MapFieldPtr field = differenceField(weightsUnder(c, first), weightsUnder(c, second));
    compareFolds(*field, { Fold::MaxMagnitude, Fold::Max, Fold::Mean });
}

void TestCellTiles::everyInstructionSetFindsTheSign()
{
    onEveryInstructionSet([] {
        const Case c = caseOf(150, {});
        compareFolds(*differenceField(weightsUnder(c, MaskRule::Causal), weightsUnder(c, MaskRule::None)), { Fold::MaxMagnitude });
    });
}

void TestCellTiles::meansAndMaximaFoldTheExactOnes()
{
    const Case c = caseOf(140, {});
    const std::vector<MapFieldPtr> heads{ weightsUnder(c, MaskRule::Causal), weightsUnder(c, MaskRule::None),
        weightsUnder(c, MaskRule::CausalSlidingWindow) };
    compareFolds(*headsField(heads, HeadsCombination::Mean), { Fold::Max, Fold::Mean });
    compareFolds(*headsField(heads, HeadsCombination::Max), { Fold::Max });
    // A difference of means.
    compareFolds(*differenceField(headsField(heads, HeadsCombination::Mean), heads.front()), { Fold::MaxMagnitude });
    // A cell that a head hides is not its 0 in the maximum, which is below 0 here.
    const auto scores = [](MaskRule rule) {
        Case own = sdpaCase(70, 70, 5);
        own.spec.mask.rule = rule;
        return computedField(own.operands(), Stage::Masked);
    };
    compareFolds(*headsField({ scores(MaskRule::Causal), scores(MaskRule::None) }, HeadsCombination::Max), { Fold::Max });
}

void TestCellTiles::reducedMapsFoldTheExactOnes_data()
{
    QTest::addColumn<bool>("merges");
    QTest::addColumn<bool>("renormalizes");
    QTest::addColumn<QString>("numbers");
    for (const bool merges : { false, true })
        for (const bool renormalizes : { false, true })
            for (const char *numbers : { "", "NaN", "dead rows" })
                QTest::addRow("%s%s%s", merges ? "merged" : "left out", renormalizes ? ", renormalised " : " ", numbers)
                    << merges << renormalizes << QString(numbers);
}

void TestCellTiles::reducedMapsFoldTheExactOnes()
{
    QFETCH(bool, merges);
    QFETCH(bool, renormalizes);
    QFETCH(QString, numbers);
    std::vector<Range> groups;
    for (Index first = 1; first < 170;) {
        const Index size = merges ? first % 3 + 1 : 1;
        // One in the middle is left out of what is merged.
        if (!merges || first != 50)
            groups.push_back({ first, std::min<Index>(first + size, 170) });
        first += size;
    }
    const MapFieldPtr whole = weightsUnder(caseOf(170, numbers), MaskRule::Causal);
    compareFolds(*reducedField(whole, groups, groups, renormalizes), { Fold::Max, Fold::Mean });
    compareFolds(*differenceField(reducedField(whole, groups, groups, renormalizes), reducedField(whole, groups, groups, false)),
        { Fold::MaxMagnitude });
}

void TestCellTiles::blocksOfNumbersAreToldFromOthers()
{
    using Kinds = CellTiles::Kinds;
    const MapFieldPtr causal = weightsUnder(caseOf(512, {}), MaskRule::Causal);
    const MapFieldPtr recorded = matrixField(Matrix(Matrix::Constant(512, 512, 0.25)));
    const auto kindsAt = [](const MapFieldPtr &field, Index row, Index col) {
        std::vector<float> block(CellTiles::blockSize());
        const CellRect cells{ { row, row + 4 }, { col, col + 8 } };
        return field->tiles(cells)->rows(cells.rows, {})->read(cells.cols, block.data());
    };
    QCOMPARE(kindsAt(causal, 300, 100), Kinds::Numbers);
    QCOMPARE(kindsAt(causal, 100, 300), Kinds::Hidden);
    QCOMPARE(kindsAt(causal, 100, 98), Kinds::Mixed);
    QCOMPARE(kindsAt(recorded, 100, 300), Kinds::Numbers);
    QCOMPARE(kindsAt(differenceField(causal, recorded), 100, 300), Kinds::Numbers);
    QCOMPARE(kindsAt(differenceField(causal, causal), 100, 300), Kinds::Hidden);
    QCOMPARE(kindsAt(weightsUnder(caseOf(512, QStringLiteral("NaN")), MaskRule::Causal), 400, 100), Kinds::Mixed);
}

void TestCellTiles::numbersThatAreTooLargeTogetherAreNotNumbers()
{
    const MapFieldPtr large = matrixField(Matrix(Matrix::Constant(3, 3, 3e38)));
    const MapFieldPtr small = matrixField(Matrix(Matrix::Constant(3, 3, -3e38)));
    const MapFieldPtr infinite = differenceField(large, small);
    MatrixF read;
    QVERIFY(differenceField(infinite, infinite)->read({ { 0, 3 }, { 0, 3 } }, 1, Fold::MaxMagnitude, read));
    QVERIFY(std::isnan(read(0, 0)));
}

void TestCellTiles::anyNumberOfThreadsGivesTheSameBits()
{
    const Case c = caseOf(300, {});
    std::vector<Range> groups;
    for (Index first = 1; first < 300; ++first)
        groups.push_back({ first, first + 1 });
    const MapFieldPtr difference = differenceField(weightsUnder(c, MaskRule::Causal), weightsUnder(c, MaskRule::None));
    const MapFieldPtr reduced = reducedField(weightsUnder(c, MaskRule::Causal), groups, groups, true);
    for (const MapFieldPtr &field : { difference, reduced }) {
        for (const Fold fold : { Fold::MaxMagnitude, Fold::Mean }) {
            std::vector<MatrixF> read(3);
            for (int threads = 1; threads <= 3; ++threads) {
                setThreadCount(threads);
                QVERIFY(field->read(allOf(*field), 3, fold, read[static_cast<std::size_t>(threads - 1)]));
            }
            for (const MatrixF &other : read)
                QVERIFY(sameBits(read.front(), other));
        }
    }
}

void TestCellTiles::overviewsOfDifferencesStop()
{
    // Stopped by what it says of its progress.
    const Case c = caseOf(1100, {});
    const MapFieldPtr field = differenceField(weightsUnder(c, MaskRule::Causal), weightsUnder(c, MaskRule::None));
    std::stop_source source;
    int reports = 0;
    const auto overview = readOverview(*field, { source.get_token(), [&](double) {
                                                    ++reports;
                                                    source.request_stop();
                                                } });
    QVERIFY(!overview);
    QVERIFY(overview.error().isCancelled);
    QCOMPARE(reports, 1);
}

QTEST_APPLESS_MAIN(TestCellTiles)
#include "tst_cell_tiles.moc"
