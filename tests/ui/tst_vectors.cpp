// SPDX-License-Identifier: GPL-3.0-or-later
// The strips of vectors show the numbers of the engine, in the order that is asked for, and are hovered and picked like the map.
#include "support/painted.h"
#include "support/problems.h"
#include "support/recorded_session.h"
#include "support/widget_fixture.h"
#include "views/exact_line.h"
#include "views/vectors/vectors_canvas.h"
#include "views/vectors/vectors_picture.h"
#include "views/vectors/vectors_view.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QtTest>

using namespace attenscope;
using namespace attenscope::test;

namespace {

VectorsContent contentOf(const AttentionBlock &block, const AttentionSpec &spec, Index row, const ViewState &view = {},
    std::optional<Index> picked = std::nullopt, const HeadRef &head = {})
{
    const auto operands = headOperands(block, spec, head).value();
    return vectorsContent(std::make_shared<AttentionInput>(AttentionInput{ { block } }), head,
        std::make_shared<ScoreTerms>(scoreTerms(operands, row).value()), view, picked);
}

AttentionBlock smallBlock()
{
    AttentionBlock block = projectedBlock(
        Matrix{ { 1.0, -2.0, 0.5 }, { 0.25, 1.0, 2.0 } }, Matrix{ { 3.0, 0.25, -4.0 }, { 0.0, 1.0, 8.0 } }, Matrix{ { -9.0 }, { 1.0 } });
    block.queryTokens = block.keyTokens = { "the", "cat" };
    return block;
}

/// The colour of the painted cell of a strip, at its middle.
QColor colorAt(const QImage &image, QPointF point)
{
    return image.pixelColor(point.toPoint());
}

/// Inside the frame of what is wanted, above its number.
QPointF insideOf(const VectorsScene &scene, const VectorHit &wanted)
{
    for (double y = 0.5; y < scene.size().height(); y += 1.0)
        for (double x = 0.5; x < scene.size().width(); x += 1.0)
            if (scene.hitAt({ x, y }, scene.size(), {}) == wanted)
                return QPointF(x + 2.0, y + 5.0);
    return {};
}

} // namespace

class VectorsTest : public QObject, protected WidgetFixture<VectorsView> {
    Q_OBJECT

private slots:
    void initTestCase() { QApplication::setFont(pictureFont()); }
    void init() { open(workedExample(), { 900, 600 }); }
    void cleanup() { close(); }

    void sentencesHaveTheNumbers();
    void sentencesOfOtherScores_data();
    void sentencesOfOtherScores();
    void ordersFollowTheChoice();
    void maskedPickDoesNotOrder();
    void notesSayWhatMustBeKnown();
    void cellsAreColouredByTheirNumbers();
    void everyPointIsFound();
    void hoverSaysTheTermAndMovesNothing();
    void clickPicksTheKey();
    void arrowsGoThroughKeysAndQueries();
    void endIsTheLastVisibleKey();
    void queryOfTheBarIsPicked();
    void checkBoxesSort();
    void longContentScrolls();
    void recordedWeightsOfferTheMap();
    void pictureIsThatOfTheWindow();

private:
    [[nodiscard]] VectorsCanvas *canvas() const { return m_widget->findChild<VectorsCanvas *>(); }
    [[nodiscard]] QString line() const { return m_widget->findChild<ExactLine *>()->text(); }
    /// Where a number of a strip is in the viewport.
    [[nodiscard]] QPoint pointOf(VectorPart part, Index key, Index unit) const;
};

QPoint VectorsTest::pointOf(VectorPart part, Index key, Index unit) const
{
    const VectorHit wanted{ part, key, unit };
    const QSizeF room = canvas()->viewport()->size();
    for (double y = 2.0; y < room.height(); y += 4.0) {
        for (double x = 2.0; x < room.width(); x += 2.0) {
            if (canvas()->scene().hitAt({ x, y }, room, {}) == wanted)
                return QPointF(x, y).toPoint();
        }
    }
    return {};
}

void VectorsTest::sentencesHaveTheNumbers()
{
    const VectorsContent content = contentOf(smallBlock(), {}, 0);
    QCOMPARE(termSentence(content, 0, 1), QStringLiteral("key 0 the · dimension 1: q −2.0000 × k 0.2500 = −0.5000"));
    QCOMPARE(querySentence(content, 2), QStringLiteral("query 0 the · dimension 2: q 0.5000"));
    // Scores 0.5 and 2, divided by √3: e^0.2887 : e^1.1547.
    QCOMPARE(keySentence(content, 1),
        QStringLiteral("query 0 the → key 1 cat: q · k, sum of 3 products = 2.0000 · scaled score 1.1547 · weight 0.7039"));
    QCOMPARE(valueSentence(content, 0, 0), QStringLiteral("key 0 the · value dimension 0: weight 0.2961 × v −9.0000 = −2.6647"));
}

void VectorsTest::sentencesOfOtherScores_data()
{
    QTest::addColumn<QString>("mechanism");
    QTest::addColumn<QString>("start");
    QTest::addColumn<QString>("formula");
    QTest::newRow("general") << "general"
                             << "dimension 0: q W "
                             << " × k ";
    QTest::newRow("linear") << "linear"
                            << "dimension 0: φ(q) "
                            << " × φ(k) ";
    QTest::newRow("additive") << "additive"
                              << "unit 0: v "
                              << " × tanh(W_dec q ";
    QTest::newRow("concat") << "concat"
                            << "unit 0: v "
                            << " × tanh(query side ";
}

void VectorsTest::sentencesOfOtherScores()
{
    QFETCH(QString, mechanism);
    QFETCH(QString, start);
    QFETCH(QString, formula);
    Case c = sdpaCase(2, 3, 4);
    setMechanism(c, mechanism.toStdString());
    const VectorsContent content = contentOf(c.block, c.spec, 1);
    const QString sentence = termSentence(content, 2, 0);
    QVERIFY2(sentence.contains(start), qPrintable(sentence));
    QVERIFY2(sentence.contains(formula), qPrintable(sentence));
    std::vector<double> terms(static_cast<std::size_t>(content.terms->units()));
    content.terms->readTerms(2, terms);
    const QString result = QString::number(terms[0], 'f', 4).replace(u'-', QChar(0x2212));
    QVERIFY2(sentence.endsWith(QStringLiteral(" = ") + result), qPrintable(sentence));
}

void VectorsTest::ordersFollowTheChoice()
{
    ViewState view;
    QCOMPARE(contentOf(smallBlock(), {}, 0, view).keys, (std::vector<Index>{ 0, 1 }));
    view.sortsKeys = true;
    view.sortsDimensions = true;
    const VectorsContent free = contentOf(smallBlock(), {}, 0, view);
    QCOMPARE(free.keys, (std::vector<Index>{ 1, 0 }));
    // Terms of key 1, which has the largest weight: 0, −2, 4.
    QCOMPARE(free.orderedBy, Index{ 1 });
    QCOMPARE(free.units, (std::vector<Index>{ 2, 1, 0 }));
    // Of key 0: 3, −0.5, −2.
    QCOMPARE(contentOf(smallBlock(), {}, 0, view, 0).units, (std::vector<Index>{ 0, 2, 1 }));
}

void VectorsTest::maskedPickDoesNotOrder()
{
    AttentionSpec spec;
    spec.mask.rule = MaskRule::Causal;
    ViewState view;
    view.sortsDimensions = true;
    const VectorsContent content = contentOf(smallBlock(), spec, 0, view, 1);
    QCOMPARE(content.orderedBy, Index{ 0 });
    QCOMPARE(keySentence(content, 1), QStringLiteral("query 0 the → key 1 cat: masked: causal"));
    QCOMPARE(termSentence(content, 1, 0), keySentence(content, 1));
}

void VectorsTest::notesSayWhatMustBeKnown()
{
    Random random(2);
    AttentionBlock block;
    block.queries = block.keys = 4;
    block.heads = 4;
    block.kvHeads = 2;
    block.isUntrained = true;
    ProjectedData data;
    for (int head = 0; head < 4; ++head)
        data.q.emplace_back(random.normalMatrix(4, 4));
    for (int head = 0; head < 2; ++head)
        data.k.emplace_back(random.normalMatrix(4, 4));
    block.data = std::move(data);
    AttentionSpec spec;
    spec.mask.rule = MaskRule::Causal;
    spec.rope = Rope{};
    const QString notes = contentOf(block, spec, 1, {}, {}, { 0, 0, 3, 0 }).notes.join(u'|');
    for (const char *note : { "keys and values of K/V head 1, which serves heads 2 to 3", "q and k after RoPE",
             "2 of 4 keys masked: causal", "untrained, random weights" })
        QVERIFY2(notes.contains(QLatin1String(note)), qPrintable(notes));
    QVERIFY(contentOf(smallBlock(), {}, 0).notes.isEmpty());
}

void VectorsTest::cellsAreColouredByTheirNumbers()
{
    const VectorsContent content = contentOf(smallBlock(), {}, 0);
    const VectorsScene scene(content, pictureFont(), 900.0);
    QImage image(scene.size().toSize(), QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    scene.paint(painter, Theme::light(), scene.size(), {}, {});
    painter.end();
    // From −9 to 9: the value −9 is the lowest colour, the query's −2 lies between.
    const auto find = [&](const VectorHit &wanted) { return insideOf(scene, wanted); };
    const auto expected = [&](double number) { return QColor(content.colors.color(static_cast<float>(number))); };
    QCOMPARE(content.colors.upper(), 9.0);
    QCOMPARE(colorAt(image, find({ VectorPart::Value, 0, 0 })), QColor(divergingTable().front()));
    QCOMPARE(colorAt(image, find({ VectorPart::Query, -1, 1 })), expected(-2.0));
    QCOMPARE(colorAt(image, find({ VectorPart::Key, 1, 2 })), expected(8.0));
    QCOMPARE(colorAt(image, find({ VectorPart::Term, 0, 2 })), expected(-2.0));
}

void VectorsTest::everyPointIsFound()
{
    // 3 keys: 4 dimensions, twice; 2 of values.
    for (Index key = 0; key < 3; ++key) {
        for (Index unit = 0; unit < 4; ++unit) {
            QVERIFY(!pointOf(VectorPart::Key, key, unit).isNull());
            QVERIFY(!pointOf(VectorPart::Term, key, unit).isNull());
        }
        QVERIFY(!pointOf(VectorPart::Value, key, 1).isNull());
        QVERIFY(!pointOf(VectorPart::Label, key, -1).isNull());
    }
    QVERIFY(!pointOf(VectorPart::Query, -1, 3).isNull());
}

void VectorsTest::hoverSaysTheTermAndMovesNothing()
{
    const QSize before = canvas()->size();
    QTest::mouseMove(canvas()->viewport(), pointOf(VectorPart::Term, 2, 0));
    QTRY_COMPARE(line(), QStringLiteral("key 2 sat · dimension 0: q 1.0000 × k 1.0000 = 1.0000"));
    QCOMPARE(m_selection->hovered(), (std::optional(CellRef{ 0, 2 })));
    QCOMPARE(canvas()->size(), before);
    m_selection->setHovered(CellRef{ 0, 1 });
    QCOMPARE(m_selection->picked(), std::nullopt);
    // Keys move the rows under a mouse that rests: what it was on is spoken of no more.
    QTest::keyClick(canvas(), Qt::Key_Right);
    QCOMPARE(m_selection->hovered(), std::nullopt);
    QVERIFY(!canvas()->hovered());
    QVERIFY2(line().startsWith(QStringLiteral("query 1 cat → key 0 the")), qPrintable(line()));
}

void VectorsTest::clickPicksTheKey()
{
    const QPoint point = pointOf(VectorPart::Label, 1, -1);
    QTest::mouseClick(canvas()->viewport(), Qt::LeftButton, {}, point);
    QCOMPARE(m_selection->picked(), (std::optional(CellRef{ 0, 1 })));
    QTest::mouseClick(canvas()->viewport(), Qt::LeftButton, {}, point);
    QCOMPARE(m_selection->picked(), std::nullopt);
}

void VectorsTest::arrowsGoThroughKeysAndQueries()
{
    m_selection->setPicked(CellRef{ 0, 0 });
    QTest::keyClick(canvas(), Qt::Key_Down);
    QTest::keyClick(canvas(), Qt::Key_Right);
    QCOMPARE(m_selection->picked(), (std::optional(CellRef{ 1, 1 })));
    QCOMPARE(canvas()->content()->terms->row, Index{ 1 });
    // With Shift by ten, which are more than there are.
    m_selection->setPicked(CellRef{ 2, 2 });
    QTest::keyClick(canvas(), Qt::Key_Up, Qt::ShiftModifier);
    QTest::keyClick(canvas(), Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(m_selection->picked(), (std::optional(CellRef{ 0, 0 })));
    QTest::keyClick(canvas(), Qt::Key_End, Qt::ControlModifier);
    QCOMPARE(m_selection->picked(), (std::optional(CellRef{ 2, 0 })));
    QTest::keyClick(canvas(), Qt::Key_Escape);
    QCOMPARE(m_selection->picked(), std::nullopt);
}

void VectorsTest::endIsTheLastVisibleKey()
{
    Session causal = m_document->session();
    causal.mechanism.mask.rule = MaskRule::Causal;
    m_document->edit(causal, QStringLiteral("mask"));
    m_selection->setPicked(CellRef{ 1, 0 });
    QTest::keyClick(canvas(), Qt::Key_End);
    QCOMPARE(m_selection->picked(), (std::optional(CellRef{ 1, 1 })));
    QTest::keyClick(canvas(), Qt::Key_Home);
    QCOMPARE(m_selection->picked(), (std::optional(CellRef{ 1, 0 })));
}

void VectorsTest::queryOfTheBarIsPicked()
{
    m_selection->setPicked(CellRef{ 0, 1 });
    auto *box = m_widget->findChild<QComboBox *>();
    box->setCurrentIndex(2);
    QCOMPARE(m_selection->picked(), (std::optional(CellRef{ 2, 1 })));
    QCOMPARE(canvas()->content()->terms->row, Index{ 2 });
}

void VectorsTest::checkBoxesSort()
{
    for (QCheckBox *box : m_widget->findChildren<QCheckBox *>())
        box->click();
    QVERIFY(m_document->session().view.sortsKeys);
    QVERIFY(m_document->session().view.sortsDimensions);
    QVERIFY(canvas()->content()->orderedBy >= 0);
    m_document->undoStack()->undo();
    m_document->undoStack()->undo();
    QCOMPARE(canvas()->content()->orderedBy, Index{ -1 });
    QVERIFY(!m_widget->findChild<QCheckBox *>()->isChecked());
}

void VectorsTest::longContentScrolls()
{
    Case c = sdpaCase(1, 2048, 256, 256);
    auto content = std::make_shared<VectorsContent>(contentOf(c.block, c.spec, 0));
    canvas()->setContent(content);
    QVERIFY(canvas()->verticalScrollBar()->maximum() > 2000 * 20);
    QVERIFY(canvas()->horizontalScrollBar()->maximum() > 500);
    m_selection->setPicked(CellRef{ 0, 2047 });
    canvas()->setContent(content);
    QCOMPARE(canvas()->verticalScrollBar()->value() > 2000 * 20, true);
    const QSizeF room = canvas()->viewport()->size();
    const QPointF low(5.0, room.height() - 20.0);
    const auto hit = canvas()->scene().hitAt(low, room, QPointF(0.0, canvas()->verticalScrollBar()->value()));
    QVERIFY(hit && hit->key > 2040);
    // The weight stays beside the names when strips are scrolled.
    const double pinned = canvas()->scene().pinnedWidth();
    QVERIFY(pinned > canvas()->scene().labelWidth());
    const QRect beside(0, 0, static_cast<int>(pinned) - 8, canvas()->viewport()->height());
    const QImage before = canvas()->viewport()->grab(beside).toImage();
    canvas()->horizontalScrollBar()->setValue(500);
    QVERIFY(canvas()->viewport()->grab(beside).toImage() == before);
    const auto number = canvas()->scene().hitAt(QPointF(pinned - 30.0, room.height() - 20.0), room, QPointF(500.0, 0.0));
    QVERIFY(number && number->part == VectorPart::Number);
}

void VectorsTest::recordedWeightsOfferTheMap()
{
    m_document->reset(recordedSession(1, { Matrix::Constant(2, 2, 0.5) }));
    QVERIFY(!canvas()->isVisible());
    QVERIFY(!vectorsPicture(*m_document, *m_selection));
    const auto labels = m_widget->findChildren<QLabel *>();
    QVERIFY(std::any_of(labels.begin(), labels.end(),
        [](const QLabel *label) { return label->isVisible() && label->text().startsWith(QStringLiteral("The weights are recorded")); }));
    m_widget->findChild<QPushButton *>()->click();
    QCOMPARE(m_document->session().view.shown, ShownView::Map);
    // And they are back with matrices.
    m_document->reset(workedExample());
    QVERIFY(canvas()->isVisible());
}

void VectorsTest::pictureIsThatOfTheWindow()
{
    m_selection->setPicked(CellRef{ 1, 2 });
    const auto picture = vectorsPicture(*m_document, *m_selection);
    QVERIFY(picture);
    QVERIFY2(picture->title.contains(QStringLiteral("query 1 cat")), qPrintable(picture->title));
    const QImage image = painted(*picture, Theme::light(), Qt::transparent);
    // The ground is left to whoever makes a figure of it, the strips are there.
    QCOMPARE(image.pixelColor(2, image.height() - 2).alpha(), 0);
    const auto operands = m_document->result()->find({})->operands;
    const VectorsContent content
        = vectorsContent(m_document->input(), {}, std::make_shared<ScoreTerms>(scoreTerms(operands, 1).value()), {}, 2);
    const VectorsScene scene(content, pictureFont(), picture->size.width());
    QCOMPARE(scene.size(), picture->size);
    // Of the worked example: key 2 is 1, 1, 0, 0, and query 1 has 0 in front.
    for (const auto &[hit, number] : { std::pair{ VectorHit{ VectorPart::Key, 2, 0 }, 1.0 }, { VectorHit{ VectorPart::Key, 2, 3 }, 0.0 },
             { VectorHit{ VectorPart::Query, -1, 0 }, 0.0 }, { VectorHit{ VectorPart::Query, -1, 1 }, 1.0 } })
        QCOMPARE(colorAt(image, insideOf(scene, hit)), QColor(content.colors.color(static_cast<float>(number))));
}

QTEST_MAIN(VectorsTest)
#include "tst_vectors.moc"
