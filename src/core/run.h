// SPDX-License-Identifier: GPL-3.0-or-later
// What long work is given besides its inputs: a way to be stopped and a way to say how far it is.
#pragma once

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
};

} // namespace attenscope
