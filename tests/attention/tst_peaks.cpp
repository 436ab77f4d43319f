// SPDX-License-Identifier: GPL-3.0-or-later
// The largest weights of a map, against sorting all of its cells.
#include "attention/peaks.h"

#include "core/random.h"
#include "support/field_checks.h"

#include <atomic>
#include <tuple>

using namespace attenscope;

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

/// All cells in order, each taken unless it is left out or too near to one before.
std::vector<Peak> peaksByHand(const Matrix &cells, const PeakOptions &options)
{
    std::vector<Peak> all;
    for (Index row = 0; row < cells.rows(); ++row)
        for (Index col = options.leavesOutFirstKey ? 1 : 0; col < cells.cols(); ++col)
            if (cells(row, col) > 0.0 && !(options.firstPosition && col == row + *options.firstPosition))
                all.push_back({ row, col, cells(row, col) });
    std::sort(all.begin(), all.end(),
        [](const Peak &a, const Peak &b) { return std::tie(b.weight, a.row, a.col) < std::tie(a.weight, b.row, b.col); });
    const Index distance = peakDistance(cells.rows(), cells.cols());
    std::vector<Peak> peaks;
    for (const Peak &next : all) {
        const bool isNear = std::any_of(peaks.begin(), peaks.end(),
            [&](const Peak &one) { return std::abs(one.row - next.row) <= distance && std::abs(one.col - next.col) <= distance; });
        const auto ofKey = std::count_if(peaks.begin(), peaks.end(), [&](const Peak &one) { return one.col == next.col; });
        if (!isNear && static_cast<std::size_t>(ofKey) < options.mostOfKey && peaks.size() < options.most)
            peaks.push_back(next);
    }
    return peaks;
}

/// Numbers that single precision holds, so that no order depends on rounding.
Matrix randomWeights(Index rows, Index cols)
{
    Random random(7);
    Matrix cells(rows, cols);
    for (Index index = 0; index < cells.size(); ++index)
        cells.data()[index] = static_cast<double>(static_cast<float>(std::abs(random.normal())));
    return cells;
}

/// Counts the cells that are read one by one.
class CountingField final : public MapField {
public:
    explicit CountingField(MapFieldPtr field)
        : m_field(std::move(field))
    {
    }
    [[nodiscard]] Index rows() const override { return m_field->rows(); }
    [[nodiscard]] Index cols() const override { return m_field->cols(); }
    void row(Index row, Index firstCol, std::span<double> out) const override { m_field->row(row, firstCol, out); }
    bool read(const CellRect &cells, int level, Fold fold, MatrixF &out, const Run &run) const override
    {
        if (level == 0)
            looked += cells.rows.size() * cells.cols.size();
        return m_field->read(cells, level, fold, out, run);
    }
    mutable std::atomic<Index> looked = 0;

private:
    MapFieldPtr m_field;
};

} // namespace

class TestPeaks : public QObject {
    Q_OBJECT

private slots:
    void orderIsThatOfTheExactNumbers()
    {
        // Alike in single precision; the first in reading order is the smaller one.
        Matrix cells = Matrix::Zero(300, 300);
        cells(10, 100) = 0.5;
        cells(200, 20) = 0.5 + 1e-12;
        const auto peaks = findPeaks(*matrixField(cells), {}).value();
        QCOMPARE(peaks.size(), std::size_t(2));
        QCOMPARE(peaks[0].row, Index(200));
        QCOMPARE(peaks[1].row, Index(10));
    }

    void peaksAreTheLargestCells_data();
    void peaksAreTheLargestCells();
    void brightLinesAreNamedByTheirLargestCells();
    void sinksLeaveRoomForOthers();
    void whatIsBesideAPeakHidesNothingFarther();
    void cellsWithoutANumberAreNoPeaks();
    void mostBlocksAreNotLookedInto();
    void stoppingIsCancelling();
};

void TestPeaks::peaksAreTheLargestCells_data()
{
    QTest::addColumn<Index>("rows");
    QTest::addColumn<Index>("cols");
    QTest::addColumn<Index>("firstPosition"); // -1: there is none
    QTest::addColumn<bool>("leavesOutFirstKey");
    QTest::newRow("one cell") << Index{ 1 } << Index{ 1 } << Index{ -1 } << false;
    QTest::newRow("one cell, left out") << Index{ 1 } << Index{ 1 } << Index{ 0 } << false;
    QTest::newRow("square") << Index{ 65 } << Index{ 65 } << Index{ 0 } << true;
    QTest::newRow("later queries") << Index{ 130 } << Index{ 257 } << Index{ 127 } << true;
    QTest::newRow("folded by two") << Index{ 1025 } << Index{ 60 } << Index{ -1 } << true;
    QTest::newRow("folded by four") << Index{ 70 } << Index{ 2051 } << Index{ 0 } << false;
}

void TestPeaks::peaksAreTheLargestCells()
{
    QFETCH(Index, rows);
    QFETCH(Index, cols);
    QFETCH(Index, firstPosition);
    QFETCH(bool, leavesOutFirstKey);
    const Matrix cells = randomWeights(rows, cols);
    PeakOptions options;
    options.leavesOutFirstKey = leavesOutFirstKey;
    if (firstPosition >= 0)
        options.firstPosition = firstPosition;
    const auto peaks = findPeaks(*matrixField(cells), options);
    QVERIFY(peaks);
    QCOMPARE(*peaks, peaksByHand(cells, options));
}

void TestPeaks::brightLinesAreNamedByTheirLargestCells()
{
    // Folded by two, so that two of a line are in one block: beyond the neighbourhood of 32 the line goes on.
    Matrix cells = Matrix::Constant(100, 2048, 0.001);
    cells.col(500).setConstant(0.5);
    cells(50, 500) = 0.75;
    cells(51, 501) = 0.625;
    PeakOptions options;
    options.most = 3;
    options.mostOfKey = 3;
    const auto peaks = findPeaks(*matrixField(cells), options);
    QVERIFY(peaks);
    QCOMPARE(*peaks, (std::vector<Peak>{ { 50, 500, 0.75 }, { 0, 500, 0.5 }, { 83, 500, 0.5 } }));
}

void TestPeaks::sinksLeaveRoomForOthers()
{
    // Folded by two: key 501 shares its blocks with the sink and is dark but for one cell.
    Matrix cells = Matrix::Constant(200, 2048, 0.001);
    cells.col(500).setConstant(0.5);
    cells(60, 500) = 0.75;
    cells(150, 501) = 0.25;
    PeakOptions options;
    options.most = 3;
    const auto peaks = findPeaks(*matrixField(cells), options);
    QVERIFY(peaks);
    QCOMPARE(*peaks, (std::vector<Peak>{ { 60, 500, 0.75 }, { 0, 500, 0.5 }, { 150, 501, 0.25 } }));
}

void TestPeaks::whatIsBesideAPeakHidesNothingFarther()
{
    // One block of two by two: own keys, a cell that is too near to the peak at row 50 once that is found, and one that is not.
    Matrix cells = Matrix::Constant(100, 2048, 0.001);
    cells(50, 510) = 0.75;
    cells(82, 500) = cells(83, 501) = 0.875;
    cells(82, 501) = 0.625;
    cells(83, 500) = 0.5;
    PeakOptions options;
    options.most = 2;
    options.firstPosition = 418;
    const auto peaks = findPeaks(*matrixField(cells), options);
    QVERIFY(peaks);
    QCOMPARE(*peaks, (std::vector<Peak>{ { 50, 510, 0.75 }, { 83, 500, 0.5 } }));
}

void TestPeaks::cellsWithoutANumberAreNoPeaks()
{
    Matrix cells = Matrix::Zero(30, 1500);
    cells(10, 10) = notANumber;
    cells(11, 11) = 0.25; // in the block that NaN hides
    cells(20, 3) = maskedCell;
    cells(21, 4) = absentCell;
    cells(29, 1499) = 0.5;
    cells(15, 900) = -1.0;
    const auto peaks = findPeaks(*matrixField(cells), {});
    QVERIFY(peaks);
    QCOMPARE(*peaks, (std::vector<Peak>{ { 29, 1499, 0.5 }, { 11, 11, 0.25 } }));
}

void TestPeaks::mostBlocksAreNotLookedInto()
{
    Matrix cells = Matrix::Constant(64, 2048, 0.001);
    for (Index place = 0; place < 32; ++place)
        cells(place * 2 + 1, (place * 7 % 32) * 60 + 9) = 0.5 + 0.0625 * static_cast<double>(place);
    const CountingField field(matrixField(cells));
    const auto peaks = findPeaks(field, {});
    QVERIFY(peaks);
    QCOMPARE(*peaks, peaksByHand(cells, {}));
    QCOMPARE(field.looked.load(), Index{ 32 * 4 });
}

void TestPeaks::stoppingIsCancelling()
{
    std::stop_source stop;
    stop.request_stop();
    const auto peaks = findPeaks(*matrixField(randomWeights(20, 20)), {}, { stop.get_token(), {} });
    QVERIFY(!peaks && peaks.error().isCancelled);
}

QTEST_APPLESS_MAIN(TestPeaks)
#include "tst_peaks.moc"
