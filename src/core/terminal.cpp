// SPDX-License-Identifier: GPL-3.0-or-later
// A thread that waits for signals, and a line that is written over.
#include "core/terminal.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <thread>
#include <unistd.h>

namespace attenscope {

struct Terminal::State {
    std::stop_source stop;
    std::atomic<int> signal = 0;
    std::mutex writing;
    int percent = -1; ///< That stands in the line; less than 0: none.
};

namespace {

/// Those that end the process: a shell lets what it starts in the background ignore SIGINT.
sigset_t stopSignals()
{
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : { SIGINT, SIGTERM }) {
        struct sigaction action { };
        sigaction(signal, nullptr, &action);
        if (action.sa_handler != SIG_IGN)
            sigaddset(&signals, signal);
    }
    return signals;
}

/// In this thread signals end the process again.
void letSignalsThrough()
{
    const sigset_t signals = stopSignals();
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

} // namespace

Terminal::Terminal()
    : m_state(std::make_shared<State>())
{
    // Threads that are started from now on block them too, and only the one that waits gets them.
    const sigset_t signals = stopSignals();
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    std::thread([state = m_state, signals] {
        int signal = 0;
        if (sigwait(&signals, &signal) != 0)
            return;
        state->signal = signal;
        state->stop.request_stop();
        letSignalsThrough();
        std::this_thread::sleep_for(std::chrono::seconds(2));
        kill(getpid(), signal);
    }).detach();
    m_run.stop = m_state->stop.get_token();
    if (isatty(STDERR_FILENO) == 0)
        return;
    m_run.progress = [state = m_state](double fraction) {
        const std::lock_guard lock(state->writing);
        const int percent = static_cast<int>(fraction * 100);
        if (percent == state->percent)
            return;
        state->percent = percent;
        std::fprintf(stderr, "\r%3d %%", percent);
    };
    m_run = m_run.rising();
}

void Terminal::clear() const
{
    const std::lock_guard lock(m_state->writing);
    if (m_state->percent >= 0)
        std::fputs("\r     \r", stderr);
    m_state->percent = -1;
}

void Terminal::endIfStopped() const
{
    const int signal = m_state->signal;
    if (signal == 0)
        return;
    clear();
    letSignalsThrough();
    raise(signal);
}

} // namespace attenscope
