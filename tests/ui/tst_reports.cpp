// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs on which people report that other tools fail, from the file to the picture; what has a test of its own subject is there.
#include "io/npy.h"
#include "io/open.h"
#include "state/color_map.h"
#include "state/head_list.h"
#include "views/lines/lines_view.h"
#include "views/map/map_view.h"
#include "views/readout_terms.h"
#include "views/text/text_view.h"
#include "views/vectors/vectors_view.h"
#include "window/view_figure.h"

#include "support/recorded_session.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace attenscope;

namespace {

/// Shown whole, without the scale, so that no other pixel has the colour of a weight.
FigureOptions mapAlone(QSize size)
{
    FigureOptions options;
    options.pixels = size;
    options.hasTitle = options.hasLabels = options.hasColorScale = options.hasCaption = options.hasPick = false;
    return options;
}

void show(Document &document, ShownView view)
{
    Session next = document.session();
    next.view.shown = view;
    document.edit(next, QStringLiteral("change view"));
}

QImage figureOf(
    const Document &document, const Selection &selection, const FigureOptions &options, FigureSubject subject = FigureSubject::View)
{
    const Result<Figure> figure = viewFigure(document, selection, options, subject);
    return figure ? figureImage(*figure).value() : QImage();
}

bool isReady(const Document &document)
{
    return document.isCurrent() && !document.isComputing();
}

} // namespace

class ReportsTest : public QObject {
    Q_OBJECT

private slots:
    void isolatedHitsOfAWideMapAreSeen();
    void equalTokensAreToldApartByPosition();
    void uniformHeadsAreSaidToBeUniform();
    void weightsNeedNoFourAxes_data();
    void weightsNeedNoFourAxes();
    void hoveredTokenIsMarkedInEveryView_data();
    void hoveredTokenIsMarkedInEveryView();
    void pickIsInTheFigureOfEveryView_data();
    void pickIsInTheFigureOfEveryView();
    void tallSheetsAreNotCut();
    void headsOfOneScaleCanBeCompared();
    void titlesThatNearlyFitAreNotCut();
};

void ReportsTest::isolatedHitsOfAWideMapAreSeen()
{
    constexpr Index side = 2048;
    constexpr Index hits = 10;
    Matrix weights = Matrix::Zero(side, side);
    for (Index hit = 0; hit < hits; ++hit)
        weights(37 + 199 * hit, (1553 * hit + 611) % side) = 1.0;
    Document document;
    document.reset(recordedSession(1, { weights }));
    QTRY_VERIFY_WITH_TIMEOUT(isReady(document), 60000);
    const QImage image = figureOf(document, {}, mapAlone({ 600, 600 }));
    Index bright = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x)
            bright += image.pixel(x, y) == (ColorMap().color(1.0F) | 0xff000000U) ? 1 : 0;
    }
    // Each in at least one pixel, and in no more than the four at which a fold may end.
    QVERIFY2(bright >= hits && bright <= 4 * hits, qPrintable(QString::number(bright)));
}

void ReportsTest::equalTokensAreToldApartByPosition()
{
    const std::vector<std::string> tokens{ "the", "cat", "sat", "on", "the", "mat", ".", "the", "cat", "lay", "on", "the", "rug", "." };
    Matrix weights = Matrix::Identity(14, 14);
    weights.row(8) *= 0.25;
    weights(8, 1) = 0.75;
    Document document;
    document.reset(recordedSession(1, { weights }, tokens));
    ReadoutArithmetic readout;
    const auto first = readout.terms(document, { 8, 1 });
    const auto second = readout.terms(document, { 8, 8 });
    QVERIFY2(first[0].label.startsWith(QStringLiteral("query 8 → key 1")), qPrintable(first[0].label));
    QVERIFY2(second[0].label.startsWith(QStringLiteral("query 8 → key 8")), qPrintable(second[0].label));
    QCOMPARE(first[0].value, QStringLiteral("cat → cat"));
    QCOMPARE(second[0].value, first[0].value);
    QCOMPARE(first[1].value, QStringLiteral("0.7500"));
    QCOMPARE(second[1].value, QStringLiteral("0.2500"));
}

void ReportsTest::uniformHeadsAreSaidToBeUniform()
{
    const Matrix even = Matrix::Constant(20, 20, 1.0 / 20.0);
    Document document;
    document.reset(recordedSession(1, { even, even }));
    const HeadList list = listHeads(document);
    QCOMPARE(list.heads.size(), 2U);
    for (const ListedHead &head : list.heads) {
        QCOMPARE(head.pattern.name, QStringLiteral("Uniform"));
        QVERIFY(std::abs(head.number(HeadColumn::Entropy) - std::log(20.0)) < 1e-12);
        QVERIFY(std::abs(head.number(HeadColumn::NormalizedEntropy) - 1.0) < 1e-12);
        QVERIFY(std::abs(head.number(HeadColumn::EffectiveKeys) - 20.0) < 1e-9);
    }
}

void ReportsTest::weightsNeedNoFourAxes_data()
{
    using Shape = std::vector<Index>;
    QTest::addColumn<Shape>("shape");
    QTest::addColumn<int>("layers");
    QTest::addColumn<int>("heads");
    QTest::newRow("one row of two") << Shape{ 1, 2 } << 1 << 1;
    QTest::newRow("a matrix") << Shape{ 2, 2 } << 1 << 1;
    QTest::newRow("heads") << Shape{ 3, 4, 4 } << 1 << 3;
    QTest::newRow("a batch of one and heads") << Shape{ 1, 3, 4, 4 } << 1 << 3;
    QTest::newRow("layers and heads") << Shape{ 2, 3, 4, 4 } << 2 << 3;
}

void ReportsTest::weightsNeedNoFourAxes()
{
    using Shape = std::vector<Index>;
    QFETCH(Shape, shape);
    QFETCH(int, layers);
    QFETCH(int, heads);
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("attentions.npy")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(npyHeader(shape)));
    Index cells = 1;
    for (const Index axis : shape)
        cells *= axis;
    const double cell = 1.0 / static_cast<double>(shape.back());
    for (Index place = 0; place < cells; ++place)
        file.write(reinterpret_cast<const char *>(&cell), sizeof cell);
    file.close();
    Document document;
    document.reset(sessionFor(openFiles({ file.fileName().toStdString() }).value()));
    QVERIFY(document.hasPicture());
    QCOMPARE(document.block().layers, layers);
    QCOMPARE(headCount(document.block(), document.result()->spec), heads);
    QCOMPARE(document.block().queries, shape[shape.size() - 2]);
    QCOMPARE(document.field()->at(0, 1), cell);
}

namespace {

template <typename View>
std::unique_ptr<QWidget> made(Document &document, Selection &selection)
{
    return std::make_unique<View>(document, selection);
}
using Make = std::unique_ptr<QWidget> (*)(Document &, Selection &);

} // namespace

void ReportsTest::hoveredTokenIsMarkedInEveryView_data()
{
    QTest::addColumn<Make>("make");
    QTest::newRow("map") << Make(&made<MapView>);
    QTest::newRow("lines") << Make(&made<LinesView>);
    QTest::newRow("vectors") << Make(&made<VectorsView>);
    QTest::newRow("text") << Make(&made<TextView>);
}

void ReportsTest::hoveredTokenIsMarkedInEveryView()
{
    QFETCH(Make, make);
    Document document;
    Selection selection;
    const auto view = make(document, selection);
    view->resize(900, 600);
    view->show();
    QTest::qWait(50);
    const QImage before = view->grab().toImage();
    QCOMPARE(view->grab().toImage(), before);
    selection.setHovered(CellRef{ 3, 2 });
    QTest::qWait(50);
    QVERIFY(view->grab().toImage() != before);
    selection.setHovered(std::nullopt);
    QTest::qWait(50);
    QCOMPARE(view->grab().toImage(), before);
}

void ReportsTest::pickIsInTheFigureOfEveryView_data()
{
    QTest::addColumn<ShownView>("view");
    QTest::newRow("map") << ShownView::Map;
    QTest::newRow("lines") << ShownView::Lines;
    QTest::newRow("vectors") << ShownView::Vectors;
    QTest::newRow("text") << ShownView::Text;
}

void ReportsTest::pickIsInTheFigureOfEveryView()
{
    QFETCH(ShownView, view);
    Document document;
    show(document, view);
    Selection selection;
    FigureOptions options;
    options.pixels = { 1000, 800 };
    const QImage without = figureOf(document, selection, options);
    QVERIFY(!without.isNull());
    selection.setPicked(CellRef{ 7, 1 });
    const QImage picked = figureOf(document, selection, options);
    QVERIFY(picked != without);
    selection.setPicked(CellRef{ 8, 1 });
    QVERIFY(figureOf(document, selection, options) != picked);
}

void ReportsTest::tallSheetsAreNotCut()
{
    std::vector<Matrix> heads;
    for (int head = 0; head < 144; ++head)
        heads.push_back(Matrix::Constant(4, 4, 0.25));
    // The last one stands out.
    heads.back() = Matrix::Identity(4, 4);
    Document document;
    document.reset(recordedSession(12, heads));
    FigureOptions options;
    options.pixels = { 1400, 20000 };
    const QImage image = figureOf(document, {}, options, FigureSubject::Grid);
    QCOMPARE(image.size(), options.pixels);
    QSet<QRgb> colors;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); x += 2)
            colors.insert(image.pixel(x, y));
    }
    QVERIFY(colors.contains(ColorMap().color(1.0F) | 0xff000000U));
}

void ReportsTest::headsOfOneScaleCanBeCompared()
{
    const Matrix dark = Matrix::Constant(5, 5, 0.2);
    const Matrix bright = 0.9 * Matrix::Identity(5, 5) + Matrix::Constant(5, 5, 0.02);
    Document document;
    document.reset(recordedSession(1, { dark, bright }));
    const auto brightest = [&](int head, ColorRange range) {
        Session next = document.session();
        next.view.range = range;
        document.edit(next, QStringLiteral("change range"));
        document.pickHead({ 0, 0, head, 0 });
        // Too small for numbers in the cells.
        const QImage image = figureOf(document, {}, mapAlone({ 120, 120 }));
        return image.pixelColor(image.width() / 2, image.height() / 2).lightness();
    };
    QVERIFY(brightest(0, ColorRange::Shared) < brightest(1, ColorRange::Shared));
    QCOMPARE(brightest(0, ColorRange::Own), brightest(1, ColorRange::Own));
}

void ReportsTest::titlesThatNearlyFitAreNotCut()
{
    const QTemporaryDir folder;
    Document document;
    Session session = recordedSession(1, { Matrix::Constant(5, 5, 0.2) });
    for (int letters = 1; letters < 24; ++letters) {
        session.name = std::string(static_cast<std::size_t>(letters), 'm');
        document.reset(session);
        const QString path = folder.filePath(QStringLiteral("title.svg"));
        QVERIFY(writeFigure(path, *viewFigure(document, {}, {})));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY2(!QString::fromUtf8(file.readAll()).contains(u'…'), session.name.c_str());
    }
}

QTEST_MAIN(ReportsTest)
#include "tst_reports.moc"
