// SPDX-License-Identifier: GPL-3.0-or-later
// MapPlot without a window: cells that must be seen, shapes that must be drawn, edges that must be sharp.
#include "views/map/badges.h"
#include "views/map/map_plot.h"

#include "support/painted.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace attenscope;

namespace {

/// 4,096 x 4,096 zeros with ten single ones far apart.
class SparseField : public MapField {
public:
    static constexpr Index side = 4096;

    [[nodiscard]] static Index columnOf(Index row) { return row % 400 == 37 && row < 4000 ? (row * 7 + 11) % side : -1; }
    [[nodiscard]] Index rows() const override { return side; }
    [[nodiscard]] Index cols() const override { return side; }
    void row(Index row, Index firstCol, std::span<double> out) const override
    {
        std::fill(out.begin(), out.end(), 0.0);
        const Index col = columnOf(row);
        if (col >= firstCol && col < firstCol + static_cast<Index>(out.size()))
            out[static_cast<std::size_t>(col - firstCol)] = 1.0;
    }
};

/// 4,096 x 4,096 cells, those of each 16 x 16 alike.
class BlocksField : public SparseField {
public:
    void row(Index row, Index firstCol, std::span<double> out) const override
    {
        for (Index col = firstCol; double &cell : out)
            cell = static_cast<double>((row / 16 * 37 + col++ / 16 * 11) % 97) / 96.0;
    }
};

MapContent contentOf(MapFieldPtr field, const ColorMap &colors = {})
{
    MapContent content;
    content.panels.push_back({ Side::Main, std::move(field), colors, Fold::Max, {}, {} });
    return content;
}

/// Nothing but the map.
MapStyle bareStyle()
{
    MapStyle style;
    style.fontFamily = QStringLiteral("DejaVu Sans");
    style.hasLabels = style.hasColorScale = style.hasLegend = style.hasPick = false;
    return style;
}

QImage imageOf(MapPlot &plot, const MapStyle &style, QSize size, std::optional<int> cellPixels = std::nullopt)
{
    QImage image(size, QImage::Format_RGB32);
    plot.drawOn(image, style, size, cellPixels);
    return image;
}

QImage imageOf(MapPlot &plot, QSize size)
{
    return imageOf(plot, bareStyle(), size);
}

QImage imageOf(MapPlot &plot, int cellPixels)
{
    const MapStyle style = bareStyle();
    const QSizeF size = layoutMaps(plot.content(), labelExtents(plot.content(), style.fontFamily), style, cellPixels).size;
    return imageOf(plot, style, size.toSize(), cellPixels);
}

Matrix ramp(Index rows, Index cols)
{
    Matrix cells(rows, cols);
    for (Index index = 0; index < cells.size(); ++index)
        cells.data()[index] = static_cast<double>(index) / static_cast<double>(std::max<Index>(1, cells.size() - 1));
    return cells;
}

int countPixels(const QImage &image, QRgb color)
{
    int count = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x)
            count += image.pixel(x, y) == color ? 1 : 0;
    }
    return count;
}

} // namespace

class MapPlotTest : public QObject {
    Q_OBJECT

private slots:
    void isolatedCellsStayVisibleWhenZoomedOut();
    void foldingIsSaid();
    void badgesWrapIntoLines();
    void badgesStandOnMarks();
    void whatComparedMapsMeanIsWrittenWhole();
    void everyShapeIsDrawn_data();
    void everyShapeIsDrawn();
    void cellsAreExactlyAsLargeAsAsked_data();
    void cellsAreExactlyAsLargeAsAsked();
    void cellEdgesFallOnDevicePixels_data();
    void cellEdgesFallOnDevicePixels();
    void smallCellsAreSquareAndNeverLargerThanTheyMay();
    void visibleCellsFillTheRoom();
    void specialCellsAreNoticed();
    void numbersAreWrittenIntoLargeCellsOnly();
    void currentTokensAreLit();
    void hitFindsCellsAndTokens();
    void tooManyRowsDoNotBreakTheLayout();
    void missingTilesAreDrawnCoarserUntilTheyCome();
};

void MapPlotTest::isolatedCellsStayVisibleWhenZoomedOut()
{
    int ones = 0;
    for (Index row = 0; row < SparseField::side; ++row)
        ones += SparseField::columnOf(row) >= 0 ? 1 : 0;
    QCOMPARE(ones, 10);
    MapPlot plot(nullptr);
    plot.setContent(contentOf(std::make_shared<SparseField>()));
    const QImage image = imageOf(plot, QSize(740, 740));
    QCOMPARE(countPixels(image, ColorMap().color(1.0F) | 0xff000000U), 10);
}

void MapPlotTest::foldingIsSaid()
{
    MapPlot plot(nullptr);
    plot.setContent(contentOf(std::make_shared<SparseField>()));
    static_cast<void>(imageOf(plot, QSize(544, 544)));
    QCOMPARE(plot.scene().foldedCells, 8); // 4096 cells on 512 pixels
    QVERIFY(plot.scene().isFoldEven);
    QCOMPARE(foldWords(plot.scene()), QStringLiteral("max of 8 × 8 cells"));
    for (const auto &[fold, words] :
        { std::pair{ Fold::Mean, "mean of 8 × 8 cells" }, { Fold::MaxMagnitude, "farthest from 0 of 8 × 8 cells" } }) {
        MapContent content = contentOf(std::make_shared<SparseField>());
        content.panels.front().fold = fold;
        plot.setContent(content);
        static_cast<void>(imageOf(plot, QSize(544, 544)));
        QCOMPARE(foldWords(plot.scene()), QString::fromUtf8(words));
    }
    plot.setContent(contentOf(matrixField(ramp(8, 8))));
    static_cast<void>(imageOf(plot, QSize(544, 544)));
    QCOMPARE(plot.scene().foldedCells, 1);
    QCOMPARE(foldWords(plot.scene()), QString());
}

void MapPlotTest::badgesWrapIntoLines()
{
    MapPlot plot(nullptr);
    plot.setContent(contentOf(std::make_shared<SparseField>()));
    const auto placed = [&](int width) {
        static_cast<void>(imageOf(plot, QSize(width, 544)));
        return badges(plot.scene());
    };
    const std::vector<Badge> wide = placed(544);
    QCOMPARE(wide.size(), std::size_t{ 2 });
    QCOMPARE(wide[0].text, QStringLiteral("exact"));
    QCOMPARE(wide[1].rect.top(), wide[0].rect.top());
    QVERIFY(wide[1].rect.right() < wide[0].rect.left());
    // Side by side both would begin left of the map.
    const std::vector<Badge> narrow = placed(250);
    const QRectF map = plot.mapLayout().maps.front();
    QVERIFY(narrow[0].rect.width() + narrow[1].rect.width() > map.width() - 24.0);
    QVERIFY(narrow[1].rect.top() > narrow[0].rect.bottom());
    for (const Badge &badge : narrow)
        QVERIFY(map.contains(badge.rect));
    QVERIFY(std::abs(narrow[0].rect.right() - narrow[1].rect.right()) < 1.0);
}

void MapPlotTest::badgesStandOnMarks()
{
    MapPlot plot(nullptr);
    plot.setContent(contentOf(std::make_shared<SparseField>()));
    MapStyle style = bareStyle();
    style.hasPick = true;
    style.theme = Theme::dark(); // Whose badges are neither white nor black, as marks are.
    const QSize size(544, 544);
    static_cast<void>(imageOf(plot, style, size));
    const Badge badge = badges(plot.scene()).front();
    // The row of the mouse goes through the badge, above its letters.
    const QPointF place(badge.rect.center().x(), badge.rect.top() + 4.0);
    const auto row = static_cast<Index>(plot.mapLayout().cellFromPoint(0, place).y());
    plot.setMarks(CellRef{ row, 0 }, std::nullopt);
    const QImage image = imageOf(plot, style, size);
    QCOMPARE(QColor(image.pixel(place.toPoint())), style.theme.panel);
    const QPoint beside(static_cast<int>(plot.mapLayout().maps.front().center().x()), static_cast<int>(place.y()));
    QVERIFY(QColor(image.pixel(beside)) == QColor(Qt::white) || QColor(image.pixel(beside)) == QColor(Qt::black));
}

void MapPlotTest::whatComparedMapsMeanIsWrittenWhole()
{
    MapPlot plot(nullptr);
    MapContent content = contentOf(matrixField(ramp(10, 10)));
    content.panels.push_back(content.panels.front());
    content.panels.front().title = QStringLiteral("Causal");
    content.panels.front().subtitle = QStringLiteral("query sees itself and earlier keys");
    content.panels.back().title = QStringLiteral("Unmasked");
    content.panels.back().subtitle = QStringLiteral("query sees all keys");
    plot.setContent(content);
    const auto texts = [&](QSize size, double scale) {
        MapStyle style = bareStyle();
        style.scale = scale;
        TextRecorder recorder(size);
        plot.drawOn(recorder, style, size);
        return recorder.texts();
    };
    // Beside the title where there is room for it.
    QVERIFY(texts(QSize(1400, 700), 1.0).contains(QStringLiteral("query sees itself and earlier keys")));
    QCOMPARE(plot.mapLayout().subtitleLines, 0);
    // Else below it, in so many lines as it takes.
    const QStringList narrow = texts(QSize(620, 500), 17.0 / 12.0);
    QVERIFY(plot.mapLayout().subtitleLines > 0);
    QVERIFY2(narrow.join(u' ').contains(QStringLiteral("query sees itself and earlier keys")), qPrintable(narrow.join(u'|')));
    QVERIFY(!narrow.join(u' ').contains(QStringLiteral("…")));
}

void MapPlotTest::everyShapeIsDrawn_data()
{
    QTest::addColumn<Index>("rows");
    QTest::addColumn<Index>("cols");
    QTest::newRow("1 x 1") << Index(1) << Index(1);
    QTest::newRow("1 x 7") << Index(1) << Index(7);
    QTest::newRow("7 x 1") << Index(7) << Index(1);
    QTest::newRow("1 x 3000") << Index(1) << Index(3000);
    QTest::newRow("3000 x 1") << Index(3000) << Index(1);
    QTest::newRow("5 x 900") << Index(5) << Index(900);
}

void MapPlotTest::everyShapeIsDrawn()
{
    QFETCH(Index, rows);
    QFETCH(Index, cols);
    MapPlot plot(nullptr);
    plot.setContent(contentOf(matrixField(ramp(rows, cols))));
    const QImage image = imageOf(plot, QSize(600, 500));
    const QRect map = plot.scene().layout.maps.front().toAlignedRect();
    QVERIFY(map.width() >= 40 && map.height() >= 40);
    QVERIFY(image.rect().contains(map));
    // The last cell, before a gap.
    const auto gapOf = [](double cell) { return cell >= 16.0 ? 1 : 0; };
    const QPoint last = map.bottomRight() - QPoint(gapOf(plot.scene().layout.cellWidth), gapOf(plot.scene().layout.cellHeight));
    QCOMPARE(image.pixel(last), ColorMap().color(static_cast<float>(ramp(rows, cols)(rows - 1, cols - 1))) | 0xff000000U);
}

void MapPlotTest::cellsAreExactlyAsLargeAsAsked_data()
{
    QTest::addColumn<int>("pixels");
    for (const int pixels : { 1, 2, 7, 15, 16, 40, 130 })
        QTest::addRow("%d", pixels) << pixels;
}

void MapPlotTest::cellsAreExactlyAsLargeAsAsked()
{
    QFETCH(int, pixels);
    constexpr Index side = 5;
    const Matrix cells = ramp(side, side);
    MapContent content = contentOf(matrixField(cells));
    content.hasNumbers = false;
    MapPlot plot(nullptr);
    plot.setContent(content);
    const QImage image = imageOf(plot, pixels);
    const QPoint origin = plot.scene().layout.maps.front().topLeft().toPoint();
    QCOMPARE(plot.scene().layout.maps.front().size(), QSizeF(side * pixels, side * pixels));
    const int gap = pixels >= 16 ? 1 : 0;
    for (int row = 0; row < side; ++row) {
        for (int col = 0; col < side; ++col) {
            const QRgb expected = ColorMap().color(static_cast<float>(cells(row, col))) | 0xff000000U;
            const QPoint first = origin + QPoint(col * pixels, row * pixels);
            QCOMPARE(image.pixel(first), expected);
            QCOMPARE(image.pixel(first + QPoint(pixels - 1 - gap, pixels - 1 - gap)), expected);
            if (gap > 0)
                QCOMPARE(image.pixel(first + QPoint(pixels - 1, 0)), Theme::light().view.rgb());
        }
    }
}

void MapPlotTest::cellEdgesFallOnDevicePixels_data()
{
    QTest::addColumn<double>("pixelRatio");
    for (const double ratio : { 1.0, 1.25, 1.5, 2.0 })
        QTest::addRow("%g", ratio) << ratio;
}

void MapPlotTest::cellEdgesFallOnDevicePixels()
{
    QFETCH(double, pixelRatio);
    MapStyle style = bareStyle();
    style.hasLabels = true;
    style.pixelRatio = pixelRatio;
    const MapContent content = contentOf(matrixField(ramp(13, 13)));
    const MapLayout layout = layoutMaps(content, labelExtents(content, style.fontFamily), style, QSizeF(701.0, 603.0), std::nullopt);
    for (int cell = 0; cell <= 13; ++cell) {
        const double x = layout.rectFromCells(0, QRectF(cell, cell, 1.0, 1.0)).left() * pixelRatio;
        const double y = layout.rectFromCells(0, QRectF(cell, cell, 1.0, 1.0)).top() * pixelRatio;
        QVERIFY(std::abs(x - std::round(x)) < 1e-6);
        QVERIFY(std::abs(y - std::round(y)) < 1e-6);
    }
}

void MapPlotTest::smallCellsAreSquareAndNeverLargerThanTheyMay()
{
    const MapStyle style = bareStyle();
    const auto cellOf = [&](Index rows, Index cols) {
        const MapContent content = contentOf(matrixField(ramp(rows, cols)));
        const MapLayout layout = layoutMaps(content, {}, style, QSizeF(2000.0, 2000.0), std::nullopt);
        return std::pair{ layout.cellWidth, layout.cellHeight };
    };
    QCOMPARE(cellOf(3, 3), (std::pair{ 128.0, 128.0 }));
    QCOMPARE(cellOf(4, 2), (std::pair{ 128.0, 128.0 }));
    QCOMPARE(cellOf(5, 5), (std::pair{ 56.0, 56.0 }));
    const auto [width, height] = cellOf(300, 200);
    QCOMPARE(width, height);
}

void MapPlotTest::visibleCellsFillTheRoom()
{
    const MapStyle style = bareStyle();
    const MapContent content = contentOf(matrixField(ramp(100, 100)));
    const MapLayout layout = layoutMaps(content, {}, style, QSizeF(632.0, 432.0), QRectF(10.0, 20.0, 20.0, 20.0));
    QVERIFY(layout.shown.contains(QRectF(10.0, 20.0, 20.0, 20.0)));
    QCOMPARE(layout.cellWidth, 20.0); // 400 pixels of height for 20 rows
    QCOMPARE(layout.maps.front().width(), 600.0);
    QCOMPARE(layout.cellFromPoint(0, layout.maps.front().center()).y(), 30.0);
}

void MapPlotTest::specialCellsAreNoticed()
{
    Matrix cells = ramp(6, 6);
    cells(0, 0) = std::numeric_limits<double>::quiet_NaN();
    cells(1, 1) = cell::masked<double>();
    cells(2, 2) = std::numeric_limits<double>::infinity();
    MapPlot plot(nullptr);
    plot.setContent(contentOf(matrixField(cells)));
    static_cast<void>(imageOf(plot, QSize(500, 500)));
    QCOMPARE(plot.scene().kinds, (CellKinds{ true, true, true, false, false }));
}

void MapPlotTest::numbersAreWrittenIntoLargeCellsOnly()
{
    MapContent content = contentOf(matrixField(Matrix::Constant(2, 2, 0.25)));
    const QRgb ground = ColorMap().color(0.25F) | 0xff000000U;
    const auto groundPixels = [&](int pixels, bool hasNumbers) {
        content.hasNumbers = hasNumbers;
        MapPlot plot(nullptr);
        plot.setContent(content);
        return countPixels(imageOf(plot, pixels), ground);
    };
    QCOMPARE(groundPixels(31, true), groundPixels(31, false));
    QVERIFY(groundPixels(40, true) < groundPixels(40, false));
}

void MapPlotTest::currentTokensAreLit()
{
    MapStyle style = bareStyle();
    style.hasLabels = style.hasPick = true;
    MapPlot plot(nullptr);
    plot.setContent(contentOf(matrixField(ramp(6, 6))));
    const int before = countPixels(imageOf(plot, style, QSize(500, 500)), style.theme.accent.rgb());
    plot.setMarks(CellRef{ 2, 3 }, std::nullopt);
    const QImage lit = imageOf(plot, style, QSize(500, 500));
    QCOMPARE(before, 0);
    QVERIFY(countPixels(lit, style.theme.accent.rgb()) > 100);
}

void MapPlotTest::hitFindsCellsAndTokens()
{
    MapStyle style = bareStyle();
    style.hasLabels = true;
    MapPlot plot(nullptr);
    plot.setContent(contentOf(matrixField(ramp(6, 6))));
    static_cast<void>(imageOf(plot, style, QSize(500, 500)));
    const MapLayout &layout = plot.scene().layout;
    const QRectF cell = layout.rectFromCells(0, QRectF(4.0, 1.0, 1.0, 1.0));
    const auto hitCell = hitAt(plot.scene(), cell.center());
    QVERIFY(hitCell && !hitCell->isLabel);
    QCOMPARE(hitCell->cell, (CellRef{ 1, 4 }));
    const auto row = hitAt(plot.scene(), QPointF(layout.maps.front().left() - 14.0, cell.center().y()));
    QVERIFY(row && row->isLabel);
    QCOMPARE(row->cell, (CellRef{ 1, -1 }));
    // Names stand on the axis at 60 degrees, so they lean to the right.
    const auto col = hitAt(plot.scene(), QPointF(cell.center().x() + 6.0, layout.maps.front().top() - 12.0));
    QVERIFY(col && col->isLabel);
    QCOMPARE(col->cell, (CellRef{ -1, 4 }));
    QVERIFY(!hitAt(plot.scene(), QPointF(1.0, 1.0)));
}

void MapPlotTest::tooManyRowsDoNotBreakTheLayout()
{
    MapPlot plot(nullptr);
    plot.setContent(contentOf(std::make_shared<SparseField>()));
    MapStyle style = bareStyle();
    style.hasLabels = style.hasColorScale = style.hasLegend = style.hasTitle = true;
    for (const QSize size : { QSize(1, 1), QSize(40, 30), QSize(200, 4000) })
        QCOMPARE(imageOf(plot, style, size).size(), size);
}

void MapPlotTest::missingTilesAreDrawnCoarserUntilTheyCome()
{
    TileCache tiles;
    MapPlot plot(&tiles);
    plot.resize(600, 600);
    plot.setContent(contentOf(std::make_shared<BlocksField>()));
    plot.show();
    QTRY_VERIFY(plot.scene().neededTiles > 0 && plot.scene().missingTiles == 0);
    plot.setVisibleCells(QRectF(1000.0, 1000.0, 400.0, 400.0));
    plot.replot(QCustomPlot::rpQueuedRefresh);
    QVERIFY(plot.scene().missingTiles > 0);
    // Coarser tiles of such blocks look like the blocks themselves; below the badge.
    const auto lowerHalf = [&plot] { return plot.toPixmap(600, 600).toImage().copy(0, 300, 600, 300); };
    const QImage coarse = lowerHalf();
    QTRY_COMPARE(plot.scene().missingTiles, std::size_t(0));
    QCOMPARE(coarse, lowerHalf());
    // The middle of the map is cell 1200, in block 75 both ways.
    const QPoint middle = plot.mapLayout().maps.front().center().toPoint();
    QCOMPARE(plot.toPixmap(600, 600).toImage().pixel(middle), ColorMap().color(75 * (37 + 11) % 97 / 96.0F) | 0xff000000U);
}

QTEST_MAIN(MapPlotTest)
#include "tst_map_plot.moc"
