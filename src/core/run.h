// SPDX-License-Identifier: GPL-3.0-or-later
// What long work is given besides its inputs: a way to be stopped and a way to say how far it is.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <stop_token>

namespace attenscope {

/// Passed by const reference to anything that may take longer than a frame; a default one never stops and says nothing.
struct Run {
    std::stop_token stop;
    /// Called with the finished fraction 0 to 1, from any thread, at most a few hundred times.
    std::function<void(double)> progress;

    [[nodiscard]] bool stopped() const { return stop.stop_requested(); }
    void report(double fraction) const
    {
        if (progress)
            progress(fraction);
    }

    /// Part @p at, from 0, of @p count parts that take about as long: it stops with the whole, and what it reports is a share of the whole.
    [[nodiscard]] Run part(std::ptrdiff_t at, std::ptrdiff_t count) const;
    /// The same work, told of by one thread at a time and never backwards: those who work side by side report in any order.
    [[nodiscard]] Run rising() const;
};

/// Counts the pieces of one piece of work as they are done, on any thread, and reports whole per cents only: progress crosses threads.
class DoneCount {
public:
    /// @p run must live as long.
    DoneCount(const Run &run, std::ptrdiff_t total)
        : m_run(run)
        , m_total(total)
    {
    }

    void add(std::ptrdiff_t pieces = 1);

private:
    const Run &m_run;
    std::ptrdiff_t m_total;
    std::atomic<std::ptrdiff_t> m_done = 0;
};

} // namespace attenscope
