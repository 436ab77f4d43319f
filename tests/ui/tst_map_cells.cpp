// SPDX-License-Identifier: GPL-3.0-or-later
// Cells to pixels: colours, folding, special cells, and which pixel shows which cell.
#include "views/map/cell_image.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <set>

using namespace attenscope;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();

std::vector<CellCode> codesOf(const CellCoder &coder, const std::vector<float> &cells)
{
    std::vector<CellCode> codes;
    for (const float cell : cells)
        codes.push_back(coder.code(cell));
    return codes;
}

/// One row of cells, each @p pixels wide, 1 high.
QImage rowImage(const std::vector<float> &cells, double pixels, Fold fold = Fold::Max, const ColorMap &colors = {}, Index gap = 0)
{
    const CellCoder coder(colors, fold);
    const auto count = static_cast<Index>(cells.size());
    const auto width = static_cast<Index>(std::lround(static_cast<double>(count) * pixels));
    CellKinds kinds;
    return cellImage(codesOf(coder, cells), count, PixelSpan::between(0.0, 1.0, 1, 1, 0),
        PixelSpan::between(0.0, pixels, count, width, gap), coder, CellLook(), kinds);
}

ColorMap difference()
{
    return { divergingTable(), -1.0, 1.0, false };
}

} // namespace

class MapCellsTest : public QObject {
    Q_OBJECT

private slots:
    void numbersHaveTheColourOfTheColourMap_data();
    void numbersHaveTheColourOfTheColourMap();
    void everyKindOfCellLooksDifferent();
    void aFoldKeepsTheLargest_data();
    void aFoldKeepsTheLargest();
    void aFoldedDifferenceKeepsTheFarthestFromZero();
    void aPixelShowsTheLargestOfAllItsTexels_data();
    void aPixelShowsTheLargestOfAllItsTexels();
    void aPictureBeforeLeavesNothing();
    void everyTexelHasAPixel_data();
    void everyTexelHasAPixel();
    void everyPixelHasATexel_data();
    void everyPixelHasATexel();
    void gapsAreBackground();
    void kindsAreCountedButGapsAreNot();
    void marksTellNanFromInfinity();
    void whiteCellsAreOutlined_data();
    void whiteCellsAreOutlined();
};

void MapCellsTest::numbersHaveTheColourOfTheColourMap_data()
{
    QTest::addColumn<ColorMap>("colors");
    QTest::addColumn<Fold>("fold");
    QTest::newRow("linear") << ColorMap() << Fold::Max;
    QTest::newRow("linear, far from 0") << ColorMap(colorTable(ColorTable::Viridis), 1000.0, 1001.0, false) << Fold::Max;
    QTest::newRow("linear, one number") << ColorMap(colorTable(ColorTable::Viridis), 0.5, 0.5, false) << Fold::Max;
    QTest::newRow("logarithmic") << ColorMap(colorTable(ColorTable::Magma), 1e-6, 1.0, true) << Fold::Max;
    QTest::newRow("logarithmic, below every normal float") << ColorMap(colorTable(ColorTable::Viridis), 1e-300, 1e-40, true) << Fold::Max;
    QTest::newRow("logarithmic, narrow") << ColorMap(colorTable(ColorTable::Viridis), 0.999, 1.0, true) << Fold::Max;
    QTest::newRow("difference") << difference() << Fold::MaxMagnitude;
    QTest::newRow("difference, logarithmic") << ColorMap::signedLogarithmic(divergingTable(), 1e-6, 1.0) << Fold::MaxMagnitude;
    QTest::newRow("mean") << ColorMap(colorTable(ColorTable::Cividis), -2.0, 2.0, false) << Fold::Mean;
}

void MapCellsTest::numbersHaveTheColourOfTheColourMap()
{
    QFETCH(ColorMap, colors);
    QFETCH(Fold, fold);
    std::vector<float> cells;
    for (int step = 0; step <= 1000; ++step)
        cells.insert(cells.end(), { static_cast<float>(step) / 500.0F - 1.0F, static_cast<float>(step) / 500.0F + 999.5F });
    for (int exponent = -149; exponent < 127; ++exponent) {
        const float cell = std::ldexp(1.3F, exponent);
        cells.insert(cells.end(), { cell, -cell, std::nextafter(cell, 0.0F), 1.0F - cell / 100.0F });
    }
    const QImage image = rowImage(cells, 1.0, fold, colors);
    for (std::size_t index = 0; index < cells.size(); ++index)
        QCOMPARE(image.pixel(static_cast<int>(index), 0), colors.color(cells[index]) | 0xff000000U);
}

void MapCellsTest::everyKindOfCellLooksDifferent()
{
    const std::vector<float> cells{ 0.0F, 1.0F, cell::masked<float>(), cell::absent<float>(), notANumber, infinity, -infinity };
    // Eight pixels of two rows, so that patterns show.
    std::set<std::vector<QRgb>> looks;
    for (const float cell : cells) {
        const CellCoder coder(ColorMap(), Fold::Max);
        CellKinds kinds;
        const PixelSpan span = PixelSpan::between(0.0, 1.0, 4, 4, 0);
        const QImage image = cellImage(codesOf(coder, std::vector<float>(16, cell)), 4, span, span, coder, CellLook(), kinds);
        std::vector<QRgb> pixels;
        for (int y = 0; y < 4; ++y) {
            for (int x = 0; x < 4; ++x)
                pixels.push_back(image.pixel(x, y));
        }
        looks.insert(pixels);
    }
    QCOMPARE(looks.size(), cells.size());
}

void MapCellsTest::aFoldKeepsTheLargest_data()
{
    QTest::addColumn<float>("first");
    QTest::addColumn<float>("second");
    QTest::addColumn<float>("kept");
    QTest::newRow("numbers") << 0.25F << 0.75F << 0.75F;
    QTest::newRow("negative numbers") << -0.5F << -0.25F << -0.25F;
    QTest::newRow("number over masked") << cell::masked<float>() << 0.0F << 0.0F;
    QTest::newRow("masked over absent") << cell::masked<float>() << cell::absent<float>() << cell::masked<float>();
    QTest::newRow("NaN over all") << notANumber << 1.0F << notANumber;
}

void MapCellsTest::aFoldKeepsTheLargest()
{
    QFETCH(float, first);
    QFETCH(float, second);
    QFETCH(float, kept);
    const ColorMap colors(colorTable(ColorTable::Viridis), -1.0, 1.0, false);
    const QRgb alone = rowImage({ kept }, 1.0, Fold::Max, colors).pixel(0, 0);
    QCOMPARE(rowImage({ first, second }, 0.5, Fold::Max, colors).pixel(0, 0), alone);
    QCOMPARE(rowImage({ second, first }, 0.5, Fold::Max, colors).pixel(0, 0), alone);
}

void MapCellsTest::aFoldedDifferenceKeepsTheFarthestFromZero()
{
    const QImage image = rowImage({ 0.5F, -0.75F, 0.25F, 0.0F }, 0.5, Fold::MaxMagnitude, difference());
    QCOMPARE(image.pixel(0, 0), difference().color(-0.75F) | 0xff000000U);
    QCOMPARE(image.pixel(1, 0), difference().color(0.25F) | 0xff000000U);
}

void MapCellsTest::aPixelShowsTheLargestOfAllItsTexels_data()
{
    QTest::addColumn<int>("texels");
    for (const int texels : { 1, 2, 3, 4, 7 })
        QTest::addRow("%d", texels) << texels;
}

void MapCellsTest::aPixelShowsTheLargestOfAllItsTexels()
{
    QFETCH(int, texels);
    constexpr int pixels = 5;
    const CellCoder coder(ColorMap(), Fold::Max);
    const PixelSpan span = PixelSpan::between(0.0, 1.0 / texels, Index{ pixels } * texels, pixels, 0);
    for (int row = 0; row < pixels * texels; ++row) {
        for (int col = 0; col < pixels * texels; ++col) {
            std::vector<CellCode> codes(static_cast<std::size_t>(pixels * texels * pixels * texels), coder.code(0.0F));
            codes[static_cast<std::size_t>(row * pixels * texels + col)] = coder.code(1.0F);
            CellKinds kinds;
            const QImage image = cellImage(codes, Index{ pixels } * texels, span, span, coder, CellLook(), kinds);
            for (int y = 0; y < pixels; ++y)
                for (int x = 0; x < pixels; ++x)
                    QCOMPARE(image.pixel(x, y), coder.color(coder.code(x == col / texels && y == row / texels ? 1.0F : 0.0F)));
        }
    }
}

void MapCellsTest::aPictureBeforeLeavesNothing()
{
    // A number, a masked cell, none, a gap after each; in lines that repeat and lines that are gaps.
    const std::vector<CellCode> codes{ CellCoder().code(0.5F), code::masked, code::absent };
    const PixelSpan rows = PixelSpan::between(0.0, 6.0, 1, 6, 2);
    const PixelSpan cols = PixelSpan::between(0.0, 6.0, 3, 18, 2);
    const auto image = [&](const QImage &canvas) {
        CellKinds kinds;
        return cellImage([&](Index) { return codes.data(); }, 3, rows, cols, CellCoder(), CellLook(), kinds, canvas);
    };
    QImage red(18, 6, QImage::Format_ARGB32_Premultiplied);
    red.fill(Qt::red);
    QCOMPARE(image(red), image({}));
    QImage other(17, 6, QImage::Format_ARGB32_Premultiplied);
    QCOMPARE(image(other), image({}));
}

void MapCellsTest::everyTexelHasAPixel_data()
{
    QTest::addColumn<double>("texelPixels");
    QTest::addColumn<double>("firstEdge");
    QTest::newRow("one and a bit to a pixel") << 0.68359375 << 0.0;
    QTest::newRow("two to a pixel") << 0.5 << 0.0;
    QTest::newRow("cut at the left") << 0.7 << -0.3;
    QTest::newRow("many to a pixel") << 0.01 << 0.0;
    QTest::newRow("larger than a pixel") << 3.4 << -1.2;
}

void MapCellsTest::everyTexelHasAPixel()
{
    QFETCH(double, texelPixels);
    QFETCH(double, firstEdge);
    constexpr Index texels = 1000;
    const auto pixels = static_cast<Index>(std::ceil(firstEdge + texelPixels * texels));
    const PixelSpan span = PixelSpan::between(firstEdge, texelPixels, texels, pixels, 0);
    std::vector<int> shown(texels, 0);
    for (std::size_t pixel = 0; pixel < span.first.size(); ++pixel) {
        for (Index texel = span.first[pixel]; texel < span.end[pixel]; ++texel)
            ++shown[static_cast<std::size_t>(texel)];
    }
    for (const int times : shown) {
        QVERIFY(times >= 1);
        if (texelPixels < 1.0)
            QCOMPARE(times, 1);
    }
}

void MapCellsTest::everyPixelHasATexel_data()
{
    QTest::addColumn<double>("texelPixels");
    for (const double pixels : { 0.5, 0.51, 0.7, 0.999, 1.0, 1.5, 7.3 })
        QTest::addRow("%g", pixels) << pixels;
}

void MapCellsTest::everyPixelHasATexel()
{
    QFETCH(double, texelPixels);
    constexpr Index texels = 500;
    const auto pixels = static_cast<Index>(std::floor(texelPixels * texels));
    const PixelSpan span = PixelSpan::between(0.0, texelPixels, texels, pixels, 0);
    for (std::size_t pixel = 0; pixel < span.first.size(); ++pixel)
        QVERIFY(span.end[pixel] > span.first[pixel]);
}

void MapCellsTest::gapsAreBackground()
{
    const QImage image = rowImage({ 0.0F, 1.0F }, 16.0, Fold::Max, {}, 1);
    QCOMPARE(image.pixel(14, 0), ColorMap().color(0.0F) | 0xff000000U);
    QCOMPARE(image.pixel(15, 0), CellLook().background);
    QCOMPARE(image.pixel(16, 0), ColorMap().color(1.0F) | 0xff000000U);
}

void MapCellsTest::kindsAreCountedButGapsAreNot()
{
    const CellCoder coder(ColorMap(), Fold::Max);
    const auto kindsOf = [&](const std::vector<float> &cells) {
        CellKinds kinds;
        const auto count = static_cast<Index>(cells.size());
        static_cast<void>(cellImage(codesOf(coder, cells), count, PixelSpan::between(0.0, 16.0, 1, 16, 1),
            PixelSpan::between(0.0, 16.0, count, 16 * count, 1), coder, CellLook(), kinds));
        return kinds;
    };
    QCOMPARE(kindsOf({ 0.5F, 0.25F }), CellKinds());
    QCOMPARE(kindsOf({ 0.5F, cell::masked<float>() }), (CellKinds{ true, false, false, false, false }));
    QCOMPARE(kindsOf({ notANumber, infinity }), (CellKinds{ false, true, true, false, false }));
    QCOMPARE(kindsOf({ cell::absent<float>(), -infinity }), (CellKinds{ false, false, false, true, true }));
}

void MapCellsTest::marksTellNanFromInfinity()
{
    const auto marked = [](CellCode code) {
        QImage image(16, 16, QImage::Format_RGB32);
        image.fill(Qt::white);
        stampMark(image, image.rect(), code, 1.0);
        return image;
    };
    QImage blank(16, 16, QImage::Format_RGB32);
    blank.fill(Qt::white);
    QVERIFY(marked(code::nan) != blank);
    QVERIFY(marked(code::nan) != marked(code::plusInfinity));
    QVERIFY(marked(code::plusInfinity) != marked(code::minusInfinity));
}

void MapCellsTest::whiteCellsAreOutlined_data()
{
    QTest::addColumn<double>("pixelScale");
    QTest::addColumn<int>("width");
    QTest::newRow("usual") << 1.0 << 1;
    QTest::newRow("doubled") << 2.0 << 2;
}

void MapCellsTest::whiteCellsAreOutlined()
{
    QFETCH(double, pixelScale);
    QFETCH(int, width);
    QImage image(40, 40, QImage::Format_RGB32);
    image.fill(Qt::white);
    stampMark(image, QRect(4, 4, 30, 30), code::nan, pixelScale);
    for (const int edge : { 4, 33 }) {
        for (int along = 4; along < 34; ++along) {
            QVERIFY(image.pixel(edge, along) != QColor(Qt::white).rgb());
            QVERIFY(image.pixel(along, edge) != QColor(Qt::white).rgb());
        }
    }
    QCOMPARE(image.pixel(3, 18), QColor(Qt::white).rgb());
    QCOMPARE(image.pixel(4 + width, 18), QColor(Qt::white).rgb());
    QVERIFY(image.pixel(4 + width - 1, 18) != QColor(Qt::white).rgb());
}

QTEST_GUILESS_MAIN(MapCellsTest)
#include "tst_map_cells.moc"
