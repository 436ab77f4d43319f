// SPDX-License-Identifier: GPL-3.0-or-later
// parallelFor(): every index once, from anywhere, on any number of threads.
#include "core/parallel.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <atomic>
#include <latch>
#include <thread>
#include <vector>

#if defined(__linux__)
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

using namespace attenscope;

namespace {

/// Runs a loop and tells how often each index was called.
std::vector<int> callsOf(Index count)
{
    std::vector<std::atomic<int>> calls(static_cast<std::size_t>(count));
    parallelFor(count, [&calls](Index index) { ++calls[static_cast<std::size_t>(index)]; });
    return { calls.begin(), calls.end() };
}

} // namespace

class TestParallel : public QObject {
    Q_OBJECT

private slots:
    void cleanup() { setThreadCount(0); }

    void everyIndexIsCalledOnce_data();
    void everyIndexIsCalledOnce();
    void callsMayBeNested();
    void severalThreadsMayCallAtOnce();
    void manyShortLoops();
    void threadCountIsKept();
    void helpersGiveWay();
};

void TestParallel::everyIndexIsCalledOnce_data()
{
    QTest::addColumn<int>("threads");
    for (const int threads : { 1, 2, 3, 7 })
        QTest::addRow("%d threads", threads) << threads;
}

void TestParallel::everyIndexIsCalledOnce()
{
    QFETCH(int, threads);
    setThreadCount(threads);
    for (const Index count : { 0, 1, 2, 5, 1000 })
        QCOMPARE(callsOf(count), std::vector<int>(static_cast<std::size_t>(count), 1));
}

void TestParallel::callsMayBeNested()
{
    setThreadCount(3);
    std::vector<std::atomic<int>> calls(50 * 40);
    parallelFor(50, [&calls](Index outer) {
        parallelFor(40, [&calls, outer](Index inner) { ++calls[static_cast<std::size_t>(outer * 40 + inner)]; });
    });
    for (const std::atomic<int> &count : calls)
        QCOMPARE(count.load(), 1);
}

void TestParallel::severalThreadsMayCallAtOnce()
{
    setThreadCount(3);
    std::atomic<int> failures = 0;
    {
        std::vector<std::jthread> callers;
        for (int caller = 0; caller < 4; ++caller)
            callers.emplace_back([&failures] {
                for (int loop = 0; loop < 50; ++loop)
                    if (callsOf(100) != std::vector<int>(100, 1))
                        ++failures;
            });
    }
    QCOMPARE(failures.load(), 0);
}

void TestParallel::manyShortLoops()
{
    setThreadCount(4);
    std::atomic<Index> sum = 0;
    for (int loop = 0; loop < 2000; ++loop)
        parallelFor(3, [&sum](Index index) { sum += index; });
    QCOMPARE(sum.load(), Index{ 6000 });
}

void TestParallel::threadCountIsKept()
{
    setThreadCount(5);
    QCOMPARE(threadCount(), 5);
    setThreadCount(100000);
    QCOMPARE(threadCount(), 256);
    setThreadCount(0);
    QVERIFY(threadCount() >= 1);
}

void TestParallel::helpersGiveWay()
{
#if defined(__linux__)
    const auto ownNiceness = [] { return getpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid))); };
    const int before = ownNiceness();
    setThreadCount(3);
    // Helpers of before are no exception.
    QCOMPARE(callsOf(3), std::vector<int>(3, 1));
    letHelpersGiveWay();
    std::array<int, 3> niceness{};
    std::latch allAreHere(3);
    parallelFor(3, [&](Index index) {
        allAreHere.arrive_and_wait();
        niceness[static_cast<std::size_t>(index)] = ownNiceness();
    });
    std::sort(niceness.begin(), niceness.end());
    QCOMPARE(niceness[0], before);
    QCOMPARE(niceness[1], std::max(before, 10));
    QCOMPARE(niceness[2], std::max(before, 10));
#else
    QSKIP("Niceness belongs to threads on Linux only.");
#endif
}

QTEST_APPLESS_MAIN(TestParallel)
#include "tst_parallel.moc"
