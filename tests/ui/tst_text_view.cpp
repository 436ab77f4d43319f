// SPDX-License-Identifier: GPL-3.0-or-later
// The running text: word pieces joined, tints by colour, numbers, picking by mouse and keys.
#include "views/text/text_canvas.h"
#include "views/text/text_view.h"
#include "views/waiting_row.h"

#include "support/painted.h"
#include "support/recorded_session.h"

#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QTest>

using namespace attenscope;

namespace {

TextContent contentOf(const Document &document, const Selection &selection)
{
    FieldCache fields;
    return textContent(textWeights(document, fields).value_or(LinesContent{}), document.session().view, selection, { 0, 100 });
}

TextScene sceneOf(const TextContent &content, double width = 600.0)
{
    return { content.weights, { Theme::light(), pictureFont() }, width, content.hasNumbers, TokenSide::Queries };
}

/// What stands left of the letters of a token.
QColor groundOf(const TextContent &content, TokenSide side, Index token)
{
    const TextScene scene = sceneOf(content);
    QImage image(600, static_cast<int>(scene.height()), QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::white);
    QPainter painter(&image);
    scene.paint(painter, content, 0.0, scene.height());
    painter.end();
    const QRectF box = scene.box(side, token);
    return image.pixelColor(static_cast<int>(box.left() + 2.0), static_cast<int>(box.center().y()));
}

/// "The| cat| sat": a bar between tokens, a space where a word starts.
QString written(const std::vector<std::string> &tokens)
{
    QString text;
    for (const TextPiece &piece : runningText(tokens)) {
        if (!text.isEmpty())
            text += piece.startsWord ? QStringLiteral("| ") : QStringLiteral("|");
        text += piece.text;
    }
    return text;
}

const Matrix small{ { 1.0, 0.0, 0.0 }, { 0.6, 0.4, 0.0 }, { 0.5, 0.3, 0.2 } };

} // namespace

class TestTextView : public QObject {
    Q_OBJECT

private slots:
    void piecesAreJoinedAsTheyWereTakenApart_data()
    {
        QTest::addColumn<QStringList>("tokens");
        QTest::addColumn<QString>("text");
        QTest::newRow("byte pairs") << QStringList{ "The", "Ġcat", "Ġs", "its", "." } << "The| cat| s|its|.";
        QTest::newRow("sentence pieces") << QStringList{ "▁The", "▁c", "at" } << "The| c|at";
        QTest::newRow("dots") << QStringList{ "<s>", "·The", "·c", "at" } << "<s>| The| c|at";
        QTest::newRow("word pieces") << QStringList{ "un", "##believ", "##able", "story", "." } << "un|believ|able| story|.";
        QTest::newRow("words") << QStringList{ "The", "cat", "sat" } << "The| cat| sat";
        QTest::newRow("characters") << QStringList{ "a", "b", " ", "c" } << "a|b| ␣|c";
        QTest::newRow("a mark alone") << QStringList{ "▁", "▁a" } << "␣| a";
        QTest::newRow("emoji and Hebrew") << QStringList{ "👩‍🔬", "שלום" } << "👩‍🔬| שלום";
    }
    void piecesAreJoinedAsTheyWereTakenApart()
    {
        QFETCH(QStringList, tokens);
        QFETCH(QString, text);
        std::vector<std::string> list;
        for (const QString &token : tokens)
            list.push_back(token.toStdString());
        QCOMPARE(written(list), text);
    }

    void linesOfHebrewStartAtTheRight()
    {
        const auto pieces = runningText({ "שלום", "עולם", "2" });
        QVERIFY(isRightToLeft(pieces));
        const TextFlow flow(pieces, pictureFont(), 400.0, 0.0, 30.0);
        QCOMPARE(flow.box(0).right(), 400.0);
        QVERIFY(flow.box(1).right() < flow.box(0).left());
        QCOMPARE(flow.at(flow.box(1).center()), Index(1));
        QVERIFY(!isRightToLeft(runningText({ "a", "b", "שלום" })));
    }

    void wordsWrapAndNoTokenIsLost()
    {
        std::vector<std::string> tokens;
        for (int place = 0; place < 500; ++place)
            tokens.push_back(place % 3 == 0 ? "▁word" : "piece");
        // Of these widths some end within a word, unless it is kept together.
        for (const double width : { 250.0, 270.0, 290.0, 310.0, 330.0 }) {
            const TextFlow flow(runningText(tokens), pictureFont(), width, 0.0, 30.0);
            QCOMPARE(flow.count(), Index(500));
            for (Index piece = 0; piece < 500; ++piece) {
                QVERIFY(flow.box(piece).left() >= 0.0 && flow.box(piece).right() <= width);
                QCOMPARE(flow.at(flow.box(piece).center()), piece);
                // A word of three pieces stands in one line.
                if (piece % 3 != 0)
                    QCOMPARE(flow.box(piece).top(), flow.box(piece - 1).top());
            }
        }
        const TextFlow flow(runningText(tokens), pictureFont(), 300.0, 0.0, 30.0);
        const Range seen = flow.between(31.0, 59.0);
        QCOMPARE(flow.box(seen.first).top(), 30.0);
        QCOMPARE(flow.box(seen.end - 1).top(), 30.0);
    }

    void tintsAreTheColoursOfTheWeights()
    {
        Document document; // Causal.
        Selection selection;
        selection.setPicked(CellRef{ 4, -1 });
        const TextContent content = contentOf(document, selection);
        const MapFieldPtr weights = document.headField(document.head());
        const ColorMap colors = weightColors(document.session().view, 10);
        for (Index key = 0; key < 4; ++key)
            QCOMPARE(groundOf(content, TokenSide::Keys, key).name(), QColor(colors.color(static_cast<float>(weights->at(4, key)))).name());
        // What the query does not see is hatched.
        const QColor hidden = groundOf(content, TokenSide::Keys, 8);
        QVERIFY(hidden == Theme::light().maskedGround || hidden == Theme::light().maskedHatch);
        selection.setPicked(CellRef{ -1, 2 });
        const TextContent column = contentOf(document, selection);
        QCOMPARE(groundOf(column, TokenSide::Queries, 7).name(), QColor(colors.color(static_cast<float>(weights->at(7, 2)))).name());
        QVERIFY(cell::kind(column.tints[1]) == cell::Kind::Masked);
    }

    void severalPickedTokensAreAdded()
    {
        Document document;
        document.reset(recordedSession(1, { small }, { "a", "b", "c" }));
        Selection selection;
        selection.setPicked(CellRef{ 1, -1 });
        selection.toggleRow(2);
        const TextContent content = contentOf(document, selection);
        QCOMPARE(content.tints, (std::vector<double>{ 0.6 + 0.5, 0.4 + 0.3, 0.2 }));
        QCOMPARE(content.caption(), QStringLiteral("Weights of 2 queries added: where this head reads, not why the model answered."));
        const ColorMap colors = weightColors(document.session().view, 3);
        QCOMPARE(groundOf(content, TokenSide::Keys, 0).name(), QColor(colors.color(1.1F)).name());
    }

    void theFilterHidesTints()
    {
        Document document;
        Session session = recordedSession(1, { small }, { "a", "b", "c" });
        session.view.filter.threshold = 0.35;
        document.reset(session);
        Selection selection;
        selection.setPicked(CellRef{ 2, -1 });
        const TextContent content = contentOf(document, selection);
        QCOMPARE(groundOf(content, TokenSide::Keys, 1), QColor(Qt::white));
        QCOMPARE(content.tints[1], 0.3);
        const auto picture = textPicture(document, selection);
        QVERIFY(picture);
        QCOMPARE(picture->notes.front(), QStringLiteral("Row 2: 2 tokens hidden, 50.00 % of the weight. Whole head: 16.67 %."));
    }

    void differentQueriesAndKeysAreTwoTexts()
    {
        Document document;
        document.reset(recordedSession(1, { Matrix::Constant(2, 4, 0.25) }));
        Selection selection;
        selection.setPicked(CellRef{ 1, -1 });
        const TextContent content = contentOf(document, selection);
        QVERIFY(!content.hasOneText());
        const TextScene scene = sceneOf(content);
        const QRectF query = scene.box(TokenSide::Queries, 1);
        const QRectF key = scene.box(TokenSide::Keys, 1);
        QVERIFY(key.top() > query.bottom());
        QVERIFY(scene.hit(key.center())->side == TokenSide::Keys);
        const ColorMap colors = weightColors(document.session().view, 4);
        QCOMPARE(groundOf(content, TokenSide::Keys, 1).name(), QColor(colors.color(0.25F)).name());
        QCOMPARE(groundOf(content, TokenSide::Queries, 0), QColor(Qt::white));
    }

    void stoppedWorkIsSaidAndCanBeContinued()
    {
        Document document;
        Selection selection;
        TextView view(document, selection);
        view.resize(700, 500);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        const auto *row = view.findChild<WaitingRow *>();
        auto *button = row->findChild<QPushButton *>();
        QVERIFY(!row->isVisible());
        Session next = document.session();
        TokensSource source;
        source.text = QStringLiteral("t ").repeated(400).toStdString();
        next.source = source;
        document.edit(next, QStringLiteral("longer"));
        QVERIFY(document.isComputing());
        QCOMPARE(button->text(), QStringLiteral("Cancel"));
        document.cancel();
        // The text before is still there.
        QVERIFY(row->isVisible());
        QCOMPARE(button->text(), QStringLiteral("Continue"));
        QCOMPARE(view.findChild<TextCanvas *>()->content().weights.rows(), Index{ 10 });
        button->click();
        QTRY_COMPARE(view.findChild<TextCanvas *>()->content().weights.rows(), Index{ 400 });
        QTRY_VERIFY(!row->isVisible());
    }

    void pickElsewhereIsScrolledTo()
    {
        Document document;
        document.reset(recordedSession(1, { Matrix::Identity(1200, 1200) }));
        Selection selection;
        TextView view(document, selection);
        view.setFont(pictureFont());
        view.resize(700, 500);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        const auto *canvas = view.findChild<TextCanvas *>();
        QTRY_COMPARE(canvas->content().weights.rows(), Index{ 1200 });
        const auto isSeen = [&](Index token) {
            const QRectF box = canvas->scene().box(TokenSide::Queries, token).translated(0.0, -canvas->verticalScrollBar()->value());
            return box.top() >= 0.0 && box.bottom() <= canvas->viewport()->height();
        };
        QVERIFY(!isSeen(1100));
        selection.setPicked(CellRef{ 1100, 7 });
        QVERIFY(isSeen(1100));
        canvas->verticalScrollBar()->setValue(0);
        selection.setHovered(CellRef{ 1100, 8 });
        QCOMPARE(canvas->verticalScrollBar()->value(), 0);
        view.hide();
        selection.setPicked(CellRef{ 600, 7 });
        view.show();
        QVERIFY(isSeen(600));
    }

    void clicksDragsAndKeysPick()
    {
        Document document;
        Selection selection;
        TextView view(document, selection);
        view.setFont(pictureFont());
        view.resize(700, 500);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        auto *canvas = view.findChild<TextCanvas *>();
        const auto place = [&](Index token) { return canvas->scene().box(TokenSide::Queries, token).center().toPoint(); };
        QTest::mouseClick(canvas->viewport(), Qt::LeftButton, {}, place(4));
        QVERIFY(selection.picked() == (CellRef{ 4, -1 }));
        QTest::mouseClick(canvas->viewport(), Qt::LeftButton, Qt::ControlModifier, place(6));
        QCOMPARE(selection.pickedRows(), (std::vector<Index>{ 4, 6 }));
        QTest::mouseClick(canvas->viewport(), Qt::LeftButton, {}, place(7));
        QTest::mouseMove(canvas->viewport(), place(2));
        QVERIFY(selection.hovered() == (CellRef{ 7, 2 }));
        // A hovered token does not take the pick's place.
        selection.setHovered(CellRef{ 5, -1 });
        QCOMPARE(canvas->content().ends.lit.tokens, (std::vector<Index>{ 7 }));
        QTest::mousePress(canvas->viewport(), Qt::LeftButton, {}, place(1));
        QTest::mouseMove(canvas->viewport(), place(2));
        QTest::mouseMove(canvas->viewport(), place(3));
        QTest::mouseRelease(canvas->viewport(), Qt::LeftButton, {}, place(3));
        QCOMPARE(selection.pickedRows(), (std::vector<Index>{ 1, 2, 3 }));
        QTest::keyClick(canvas, Qt::Key_Right);
        QVERIFY(selection.picked() == (CellRef{ 2, -1 }));
        QTest::mouseClick(canvas->viewport(), Qt::LeftButton, {}, place(2));
        QVERIFY(!selection.picked());
        canvas->setPicks(TokenSide::Keys);
        QTest::mouseClick(canvas->viewport(), Qt::LeftButton, {}, place(0));
        QVERIFY(selection.picked() == (CellRef{ -1, 0 }));
        QCOMPARE(canvas->content().tints[7], document.headField(document.head())->at(7, 0));
        // A query that is picked elsewhere turns the text around.
        selection.setPicked(CellRef{ 3, 1 });
        QVERIFY(canvas->picks() == TokenSide::Queries);
    }
};

QTEST_MAIN(TestTextView)
#include "tst_text_view.moc"
