// SPDX-License-Identifier: GPL-3.0-or-later
// WeightFilter: what is hidden by threshold, number and share, and how much weight that is.
#include "attention/weight_filter.h"

#include "attention/cell.h"

#include <QTest>

#include <limits>

using namespace attenscope;

class TestWeightFilter : public QObject {
    Q_OBJECT

private slots:
    void theRightKeysAreShown_data()
    {
        QTest::addColumn<std::vector<double>>("cells");
        QTest::addColumn<double>("threshold");
        QTest::addColumn<int>("mostKeys");
        QTest::addColumn<double>("share");
        QTest::addColumn<std::vector<Index>>("shown");
        QTest::addColumn<int>("hidden");
        QTest::addColumn<double>("hiddenWeight");
        using Cells = std::vector<double>;
        using Shown = std::vector<Index>;
        const double masked = cell::masked<double>();
        const double nan = std::numeric_limits<double>::quiet_NaN();
        const Cells row{ 0.125, 0.5, 0.25, 0.125 };
        QTest::newRow("nothing is hidden") << row << 0.0 << 0 << 1.0 << Shown{ 0, 1, 2, 3 } << 0 << 0.0;
        QTest::newRow("the threshold itself is shown") << row << 0.25 << 0 << 1.0 << Shown{ 1, 2 } << 2 << 0.25;
        QTest::newRow("top 3, of equal ones the first") << row << 0.0 << 3 << 1.0 << Shown{ 0, 1, 2 } << 1 << 0.125;
        QTest::newRow("top p that is met exactly") << row << 0.0 << 0 << 0.75 << Shown{ 1, 2 } << 2 << 0.25;
        QTest::newRow("top p that is passed") << row << 0.0 << 0 << 0.76 << Shown{ 0, 1, 2 } << 1 << 0.125;
        QTest::newRow("the largest stays for any p") << row << 0.0 << 0 << 0.0 << Shown{ 1 } << 3 << 0.5;
        QTest::newRow("all three at once") << row << 0.2 << 3 << 0.5 << Shown{ 1 } << 3 << 0.5;
        QTest::newRow("p is a share of what the row has") << Cells{ 0.25, 0.125 } << 0.0 << 0 << 0.6 << Shown{ 0 } << 1 << 0.125;
        QTest::newRow("masked keys are neither") << Cells{ 0.75, masked, 0.25 } << 0.5 << 0 << 1.0 << Shown{ 0 } << 1 << 0.25;
        QTest::newRow("zeros carry nothing") << Cells{ 1.0, 0.0 } << 0.5 << 0 << 1.0 << Shown{ 0 } << 0 << 0.0;
        QTest::newRow("NaN is always shown") << Cells{ nan, nan } << 0.5 << 1 << 0.5 << Shown{ 0, 1 } << 0 << 0.0;
        QTest::newRow("no key") << Cells{ masked } << 0.0 << 0 << 1.0 << Shown{} << 0 << 0.0;
    }
    void theRightKeysAreShown()
    {
        QFETCH(std::vector<double>, cells);
        QFETCH(double, threshold);
        QFETCH(int, mostKeys);
        QFETCH(double, share);
        const FilteredRow row = filterRow(cells, { threshold, mostKeys, share });
        QTEST(row.shown, "shown");
        QTEST(static_cast<int>(row.hidden), "hidden");
        QTEST(row.hiddenWeight, "hiddenWeight");
    }

    void theDefaultHidesNothing()
    {
        QVERIFY(!WeightFilter{}.hides());
        QVERIFY((WeightFilter{ 0.1, 0, 1.0 }).hides());
        QVERIFY((WeightFilter{ 0.0, 1, 1.0 }).hides());
        QVERIFY((WeightFilter{ 0.0, 0, 0.9 }).hides());
    }
};

QTEST_APPLESS_MAIN(TestWeightFilter)
#include "tst_weight_filter.moc"
