// SPDX-License-Identifier: GPL-3.0-or-later
// What benchmarks measure with: clocks, interleaved runs, memory of the process, made-up heads.
#pragma once

#include "attention/operands.h"
#include "core/parallel.h"
#include "core/synthetic.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace attenscope::bench {

/// Something to measure and what it took, run by run.
struct Item {
    std::function<void()> work;
    int threads = 1;
    std::function<void()> before = {}; ///< Runs before each run and does not count: so that work finds its own data in the caches.
    std::vector<double> seconds = {};

    /// The part @p share of the way from the shortest to the longest.
    [[nodiscard]] double quantile(double share) const
    {
        std::vector<double> sorted = seconds;
        std::sort(sorted.begin(), sorted.end());
        return sorted[std::min(sorted.size() - 1, static_cast<std::size_t>(share * static_cast<double>(sorted.size())))];
    }
    [[nodiscard]] double median() const { return quantile(0.5); }
};

enum class Clock { Wall, Processor, Thread }; // Thread: what the processor did for the calling one

inline double now(Clock clock)
{
    timespec time{};
    clock_gettime(clock == Clock::Wall  ? CLOCK_MONOTONIC
            : clock == Clock::Processor ? CLOCK_PROCESS_CPUTIME_ID
                                        : CLOCK_THREAD_CPUTIME_ID,
        &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Runs the items in turn, so that all meet the same machine; @p warmUps rounds before do not count.
inline void interleave(std::vector<Item> &items, int rounds, Clock clock, int warmUps = 1)
{
    for (int round = -warmUps; round < rounds; ++round) {
        for (Item &item : items) {
            setThreadCount(item.threads);
            if (item.before)
                item.before();
            const double start = now(clock);
            item.work();
            if (round >= 0)
                item.seconds.push_back(now(clock) - start);
        }
    }
}

/// Bytes of a line of /proc/self/status: "VmRSS:", "VmHWM:"; 0 where there is none.
inline std::uint64_t statusBytes(const std::string &name)
{
    std::ifstream file("/proc/self/status");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with(name))
            return std::strtoull(line.c_str() + name.size(), nullptr, 10) * 1024;
    return 0;
}

/// Resident memory of the process in megabytes: what it took itself, and what of it are files (programs and libraries too) and shared memory.
struct Memory {
    double own = 0.0;
    double files = 0.0;
    double shared = 0.0;

    /// What it has now; with that, the most there has been of each.
    void follow()
    {
        own = std::max(own, static_cast<double>(statusBytes("RssAnon:")) / 1e6);
        files = std::max(files, static_cast<double>(statusBytes("RssFile:")) / 1e6);
        shared = std::max(shared, static_cast<double>(statusBytes("RssShmem:")) / 1e6);
    }
};

/// From here on "VmHWM:" is the most since now.
inline void forgetPeak()
{
    std::ofstream("/proc/self/clear_refs") << 5;
}

/// One head of normal numbers, 64 wide.
inline AttentionBlock normalBlock(Index n)
{
    const SyntheticHead head({ .queries = n, .keys = n }, 0);
    const auto matrix = [n](const auto &row) {
        MatrixF numbers(n, 64);
        parallelFor(n, [&](Index place) {
            std::vector<double> own(64);
            row(place, std::span(own));
            std::transform(own.begin(), own.end(), numbers.row(place).data(), [](double x) { return static_cast<float>(x); });
        });
        std::vector<std::byte> bytes(static_cast<std::size_t>(numbers.size()) * sizeof(float));
        std::copy_n(reinterpret_cast<const std::byte *>(numbers.data()), bytes.size(), bytes.begin());
        return SharedMatrix(Tensor(bytesInMemory(std::move(bytes)), 0, ElementType::F32, { n, 64 }));
    };
    AttentionBlock block;
    block.queries = block.keys = n;
    block.data = ProjectedData{ { matrix([&](Index row, auto out) { head.query(row, out); }) },
        { matrix([&](Index row, auto out) { head.key(row, out); }) }, { matrix([&](Index row, auto out) { head.value(row, out); }) } };
    return block;
}

} // namespace attenscope::bench
