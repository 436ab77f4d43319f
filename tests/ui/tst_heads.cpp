// SPDX-License-Identifier: GPL-3.0-or-later
// HeadGrid: the colours at known cells, captions, picking by mouse and keys.
#include "views/heads/heads.h"

#include "state/color_map.h"
#include "state/head_colors.h"
#include "state/theme.h"
#include "support/painted.h"
#include "support/recorded_session.h"
#include "views/heads/head_field.h"
#include "views/heads/head_figures.h"
#include "views/heads/head_paint.h"

#include <QApplication>
#include <QComboBox>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include <array>

using namespace attenscope;

namespace {

/// In a field 296 wide with lines of 16.
HeadLayout layoutOf(const Document &document)
{
    return layOutHeads(*document.input(), document.result()->spec, listHeads(document), document.session().view.heads.by, 296, 16);
}

HeadLayout layoutOf(const Document &document, const QWidget &field)
{
    const HeadList list = listHeads(document);
    const HeadColumn by = document.session().view.heads.by;
    return layOutHeads(*document.input(), document.result()->spec, list, by, field.width(), field.fontMetrics().height(),
        leastThumbnail(list, by, field.fontMetrics()));
}

/// The viewport that HeadGrid paints to.
QWidget *fieldOf(HeadGrid &grid)
{
    return grid.findChild<HeadField *>()->viewport();
}

void order(Document &document, const HeadOrder &heads)
{
    Session next = document.session();
    next.view.heads = heads;
    document.edit(next, QStringLiteral("order heads"));
}

/// Widgets are laid out once they are shown.
void showIn(QWidget &widget, const QSize &size)
{
    widget.resize(size);
    widget.show();
    QVERIFY(QTest::qWaitForWindowExposed(&widget));
}

/// @p layers x @p heads recorded heads of @p n tokens; row r of head h has all weight on key (r + h) mod n.
Session shiftedHeads(Index layers, Index heads, Index n)
{
    std::vector<Matrix> weights(static_cast<std::size_t>(layers * heads), Matrix::Zero(n, n));
    for (Index head = 0; head < layers * heads; ++head) {
        for (Index row = 0; row < n; ++row)
            weights[static_cast<std::size_t>(head)](row, (row + head) % n) = 1.0;
    }
    return recordedSession(layers, weights);
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
        showIn(grid, QSize(296, 520));
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
        const HeadLayout layout = layoutOf(document);
        QCOMPARE(layout.captions.size(), 2U);
        QCOMPARE(layout.captions[0].text, QStringLiteral("K/V head 0"));
        QCOMPARE(layout.captions[1].text, QStringLiteral("K/V head 1"));
        QVERIFY(layout.heads[1].thumbnail.bottom() < layout.captions[1].line.top());
        QVERIFY(layout.captions[1].line.bottom() < layout.heads[2].thumbnail.top());
        next.mechanism.kvHeads = 0;
        document.edit(next, QStringLiteral("share"));
        QVERIFY(layoutOf(document).captions.empty());
        // In another order they are not side by side.
        next.mechanism.kvHeads = 2;
        next.view.heads.by = HeadColumn::Entropy;
        document.edit(next, QStringLiteral("order"));
        QVERIFY(layoutOf(document).captions.empty());
    }

    void headsStandInTheOrderOfTheirNumbers()
    {
        // Head h of 3 x 6 looks h keys on, mod 5: the own token is at h = 0, 5, 10, 15.
        Document document;
        document.reset(shiftedHeads(3, 6, 5));
        QVERIFY(layoutOf(document).heads.front().valueText.isEmpty());
        order(document, { HeadColumn::Own, true, {}, {} });
        const HeadLayout layout = layoutOf(document);
        QCOMPARE(layout.heads.size(), 18U);
        const std::array<const char *, 5> first{ "0·0", "0·5", "1·4", "2·3", "0·1" };
        for (std::size_t place = 0; place < first.size(); ++place) {
            QCOMPARE(layout.heads[place].nameText, QString::fromUtf8(first[place]));
            QCOMPARE(layout.heads[place].valueText, place < 4 ? QStringLiteral("1.00") : QStringLiteral("0.00"));
        }
        // They fill the rows.
        QVERIFY(layout.heads[3].thumbnail.top() == layout.heads[0].thumbnail.top());
        order(document, { HeadColumn::Head, false, Pattern::Own, {} });
        QCOMPARE(layoutOf(document).heads.size(), 4U);
        order(document, { HeadColumn::Head, false, {}, "2· own < 0.5" });
        QCOMPARE(layoutOf(document).heads.size(), 5U);
    }

    void theBarChoosesOrderAndPattern()
    {
        Document document;
        document.reset(shiftedHeads(3, 6, 5));
        Selection selection;
        HeadGrid grid(document, selection);
        showIn(grid, QSize(296, 520));
        const QList<QComboBox *> boxes = grid.findChildren<QComboBox *>();
        QCOMPARE(boxes.size(), 2);
        const auto choose = [](QComboBox *box, const QString &text) {
            const int index = box->findText(text);
            QVERIFY(index >= 0);
            box->setCurrentIndex(index);
            emit box->activated(index);
        };
        choose(boxes[0], QStringLiteral("own, high first"));
        QCOMPARE(document.session().view.heads, (HeadOrder{ HeadColumn::Own, true, {}, {} }));
        choose(boxes[1], QStringLiteral("own token (4)"));
        QCOMPARE(document.session().view.heads.only, std::optional(Pattern::Own));
        QCOMPARE(grid.titleNote(), QStringLiteral("4 of 18 heads"));
        document.undoStack()->undo();
        QCOMPARE(boxes[1]->currentText(), QStringLiteral("all patterns"));
        QCOMPARE(grid.titleNote(), QStringLiteral("3 layers × 6 heads"));
    }

    void ctrlAndAClickAddsAHeadForLines()
    {
        Document document;
        document.reset(shiftedHeads(3, 6, 5));
        document.pickHead({ 0, 0, 0, 0 });
        Selection selection;
        HeadGrid grid(document, selection);
        showIn(grid, QSize(296, 520));
        QWidget *field = fieldOf(grid);
        const HeadLayout layout = layoutOf(document, *field);
        const auto click = [&](std::size_t place) {
            QTest::mouseClick(field, Qt::LeftButton, Qt::ControlModifier, layout.heads[place].thumbnail.center());
        };
        click(2);
        click(7);
        click(0); // the picked one is drawn anyway
        QCOMPARE(document.session().view.moreHeads, (std::vector<HeadRef>{ { 0, 0, 2, 0 }, { 0, 1, 1, 0 } }));
        QCOMPARE(document.head(), (HeadRef{ 0, 0, 0, 0 }));
        const QImage picture = field->grab().toImage();
        const auto frame = [&](std::size_t place) {
            const QRect thumbnail = layout.heads[place].thumbnail;
            return picture.pixelColor(thumbnail.center().x(), thumbnail.top() - 3).name();
        };
        QCOMPARE(frame(0), Theme::light().accent.name());
        QCOMPARE(frame(2), headColor(1, Theme::light()).name());
        QCOMPARE(frame(7), headColor(2, Theme::light()).name());
        click(2);
        QCOMPARE(document.session().view.moreHeads, (std::vector<HeadRef>{ { 0, 1, 1, 0 } }));
        document.undoStack()->undo();
        QCOMPARE(document.session().view.moreHeads.size(), 2U);
    }

    void aDoubleClickOpensTheMap()
    {
        Document document;
        Session next = document.session();
        next.view.shown = ShownView::Steps;
        document.edit(next, QStringLiteral("show steps"));
        Selection selection;
        HeadGrid grid(document, selection);
        showIn(grid, QSize(296, 520));
        QWidget *field = fieldOf(grid);
        QTest::mouseDClick(field, Qt::LeftButton, {}, layoutOf(document, *field).heads[1].thumbnail.center());
        QCOMPARE(document.session().view.shown, ShownView::Map);
    }

    void picturesHaveAllListedHeads()
    {
        Document document;
        document.reset(shiftedHeads(3, 6, 5));
        const Selection selection;
        order(document, { HeadColumn::Own, true, {}, {} });
        const auto grid = gridPicture(document, selection);
        QVERIFY(grid);
        QVERIFY(grid->title.contains(QStringLiteral("all heads, by own, high first")));
        QVERIFY(grid->notes.isEmpty());
        QImage image(grid->size.toSize(), QImage::Format_RGB32);
        image.fill(Theme::light().panel);
        QPainter painter(&image);
        painter.setFont(QApplication::font());
        grid->paint(painter, Theme::light());
        painter.end();
        // The first thumbnail is that of an own-token head: the diagonal has the highest colour.
        const QColor one(weightColors(document.session().view, 5).color(1.0F));
        QCOMPARE(image.pixelColor(16 + 3, 16 + 3).name(), one.name());
        QVERIFY(image.pixelColor(16 + 60, 16 + 3).name() != one.name());

        // The picked head has its frame, the others none.
        const QRgb accent = Theme::light().accent.rgb();
        const auto accents = [&](const QRect &area) {
            int count = 0;
            for (int y = area.top(); y <= area.bottom(); ++y) {
                for (int x = area.left(); x <= area.right(); ++x)
                    count += image.pixel(x, y) == accent ? 1 : 0;
            }
            return count;
        };
        QVERIFY(accents(image.rect()) > 300);
        document.pickHead({ 0, 2, 5, 0 });
        const auto other = gridPicture(document, selection);
        image.fill(Theme::light().panel);
        QPainter again(&image);
        again.setFont(QApplication::font());
        other->paint(again, Theme::light());
        again.end();
        QVERIFY(accents(image.rect()) > 300);
        QCOMPARE(accents(QRect(8, 8, 110, 110)), 0);

        const auto all = tablePicture(document, selection);
        order(document, { HeadColumn::Own, true, Pattern::Own, {} });
        const auto some = tablePicture(document, selection);
        QVERIFY(all && some);
        // Fourteen rows of 24 fewer.
        QCOMPARE(all->size.height() - some->size.height(), 14.0 * 24.0);
        QCOMPARE(some->notes.first(), QStringLiteral("4 of 18 heads: own token"));
        order(document, { HeadColumn::Own, true, Pattern::Induction, {} });
        QVERIFY(!gridPicture(document, selection));
        QVERIFY(!tablePicture(document, selection));
    }

    void seededHeadsSayThatTheyAreUntrained()
    {
        Document document;
        const auto note = [&document] { return layoutOf(document).note.text; };
        QCOMPARE(note(), QStringLiteral("untrained, random weights"));
        document.reset(shiftedHeads(1, 4, 5));
        QCOMPARE(note(), QString());
    }

    void eachLayerStartsARow()
    {
        Document document;
        document.reset(shiftedHeads(3, 6, 5));
        const HeadLayout layout = layoutOf(document);
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
        showIn(grid, QSize(296, 520));
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
        document.reset(shiftedHeads(3, 6, 5));
        Selection selection;
        HeadGrid grid(document, selection);
        showIn(grid, QSize(296, 520)); // Two rows of three in each layer.
        QWidget *area = fieldOf(grid)->parentWidget();
        const auto press = [&](Qt::Key key) { QTest::keyClick(area, key); };
        document.pickHead({ 0, 0, 1, 0 });
        press(Qt::Key_Right);
        QCOMPARE(document.head(), (HeadRef{ 0, 0, 2, 0 }));
        press(Qt::Key_Left);
        press(Qt::Key_Down);
        QCOMPARE(document.head(), (HeadRef{ 0, 0, 4, 0 }));
        press(Qt::Key_Right);
        press(Qt::Key_Right);
        QCOMPARE(document.head(), (HeadRef{ 0, 1, 0, 0 }));
        press(Qt::Key_Up);
        QCOMPARE(document.head(), (HeadRef{ 0, 0, 3, 0 }));
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
        document.reset(shiftedHeads(12, 8, 4));
        Selection selection;
        HeadGrid grid(document, selection);
        showIn(grid, QSize(296, 380));
        QScrollBar *bar = grid.findChild<HeadField *>()->verticalScrollBar();
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
        showIn(grid, QSize(296, 520));
        auto *button = grid.findChild<QPushButton *>();
        QVERIFY(button->isVisible());
        QSignalSpy asked(&grid, &HeadGrid::addHeadRequested);
        button->click();
        QCOMPARE(asked.count(), 1);
        QCOMPARE(grid.titleNote(), QStringLiteral("1 head"));
        document.reset(shiftedHeads(1, 1, 4));
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
        showIn(grid, QSize(296, 520));
        QCOMPARE(grid.titleNote(), QStringLiteral("1 of 4, stopped"));
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
    QApplication::setFont(pictureFont());
    QApplication::setPalette(Theme::light().palette());
    TestHeads test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_heads.moc"
