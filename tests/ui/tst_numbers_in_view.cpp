// SPDX-License-Identifier: GPL-3.0-or-later
// NumbersInView: numbers in cells are exact ones or none, and drawing never waits for them.
#include "views/map/numbers_in_view.h"

#include "views/map/map_plot.h"

#include <QScopeGuard>
#include <QSignalSpy>
#include <QTest>

#include <atomic>
#include <mutex>
#include <thread>

using namespace attenscope;

namespace {

/// Colours are at hand, rows can be held up; says which rows were read.
class SlowRows : public MapField {
public:
    [[nodiscard]] static double number(Index row, Index col) { return 1.0 / static_cast<double>(3 + 7 * row + col); }
    [[nodiscard]] Index rows() const override { return 120; }
    [[nodiscard]] Index cols() const override { return 120; }
    void row(Index row, Index firstCol, std::span<double> out) const override
    {
        {
            const std::lock_guard lock(m_mutex);
            m_read.append(static_cast<int>(row));
        }
        while (isHeld)
            std::this_thread::yield();
        for (double &cell : out)
            cell = number(row, firstCol++);
    }
    bool read(const CellRect &cells, int, Fold, MatrixF &out, const Run &) const override
    {
        out = MatrixF::Constant(cells.rows.size(), cells.cols.size(), 0.25F);
        return true;
    }
    [[nodiscard]] QList<int> rowsRead() const
    {
        const std::lock_guard lock(m_mutex);
        return m_read;
    }

    std::atomic<bool> isHeld = false;

private:
    mutable std::mutex m_mutex;
    mutable QList<int> m_read;
};

QList<int> sequence(int first, int last)
{
    QList<int> numbers;
    for (int number = first; number != last; number += first < last ? 1 : -1)
        numbers.append(number);
    return numbers;
}

/// Pixels in the middle of a map of cells of one colour that have another one.
int writtenPixels(MapPlot &plot)
{
    const QImage image = plot.grab().toImage();
    const QRect map = plot.mapLayout().maps.front().toAlignedRect();
    const QRgb gap = plot.scene().style.background.rgb();
    const QRgb ground = ColorMap().color(0.25F) | 0xff000000U;
    int count = 0;
    for (int y = map.top(); y <= map.bottom(); ++y) {
        for (int x = map.left(); x <= map.right(); ++x)
            count += image.pixel(x, y) == ground || image.pixel(x, y) == gap ? 0 : 1;
    }
    return count;
}

} // namespace

class TestNumbersInView : public QObject {
    Q_OBJECT

private slots:
    void nothingIsThereBeforeItsRowHasCome()
    {
        const auto field = std::make_shared<SlowRows>();
        field->isHeld = true;
        NumbersInView numbers(NumbersInView::Mode::Fetched);
        numbers.setField(field);
        const auto release = qScopeGuard([&] { field->isHeld = false; });
        QSignalSpy arrived(&numbers, &NumbersInView::arrived);
        numbers.follow({ 10, 14 }, { 20, 30 });
        QVERIFY(!numbers.areComplete());
        QVERIFY(!numbers.at(10, 20));
        field->isHeld = false;
        QTRY_VERIFY(arrived.count() >= 4);
        numbers.follow({ 10, 14 }, { 20, 30 });
        QVERIFY(numbers.areComplete());
        for (Index row = 10; row < 14; ++row) {
            for (Index col = 20; col < 30; ++col)
                QVERIFY(numbers.at(row, col) == field->at(row, col));
        }
    }

    void whatIsInViewComesFirstThenWhatAPanWillShow_data()
    {
        QTest::addColumn<int>("before");
        QTest::addColumn<QList<int>>("order");
        QTest::newRow("down") << 30 << sequence(32, 48);
        QTest::newRow("up") << 34 << sequence(32, 40) + sequence(31, 23);
    }
    void whatIsInViewComesFirstThenWhatAPanWillShow()
    {
        QFETCH(int, before);
        QFETCH(QList<int>, order);
        const auto field = std::make_shared<SlowRows>();
        NumbersInView numbers(NumbersInView::Mode::Fetched);
        // Where the pan comes from has numbers of another field.
        numbers.setField(matrixField(Matrix::Zero(120, 120)));
        numbers.follow({ before, before + 8 }, { 0, 8 });
        numbers.setField(field);
        numbers.follow({ 32, 40 }, { 0, 8 });
        QTRY_COMPARE(field->rowsRead(), order);
    }

    void columnsBesideTheViewComeWithIt()
    {
        const auto field = std::make_shared<SlowRows>();
        NumbersInView numbers(NumbersInView::Mode::Fetched);
        numbers.setField(field);
        numbers.follow({ 5, 6 }, { 40, 50 });
        QTRY_VERIFY(numbers.at(5, 45).has_value());
        const auto release = qScopeGuard([&] { field->isHeld = false; });
        field->isHeld = true;
        numbers.follow({ 5, 6 }, { 60, 70 });
        QVERIFY(numbers.areComplete());
    }

    void mapsAtHandAndFiguresHaveTheirsAtOnce()
    {
        NumbersInView atHand(NumbersInView::Mode::Fetched);
        atHand.setField(matrixField(Matrix::Constant(4, 4, 0.125)));
        atHand.follow({ 0, 4 }, { 0, 4 });
        QVERIFY(atHand.areComplete());
        QCOMPARE(*atHand.at(3, 3), 0.125);
        NumbersInView figure(NumbersInView::Mode::ReadAtOnce);
        figure.setField(std::make_shared<SlowRows>());
        figure.follow({ 0, 100 }, { 0, 100 });
        QVERIFY(figure.areComplete());
        QVERIFY(figure.at(99, 99) == SlowRows::number(99, 99));
    }

    void anotherFieldHasNoneOfThem()
    {
        const auto first = std::make_shared<SlowRows>();
        const auto second = std::make_shared<SlowRows>();
        second->isHeld = true;
        NumbersInView numbers(NumbersInView::Mode::Fetched);
        numbers.setField(first);
        numbers.follow({ 0, 2 }, { 0, 2 });
        QTRY_VERIFY(numbers.at(1, 1).has_value());
        const auto release = qScopeGuard([&] { second->isHeld = false; });
        numbers.setField(second);
        QVERIFY(!numbers.at(1, 1));
        numbers.follow({ 0, 2 }, { 0, 2 });
        QVERIFY(!numbers.areComplete());
    }

    void aMapIsDrawnWithoutThemUntilTheyCome()
    {
        const auto field = std::make_shared<SlowRows>();
        field->isHeld = true;
        TileCache tiles;
        MapPlot plot(&tiles);
        const auto release = qScopeGuard([&] { field->isHeld = false; });
        plot.resize(600, 600);
        MapContent content;
        content.panels.push_back({ Side::Main, field, {}, Fold::Max, {}, {} });
        plot.setContent(content);
        plot.setVisibleCells(QRectF(50.0, 50.0, 6.0, 6.0));
        plot.show();
        QTRY_VERIFY(plot.scene().neededTiles > 0 && plot.scene().missingTiles == 0 && plot.scene().lacksNumbers);
        QCOMPARE(writtenPixels(plot), 0);
        field->isHeld = false;
        QTRY_VERIFY(!plot.scene().lacksNumbers);
        QVERIFY(writtenPixels(plot) > 1000);
    }

    void noNumberIsCutByTheEdgeOfTheMap_data()
    {
        QTest::addColumn<QRectF>("visible");
        QTest::addColumn<QRect>("cut"); // Inside a cell of 100 pixels that the edge cuts, in pixels of the map.
        QTest::addColumn<QRect>("whole"); // Inside one that is whole.
        QTest::newRow("left") << QRectF(1.4, 2.0, 2.6, 1.0) << QRect(0, 10, 58, 80) << QRect(65, 10, 90, 80);
        QTest::newRow("right") << QRectF(2.0, 2.0, 2.6, 1.0) << QRect(203, 10, 57, 80) << QRect(5, 10, 90, 80);
        QTest::newRow("top") << QRectF(2.0, 1.5, 1.0, 2.5) << QRect(10, 0, 80, 48) << QRect(10, 55, 80, 90);
        QTest::newRow("bottom") << QRectF(2.0, 2.0, 1.0, 2.5) << QRect(10, 203, 80, 47) << QRect(10, 5, 80, 90);
    }
    void noNumberIsCutByTheEdgeOfTheMap()
    {
        QFETCH(QRectF, visible);
        QFETCH(QRect, cut);
        QFETCH(QRect, whole);
        MapContent content;
        content.panels.push_back({ Side::Main, matrixField(Matrix::Constant(9, 9, 0.25)), {}, Fold::Max, {}, {} });
        MapStyle style;
        style.fontFamily = QStringLiteral("DejaVu Sans");
        style.hasLabels = style.hasColorScale = style.hasLegend = style.hasPick = false;
        style.endsWithVisible = true;
        MapPlot plot(nullptr);
        plot.setContent(content);
        plot.setVisibleCells(visible);
        const QSize size = layoutMaps(content, {}, style, 100, visible).size.toSize();
        QImage image(size, QImage::Format_RGB32);
        plot.drawOn(image, style, size, 100);
        const QRect map = plot.scene().layout.maps.front().toAlignedRect();
        const auto inks = [&](const QRect &part) {
            int count = 0;
            for (int y = part.top(); y <= part.bottom(); ++y) {
                for (int x = part.left(); x <= part.right(); ++x)
                    count += image.pixel(map.left() + x, map.top() + y) == (ColorMap().color(0.25F) | 0xff000000U) ? 0 : 1;
            }
            return count;
        };
        QCOMPARE(inks(cut), 0);
        QVERIFY(inks(whole) > 100);
    }
};

QTEST_MAIN(TestNumbersInView)
#include "tst_numbers_in_view.moc"
