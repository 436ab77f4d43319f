// SPDX-License-Identifier: GPL-3.0-or-later
// What mouse, wheel and keys do in the map: hovering, picking, zooming and panning.
#include "map_fixture.h"

#include <cmath>

using namespace attenscope;
using namespace attenscope::test;

class MapMouseTest : public QObject, protected MapFixture {
    Q_OBJECT

private slots:
    void init() { open(); }
    void cleanup() { close(); }
    void hoveringACellHoversIt();
    void hoveringATokenHoversItsRowOrColumn();
    void leavingEndsTheHover();
    void clickPicksAndAgainUnpicks();
    void clickOnATokenPicksItsRow();
    void arrowsMoveThePick_data();
    void arrowsMoveThePick();
    void enterPicksTheHovered();
    void escapeClearsThePick();
    void wheelZoomsAtTheMouse();
    void zoomingOutEndsAtTheWholeMap();
    void zoomStopsAtAFewCells();
    void draggingPansInsideTheMap();
    void shiftDragZoomsToTheRectangle();
    void doubleClickFitsAndKeepsThePick();
    void movingThePickBringsItIntoSight();
};

void MapMouseTest::hoveringACellHoversIt()
{
    mouse(QEvent::MouseMove, pointOf(7, 1), Qt::NoButton);
    QCOMPARE(m_selection->hovered(), std::optional(CellRef{ 7, 1 }));
}

void MapMouseTest::hoveringATokenHoversItsRowOrColumn()
{
    const QRectF map = m_plot->mapLayout().maps.front();
    mouse(QEvent::MouseMove, QPointF(map.left() - 14.0, pointOf(4, 0).y()), Qt::NoButton);
    QCOMPARE(m_selection->hovered(), std::optional(CellRef{ 4, -1 }));
    mouse(QEvent::MouseMove, QPointF(pointOf(0, 3).x() + 5.0, map.top() - 12.0), Qt::NoButton);
    QCOMPARE(m_selection->hovered(), std::optional(CellRef{ -1, 3 }));
}

void MapMouseTest::leavingEndsTheHover()
{
    mouse(QEvent::MouseMove, pointOf(7, 1), Qt::NoButton);
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(m_plot, &leave);
    QVERIFY(!m_selection->hovered());
}

void MapMouseTest::clickPicksAndAgainUnpicks()
{
    QTest::mouseClick(m_plot, Qt::LeftButton, {}, pointOf(5, 2));
    QCOMPARE(m_selection->picked(), std::optional(CellRef{ 5, 2 }));
    QTest::mouseClick(m_plot, Qt::LeftButton, {}, pointOf(5, 2));
    QVERIFY(!m_selection->picked());
}

void MapMouseTest::clickOnATokenPicksItsRow()
{
    const QRectF map = m_plot->mapLayout().maps.front();
    QTest::mouseClick(m_plot, Qt::LeftButton, {}, QPoint(static_cast<int>(map.left()) - 14, pointOf(6, 0).y()));
    QCOMPARE(m_selection->picked(), std::optional(CellRef{ 6, -1 }));
}

void MapMouseTest::arrowsMoveThePick_data()
{
    QTest::addColumn<int>("key");
    QTest::addColumn<Qt::KeyboardModifiers>("modifiers");
    QTest::addColumn<Index>("row");
    QTest::addColumn<Index>("col");
    const auto none = Qt::KeyboardModifiers();
    // From query 7, key 1 of ten; under the causal mask query 7 sees keys 0 to 7.
    QTest::newRow("left") << int(Qt::Key_Left) << none << Index(7) << Index(0);
    QTest::newRow("right") << int(Qt::Key_Right) << none << Index(7) << Index(2);
    QTest::newRow("up") << int(Qt::Key_Up) << none << Index(6) << Index(1);
    QTest::newRow("down") << int(Qt::Key_Down) << none << Index(8) << Index(1);
    QTest::newRow("ten to the right stops at the end")
        << int(Qt::Key_Right) << Qt::KeyboardModifiers(Qt::ShiftModifier) << Index(7) << Index(9);
    QTest::newRow("home") << int(Qt::Key_Home) << none << Index(7) << Index(0);
    QTest::newRow("end is the last visible key") << int(Qt::Key_End) << none << Index(7) << Index(7);
    QTest::newRow("first query") << int(Qt::Key_Home) << Qt::KeyboardModifiers(Qt::ControlModifier) << Index(0) << Index(1);
    QTest::newRow("last query") << int(Qt::Key_End) << Qt::KeyboardModifiers(Qt::ControlModifier) << Index(9) << Index(1);
}

void MapMouseTest::arrowsMoveThePick()
{
    QFETCH(int, key);
    QFETCH(Qt::KeyboardModifiers, modifiers);
    QFETCH(Index, row);
    QFETCH(Index, col);
    m_selection->setPicked(CellRef{ 7, 1 });
    QTest::keyClick(m_plot, static_cast<Qt::Key>(key), modifiers);
    QCOMPARE(m_selection->picked(), std::optional(CellRef{ row, col }));
}

void MapMouseTest::enterPicksTheHovered()
{
    m_selection->setHovered(CellRef{ 3, 2 });
    QTest::keyClick(m_plot, Qt::Key_Return);
    QCOMPARE(m_selection->picked(), std::optional(CellRef{ 3, 2 }));
    QTest::keyClick(m_plot, Qt::Key_Return);
    QCOMPARE(m_selection->picked(), std::optional(CellRef{ 3, 2 }));
}

void MapMouseTest::escapeClearsThePick()
{
    m_selection->setPicked(CellRef{ 7, 1 });
    QTest::keyClick(m_plot, Qt::Key_Escape);
    QVERIFY(!m_selection->picked());
}

void MapMouseTest::wheelZoomsAtTheMouse()
{
    useTokens(60);
    const QPoint point = pointOf(40, 20);
    const QPointF before = m_plot->mapLayout().cellFromPoint(0, point);
    const double cell = m_plot->mapLayout().cellWidth;
    wheel(point, 1);
    wheel(point, 1);
    QVERIFY(m_plot->mapLayout().cellWidth > 1.3 * cell);
    const QPointF after = m_plot->mapLayout().cellFromPoint(0, point);
    QVERIFY2(std::hypot(after.x() - before.x(), after.y() - before.y()) < 0.2,
        qPrintable(QStringLiteral("%1 %2 -> %3 %4").arg(before.x()).arg(before.y()).arg(after.x()).arg(after.y())));
}

void MapMouseTest::zoomingOutEndsAtTheWholeMap()
{
    useTokens(60);
    wheel(pointOf(40, 20), 3);
    QVERIFY(m_selection->visible());
    wheel(pointOf(40, 20), -8);
    QVERIFY(!m_selection->visible());
}

void MapMouseTest::zoomStopsAtAFewCells()
{
    useTokens(60);
    for (int step = 0; step < 40; ++step)
        wheel(m_plot->mapLayout().maps.front().center().toPoint(), 2);
    QVERIFY(m_plot->mapLayout().shown.width() >= 2.9);
    QVERIFY(m_plot->mapLayout().shown.width() < 6.0);
}

void MapMouseTest::draggingPansInsideTheMap()
{
    useTokens(60);
    m_selection->setVisible(QRectF(20.0, 20.0, 20.0, 20.0));
    const QRectF before = m_plot->mapLayout().shown;
    const double cell = m_plot->mapLayout().cellWidth;
    const QPointF start = m_plot->mapLayout().maps.front().center();
    mouse(QEvent::MouseButtonPress, start, Qt::LeftButton);
    mouse(QEvent::MouseMove, start + QPointF(2.0 * cell, 0.0), Qt::LeftButton);
    mouse(QEvent::MouseButtonRelease, start + QPointF(2.0 * cell, 0.0), Qt::LeftButton);
    QVERIFY(std::abs(m_plot->mapLayout().shown.left() - (before.left() - 2.0)) < 0.1);
    QVERIFY(!m_selection->picked());
    mouse(QEvent::MouseButtonPress, start, Qt::LeftButton);
    mouse(QEvent::MouseMove, start + QPointF(5000.0, 5000.0), Qt::LeftButton);
    mouse(QEvent::MouseButtonRelease, start + QPointF(5000.0, 5000.0), Qt::LeftButton);
    QCOMPARE(m_plot->mapLayout().shown.topLeft(), QPointF(0.0, 0.0));
}

void MapMouseTest::shiftDragZoomsToTheRectangle()
{
    useTokens(60);
    const QPoint first = pointOf(10, 20);
    const QPoint last = pointOf(20, 30);
    mouse(QEvent::MouseButtonPress, first, Qt::LeftButton, Qt::ShiftModifier);
    mouse(QEvent::MouseMove, last, Qt::LeftButton, Qt::ShiftModifier);
    mouse(QEvent::MouseButtonRelease, last, Qt::LeftButton, Qt::ShiftModifier);
    QVERIFY(m_selection->visible());
    const QRectF visible = *m_selection->visible();
    QVERIFY(std::abs(visible.left() - 20.5) < 0.2 && std::abs(visible.right() - 30.5) < 0.2);
    QVERIFY(std::abs(visible.top() - 10.5) < 0.2 && std::abs(visible.bottom() - 20.5) < 0.2);
    QVERIFY(m_plot->mapLayout().shown.contains(visible));
}

void MapMouseTest::doubleClickFitsAndKeepsThePick()
{
    useTokens(60);
    m_selection->setVisible(QRectF(20.0, 20.0, 20.0, 20.0));
    m_selection->setPicked(CellRef{ 30, 3 });
    const QPoint point = pointOf(30, 30);
    for (const auto type :
        { QEvent::MouseButtonPress, QEvent::MouseButtonRelease, QEvent::MouseButtonDblClick, QEvent::MouseButtonRelease })
        mouse(type, point, Qt::LeftButton);
    QVERIFY(!m_selection->visible());
    QCOMPARE(m_selection->picked(), std::optional(CellRef{ 30, 3 }));
}

void MapMouseTest::movingThePickBringsItIntoSight()
{
    useTokens(60);
    m_selection->setVisible(QRectF(20.0, 20.0, 20.0, 20.0));
    m_selection->setPicked(CellRef{ 30, 30 });
    QTest::keyClick(m_plot, Qt::Key_Home);
    QCOMPARE(m_selection->picked(), std::optional(CellRef{ 30, 0 }));
    QCOMPARE(m_plot->mapLayout().shown.left(), 0.0);
}

QTEST_MAIN(MapMouseTest)
#include "tst_map_mouse.moc"
