// SPDX-License-Identifier: GPL-3.0-or-later
// Figures: exact sizes, sharp cells, backgrounds, resolution, and refusals beforehand.
#include "state/color_map.h"
#include "state/theme.h"
#include "views/map/map_figure.h"
#include "views/picture.h"

#include <QPainter>
#include <QTest>

using namespace attenscope;

namespace {

/// Only the map, so that its place is known: a border of 16 pixels.
FigureOptions bareOptions(int cellPixels)
{
    FigureOptions options;
    options.cellPixels = cellPixels;
    options.hasTitle = options.hasLabels = options.hasColorScale = options.hasCaption = options.hasPick = false;
    return options;
}

Result<QImage> imageOf(const Document &document, const Selection &selection, const FigureOptions &options)
{
    const Result<Figure> figure = mapFigure(document, selection, options);
    return figure ? figureImage(*figure) : Result<QImage>(figure.error());
}

} // namespace

class FigureTest : public QObject {
    Q_OBJECT

private slots:
    void sizeIsWhatWasAskedFor_data();
    void sizeIsWhatWasAskedFor();
    void cellsTakeExactlyTheirPixels();
    void regionIsAllThatIsDrawn();
    void comparedMapsAreAllDrawn();
    void defaultHeightLeavesNoBands_data();
    void defaultHeightLeavesNoBands();
    void whatIsToBeKnownIsSaid();
    void backgroundIsAsChosen_data();
    void backgroundIsAsChosen();
    void pickIsInThePicture();
    void tooLargeIsSaidBeforehand();
    void picturesAreFittedWithTitleAndNotes();

private:
    Document m_document;
    Selection m_selection;
};

void FigureTest::sizeIsWhatWasAskedFor_data()
{
    QTest::addColumn<FigureOptions>("options");
    QTest::addColumn<QSize>("size");
    FigureOptions pixels;
    pixels.pixels = { 640, 481 };
    QTest::newRow("pixels") << pixels << QSize(640, 481);
    FigureOptions millimetres;
    millimetres.millimetres = QSizeF(80.0, 60.0);
    QTest::newRow("80 x 60 mm at 300 dpi") << millimetres << QSize(945, 709);
    FigureOptions inch;
    inch.millimetres = QSizeF(25.4, 25.4);
    inch.dpi = 96.0;
    QTest::newRow("an inch at 96 dpi") << inch << QSize(96, 96);
    QTest::newRow("cells") << bareOptions(8) << QSize(2 * 16 + 10 * 8, 2 * 16 + 10 * 8);
}

void FigureTest::sizeIsWhatWasAskedFor()
{
    QFETCH(FigureOptions, options);
    QFETCH(QSize, size);
    QCOMPARE(mapFigure(m_document, m_selection, options)->pixels, size);
    const auto image = imageOf(m_document, m_selection, options);
    QVERIFY(image.ok());
    QCOMPARE(image->size(), size);
}

void FigureTest::cellsTakeExactlyTheirPixels()
{
    Document document;
    Session unmasked = document.session();
    unmasked.mechanism = withCausalMask(unmasked.mechanism, false);
    document.edit(unmasked, QStringLiteral("change mask"));
    const auto image = imageOf(document, m_selection, bareOptions(9));
    QVERIFY(image.ok());
    const MapFieldPtr field = document.field();
    for (int row = 0; row < 10; ++row) {
        for (int col = 0; col < 10; ++col) {
            const QRgb expected = ColorMap().color(static_cast<float>(field->at(row, col))) | 0xff000000U;
            QCOMPARE(image->pixel(16 + 9 * col, 16 + 9 * row), expected);
            QCOMPARE(image->pixel(16 + 9 * col + 8, 16 + 9 * row + 8), expected);
        }
    }
}

void FigureTest::regionIsAllThatIsDrawn()
{
    FigureOptions options = bareOptions(9);
    options.region = CellRect{ { 6, 9 }, { 1, 6 } };
    const auto image = imageOf(m_document, m_selection, options);
    QVERIFY(image.ok());
    QCOMPARE(image->size(), QSize(2 * 16 + 5 * 9, 2 * 16 + 3 * 9));
    const MapFieldPtr field = m_document.field();
    for (int row = 0; row < 3; ++row) {
        for (int col = 0; col < 5; ++col) {
            const QRgb expected = ColorMap().color(static_cast<float>(field->at(row + 6, col + 1))) | 0xff000000U;
            QCOMPARE(image->pixel(16 + 9 * col, 16 + 9 * row), expected);
            QCOMPARE(image->pixel(16 + 9 * col + 8, 16 + 9 * row + 8), expected);
        }
    }
    // By size its cells are as large as fit, with nothing beside them.
    options.cellPixels.reset();
    options.pixels = { 532, 632 };
    const auto fitted = imageOf(m_document, m_selection, options);
    QVERIFY(fitted.ok());
    const QRgb ground = fitted->pixel(266, 16);
    QVERIFY(fitted->pixel(266, 316) != ground);
    QCOMPARE(fitted->pixel(266, 316 - 155), ground);
    QCOMPARE(fitted->pixel(266, 316 + 155), ground);
}

void FigureTest::comparedMapsAreAllDrawn()
{
    Document document;
    Session compared = document.session();
    compared.comparison = withCausalMask(compared.mechanism, false);
    document.edit(compared, QStringLiteral("compare"));
    const auto image = imageOf(document, m_selection, bareOptions(9));
    QVERIFY(image.ok());
    constexpr int gap = 28;
    QCOMPARE(image->width(), 2 * 16 + 3 * 90 + 2 * gap);
    // The titles of the three maps stand above them.
    const int top = image->height() - 16 - 90;
    const auto colorAt
        = [&](int panel, int row, int col) { return image->pixel(16 + panel * (90 + gap) + 9 * col + 4, top + 9 * row + 4); };
    const double causal = document.field(Side::Main)->at(3, 1);
    const double unmasked = document.field(Side::Comparison)->at(3, 1);
    QCOMPARE(colorAt(0, 3, 1), ColorMap().color(static_cast<float>(causal)) | 0xff000000U);
    QCOMPARE(colorAt(1, 3, 1), ColorMap().color(static_cast<float>(unmasked)) | 0xff000000U);
    const ColorMap difference(divergingTable(), -1.0, 1.0, false);
    QCOMPARE(colorAt(2, 3, 1), difference.color(static_cast<float>(causal - unmasked)) | 0xff000000U);
}

void FigureTest::defaultHeightLeavesNoBands_data()
{
    QTest::addColumn<bool>("isComparing");
    QTest::newRow("one map") << false;
    QTest::newRow("three maps") << true;
}

void FigureTest::defaultHeightLeavesNoBands()
{
    QFETCH(bool, isComparing);
    Document document;
    Session next = document.session();
    if (isComparing)
        next.comparison = withCausalMask(next.mechanism, false);
    document.edit(next, QStringLiteral("compare"));
    const auto image = imageOf(document, m_selection, {});
    QVERIFY(image.ok());
    QCOMPARE(image->width(), 1400);
    QVERIFY(image->height() <= 1000);
    QCOMPARE(image->height() < 800, isComparing);
    const auto isEmpty = [&](int y) {
        for (int x = 0; x < image->width(); ++x) {
            if (image->pixelColor(x, y) != Qt::white)
                return false;
        }
        return true;
    };
    int above = 0;
    while (isEmpty(above))
        ++above;
    int below = 0;
    while (isEmpty(image->height() - 1 - below))
        ++below;
    QVERIFY2(above < 64 && below < 64, qPrintable(QStringLiteral("%1 above, %2 below").arg(above).arg(below)));
}

void FigureTest::whatIsToBeKnownIsSaid()
{
    QCOMPARE(figureNotes(*mapFigure(m_document, m_selection, {})), QStringList());
    FigureOptions large;
    large.pixels = { 10000, 10000 };
    const QStringList notes = figureNotes(*mapFigure(m_document, m_selection, large));
    QCOMPARE(notes.size(), 1);
    QVERIFY2(notes.front().contains(QStringLiteral("10,000 × 10,000 pixels")), qPrintable(notes.front()));

    Document document;
    Session next = document.session();
    TokensSource source;
    source.text = "a \xf4\x8f\xbf\xbd b"; // the last private character of Unicode
    next.source = source;
    document.edit(next, QStringLiteral("type"));
    QCOMPARE(figureNotes(*mapFigure(document, m_selection, {})),
        QStringList(QStringLiteral("1 token has characters that no installed font has.")));
}

void FigureTest::backgroundIsAsChosen_data()
{
    QTest::addColumn<FigureBackground>("background");
    QTest::addColumn<QColor>("color");
    QTest::newRow("white") << FigureBackground::White << QColor(Qt::white);
    QTest::newRow("dark") << FigureBackground::Dark << Theme::dark().view;
    QTest::newRow("transparent") << FigureBackground::Transparent << QColor(0, 0, 0, 0);
}

void FigureTest::backgroundIsAsChosen()
{
    QFETCH(FigureBackground, background);
    QFETCH(QColor, color);
    FigureOptions options;
    options.background = background;
    const auto image = imageOf(m_document, m_selection, options);
    QVERIFY(image.ok());
    QCOMPARE(image->pixelColor(3, 3), color);
}

void FigureTest::pickIsInThePicture()
{
    m_selection.setPicked(CellRef{ 7, 1 });
    FigureOptions options;
    const auto with = imageOf(m_document, m_selection, options);
    options.hasPick = false;
    const auto without = imageOf(m_document, m_selection, options);
    m_selection.setPicked(std::nullopt);
    options.hasPick = true;
    const auto nothingPicked = imageOf(m_document, m_selection, options);
    QVERIFY(with.ok() && without.ok() && nothingPicked.ok());
    QVERIFY(*with != *without);
    QCOMPARE(*without, *nothingPicked);
}

void FigureTest::tooLargeIsSaidBeforehand()
{
    FigureOptions options;
    options.pixels = { 40000, 100 };
    const auto checked = checkFigure(mapFigure(m_document, m_selection, options)->pixels);
    QVERIFY(!checked.ok());
    QVERIFY(QString::fromStdString(checked.error().sentence()).contains(QStringLiteral("40,000")));
    QCOMPARE(imageOf(m_document, m_selection, options).error(), checked.error());
    options.pixels = { 0, 100 };
    QVERIFY(!imageOf(m_document, m_selection, options).ok());
}

void FigureTest::picturesAreFittedWithTitleAndNotes()
{
    // 800 x 400 of the accent colour; with a padding of 16 and nothing else 832 x 432.
    Picture picture;
    picture.title = QStringLiteral("Title");
    picture.notes = QStringList{ QStringLiteral("note") };
    picture.size = QSizeF(800.0, 400.0);
    picture.paint = [](QPainter &painter, const Theme &theme) { painter.fillRect(QRectF(0.0, 0.0, 800.0, 400.0), theme.accent); };
    FigureOptions options;
    options.hasTitle = options.hasCaption = false;
    options.pixels = QSize(1664, 0);
    const Figure bare = pictureFigure(picture, options);
    QCOMPARE(bare.pixels, QSize(1664, 864));
    const auto image = figureImage(bare);
    QVERIFY(image.ok());
    QCOMPARE(image->pixelColor(31, 400), QColor(Qt::white));
    QCOMPARE(image->pixelColor(33, 400), Theme::light().accent);
    QCOMPARE(image->pixelColor(1630, 830), Theme::light().accent);
    QCOMPARE(image->pixelColor(1633, 400), QColor(Qt::white));

    options.pixels = QSize(832, 632); // 100 above and below
    const auto fitted = figureImage(pictureFigure(picture, options));
    QVERIFY(fitted.ok());
    QCOMPARE(fitted->size(), QSize(832, 632));
    QCOMPARE(fitted->pixelColor(400, 114), QColor(Qt::white));
    QCOMPARE(fitted->pixelColor(400, 118), Theme::light().accent);

    options.pixels = QSize(832, 0);
    options.hasTitle = true;
    const int withTitle = pictureFigure(picture, options).pixels.height();
    options.hasCaption = true;
    const int withBoth = pictureFigure(picture, options).pixels.height();
    QVERIFY(432 < withTitle && withTitle < withBoth);

    // So long that it could not be drawn as wide as asked for.
    picture.size = QSizeF(400.0, 100000.0);
    QVERIFY(checkFigure(pictureFigure(picture, {}).pixels).ok());
}

QTEST_MAIN(FigureTest)
#include "tst_figure.moc"
