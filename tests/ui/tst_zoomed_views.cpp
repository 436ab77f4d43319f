// SPDX-License-Identifier: GPL-3.0-or-later
// Views beside the map follow its zoom and its comparison: what they leave out is said, and what they show are the same numbers.
#include "attention/explain.h"
#include "views/exact_line.h"
#include "views/lines/lines_canvas.h"
#include "views/lines/lines_view.h"
#include "views/steps/steps_view.h"
#include "views/text/text_canvas.h"
#include "views/text/text_view.h"
#include "views/vectors/vectors_canvas.h"
#include "views/vectors/vectors_picture.h"
#include "views/vectors/vectors_view.h"
#include "views/zoom_note.h"

#include "support/painted.h"
#include "support/recorded_session.h"

#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QTest>
#include <QWheelEvent>

using namespace attenscope;

namespace {

const Matrix small{ { 1.0, 0.0, 0.0 }, { 0.6, 0.4, 0.0 }, { 0.5, 0.3, 0.2 } };

template <typename View>
struct Shown {
    Document document;
    Selection selection;
    std::unique_ptr<View> view;

    explicit Shown(const Session &session, QSize size = { 900, 560 })
    {
        document.reset(session);
        view = std::make_unique<View>(document, selection);
        view->setFont(pictureFont());
        view->resize(size);
        view->show();
        static_cast<void>(QTest::qWaitForWindowExposed(view.get()));
    }

    [[nodiscard]] QString zoomed() const { return view->template findChild<ZoomNote *>()->words(); }
    [[nodiscard]] QString said() const
    {
        QStringList texts;
        for (const QLabel *label : view->template findChildren<QLabel *>())
            texts.push_back(label->text());
        return texts.join(u'\n');
    }
    /// Pages that are seen.
    [[nodiscard]] QList<LinesCanvas *> pages() const
    {
        QList<LinesCanvas *> pages = view->template findChildren<LinesCanvas *>();
        pages.removeIf([](const LinesCanvas *page) { return page->isHidden(); });
        return pages;
    }
};

Session compared()
{
    Session session = exampleSentence();
    session.comparison = session.mechanism;
    session.comparison->mask.rule = MaskRule::None;
    return session;
}

/// The lines of one query from each side with strengths ±@p weight, as painted.
QColor lineOf(double first, double second)
{
    Document document;
    document.reset(recordedSession(1, { Matrix{ { first, 1.0 - first }, { 0.5, 0.5 } } }));
    FieldCache fields;
    LinesScene scene;
    scene.content = linesContent(document, fields).value_or(LinesContent{});
    scene.content.side = Side::Difference;
    scene.content.heads.front().weights
        = differenceField(matrixField(Matrix{ { first, 0.0 }, { 0.0, 0.0 } }), matrixField(Matrix{ { second, 0.0 }, { 0.0, 0.0 } }));
    scene.style = { Theme::light(), pictureFont() };
    scene.layout = LinesLayout(scene.content, scene.style, QSizeF(700.0, 600.0));
    const double top = scene.layout.middle(TokenSide::Queries, 0) - 10.5;
    const QImage image = linesImage(scene, allLines(scene.content), { top, 21.0, 1.0 });
    return image.pixelColor(image.width() / 2, 10);
}

} // namespace

class TestZoomedViews : public QObject {
    Q_OBJECT

private slots:
    void wordsNameWhatIsNotWhole_data()
    {
        QTest::addColumn<QRectF>("visible");
        QTest::addColumn<QString>("words");
        QTest::newRow("all") << QRectF(0, 0, 20, 10) << QString();
        QTest::newRow("both") << QRectF(2.5, 3.0, 3.0, 4.0) << QStringLiteral("Zoomed: queries 3 to 6 of 10, keys 2 to 5 of 20");
        QTest::newRow("keys") << QRectF(2.0, 0.0, 3.0, 10.0) << QStringLiteral("Zoomed: keys 2 to 4 of 20");
        QTest::newRow("beyond") << QRectF(30.0, -3.0, 5.0, 4.0) << QStringLiteral("Zoomed: queries 0 to 0 of 10, keys 19 to 19 of 20");
    }
    void wordsNameWhatIsNotWhole()
    {
        QFETCH(QRectF, visible);
        QFETCH(QString, words);
        AttentionBlock block;
        block.queries = 10;
        block.keys = 20;
        QCOMPARE(zoomWords(cellsInSight(visible, 10, 20), block), words);
    }

    void linesAreThoseBetweenTokensInSight()
    {
        Shown<LinesView> shown(exampleSentence());
        shown.selection.setVisible(QRectF(2.0, 3.0, 3.0, 4.0));
        QCOMPARE(shown.zoomed(), QStringLiteral("Zoomed: queries 3 to 6 of 10, keys 2 to 4 of 10"));
        const LinesCanvas &page = *shown.pages().front();
        const LinesLayout &layout = page.scene().layout;
        // Causal: query 3 sees keys 2 and 3, the others all three.
        QCOMPARE(lineCount(page.lines(), layout.part()), Index(11));
        // The first of them stand at the top, and points there are theirs.
        QCOMPARE(layout.query(3).top(), 0.0);
        QCOMPARE(layout.key(2).top(), 0.0);
        QCOMPARE(layout.hit(layout.query(4).center())->token, Index(4));
        QCOMPARE(layout.hit(layout.key(4).center())->token, Index(4));
        QVERIFY(!layout.hit(QPointF(layout.key(2).center().x(), 3.5 * layout.rowHeight))); // Below key 4 there is none.
        QVERIFY(layout.keyPositions > layout.rightDot && layout.keyPositions < layout.keyLeft);
        auto *all = shown.view->template findChild<ZoomNote *>()->template findChild<QPushButton *>();
        all->click();
        QVERIFY(!shown.selection.visible());
        QCOMPARE(shown.zoomed(), QString());
        QCOMPARE(lineCount(page.lines(), page.scene().layout.part()), Index(55));
    }

    void numbersStayThoseOfTheWholeRow()
    {
        Shown<LinesView> shown(recordedSession(1, { small }));
        shown.selection.setVisible(QRectF(0.0, 1.0, 2.0, 2.0));
        shown.selection.setPicked(CellRef{ 2, -1 });
        QCOMPARE(shown.pages().front()->scene().ends.heads.front().cells, (std::vector<double>{ 0.5, 0.3, 0.2 }));
        QVERIFY(shown.zoomed().endsWith(QStringLiteral("  ·  Row 2: 20.00 % of the weight goes to keys out of sight.")));
        shown.selection.setPicked(CellRef{ -1, 0 });
        QVERIFY(shown.zoomed().endsWith(QStringLiteral("  ·  Key 0: 47.62 % of the weight comes from queries out of sight.")));
    }

    void wheelAndKeysZoomLinesAndMapTogether()
    {
        Matrix weights = Matrix::Constant(40, 40, 1.0 / 40.0);
        Shown<LinesView> shown(recordedSession(1, { weights }), { 900, 1400 });
        LinesCanvas *page = shown.pages().front();
        const auto wheel = [&](QPointF at, int delta, Qt::KeyboardModifiers modifiers) {
            QWheelEvent event(at, page->viewport()->mapToGlobal(at), {}, { 0, delta }, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
            QApplication::sendEvent(page->viewport(), &event);
        };
        const LinesLayout &layout = page->scene().layout;
        const QPointF atTen(layout.leftDot, layout.headHeight + layout.middle(TokenSide::Queries, 10));
        wheel(atTen, 120, Qt::ControlModifier);
        QVERIFY(shown.selection.visible());
        QCOMPARE(shown.selection.visible()->height(), 32.0);
        QCOMPARE(shown.selection.visible()->width(), 32.0);
        // What is at the mouse stays at its share of the page.
        QCOMPARE(shown.selection.visible()->top(), 10.5 - 10.5 / 1.25);
        wheel(atTen, -120, {});
        QCOMPARE(shown.selection.visible()->top(), 10.5 - 10.5 / 1.25 + 3.0);
        QTest::keyClick(page, Qt::Key_0);
        QVERIFY(!shown.selection.visible());
        for (int step = 0; step < 20; ++step)
            QTest::keyClick(page, Qt::Key_Plus);
        QCOMPARE(shown.selection.visible()->height(), 3.0);
        // The pick takes what is shown along.
        shown.selection.setPicked(CellRef{ 30, -1 });
        QTest::keyClick(page, Qt::Key_Down);
        QVERIFY(layout.queries.contains(31));
        for (int step = 0; step < 20; ++step)
            QTest::keyClick(page, Qt::Key_Minus);
        QVERIFY(!shown.selection.visible());
    }

    void comparedMechanismsHaveAPageEach_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<bool>("showsDifference");
        QTest::addColumn<int>("pages");
        QTest::newRow("wide") << QSize(1700, 500) << true << 3;
        QTest::newRow("wide, no difference") << QSize(1700, 500) << false << 2;
        QTest::newRow("narrow, high") << QSize(1200, 900) << true << 3;
        QTest::newRow("narrow, low") << QSize(1200, 500) << true << 2;
    }
    void comparedMechanismsHaveAPageEach()
    {
        QFETCH(QSize, size);
        QFETCH(bool, showsDifference);
        QFETCH(int, pages);
        Session session = compared();
        session.view.showsDifference = showsDifference;
        Shown<LinesView> shown(session, size);
        shown.selection.setPicked(CellRef{ 4, -1 });
        const auto seen = shown.pages();
        QCOMPARE(seen.size(), pages);
        QCOMPARE(shown.said().contains(QStringLiteral("the difference (D) needs a larger window")), showsDifference && pages == 2);
        std::array<Vector, 2> rows;
        for (std::size_t side = 0; side < 2; ++side) {
            const auto &result = side == 0 ? shown.document.result() : shown.document.comparisonResult();
            rows[side] = explain(*result->find(shown.document.head())->operands, { 4, 5 }).value().weights.row(0).transpose();
        }
        const QStringList titles{ QStringLiteral("Causal"), QStringLiteral("Unmasked"), QStringLiteral("Difference") };
        for (int page = 0; page < pages; ++page) {
            const LinesScene &scene = seen[page]->scene();
            QCOMPARE(scene.content.sideTitle, titles[page]);
            for (Index key = 0; key < 10; ++key) {
                const double cell = scene.ends.heads.front().cells[static_cast<std::size_t>(key)];
                if (page == 0 && key > 4)
                    QCOMPARE(endText(cell), QStringLiteral("masked"));
                else
                    QCOMPARE(cell, page == 2 ? rows[0](key) - rows[1](key) : rows[static_cast<std::size_t>(page)](key));
            }
        }
        const auto picture = linesPicture(shown.document, shown.selection);
        QCOMPARE(picture->size.width(), 560.0 * (showsDifference ? 3 : 2));
        QVERIFY(picture->title.endsWith(QStringLiteral("causal and unmasked")));
        // One page is left, and nothing is kept of the other.
        Session single = session;
        single.comparison.reset();
        shown.document.edit(single, QStringLiteral("end comparing"));
        QCOMPARE(shown.pages().size(), 1);
        QVERIFY(seen[1]->scene().content.heads.empty());
        QVERIFY(shown.pages().front()->scene().content.sideTitle.isEmpty());
        QCoreApplication::processEvents();
        QCOMPARE(shown.pages().front()->width(), size.width());
    }

    void differencesHaveTheColourOfTheirSign()
    {
        QCOMPARE(lineOf(1.0, 0.0), QColor(0xB2, 0x18, 0x2B));
        QCOMPARE(lineOf(0.0, 1.0), QColor(0x21, 0x66, 0xAC));
        QVERIFY(std::abs(lineOf(0.25, 0.75).alphaF() - 0.5) < 0.01);
        QCOMPARE(lineOf(0.5, 0.5).alpha(), 0);
    }

    void filtersHideSmallDifferencesOfEitherSign()
    {
        LinesContent content;
        content.side = Side::Difference;
        content.filter.threshold = 0.2;
        const std::vector<double> cells{ 0.3, -0.4, -0.1, 0.05 };
        const RowLines lines = rowLines(content, 0, cells);
        QCOMPARE(lines.lines.size(), 2U);
        QCOMPARE(lines.lines[1].weight, -0.4);
        QCOMPARE(lines.hidden, Index(2));
        QVERIFY(std::abs(lines.hiddenWeight - 0.15) < 1e-12 && std::abs(lines.weight - 0.85) < 1e-12);
    }

    void textShowsTheTokensInSight()
    {
        Shown<TextView> shown(exampleSentence());
        shown.selection.setVisible(QRectF(2.0, 3.0, 3.0, 4.0));
        QCOMPARE(shown.zoomed(), QStringLiteral("Zoomed: queries 3 to 6 of 10, keys 2 to 4 of 10"));
        // One text is both: from the first to the last of either.
        const TextScene &scene = shown.view->template findChild<TextCanvas *>()->scene();
        QVERIFY(scene.box(TokenSide::Queries, 1).isEmpty() && scene.box(TokenSide::Queries, 7).isEmpty());
        for (Index token = 2; token < 7; ++token)
            QCOMPARE(scene.hit(scene.box(TokenSide::Queries, token).center())->token, token);
        QCOMPARE(scene.tokens(TokenSide::Queries, 0.0, 1000.0), (Range{ 2, 7 }));
        QVERIFY(textPicture(shown.document, shown.selection)->notes.contains(shown.zoomed()));
    }

    void vectorsShowTheKeysInSight()
    {
        Shown<VectorsView> shown(exampleSentence());
        auto *canvas = shown.view->template findChild<VectorsCanvas *>();
        shown.selection.setPicked(CellRef{ 8, 4 });
        shown.selection.setVisible(QRectF(2.0, 3.0, 3.0, 4.0));
        QCOMPARE(shown.zoomed(), QStringLiteral("Zoomed: keys 2 to 4 of 10"));
        QCOMPARE(canvas->content()->keys, (std::vector<Index>{ 2, 3, 4 }));
        QTest::keyClick(canvas, Qt::Key_Down);
        QVERIFY(shown.selection.picked() == (CellRef{ 8, 4 }));
        QTest::keyClick(canvas, Qt::Key_Up);
        QVERIFY(shown.selection.picked() == (CellRef{ 8, 3 }));
        const auto picture = vectorsPicture(shown.document, shown.selection);
        QVERIFY(picture->notes.contains(shown.zoomed()));
        // Seven rows fewer, each at least 24 high.
        shown.selection.setVisible(std::nullopt);
        QVERIFY(vectorsPicture(shown.document, shown.selection)->size.height() - picture->size.height() >= 7.0 * 24.0);
    }

    void viewsOfOneSideSayWhich()
    {
        const QString side = QStringLiteral("one side of the comparison: causal; map and lines show both");
        Shown<TextView> text(compared());
        QVERIFY(text.said().contains(side));
        QVERIFY(textPicture(text.document, text.selection)->notes.contains(side));
        Shown<VectorsView> vectors(compared());
        QVERIFY(vectors.view->template findChild<VectorsCanvas *>()->content()->notes.contains(side));
        QVERIFY(vectorsPicture(vectors.document, vectors.selection)->notes.contains(side));
        QVERIFY(!linesPicture(text.document, text.selection)->notes.contains(side));
        Shown<StepsView> steps(compared());
        QCOMPARE(steps.view->template findChild<ExactLine *>()->text(), side);
        Shown<StepsView> alone(exampleSentence());
        QVERIFY(!alone.view->template findChild<ExactLine *>()->isVisible());
    }
};

QTEST_MAIN(TestZoomedViews)
#include "tst_zoomed_views.moc"
