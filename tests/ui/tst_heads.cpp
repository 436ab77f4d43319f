// SPDX-License-Identifier: GPL-3.0-or-later
// HeadGrid: the colours at known cells, captions, picking by mouse and keys.
#include "views/heads/heads.h"

#include "state/color_map.h"
#include "state/theme.h"
#include "views/heads/head_layout.h"
#include "views/heads/thumbnails.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

using namespace attenscope;

namespace {

HeadLayout layoutOf(const Document &document, const QWidget &field)
{
    return layOutHeads(*document.input(), document.result()->spec, document.head().element, field.width(), field.fontMetrics().height());
}

/// The viewport that HeadGrid paints to.
QWidget *fieldOf(HeadGrid &grid)
{
    return grid.findChild<QAbstractScrollArea *>()->viewport();
}

/// Widgets are laid out once they are shown.
void showIn(QWidget &widget, const QSize &size)
{
    widget.resize(size);
    widget.show();
    QVERIFY(QTest::qWaitForWindowExposed(&widget));
}

/// @p layers x @p heads recorded heads of @p n tokens; row r of head h has all weight on key (r + h) mod n.
Session recordedSession(Index layers, Index heads, Index n)
{
    std::vector<std::byte> bytes(static_cast<std::size_t>(layers * heads * n * n) * sizeof(double));
    auto *numbers = reinterpret_cast<double *>(bytes.data());
    for (Index head = 0; head < layers * heads; ++head) {
        for (Index row = 0; row < n; ++row)
            numbers[(head * n + row) * n + (row + head) % n] = 1.0;
    }
    auto tensors = std::make_shared<TensorSet>();
    tensors->tensors.push_back(
        { "attentions", "a.npy", Tensor(bytesInMemory(std::move(bytes)), 0, ElementType::F64, { layers, heads, n, n }) });
    FileSource source;
    source.uses = recognise(*tensors);
    source.tensors = tensors;
    Session session = exampleSentence();
    session.source = source;
    session.mechanism = {};
    return session;
}

} // namespace

class TestHeads : public QObject {
    Q_OBJECT

private slots:
    void thumbnailsHaveTheColoursOfTheWeights()
    {
        Document document;
        Selection selection;
        HeadGrid grid(document, selection);
        showIn(grid, QSize(296, 400));
        QWidget *field = fieldOf(grid);
        const HeadLayout layout = layoutOf(document, *field);
        QCOMPARE(layout.heads.size(), 4U);
        const QImage picture = field->grab().toImage();
        const ColorMap colors = weightColors(document.session().view, 10);
        for (const HeadPlace &place : layout.heads) {
            const MapFieldPtr weights = document.headField(place.head);
            for (const auto &[row, col] : { std::pair<Index, Index>{ 0, 0 }, { 7, 1 }, { 9, 9 }, { 4, 0 } }) {
                const QPoint middle = place.thumbnail.topLeft()
                    + QPoint(static_cast<int>((2 * col + 1) * place.thumbnail.width() / 20),
                        static_cast<int>((2 * row + 1) * place.thumbnail.height() / 20));
                QCOMPARE(picture.pixelColor(middle).name(), QColor(colors.color(static_cast<float>(weights->at(row, col)))).name());
            }
            QCOMPARE(picture.pixelColor(place.thumbnail.topRight() + QPoint(-3, 3)), Theme::light().maskedGround);
        }
    }

    void oneBrightCellOfALargeMapIsSeen()
    {
        Matrix weights = Matrix::Zero(500, 500);
        weights(123, 321) = 1.0;
        HeadResult head;
        head.stream.overview = weights.cast<float>();
        auto shared = std::make_shared<const HeadResult>(std::move(head));
        Thumbnails thumbnails;
        const ColorMap colors(colorTable(ColorTable::Viridis), 0.0, 1.0, false);
        QVERIFY(thumbnails.image(shared, colors, QSize(60, 60)).isNull());
        QSignalSpy ready(&thumbnails, &Thumbnails::ready);
        thumbnails.fetch();
        QTRY_VERIFY(ready.count() > 0);
        const QImage image = thumbnails.image(shared, colors, QSize(60, 60));
        QCOMPARE(image.size(), QSize(60, 60));
        // Column 321 of 500 lies in pixel 38 of 60, row 123 in pixel 14.
        QCOMPARE(image.pixelColor(38, 14).name(), QColor(colors.color(1.0F)).name());
        QCOMPARE(image.pixelColor(37, 14).name(), QColor(colors.color(0.0F)).name());
    }

    void longMapsKeepTheirShape()
    {
        QCOMPARE(Thumbnails::size(10, 10, 120), QSize(120, 120));
        QCOMPARE(Thumbnails::size(5, 10, 120), QSize(120, 60));
        QCOMPARE(Thumbnails::size(1, 1000, 120), QSize(120, 15));
        QCOMPARE(Thumbnails::size(1000, 1, 120), QSize(15, 120));
    }

    void sharedKeyValueHeadsStandUnderACaption()
    {
        Document document;
        Session next = document.session();
        next.mechanism.kvHeads = 2;
        document.edit(next, QStringLiteral("share"));
        const HeadLayout layout = layOutHeads(*document.input(), document.result()->spec, 0, 296, 16);
        QCOMPARE(layout.captions.size(), 2U);
        QCOMPARE(layout.captions[0].text, QStringLiteral("K/V head 0"));
        QCOMPARE(layout.captions[1].text, QStringLiteral("K/V head 1"));
        QVERIFY(layout.heads[1].thumbnail.bottom() < layout.captions[1].line.top());
        QVERIFY(layout.captions[1].line.bottom() < layout.heads[2].thumbnail.top());
        next.mechanism.kvHeads = 0;
        document.edit(next, QStringLiteral("share"));
        QVERIFY(layOutHeads(*document.input(), document.result()->spec, 0, 296, 16).captions.empty());
    }

    void seededHeadsSayThatTheyAreUntrained()
    {
        Document document;
        const auto note = [&document] { return layOutHeads(*document.input(), document.result()->spec, 0, 296, 16).note.text; };
        QCOMPARE(note(), QStringLiteral("untrained, random weights"));
        document.reset(recordedSession(1, 4, 5));
        QCOMPARE(note(), QString());
    }

    void eachLayerStartsARow()
    {
        Document document;
        document.reset(recordedSession(3, 6, 5));
        const HeadLayout layout = layOutHeads(*document.input(), document.result()->spec, 0, 296, 16);
        QCOMPARE(layout.heads.size(), 18U);
        QCOMPARE(layout.heads[6].nameText, QStringLiteral("1·0"));
        QCOMPARE(layout.heads[6].thumbnail.left(), layout.heads[0].thumbnail.left());
        QVERIFY(layout.heads[6].thumbnail.top() > layout.heads[5].thumbnail.bottom());
        for (const HeadPlace &place : layout.heads)
            QVERIFY(place.thumbnail.right() < 296);
    }

    void aClickPicks()
    {
        Document document;
        Selection selection;
        HeadGrid grid(document, selection);
        showIn(grid, QSize(296, 400));
        QWidget *field = fieldOf(grid);
        const HeadLayout layout = layoutOf(document, *field);
        QTest::mouseClick(field, Qt::LeftButton, {}, layout.heads[2].thumbnail.center());
        QCOMPARE(document.head().head, 2);
        QCOMPARE(document.undoStack()->count(), 0);
        QTest::mouseClick(field, Qt::LeftButton, {}, layout.heads[1].name.center());
        QCOMPARE(document.head().head, 1);
        QTest::mouseClick(field, Qt::LeftButton, {}, QPoint(2, 2));
        QCOMPARE(document.head().head, 1);
        // The picked one has the accent around it.
        const QImage picture = field->grab().toImage();
        QCOMPARE(picture.pixelColor(layout.heads[1].thumbnail.center().x(), layout.heads[1].thumbnail.top() - 3).name(),
            Theme::light().accent.name());
        QVERIFY(picture.pixelColor(layout.heads[2].thumbnail.center().x(), layout.heads[2].thumbnail.top() - 3) != Theme::light().accent);
    }

    void arrowsMoveThePickAsItIsSeen()
    {
        Document document;
        document.reset(recordedSession(3, 6, 5));
        Selection selection;
        HeadGrid grid(document, selection);
        showIn(grid, QSize(296, 400)); // Four abreast: rows 0 to 3, 4 to 5 of each layer.
        QWidget *area = fieldOf(grid)->parentWidget();
        const auto press = [&](Qt::Key key) { QTest::keyClick(area, key); };
        document.pickHead({ 0, 0, 1, 0 });
        press(Qt::Key_Right);
        QCOMPARE(document.head(), (HeadRef{ 0, 0, 2, 0 }));
        press(Qt::Key_Left);
        press(Qt::Key_Down);
        QCOMPARE(document.head(), (HeadRef{ 0, 0, 5, 0 }));
        press(Qt::Key_Right);
        QCOMPARE(document.head(), (HeadRef{ 0, 1, 0, 0 }));
        press(Qt::Key_Up);
        QCOMPARE(document.head(), (HeadRef{ 0, 0, 4, 0 }));
        press(Qt::Key_End);
        QCOMPARE(document.head(), (HeadRef{ 0, 2, 5, 0 }));
        press(Qt::Key_Right);
        QCOMPARE(document.head(), (HeadRef{ 0, 2, 5, 0 }));
        press(Qt::Key_Home);
        QCOMPARE(document.head(), (HeadRef{ 0, 0, 0, 0 }));
    }

    void thePickedHeadIsScrolledIntoView()
    {
        Document document;
        document.reset(recordedSession(12, 8, 4));
        Selection selection;
        HeadGrid grid(document, selection);
        showIn(grid, QSize(296, 300));
        QScrollBar *bar = grid.findChild<QAbstractScrollArea *>()->verticalScrollBar();
        QCOMPARE(bar->value(), 0);
        document.pickHead({ 0, 11, 7, 0 });
        const HeadLayout layout = layoutOf(document, *fieldOf(grid));
        QVERIFY(layout.heads.back().thumbnail.top() >= bar->value());
        QVERIFY(layout.heads.back().name.bottom() <= bar->value() + fieldOf(grid)->height());
    }

    void oneHeadAloneOffersAnother()
    {
        Document document;
        document.reset(workedExample());
        Selection selection;
        HeadGrid grid(document, selection);
        showIn(grid, QSize(296, 400));
        auto *button = grid.findChild<QPushButton *>();
        QVERIFY(button->isVisible());
        QSignalSpy asked(&grid, &HeadGrid::addHeadRequested);
        button->click();
        QCOMPARE(asked.count(), 1);
        QCOMPARE(grid.titleNote(), QStringLiteral("1 head"));
        document.reset(recordedSession(1, 1, 4));
        QVERIFY(!button->isVisible());
        document.reset(exampleSentence());
        QVERIFY(fieldOf(grid)->isVisible());
        QCOMPARE(grid.titleNote(), QStringLiteral("1 layer × 4 heads"));
    }

    void headsThatAreNotReadyAreHatched()
    {
        Document document;
        Session next = document.session();
        auto &source = std::get<TokensSource>(next.source);
        source.text.clear();
        for (int token = 0; token < 300; ++token)
            source.text += "word ";
        connect(&document, &Document::resultChanged, &document, [&document] {
            if (document.isComputing())
                document.cancel();
        });
        document.edit(next, QStringLiteral("type tokens"));
        QTRY_VERIFY(!document.isComputing());
        QCOMPARE(document.result()->heads.size(), 1U);
        Selection selection;
        HeadGrid grid(document, selection);
        showIn(grid, QSize(296, 400));
        QCOMPARE(grid.titleNote(), QStringLiteral("1 of 4 ready"));
        QWidget *field = fieldOf(grid);
        const HeadLayout layout = layoutOf(document, *field);
        const QImage picture = field->grab().toImage();
        for (const HeadPlace &place : layout.heads) {
            if (document.result()->find(place.head))
                continue;
            QSet<QString> colors;
            for (int x = place.thumbnail.left(); x <= place.thumbnail.right(); ++x)
                colors.insert(picture.pixelColor(x, place.thumbnail.center().y()).name());
            QVERIFY(colors.contains(Theme::light().maskedGround.name()));
            QVERIFY(colors.size() > 1);
        }
    }
};

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    QFont font(QStringLiteral("DejaVu Sans"));
    font.setPixelSize(13);
    QApplication::setFont(font);
    QApplication::setPalette(Theme::light().palette());
    TestHeads test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_heads.moc"
