// SPDX-License-Identifier: GPL-3.0-or-later
// TileCache: tiles are folds of exact cells, made on the spot where cheap, else in the background, newest request first.
#include "state/tile_cache.h"

#include "core/random.h"

#include <QCoreApplication>
#include <QSignalSpy>
#include <QTest>

#include <atomic>
#include <cmath>
#include <mutex>
#include <thread>

using namespace attenscope;

namespace {

using Tile = std::shared_ptr<const MatrixF>;

/// Normal numbers with a masked triangle and some NaN and absent cells.
Matrix strangeCells(Index rows, Index cols)
{
    Random random(7);
    Matrix cells = random.normalMatrix(rows, cols);
    for (Index row = 0; row < rows; ++row) {
        for (Index col = row + 3; col < cols; ++col)
            cells(row, col) = cell::masked<double>();
    }
    cells(rows / 2, 1) = std::numeric_limits<double>::quiet_NaN();
    for (Index row = rows - 5; row < rows; ++row)
        cells(row, 0) = cell::absent<double>();
    return cells;
}

/// The textbook: looks at every cell of the block.
float folded(const MapField &field, const CellRect &cells, Fold fold)
{
    double sum = 0.0;
    double largest = 0.0;
    int numbers = 0;
    bool isMasked = false;
    for (Index row = cells.rows.first; row < cells.rows.end; ++row) {
        for (Index col = cells.cols.first; col < cells.cols.end; ++col) {
            const double value = field.at(row, col);
            switch (cell::kind(value)) {
            case cell::Kind::Nan:
                return std::numeric_limits<float>::quiet_NaN();
            case cell::Kind::Masked:
                isMasked = true;
                break;
            case cell::Kind::Absent:
                break;
            case cell::Kind::Number:
                const bool isLarger = fold == Fold::Max ? value > largest : std::abs(value) > std::abs(largest);
                if (numbers == 0 || isLarger)
                    largest = value;
                sum += value;
                ++numbers;
            }
        }
    }
    if (numbers == 0)
        return isMasked ? cell::masked<float>() : cell::absent<float>();
    return static_cast<float>(fold == Fold::Mean ? sum / numbers : largest);
}

/// Not at hand; says which tiles were read, and can be held up.
class SlowField : public MapField {
public:
    [[nodiscard]] Index rows() const override { return 2048; }
    [[nodiscard]] Index cols() const override { return 2048; }
    void row(Index row, Index firstCol, std::span<double> out) const override
    {
        for (std::size_t place = 0; place < out.size(); ++place)
            out[place] = static_cast<double>(row * cols() + firstCol + static_cast<Index>(place));
    }
    bool read(const CellRect &cells, int level, Fold fold, MatrixF &out, const Run &run) const override
    {
        {
            const std::lock_guard lock(m_mutex);
            m_reads.append(static_cast<int>(cells.cols.first / TileCache::tileSize));
        }
        while (isHeld && !run.stopped())
            std::this_thread::yield();
        return MapField::read(cells, level, fold, out, run);
    }
    [[nodiscard]] QList<int> reads() const
    {
        const std::lock_guard lock(m_mutex);
        return m_reads;
    }

    std::atomic<bool> isHeld = false;

private:
    mutable std::mutex m_mutex;
    mutable QList<int> m_reads;
};

/// Sixteen cells that take their time.
class FarField : public MapField {
public:
    [[nodiscard]] Index rows() const override { return 4; }
    [[nodiscard]] Index cols() const override { return 4; }
    void row(Index, Index, std::span<double> out) const override { std::fill(out.begin(), out.end(), 0.0); }
};

} // namespace

class TestTileCache : public QObject {
    Q_OBJECT

private slots:
    void tilesAreFoldsOfExactCells_data()
    {
        QTest::addColumn<Fold>("fold");
        QTest::addColumn<int>("level");
        for (const int level : { 0, 1, 2 }) {
            QTest::addRow("max, level %d", level) << Fold::Max << level;
            QTest::addRow("mean, level %d", level) << Fold::Mean << level;
            QTest::addRow("magnitude, level %d", level) << Fold::MaxMagnitude << level;
        }
    }
    void tilesAreFoldsOfExactCells()
    {
        QFETCH(Fold, fold);
        QFETCH(int, level);
        const Index side = Index{ 1 } << level;
        const MapFieldPtr field = matrixField(strangeCells(301, 290));
        TileCache cache;
        for (Index row = 0; row < (301 + 256 * side - 1) / (256 * side); ++row) {
            for (Index col = 0; col < (290 + 256 * side - 1) / (256 * side); ++col) {
                QSignalSpy ready(&cache, &TileCache::ready);
                Tile tile = cache.tile(field, fold, level, row, col);
                if (!tile) {
                    cache.request({ { field, fold, level, row, col } });
                    QTRY_COMPARE(ready.count(), 1);
                    tile = cache.tile(field, fold, level, row, col);
                }
                const CellRect cells = TileCache::tileCells(*field, level, row, col);
                QCOMPARE(tile->rows(), (cells.rows.size() + side - 1) / side);
                QCOMPARE(tile->cols(), (cells.cols.size() + side - 1) / side);
                for (Index r = 0; r < tile->rows(); ++r) {
                    for (Index c = 0; c < tile->cols(); ++c) {
                        const Index top = cells.rows.first + r * side;
                        const Index left = cells.cols.first + c * side;
                        const CellRect block{ { top, std::min(top + side, cells.rows.end) },
                            { left, std::min(left + side, cells.cols.end) } };
                        const float expected = folded(*field, block, fold);
                        const float actual = (*tile)(r, c);
                        QCOMPARE(cell::kind(actual), cell::kind(expected));
                        if (cell::kind(expected) == cell::Kind::Number)
                            QVERIFY(std::abs(actual - expected) <= 1e-6F * std::max(1.0F, std::abs(expected)));
                    }
                }
            }
        }
    }

    void theTopLevelIsOneTile_data()
    {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("cols");
        QTest::addColumn<int>("level");
        QTest::newRow("one cell") << 1 << 1 << 0;
        QTest::newRow("a tile") << 256 << 256 << 0;
        QTest::newRow("a row more") << 257 << 3 << 1;
        QTest::newRow("4096") << 4096 << 4096 << 4;
        QTest::newRow("4097 keys") << 1 << 4097 << 5;
    }
    void theTopLevelIsOneTile()
    {
        QFETCH(int, rows);
        QFETCH(int, cols);
        QTEST(TileCache::topLevel(rows, cols), "level");
    }

    void anEqualQuestionGetsTheSameTile()
    {
        const MapFieldPtr field = matrixField(strangeCells(100, 100));
        TileCache cache;
        const Tile tile = cache.tile(field, Fold::Max, 0, 0, 0);
        QVERIFY(tile);
        QCOMPARE(cache.tile(field, Fold::Max, 0, 0, 0), tile);
        QVERIFY(cache.tile(field, Fold::Mean, 0, 0, 0) != tile);
        QVERIFY(cache.tile(matrixField(strangeCells(100, 100)), Fold::Max, 0, 0, 0) != tile);
    }

    void aFrameReadsAMillionCellsAtMost()
    {
        constexpr Index side = 2048; // 64 tiles of 65,536 cells, 16 of them are a million
        const MapFieldPtr field = matrixField(Matrix::Zero(side, side));
        TileCache cache;
        const auto tilesOfFrame = [&] {
            int count = 0;
            cache.beginFrame();
            for (Index place = 0; place < 64; ++place)
                count += cache.tile(field, Fold::Max, 0, place / 8, place % 8) ? 1 : 0;
            return count;
        };
        QCOMPARE(tilesOfFrame(), 16);
        QCOMPARE(tilesOfFrame(), 32); // 16 are there already
        const MapFieldPtr small = matrixField(Matrix::Zero(128, 128));
        QVERIFY(cache.tile(small, Fold::Max, 0, 0, 0));
        // Few cells that are not at hand: each may take a whole row of a long input.
        QVERIFY(!cache.tile(std::make_shared<FarField>(), Fold::Max, 0, 0, 0));
    }

    void tilesComeInTheOrderAskedFor()
    {
        const auto field = std::make_shared<SlowField>();
        TileCache cache;
        QSignalSpy ready(&cache, &TileCache::ready);
        QVERIFY(!cache.tile(field, Fold::Max, 0, 0, 5));
        cache.request({ { field, Fold::Max, 0, 0, 5 }, { field, Fold::Max, 0, 0, 2 }, { field, Fold::Max, 0, 0, 7 } });
        QTRY_COMPARE(ready.count(), 3);
        QCOMPARE(field->reads(), QList<int>({ 5, 2, 7 }));
        const Tile tile = cache.tile(field, Fold::Max, 0, 0, 5);
        QVERIFY(tile);
        QCOMPARE((*tile)(1, 2), 2048.0F + 5 * 256 + 2);
    }

    void aNewRequestReplacesWhatWaitsButNotWhatIsBeingRead()
    {
        const auto field = std::make_shared<SlowField>();
        field->isHeld = true;
        TileCache cache;
        QSignalSpy ready(&cache, &TileCache::ready);
        cache.request({ { field, Fold::Max, 0, 0, 1 }, { field, Fold::Max, 0, 0, 2 } });
        QTRY_COMPARE(field->reads(), QList<int>({ 1 }));
        cache.request({ { field, Fold::Max, 0, 0, 1 }, { field, Fold::Max, 0, 0, 3 } });
        field->isHeld = false;
        QTRY_COMPARE(ready.count(), 2);
        QCOMPARE(field->reads(), QList<int>({ 1, 3 }));
        QVERIFY(cache.tile(field, Fold::Max, 0, 0, 1));
        QVERIFY(cache.tile(field, Fold::Max, 0, 0, 3));
        QVERIFY(!cache.tile(field, Fold::Max, 0, 0, 2));
    }

    void theLeastRecentlyUsedTileGoesFirst()
    {
        const MapFieldPtr field = matrixField(Matrix::Zero(200, 200));
        const MapFieldPtr second = matrixField(Matrix::Zero(200, 200));
        const MapFieldPtr third = matrixField(Matrix::Zero(200, 200));
        TileCache cache(2 * 200 * 200 * sizeof(float));
        const Tile first = cache.tile(field, Fold::Max, 0, 0, 0);
        const Tile other = cache.tile(second, Fold::Max, 0, 0, 0);
        QCOMPARE(cache.tile(field, Fold::Max, 0, 0, 0), first);
        QVERIFY(cache.tile(third, Fold::Max, 0, 0, 0));
        QCOMPARE(cache.tile(field, Fold::Max, 0, 0, 0), first);
        QVERIFY(cache.tile(second, Fold::Max, 0, 0, 0) != other);
    }

    void destroyingItStopsTheReading()
    {
        const auto field = std::make_shared<SlowField>();
        field->isHeld = true;
        {
            TileCache cache;
            cache.request({ { field, Fold::Max, 0, 0, 1 } });
            QTRY_COMPARE(field->reads().size(), 1);
        }
        QCOMPARE(field.use_count(), 1L);
    }
};

QTEST_GUILESS_MAIN(TestTileCache)
#include "tst_tile_cache.moc"
