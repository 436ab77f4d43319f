// SPDX-License-Identifier: GPL-3.0-or-later
// Files of figures: resolution, text and lossless maps in SVG and PDF, stopping, and folders that cannot be written.
#include "state/color_map.h"
#include "views/map/map_figure.h"

#include <QFile>
#include <QFileInfo>
#include <QFontInfo>
#include <QImageReader>
#include <QPainterPath>
#include <QRawFont>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace attenscope;

class FigureFilesTest : public QObject {
    Q_OBJECT

private slots:
    void writingCanBeStopped();
    void resolutionIsInTheFile();
    void unwritableFolderIsAnError();
    void vectorsHaveTextAndTheirSize_data();
    void vectorsHaveTextAndTheirSize();
    void lettersOfAnSvgAreInIt();
    void mapsInVectorsAreLossless();

private:
    Document m_document;
    Selection m_selection;
};

void FigureFilesTest::writingCanBeStopped()
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

void FigureFilesTest::resolutionIsInTheFile()
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

void FigureFilesTest::unwritableFolderIsAnError()
{
    const QString path = QStringLiteral("/nonexistent/folder/figure.png");
    const auto saved = writeFigure(path, *mapFigure(m_document, m_selection, {}));
    QVERIFY(!saved.ok());
    QCOMPARE(saved.error().path, path.toStdString());
}

void FigureFilesTest::vectorsHaveTextAndTheirSize_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("isPaper");
    for (const char *name : { "figure.svg", "figure.pdf" }) {
        QTest::addRow("%s in millimetres", name) << QString::fromLatin1(name) << true;
        QTest::addRow("%s in pixels", name) << QString::fromLatin1(name) << false;
    }
}

void FigureFilesTest::vectorsHaveTextAndTheirSize()
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

void FigureFilesTest::lettersOfAnSvgAreInIt()
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

void FigureFilesTest::mapsInVectorsAreLossless()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("map.svg"));
    Document document;
    Session unmasked = document.session();
    unmasked.mechanism = withCausalMask(unmasked.mechanism, false);
    document.edit(unmasked, QStringLiteral("change mask"));
    FigureOptions options;
    options.cellPixels = 9;
    QVERIFY(writeFigure(path, *mapFigure(document, m_selection, options)).ok());
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

QTEST_MAIN(FigureFilesTest)
#include "tst_figure_files.moc"
