// SPDX-License-Identifier: GPL-3.0-or-later
// The thread pool behind parallelFor().
#include "core/parallel.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#if defined(__linux__)
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace attenscope {

namespace {

/// One loop that workers help with; kept alive by whoever still looks at it.
struct Loop {
    const std::function<void(Index)> *body = nullptr;
    Index count = 0;
    std::atomic<Index> next = 0;
    std::atomic<int> helpers = 0; ///< Workers inside work(); changed under the pool's mutex.

    void work()
    {
        for (Index index = next.fetch_add(1); index < count; index = next.fetch_add(1))
            (*body)(index);
    }
};

thread_local bool isInsideLoop = false;

/// Looks for a moment whether something has come, before it is worth to sleep: waking a thread takes longer than a small loop.
template <typename Condition>
void waitAwake(const Condition &hasCome)
{
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::microseconds moment{ 50 };
    for (const auto end = Clock::now() + moment; !hasCome() && Clock::now() < end;) { }
}

class Pool {
public:
    ~Pool() { resize(1); }

    void resize(int threads)
    {
        {
            const std::lock_guard lock(m_mutex);
            m_isClosing = true;
        }
        m_wake.notify_all();
        m_workers.clear(); // joins
        m_isClosing = false;
        m_threads = threads;
    }

    void letHelpersGiveWay()
    {
        m_areNice = true;
        resize(m_threads);
    }

    [[nodiscard]] int threads() const { return m_threads; }

    void run(Index count, const std::function<void(Index)> &body)
    {
        // Another thread's loop has the workers: this one does its own work, rather than wait (the window's thread must not).
        const std::unique_lock oneLoop(m_oneLoop, std::try_to_lock);
        if (!oneLoop) {
            for (Index index = 0; index < count; ++index)
                body(index);
            return;
        }
        start();
        Loop loop;
        loop.body = &body;
        loop.count = count;
        {
            const std::lock_guard lock(m_mutex);
            m_loop = &loop;
            ++m_generation;
        }
        m_wake.notify_all();
        isInsideLoop = true;
        loop.work();
        isInsideLoop = false;
        std::unique_lock lock(m_mutex);
        m_loop = nullptr; // a worker that wakes late finds nothing
        lock.unlock();
        waitAwake([&loop] { return loop.helpers == 0; });
        lock.lock();
        m_done.wait(lock, [&loop] { return loop.helpers == 0; });
    }

private:
    void start()
    {
        try {
            while (static_cast<int>(m_workers.size()) < m_threads - 1)
                m_workers.emplace_back([this] { serve(); });
        } catch (const std::system_error &) {
            // The system has no more threads to give: those that are there do the work.
            m_threads = static_cast<int>(m_workers.size()) + 1;
        }
    }

    void serve()
    {
        if (m_areNice)
            giveWay();
        isInsideLoop = true;
        std::uint64_t seen = 0;
        std::unique_lock lock(m_mutex);
        for (;;) {
            m_wake.wait(lock, [&] { return m_isClosing || (m_loop && m_generation != seen); });
            if (m_isClosing)
                return;
            seen = m_generation;
            Loop *loop = m_loop;
            ++loop->helpers;
            lock.unlock();
            loop->work();
            lock.lock();
            if (--loop->helpers == 0)
                m_done.notify_all();
            lock.unlock();
            waitAwake([&] { return m_isClosing || m_generation != seen; });
            lock.lock();
        }
    }

    std::mutex m_oneLoop;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::condition_variable m_done;
    Loop *m_loop = nullptr;
    std::atomic<std::uint64_t> m_generation = 0;
    std::atomic<bool> m_isClosing = false;
    std::atomic<bool> m_areNice = false;
    std::atomic<int> m_threads = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, 256U));
    std::vector<std::jthread> m_workers;
};

Pool &pool()
{
    static Pool instance;
    return instance;
}

} // namespace

int threadCount()
{
    return pool().threads();
}

void setThreadCount(int count)
{
    if (count <= 0)
        count = static_cast<int>(std::thread::hardware_concurrency());
    pool().resize(std::clamp(count, 1, 256));
}

void giveWay()
{
#if defined(__linux__)
    constexpr int niceness = 10;
    const auto thread = static_cast<id_t>(syscall(SYS_gettid));
    if (getpriority(PRIO_PROCESS, thread) < niceness)
        setpriority(PRIO_PROCESS, thread, niceness);
#endif
}

void letHelpersGiveWay()
{
    pool().letHelpersGiveWay();
}

void parallelFor(Index count, const std::function<void(Index)> &body)
{
    if (count <= 1 || isInsideLoop || pool().threads() == 1) {
        for (Index index = 0; index < count; ++index)
            body(index);
        return;
    }
    pool().run(count, body);
}

} // namespace attenscope
