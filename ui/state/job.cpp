// SPDX-License-Identifier: GPL-3.0-or-later
// The thread behind Job: it takes the newest work, and what it says reaches the window only while that work is still the newest.
#include "state/job.h"

#include "core/parallel.h"

#include <QMetaObject>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace attenscope {

class Job::Thread {
public:
    explicit Thread(Job &job)
        : m_job(job)
    {
    }

    ~Thread()
    {
        stopCurrent();
        {
            const std::lock_guard lock(m_mutex);
            m_isClosing = true;
            m_next = nullptr;
        }
        m_wake.notify_all();
    }

    void start(Work work)
    {
        stopCurrent();
        {
            const std::lock_guard lock(m_mutex);
            m_stop = std::stop_source();
            m_next = std::move(work);
            m_nextTicket = m_ticket;
        }
        m_isRunning = true;
        if (!m_thread.joinable())
            m_thread = std::jthread([this] { loop(); });
        m_wake.notify_all();
    }

    /// From here on nothing of the present work arrives.
    void stopCurrent()
    {
        ++m_ticket;
        m_isRunning = false;
        const std::lock_guard lock(m_mutex);
        m_stop.request_stop();
        m_next = nullptr;
    }

    [[nodiscard]] bool isRunning() const { return m_isRunning; }

private:
    void loop()
    {
        giveWay();
        while (true) {
            Work work;
            std::uint64_t ticket = 0;
            std::stop_token stop;
            {
                std::unique_lock lock(m_mutex);
                m_wake.wait(lock, [this] { return m_isClosing || m_next; });
                if (m_isClosing)
                    return;
                work = std::exchange(m_next, nullptr);
                ticket = m_nextTicket;
                stop = m_stop.get_token();
            }
            perform(work, ticket, stop);
        }
    }

    void perform(const Work &work, std::uint64_t ticket, const std::stop_token &stop)
    {
        constexpr int steps = 200;
        const auto lastStep = std::make_shared<std::atomic<int>>(-1);
        Run run;
        run.stop = stop;
        run.progress = [this, ticket, lastStep](double fraction) {
            const int step = static_cast<int>(fraction * steps);
            if (lastStep->exchange(step) != step)
                post(ticket, [this, fraction] { emit m_job.progressed(fraction); });
        };
        work(run, [this, ticket](std::function<void()> function) { post(ticket, std::move(function)); });
        post(ticket, [this] {
            m_isRunning = false;
            emit m_job.finished();
        });
    }

    /// Runs @p function on the thread of the job, unless its work is no longer the newest by then.
    void post(std::uint64_t ticket, std::function<void()> function)
    {
        QMetaObject::invokeMethod(
            &m_job,
            [this, ticket, function = std::move(function)] {
                if (ticket == m_ticket)
                    function();
            },
            Qt::QueuedConnection);
    }

    Job &m_job;
    std::uint64_t m_ticket = 0; ///< Of the newest work; window's thread only.
    bool m_isRunning = false; ///< The same.

    std::mutex m_mutex;
    std::condition_variable m_wake;
    Work m_next;
    std::uint64_t m_nextTicket = 0;
    std::stop_source m_stop;
    bool m_isClosing = false;
    std::jthread m_thread; ///< Last: joined before what it uses goes.
};

Job::Job(QObject *parent)
    : QObject(parent)
    , m_thread(std::make_unique<Thread>(*this))
{
}

Job::~Job() = default;

void Job::start(Work work)
{
    m_thread->start(std::move(work));
}

void Job::cancel()
{
    m_thread->stopCurrent();
}

bool Job::isRunning() const
{
    return m_thread->isRunning();
}

} // namespace attenscope
