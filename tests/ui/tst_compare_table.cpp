// SPDX-License-Identifier: GPL-3.0-or-later
// The table under compared maps: rows of long maps come from a job, and their small numbers can be read.
#include "views/map/compare_table.h"

#include <QTest>

using namespace attenscope;

namespace {

/// Two maps of @p cols keys: row 1 is 0.5, 3e-7, 0, ….
MapContent contentOf(Index cols)
{
    Matrix cells = Matrix::Zero(2, cols);
    cells(1, 0) = 0.5;
    cells(1, 1) = 3e-7;
    MapContent content;
    content.panels.resize(2);
    content.panels[0].field = matrixField(cells);
    content.panels[1].field = matrixField(Matrix(-cells));
    content.panels[1].side = Side::Difference;
    return content;
}

} // namespace

class TestCompareTable : public QObject {
    Q_OBJECT

private slots:
    void shortRowsAreThereAtOnce()
    {
        Selection selection;
        CompareTable table(selection);
        table.setContent(contentOf(10));
        selection.setPicked(CellRef{ 1, 0 });
        QCOMPARE(table.numberText(0, 0), QStringLiteral("0.5000"));
        QCOMPARE(table.numberText(0, 1), QStringLiteral("3.0e−07"));
        QCOMPARE(table.numberText(0, 2), QStringLiteral("0.0000"));
        QCOMPARE(table.numberText(1, 0), QStringLiteral("−0.5000"));
        QCOMPARE(table.numberText(1, 1), QStringLiteral("−3.0e−07"));
    }

    void longRowsComeLater()
    {
        Selection selection;
        CompareTable table(selection);
        table.setContent(contentOf(5000));
        selection.setPicked(CellRef{ 1, 0 });
        QCOMPARE(table.numberText(0, 0), QStringLiteral("…"));
        QTRY_COMPARE(table.numberText(0, 0), QStringLiteral("0.5000"));
        QCOMPARE(table.numberText(0, 1), QStringLiteral("3.0e−07"));
        QCOMPARE(table.numberText(1, 1), QStringLiteral("−3.0e−07"));
        QCOMPARE(table.numberText(0, 2), QStringLiteral("0.0000"));
        // The row that is asked for last is shown, and never the numbers of another one.
        selection.setPicked(CellRef{ 0, 0 });
        QCOMPARE(table.numberText(0, 0), QStringLiteral("…"));
        selection.setPicked(CellRef{ 1, 0 });
        QCOMPARE(table.numberText(0, 0), QStringLiteral("0.5000"));
        selection.setPicked(CellRef{ 0, 0 });
        QTRY_COMPARE(table.numberText(0, 0), QStringLiteral("0.0000"));
        table.setContent(contentOf(6000));
        QCOMPARE(table.numberText(0, 0), QStringLiteral("…"));
        QTRY_COMPARE(table.numberText(0, 0), QStringLiteral("0.0000"));
    }
};

QTEST_MAIN(TestCompareTable)
#include "tst_compare_table.moc"
