// SPDX-License-Identifier: GPL-3.0-or-later
// Fetcher: a worker that makes what a picture lacked, most wanted first, while every picture may want something else.
#pragma once

#include "state/job.h"

#include <algorithm>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace attenscope {

/// Makes values of keys on a thread of its own. A request replaces what waits, never what is being made: a pan that asks anew with every frame would
/// otherwise never get anything. GUI thread only.
template <typename Key, typename Value>
class Fetcher {
public:
    /// On the worker's thread; nothing where it was stopped or there is no such value.
    using Make = std::function<std::optional<Value>(const Key &, const Run &)>;

    /// @p ready is called on the GUI thread whenever there is something to take.
    Fetcher(Make make, std::function<void()> ready)
        : m_make(std::move(make))
        , m_ready(std::move(ready))
        , m_queue(std::make_shared<Queue>())
    {
    }

    /// First ones first.
    void request(std::vector<Key> wanted)
    {
        std::reverse(wanted.begin(), wanted.end());
        {
            const std::lock_guard lock(m_queue->mutex);
            std::erase_if(wanted, [this](const Key &key) { return m_queue->isUnderWay(key); });
            m_queue->waiting = std::move(wanted);
            if (m_queue->isServed || m_queue->waiting.empty())
                return;
            m_queue->isServed = true;
        }
        m_job.start([this, make = m_make, queue = m_queue](const Run &run, const Job::Deliver &) {
            while (const std::optional<Key> key = queue->next(run)) {
                std::optional<Value> value = make(*key, run);
                if (!value)
                    continue;
                {
                    const std::lock_guard lock(queue->mutex);
                    queue->finished.emplace_back(*key, std::move(*value));
                }
                // Not through the job: what a worker finished must arrive even when the next one has been started meanwhile.
                QMetaObject::invokeMethod(&m_job, m_ready, Qt::QueuedConnection);
            }
        });
    }

    /// What has been made since the last call.
    [[nodiscard]] std::vector<std::pair<Key, Value>> takeFinished()
    {
        const std::lock_guard lock(m_queue->mutex);
        return std::exchange(m_queue->finished, {});
    }

private:
    /// Shared with the worker.
    struct Queue {
        std::mutex mutex;
        std::vector<Key> waiting; ///< Last one first, so that taking is cheap.
        std::optional<Key> reading;
        std::vector<std::pair<Key, Value>> finished;
        bool isServed = false; ///< A worker will look at waiting again.

        [[nodiscard]] bool isUnderWay(const Key &key) const
        {
            return reading == key || std::any_of(finished.begin(), finished.end(), [&](const auto &one) { return one.first == key; });
        }
        [[nodiscard]] std::optional<Key> next(const Run &run)
        {
            const std::lock_guard lock(mutex);
            reading.reset();
            if (waiting.empty() || run.stopped()) {
                isServed = false;
                return std::nullopt;
            }
            reading = std::move(waiting.back());
            waiting.pop_back();
            return reading;
        }
    };

    Make m_make;
    std::function<void()> m_ready;
    std::shared_ptr<Queue> m_queue;
    Job m_job; ///< Last: its thread ends before what it uses goes.
};

} // namespace attenscope
