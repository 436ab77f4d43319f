// SPDX-License-Identifier: GPL-3.0-or-later
// What is found across layers is shown with its exact numbers, and heads are picked in it.
#include "core/random.h"
#include "layers_fixture.h"
#include "support/painted.h"
#include "support/recorded_session.h"
#include "views/exact_line.h"
#include "views/layers/layers_bar.h"
#include "views/layers/layers_picture.h"

#include <QLabel>
#include <QPainter>
#include <QToolButton>
#include <QtTest>

using namespace attenscope;
using namespace attenscope::test;

namespace {

const Matrix identity = Matrix::Identity(3, 3);
const Matrix back{ { 0.0, 0.0, 1.0 }, { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 } };
const Matrix first{ { 1.0, 0.0, 0.0 }, { 1.0, 0.0, 0.0 }, { 1.0, 0.0, 0.0 } };

/// Three layers of one head each, as in the tests of the engine.
Session threeLayers()
{
    return recordedSession(3, { back, first, identity });
}

/// The middle of the point of a head.
QPointF middleOf(const LayersScene &scene, const QSizeF &size, std::size_t head)
{
    QPointF sum;
    int count = 0;
    for (double y = 0.5; y < size.height(); y += 1.0) {
        for (double x = 0.5; x < size.width(); x += 1.0) {
            const auto hit = scene.hitAt({ x, y });
            if (!hit || hit->head != head)
                continue;
            sum += QPointF(x, y);
            ++count;
        }
    }
    return sum / count;
}

} // namespace

class LayersTest : public QObject, protected LayersFixture {
    Q_OBJECT

private slots:
    void init() { open(threeLayers(), { 800, 640 }); }
    void cleanup() { close(); }

    void rolloutIsSaidCellByCell();
    void fewerLayersByChoice();
    void flowHasItsOwnNumbers();
    void oneLayerIsSaid();
    void similarityPicksTheHeadOfTheRow();
    void embeddingPicksTheNearestPoint();
    void pointsAreAsFarApartAsHeadsDiffer();
    void cellsAreColouredByTheirNumbers();
    void crossAttentionSaysWhy();
    void choiceIsUndone();
    void zoomIsSharedWithTheMap();
    void whatIsDividedIsSaid();
    void rowsThatAreNoNumbersAreCrosses_data();
    void rowsThatAreNoNumbersAreCrosses();
    void picturesHaveTheNumbersOfTheWindow_data();
    void picturesHaveTheNumbersOfTheWindow();

private:
    [[nodiscard]] QString line() const { return m_widget->findChild<ExactLine *>()->text(); }
    [[nodiscard]] QPoint pointOf(const LayersHit &wanted) const;
};

QPoint LayersTest::pointOf(const LayersHit &wanted) const
{
    for (int y = 2; y < canvas()->height(); y += 3) {
        for (int x = 2; x < canvas()->width(); x += 3) {
            if (canvas()->scene().hitAt(QPointF(x, y)) == wanted)
                return { x, y };
        }
    }
    return {};
}

void LayersTest::rolloutIsSaidCellByCell()
{
    // By hand in tst_across_layers: row 1 is 0.5, 0.25, 0.25.
    QTest::mouseMove(canvas(), pointOf({ { 1, 2 }, {} }));
    QTRY_VERIFY(line().endsWith(QStringLiteral("through layers 0 to 2: rollout 0.2500")));
    QVERIFY2(line().startsWith(QStringLiteral("position 1")), qPrintable(line()));
    QCOMPARE(m_selection->hovered(), (std::optional(CellRef{ 1, 2 })));
    // Half of what is in position 0 comes from input 2, a quarter of the other way round.
    QTest::mouseMove(canvas(), pointOf({ { 0, 2 }, {} }));
    QTRY_VERIFY2(line().endsWith(QStringLiteral("rollout 0.5000")), qPrintable(line()));
    QTest::mouseClick(canvas(), Qt::LeftButton, {}, pointOf({ { 2, 0 }, {} }));
    QCOMPARE(m_selection->picked(), (std::optional(CellRef{ 2, 0 })));
    QTest::keyClick(canvas(), Qt::Key_Up);
    QCOMPARE(m_selection->picked(), (std::optional(CellRef{ 1, 0 })));
}

void LayersTest::fewerLayersByChoice()
{
    Session next = m_document->session();
    next.view.layersUpTo = 0;
    m_document->edit(std::move(next), QStringLiteral("layers"));
    QCOMPARE(canvas()->content()->values->values, (Matrix{ { 0.5, 0.0, 0.5 }, { 0.5, 0.5, 0.0 }, { 0.0, 0.5, 0.5 } }));
    // More than there are is all of them.
    next = m_document->session();
    next.view.layersUpTo = 7;
    m_document->edit(std::move(next), QStringLiteral("layers"));
    QCOMPARE(canvas()->content()->values->request.stack.lastLayer, 2);
}

void LayersTest::flowHasItsOwnNumbers()
{
    choose(LayersShown::Flow);
    m_selection->setPicked(CellRef{ 2, 2 });
    QVERIFY2(line().endsWith(QStringLiteral("flow 1.0000")), qPrintable(line()));
    choose(LayersShown::Rollout);
    QVERIFY2(line().endsWith(QStringLiteral("rollout 0.5000")), qPrintable(line()));
}

void LayersTest::oneLayerIsSaid()
{
    m_document->reset(exampleSentence());
    QTRY_VERIFY(canvas()->content());
    const QString notes = canvas()->content()->notes.join(u'|');
    QVERIFY2(notes.contains(QStringLiteral("one layer: 0.5 × mean of its heads + 0.5 × identity")), qPrintable(notes));
    QVERIFY(notes.contains(QStringLiteral("untrained, random weights")));
}

void LayersTest::similarityPicksTheHeadOfTheRow()
{
    choose(LayersShown::Similarity);
    QTest::mouseMove(canvas(), pointOf({ { 0, 2 }, {} }));
    // Rows of layers 0 and 2 have nothing in common: ln 2, and its root.
    QTRY_COMPARE(line(), QStringLiteral("head 0·0 and head 2·0: mean divergence 0.6931 nats over 3 rows, √ 0.8326"));
    QCOMPARE(m_selection->hovered(), std::nullopt);
    QTest::mouseClick(canvas(), Qt::LeftButton, {}, pointOf({ { 1, 2 }, {} }));
    QCOMPARE(m_document->head(), (HeadRef{ 0, 1, 0, 0 }));
    QTest::keyClick(canvas(), Qt::Key_Down);
    QCOMPARE(m_document->head(), (HeadRef{ 0, 2, 0, 0 }));
    // In the unit of the map: 2/3 · ln 2. The mouse still rests on a head, which no longer counts.
    QTRY_VERIFY2(line().startsWith(QStringLiteral("head 2·0, nearest by mean divergence: 1·0 at 0.4621 nats")), qPrintable(line()));
}

void LayersTest::embeddingPicksTheNearestPoint()
{
    choose(LayersShown::Embedding);
    QTest::mouseClick(canvas(), Qt::LeftButton, {}, pointOf({ { -1, -1 }, 2 }));
    QCOMPARE(m_document->head(), (HeadRef{ 0, 2, 0, 0 }));
    // Layer 1 agrees with layer 2 in row 0 alone: √(2/3 · ln 2).
    QTRY_VERIFY2(line().startsWith(QStringLiteral("head 2·0, nearest by √ of the mean divergence: 1·0 at 0.6798")), qPrintable(line()));
}

void LayersTest::pointsAreAsFarApartAsHeadsDiffer()
{
    choose(LayersShown::Embedding);
    const LayersValues &values = *canvas()->content()->values;
    for (Index a = 0; a < 3; ++a)
        for (Index b = 0; b < 3; ++b)
            QVERIFY(std::abs((values.points.points.row(a) - values.points.points.row(b)).norm() - std::sqrt(values.values(a, b))) < 1e-7);
    QVERIFY(std::abs(values.points.share - 1.0) < 1e-9);
}

void LayersTest::cellsAreColouredByTheirNumbers()
{
    canvas()->setAttribute(Qt::WA_UnderMouse, false);
    const QImage image = canvas()->grab().toImage();
    const LayersContent &content = *canvas()->content();
    const double ratio = image.devicePixelRatio();
    for (Index row = 0; row < 3; ++row) {
        for (Index col = 0; col < 3; ++col) {
            const QRectF cell
                = canvas()->scene().mapLayout().rectFromCells(0, QRectF(static_cast<double>(col), static_cast<double>(row), 1.0, 1.0));
            const QPointF point = (cell.topLeft() + QPointF(6.0, 6.0)) * ratio;
            const QColor expected(content.map.panels.front().colors.color(static_cast<float>(content.values->values(row, col))));
            QCOMPARE(image.pixelColor(point.toPoint()), expected);
        }
    }
}

void LayersTest::crossAttentionSaysWhy()
{
    m_document->reset(recordedSession(1, { Matrix::Constant(2, 3, 1.0 / 3.0), Matrix::Constant(2, 3, 1.0 / 3.0) }));
    QVERIFY(!canvas()->isVisible());
    const auto labels = m_widget->findChildren<QLabel *>();
    QVERIFY(std::any_of(labels.begin(), labels.end(),
        [](const QLabel *label) { return label->isVisible() && label->text().contains(QStringLiteral("need self-attention")); }));
    QVERIFY(!layersPicture(*m_document, *m_selection));
    // Heads can be compared all the same.
    choose(LayersShown::Similarity);
    QTRY_VERIFY(canvas()->isVisible());
    QCOMPARE(canvas()->content()->values->values(0, 1), 0.0);
}

void LayersTest::choiceIsUndone()
{
    const auto buttons = m_widget->findChild<LayersBar *>()->findChildren<QToolButton *>();
    const auto similarity = std::find_if(
        buttons.begin(), buttons.end(), [](const QToolButton *button) { return button->text() == QStringLiteral("Head similarity"); });
    QVERIFY(similarity != buttons.end());
    (*similarity)->click();
    QCOMPARE(canvas()->content()->shown, LayersShown::Similarity);
    m_document->undoStack()->undo();
    QCOMPARE(canvas()->content()->shown, LayersShown::Rollout);
    QVERIFY(!(*similarity)->isChecked());
}

void LayersTest::zoomIsSharedWithTheMap()
{
    Random random(1);
    m_document->reset(recordedSession(1, { rowsNormalized(random.normalMatrix(40, 40).cwiseAbs()) }));
    QTRY_VERIFY(canvas()->content() && canvas()->content()->map.rows() == 40);
    QTest::keyClick(canvas(), Qt::Key_Plus);
    QVERIFY(m_selection->visible());
    QVERIFY(m_selection->visible()->width() < 40.0);
    QTest::keyClick(canvas(), Qt::Key_0);
    QVERIFY(!m_selection->visible());
}

void LayersTest::whatIsDividedIsSaid()
{
    Session next = m_document->session();
    next.view.tokens.leavesOutFirst = true;
    m_document->edit(std::move(next), QStringLiteral("tokens"));
    QTRY_VERIFY(canvas()->content() && canvas()->content()->input().blocks.front().isReduced());
    const QString notes = canvas()->content()->notes.join(u'|');
    QVERIFY2(notes.contains(QStringLiteral("identity, rows ÷ their sum|rows sum to 1|")), qPrintable(notes));
    QVERIFY2(notes.contains(QStringLiteral("left out")) && !notes.contains(QStringLiteral("not renormalised")), qPrintable(notes));
    choose(LayersShown::Similarity);
    QTRY_VERIFY(canvas()->content()->showsHeads());
    QVERIFY(canvas()->content()->notes.join(u'|').contains(QStringLiteral("not renormalised")));
}

void LayersTest::rowsThatAreNoNumbersAreCrosses_data()
{
    QTest::addColumn<double>("weight");
    QTest::newRow("NaN") << std::numeric_limits<double>::quiet_NaN();
    QTest::newRow("infinity") << std::numeric_limits<double>::infinity();
}

void LayersTest::rowsThatAreNoNumbersAreCrosses()
{
    QFETCH(const double, weight);
    Matrix odd = identity;
    odd(0, 1) = weight;
    m_document->reset(recordedSession(1, { odd }));
    for (const LayersShown shown : { LayersShown::Rollout, LayersShown::Flow }) {
        choose(shown);
        QTRY_VERIFY(canvas()->content() && canvas()->content()->shown == shown);
        const QString notes = canvas()->content()->notes.join(u'|');
        QVERIFY2(notes.contains(QStringLiteral("1 of 3 rows are NaN (crosses)")), qPrintable(notes));
        QVERIFY(!notes.contains(QStringLiteral("|rows sum to 1")));
        const auto picture = layersPicture(*m_document, *m_selection);
        QVERIFY(picture);
        LayersScene scene(canvas()->content(), Theme::light(), QGuiApplication::font(), 1.0);
        scene.layOut(picture->size, std::nullopt);
        QImage image(picture->size.toSize(), QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        scene.paint(painter);
        painter.end();
        // Both diagonals of a cell of row 0, and none of row 1.
        const auto isBlackAt = [&](const QPointF &cell) {
            const QRectF map = scene.mapLayout().maps.front();
            const QPoint at = QPointF(map.left() + map.width() * cell.x() / 3.0, map.top() + map.height() * cell.y() / 3.0).toPoint();
            for (int x = -3; x <= 3; ++x)
                if (qGray(image.pixel(at.x() + x, at.y())) < 10)
                    return true;
            return false;
        };
        QVERIFY(isBlackAt({ 2.4, 0.4 }) && isBlackAt({ 2.6, 0.4 }));
        QVERIFY(!isBlackAt({ 2.4, 1.4 }) && !isBlackAt({ 2.6, 1.4 }));
        m_selection->setPicked(CellRef{ 0, 2 });
        QVERIFY2(line().endsWith(QStringLiteral("NaN")), qPrintable(line()));
    }
}

void LayersTest::picturesHaveTheNumbersOfTheWindow_data()
{
    QTest::addColumn<int>("shown");
    QTest::newRow("rollout") << static_cast<int>(LayersShown::Rollout);
    QTest::newRow("flow") << static_cast<int>(LayersShown::Flow);
    QTest::newRow("similarity") << static_cast<int>(LayersShown::Similarity);
    QTest::newRow("embedding") << static_cast<int>(LayersShown::Embedding);
}

void LayersTest::picturesHaveTheNumbersOfTheWindow()
{
    QFETCH(int, shown);
    choose(static_cast<LayersShown>(shown));
    const auto picture = layersPicture(*m_document, *m_selection);
    QVERIFY(picture);
    QVERIFY(picture->title.contains(layersNoun(static_cast<LayersShown>(shown))));
    const QImage image = painted(*picture, Theme::dark(), Qt::transparent);
    QCOMPARE(image.pixelColor(0, 0).alpha(), 0);
    const LayersContent &content = *canvas()->content();
    // Notes stand below the picture, not in it.
    const auto inPicture = std::make_shared<LayersContent>(content);
    inPicture->notes.clear();
    LayersScene scene(inPicture, Theme::dark(), pictureFont(), 1.0);
    scene.layOut(picture->size, std::nullopt);
    if (content.map.panels.empty()) {
        // Heads of the first and the last layer have the ends of the scale.
        for (const auto &[head, entry] : { std::pair{ 0, 0 }, { 2, 255 } }) {
            const QPointF point = middleOf(scene, picture->size, head);
            QCOMPARE(image.pixelColor(point.toPoint()), QColor(colorTable(ColorTable::Viridis)[static_cast<std::size_t>(entry)]));
        }
        return;
    }
    for (Index row = 0; row < 3; ++row) {
        for (Index col = 0; col < 3; ++col) {
            const QRectF cell = scene.mapLayout().rectFromCells(0, QRectF(static_cast<double>(col), static_cast<double>(row), 1.0, 1.0));
            const QColor expected(content.map.panels.front().colors.color(static_cast<float>(content.values->values(row, col))));
            QCOMPARE(image.pixelColor((cell.topLeft() + QPointF(6.0, 6.0)).toPoint()), expected);
        }
    }
}

QTEST_MAIN(LayersTest)
#include "tst_layers.moc"
