// SPDX-License-Identifier: GPL-3.0-or-later
// Selection: hovered goes before picked, signals only for changes, and what a session keeps of it.
#include "state/selection.h"

#include <QSignalSpy>
#include <QTest>

using namespace attenscope;

class TestSelection : public QObject {
    Q_OBJECT

private slots:
    void theHoveredCellGoesBeforeThePickedOne()
    {
        Selection selection;
        QVERIFY(!selection.current());
        selection.setPicked(CellRef{ 1, 2 });
        QCOMPARE(*selection.current(), (CellRef{ 1, 2 }));
        selection.setHovered(CellRef{ 3, 4 });
        QCOMPARE(*selection.current(), (CellRef{ 3, 4 }));
        selection.setHovered(std::nullopt);
        QCOMPARE(*selection.current(), (CellRef{ 1, 2 }));
    }

    void nothingIsSaidWhenNothingChanges()
    {
        Selection selection;
        QSignalSpy hovered(&selection, &Selection::hoveredChanged);
        QSignalSpy picked(&selection, &Selection::pickedChanged);
        QSignalSpy visible(&selection, &Selection::visibleChanged);
        selection.setHovered(CellRef{ 1, 1 });
        selection.setHovered(CellRef{ 1, 1 });
        selection.setPicked(CellRef{ 1, 1 });
        selection.setPicked(CellRef{ 1, 1 });
        selection.setVisible(QRectF(0.0, 0.0, 2.0, 2.0));
        selection.setVisible(QRectF(0.0, 0.0, 2.0, 2.0));
        QCOMPARE(hovered.count(), 1);
        QCOMPARE(picked.count(), 1);
        QCOMPARE(visible.count(), 1);
    }

    void pickingAgainUnpicks()
    {
        Selection selection;
        selection.togglePicked({ 2, 3 });
        QCOMPARE(*selection.picked(), (CellRef{ 2, 3 }));
        selection.togglePicked({ 4, 3 });
        QCOMPARE(*selection.picked(), (CellRef{ 4, 3 }));
        selection.togglePicked({ 4, 3 });
        QVERIFY(!selection.picked());
    }

    void moreQueriesAndKeysAreAddedAndTakenAway()
    {
        Selection selection;
        QSignalSpy picked(&selection, &Selection::pickedChanged);
        selection.toggleRow(4);
        QCOMPARE(*selection.picked(), (CellRef{ 4, -1 }));
        selection.toggleRow(2);
        selection.toggleRow(7);
        selection.toggleCol(1);
        QCOMPARE(*selection.picked(), (CellRef{ 4, 1 }));
        QCOMPARE(selection.pickedRows(), (std::vector<Index>{ 4, 2, 7 }));
        QCOMPARE(selection.pickedCols(), (std::vector<Index>{ 1 }));
        selection.toggleRow(4); // The next one takes its place.
        QCOMPARE(*selection.picked(), (CellRef{ 2, 1 }));
        QCOMPARE(selection.pickedRows(), (std::vector<Index>{ 2, 7 }));
        selection.toggleCol(1);
        QCOMPARE(*selection.picked(), (CellRef{ 2, -1 }));
        selection.clampTo(7, 7);
        QCOMPARE(selection.pickedRows(), (std::vector<Index>{ 2 }));
        selection.toggleRow(2);
        QVERIFY(!selection.picked());
        QCOMPARE(picked.count(), 8);
    }

    void pickingOneCellDropsTheOthers()
    {
        Selection selection;
        selection.setPicked(CellRef{ 1, 2 });
        selection.toggleRow(3);
        selection.setPicked(CellRef{ 1, 2 });
        QCOMPARE(selection.pickedRows(), (std::vector<Index>{ 1 }));
        selection.toggleCol(5);
        const SelectionState state = selection.state();
        Selection other;
        other.restore(state);
        QCOMPARE(other.pickedCols(), (std::vector<Index>{ 2, 5 }));
    }

    void whatLiesOutsideIsDropped_data()
    {
        QTest::addColumn<int>("row");
        QTest::addColumn<int>("col");
        QTest::addColumn<bool>("isKept");
        QTest::newRow("inside") << 4 << 5 << true;
        QTest::newRow("row too far") << 5 << 0 << false;
        QTest::newRow("column too far") << 0 << 6 << false;
        QTest::newRow("whole row") << 4 << -1 << true;
        QTest::newRow("whole column") << -1 << 5 << true;
        QTest::newRow("whole row too far") << 5 << -1 << false;
        QTest::newRow("neither row nor column") << -1 << -1 << false;
    }
    void whatLiesOutsideIsDropped()
    {
        QFETCH(int, row);
        QFETCH(int, col);
        Selection selection;
        selection.setPicked(CellRef{ row, col });
        selection.setHovered(CellRef{ row, col });
        selection.clampTo(5, 6);
        QTEST(selection.picked().has_value(), "isKept");
        QTEST(selection.hovered().has_value(), "isKept");
    }

    void theVisibleRectangleIsCut()
    {
        Selection selection;
        selection.setVisible(QRectF(2.0, 1.0, 10.0, 2.0));
        selection.clampTo(5, 6);
        QCOMPARE(*selection.visible(), QRectF(2.0, 1.0, 4.0, 2.0));
        selection.clampTo(1, 1);
        QVERIFY(!selection.visible());
    }

    void aSessionKeepsThePickAndTheVisibleCells()
    {
        Selection selection;
        selection.setPicked(CellRef{ 7, -1 });
        selection.setHovered(CellRef{ 1, 1 });
        selection.setVisible(QRectF(0.5, 2.25, 3.0, 1.5)); // columns 0.5 to 3.5, rows 2.25 to 3.75
        const SelectionState state = selection.state();
        QCOMPARE(*state.picked, (std::pair<Index, Index>(7, -1)));
        QCOMPARE(*state.visible, (CellRect{ { 2, 4 }, { 0, 4 } }));

        Selection other;
        other.setHovered(CellRef{ 2, 2 });
        other.restore(state);
        QCOMPARE(*other.picked(), (CellRef{ 7, -1 }));
        QVERIFY(!other.hovered());
        QCOMPARE(*other.visible(), QRectF(0.0, 2.0, 4.0, 2.0));
        other.restore({});
        QVERIFY(!other.picked());
        QVERIFY(!other.visible());
    }
};

QTEST_GUILESS_MAIN(TestSelection)
#include "tst_selection.moc"
