// SPDX-License-Identifier: GPL-3.0-or-later
// Run: parts of a work tell their share of it and stop with it, progress rises, and counted pieces are told in per cents.
#include "core/parallel.h"
#include "core/run.h"

#include <QTest>

#include <algorithm>
#include <mutex>
#include <vector>

using namespace attenscope;

using Fractions = std::vector<double>;

class TestRun : public QObject {
    Q_OBJECT

    /// What is reported is added to @p told.
    static Run into(Fractions &told)
    {
        return { {}, [&told](double fraction) { told.push_back(fraction); } };
    }

private slots:
    void partsTellTheirShare()
    {
        Fractions told;
        const Run whole = into(told);
        whole.part(0, 4).report(0.5);
        whole.part(3, 4).report(0.0);
        whole.part(3, 4).report(1.0);
        // The second half of the second of four parts, and what it was made of may be gone.
        const Run nested = whole.part(1, 4).part(1, 2);
        nested.report(0.0);
        nested.report(1.0);
        QCOMPARE(told, (Fractions{ 0.125, 0.75, 1.0, 0.375, 0.5 }));
    }

    void partsStopWithTheWhole()
    {
        std::stop_source source;
        const Run part = Run{ source.get_token(), {} }.part(0, 2).part(1, 3);
        QVERIFY(!part.stopped());
        source.request_stop();
        QVERIFY(part.stopped());
    }

    void nobodyIsToldNothing()
    {
        const Run silent;
        QVERIFY(!silent.part(0, 2).progress);
        QVERIFY(!silent.rising().progress);
        silent.part(0, 2).report(1.0);
    }

    void risingNeverGoesBack()
    {
        Fractions told;
        const Run rising = into(told).rising();
        for (const double fraction : { 0.0, 0.5, 0.25, 0.5, 0.75 })
            rising.part(0, 1).report(fraction);
        QCOMPARE(told, (Fractions{ 0.0, 0.5, 0.75 }));
    }

    void piecesAreToldInPerCents()
    {
        Fractions told;
        const Run run = into(told);
        DoneCount few(run, 4);
        few.add();
        few.add(3);
        QCOMPARE(told, (Fractions{ 0.25, 1.0 }));
        told.clear();
        DoneCount many(run, 1000);
        for (int piece = 0; piece < 25; ++piece)
            many.add();
        QCOMPARE(told, (Fractions{ 0.01, 0.02 }));
    }

    void piecesAreCountedOnAnyThread()
    {
        Fractions told;
        std::mutex mutex;
        const Run run{ {}, [&](double fraction) {
                          const std::lock_guard lock(mutex);
                          told.push_back(fraction);
                      } };
        DoneCount done(run, 5000);
        parallelFor(5000, [&done](Index) { done.add(); });
        std::sort(told.begin(), told.end());
        QCOMPARE(told.size(), std::size_t{ 100 });
        QCOMPARE(told.front(), 0.01);
        QCOMPARE(told.back(), 1.0);
    }
};

QTEST_APPLESS_MAIN(TestRun)
#include "tst_run.moc"
