// SPDX-License-Identifier: GPL-3.0-or-later
// What Job promises: one at a time, the newest wins, nothing of what was cancelled arrives.
#include "state/job.h"

#include <QCoreApplication>
#include <QSignalSpy>
#include <QTest>

#include <atomic>
#include <thread>

#if defined(Q_OS_LINUX)
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

using namespace attenscope;

namespace {

void waitUntilStopped(const Run &run)
{
    while (!run.stopped())
        std::this_thread::yield();
}

} // namespace

class TestJob : public QObject {
    Q_OBJECT

private slots:
    void whatIsDeliveredArrivesInOrderOnThisThread()
    {
        Job job;
        QSignalSpy finished(&job, &Job::finished);
        QList<int> arrived;
        QThread *thread = nullptr;
        job.start([&](const Run &, const Job::Deliver &deliver) {
            for (int number = 0; number < 5; ++number) {
                deliver([&arrived, &thread, number] {
                    arrived.append(number);
                    thread = QThread::currentThread();
                });
            }
        });
        QVERIFY(job.isRunning());
        QTRY_COMPARE(finished.count(), 1);
        QVERIFY(!job.isRunning());
        QCOMPARE(arrived, QList<int>({ 0, 1, 2, 3, 4 }));
        QCOMPARE(thread, QThread::currentThread());
    }

    void theNewestWins()
    {
        Job job;
        QSignalSpy finished(&job, &Job::finished);
        QStringList arrived;
        std::atomic<bool> hasDelivered = false;
        job.start([&arrived, &hasDelivered](const Run &run, const Job::Deliver &deliver) {
            deliver([&arrived] { arrived.append(QStringLiteral("old, before")); });
            hasDelivered = true;
            waitUntilStopped(run);
            deliver([&arrived] { arrived.append(QStringLiteral("old, after")); });
        });
        while (!hasDelivered)
            std::this_thread::yield();
        job.start([&arrived](const Run &, const Job::Deliver &deliver) { deliver([&arrived] { arrived.append(QStringLiteral("new")); }); });
        QTRY_COMPARE(finished.count(), 1);
        QCoreApplication::processEvents();
        QCOMPARE(arrived, QStringList({ QStringLiteral("new") }));
        QCOMPARE(finished.count(), 1);
    }

    void workIsReplacedBeforeItBegins()
    {
        Job job;
        QSignalSpy finished(&job, &Job::finished);
        std::atomic<bool> hasBegun = false;
        std::atomic<bool> mayEnd = false;
        bool hasSecondRun = false;
        job.start([&](const Run &, const Job::Deliver &) {
            hasBegun = true;
            while (!mayEnd)
                std::this_thread::yield();
        });
        while (!hasBegun)
            std::this_thread::yield();
        job.start([&](const Run &, const Job::Deliver &deliver) { deliver([&] { hasSecondRun = true; }); });
        bool hasThirdRun = false;
        job.start([&](const Run &, const Job::Deliver &deliver) { deliver([&] { hasThirdRun = true; }); });
        mayEnd = true;
        QTRY_COMPARE(finished.count(), 1);
        QVERIFY(hasThirdRun);
        QVERIFY(!hasSecondRun);
    }

    void nothingArrivesAfterCancel()
    {
        Job job;
        QSignalSpy finished(&job, &Job::finished);
        QSignalSpy progressed(&job, &Job::progressed);
        std::atomic<bool> hasDelivered = false;
        bool hasArrived = false;
        job.start([&](const Run &run, const Job::Deliver &deliver) {
            deliver([&hasArrived] { hasArrived = true; });
            run.report(0.5);
            hasDelivered = true;
            waitUntilStopped(run);
        });
        while (!hasDelivered)
            std::this_thread::yield();
        job.cancel();
        QVERIFY(!job.isRunning());
        // What runs next proves that the thread has left the work before.
        job.start([](const Run &, const Job::Deliver &) {});
        QTRY_COMPARE(finished.count(), 1);
        QVERIFY(!hasArrived);
        QCOMPARE(progressed.count(), 0);
    }

    void theDestructorStopsAndWaits()
    {
        std::atomic<bool> hasBegun = false;
        std::atomic<bool> hasEnded = false;
        {
            Job job;
            job.start([&](const Run &run, const Job::Deliver &) {
                hasBegun = true;
                waitUntilStopped(run);
                hasEnded = true;
            });
            while (!hasBegun)
                std::this_thread::yield();
        }
        QVERIFY(hasEnded);
    }

    void progressIsSaidOncePerStep()
    {
        Job job;
        QSignalSpy finished(&job, &Job::finished);
        QSignalSpy progressed(&job, &Job::progressed);
        job.start([](const Run &run, const Job::Deliver &) {
            for (int step = 0; step <= 100'000; ++step)
                run.report(step / 100'000.0);
        });
        QTRY_COMPARE(finished.count(), 1);
        QCOMPARE(progressed.count(), 201);
        QCOMPARE(progressed.last().first().toDouble(), 1.0);
    }

    void workIsNice()
    {
#if defined(Q_OS_LINUX)
        Job job;
        QSignalSpy finished(&job, &Job::finished);
        int niceness = -1;
        job.start([&niceness](
                      const Run &, const Job::Deliver &) { niceness = getpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid))); });
        QTRY_COMPARE(finished.count(), 1);
        QCOMPARE(niceness, std::max(10, getpriority(PRIO_PROCESS, static_cast<id_t>(getpid()))));
#else
        QSKIP("Threads have a niceness of their own on Linux only.");
#endif
    }
};

QTEST_GUILESS_MAIN(TestJob)
#include "tst_job.moc"
