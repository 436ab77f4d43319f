// SPDX-License-Identifier: GPL-3.0-or-later
// Figures: exact sizes, sharp cells, backgrounds, resolution, and refusals beforehand.
#include "state/color_map.h"
#include "state/theme.h"
#include "views/map/map_figure.h"
#include "views/picture.h"

#include <QFile>
#include <QFileInfo>
#include <QFontInfo>
#include <QGuiApplication>
#include <QImageReader>
#include <QPainter>
#include <QPainterPath>
#include <QRawFont>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace attenscope;

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
    void writingCanBeStopped();
    void whatIsToBeKnownIsSaid();
    void backgroundIsAsChosen_data();
    void backgroundIsAsChosen();
    void pickIsInThePicture();
    void resolutionIsInTheFile();
    void tooLargeIsSaidBeforehand();
    void unwritableFolderIsAnError();
    void vectorsHaveTextAndTheirSize_data();
    void vectorsHaveTextAndTheirSize();
    void lettersOfAnSvgAreInIt();
    void mapsInVectorsAreLossless();
    void picturesAreFittedWithTitleAndNotes();

private:
    Document m_document;
    Selection m_selection;
};

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

void FigureTest::writingCanBeStopped()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("figure.png"));
    QImage image(400, 400, QImage::Format_RGB32);
    image.fill(Qt::white);
    std::stop_source source;
    source.request_stop();
    Run stopped;
    stopped.stop = source.get_token();
    const auto written = writePicture(path, image, stopped);
    QVERIFY(!written.ok());
    QVERIFY(written.error().isCancelled);
    QVERIFY(!QFileInfo::exists(path));
    QVERIFY(writePicture(path, image).ok());
    QCOMPARE(QImage(path).size(), image.size());
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

void FigureTest::resolutionIsInTheFile()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("figure.png"));
    FigureOptions options;
    options.millimetres = QSizeF(50.8, 25.4);
    options.dpi = 200.0;
    QVERIFY(writeFigure(path, *mapFigure(m_document, m_selection, options)).ok());
    const QImage image(path);
    QCOMPARE(image.size(), QSize(400, 200));
    QCOMPARE(image.dotsPerMeterX(), 7874); // 200 / 0.0254
    QCOMPARE(QImageReader(path).format(), QByteArray("png"));
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

void FigureTest::unwritableFolderIsAnError()
{
    const QString path = QStringLiteral("/nonexistent/folder/figure.png");
    const auto saved = writeFigure(path, *mapFigure(m_document, m_selection, {}));
    QVERIFY(!saved.ok());
    QCOMPARE(saved.error().path, path.toStdString());
}

void FigureTest::vectorsHaveTextAndTheirSize_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("isPaper");
    for (const char *name : { "figure.svg", "figure.pdf" }) {
        QTest::addRow("%s in millimetres", name) << QString::fromLatin1(name) << true;
        QTest::addRow("%s in pixels", name) << QString::fromLatin1(name) << false;
    }
}

void FigureTest::vectorsHaveTextAndTheirSize()
{
    QFETCH(QString, name);
    QFETCH(bool, isPaper);
    QTemporaryDir folder;
    const QString path = folder.filePath(name);
    FigureOptions options;
    if (isPaper)
        options.millimetres = QSizeF(127.0, 101.6); // 5 x 4 inches
    else
        options.pixels = QSize(480, 384); // at 96 an inch
    QVERIFY(writeFigure(path, *mapFigure(m_document, m_selection, options)).ok());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll();
    if (name.endsWith(QLatin1String("svg"))) {
        QVERIFY2(bytes.contains("width=\"127mm\" height=\"101.6mm\""), bytes.left(300).constData());
        QVERIFY(bytes.contains(">Example sentence"));
        QVERIFY(bytes.contains("data:image/png;base64,"));
        return;
    }
    QVERIFY2(bytes.contains("/MediaBox [0 0 360.000000 288.000000]"), bytes.mid(bytes.indexOf("/MediaBox"), 60).constData());
    QVERIFY(bytes.contains("/FontFile2"));
    QVERIFY(!bytes.contains("/DCTDecode"));
}

/// The fonts inside have outlines for the letters of the figure (accented ones are made of others), and for no others.
void FigureTest::lettersOfAnSvgAreInIt()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("figure.svg"));
    Document document;
    Session next = document.session();
    TokensSource source;
    source.text = "caf\xc3\xa9 & <s>";
    next.source = source;
    document.edit(next, QStringLiteral("type"));
    QVERIFY(writeFigure(path, *mapFigure(document, m_selection, {})).ok());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(file.readAll());
    const QString family = QFontInfo(QGuiApplication::font()).family();
    QVERIFY(text.contains(QStringLiteral("font-family=\"%1, sans-serif\"").arg(family)));
    static const QRegularExpression rules(QStringLiteral(
        "@font-face\\{font-family:\"([^\"]+)\";font-weight:(\\d+);font-style:normal;src:url\\(data:font/ttf;base64,([^)]+)\\)\\}"));
    QStringList weights;
    for (auto match = rules.globalMatch(text); match.hasNext();) {
        const QRegularExpressionMatch rule = match.next();
        weights << rule.captured(2);
        QCOMPARE(rule.captured(1), family);
        const QByteArray bytes = QByteArray::fromBase64(rule.captured(3).toLatin1());
        QVERIFY(bytes.size() < 200'000);
        const QRawFont font(bytes, 20.0);
        QVERIFY(font.isValid());
        const auto outline = [&font](const QString &letter) { return font.pathForGlyph(font.glyphIndexesForString(letter).value(0)); };
        const QString accented = QStringLiteral("é");
        // Bold is the title, which has no token.
        const bool hasTokens = rule.captured(2) == QLatin1String("400");
        QCOMPARE(outline(accented).isEmpty(), !hasTokens);
        QVERIFY(!outline(QStringLiteral("w")).isEmpty());
        QVERIFY(outline(QStringLiteral("Z")).isEmpty());
        QFont whole = QGuiApplication::font();
        whole.setPixelSize(20);
        whole.setBold(!hasTokens);
        QCOMPARE(outline(QStringLiteral("w")).boundingRect(),
            QRawFont::fromFont(whole)
                .pathForGlyph(QRawFont::fromFont(whole).glyphIndexesForString(QStringLiteral("w")).value(0))
                .boundingRect());
    }
    QCOMPARE(weights, QStringList({ QStringLiteral("400"), QStringLiteral("700") }));
}

/// The image of the map in the SVG has exactly the colours of the cells.
void FigureTest::mapsInVectorsAreLossless()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("map.svg"));
    Document document;
    Session unmasked = document.session();
    unmasked.mechanism = withCausalMask(unmasked.mechanism, false);
    document.edit(unmasked, QStringLiteral("change mask"));
    QVERIFY(writeFigure(path, *mapFigure(document, m_selection, bareOptions(9))).ok());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QByteArray bytes = file.readAll();
    const QByteArray start = "data:image/png;base64,";
    bytes = bytes.mid(bytes.indexOf(start) + start.size());
    const QImage image = QImage::fromData(QByteArray::fromBase64(bytes.left(bytes.indexOf('"'))));
    QCOMPARE(image.size(), QSize(90, 90));
    for (int row = 0; row < 10; ++row) {
        for (int col = 0; col < 10; ++col)
            QCOMPARE(
                image.pixel(9 * col + 4, 9 * row + 4), ColorMap().color(static_cast<float>(document.field()->at(row, col))) | 0xff000000U);
    }
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
