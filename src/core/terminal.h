// SPDX-License-Identifier: GPL-3.0-or-later
// Terminal: a command says there how far it is, and stops at Ctrl+C without leaving half a file.
#pragma once

#include "core/run.h"

#include <memory>

namespace attenscope {

/// What a program without a window has of the terminal that it was started in. One per process, made before any other thread.
class Terminal {
public:
    /// From here on SIGINT and SIGTERM ask run() to stop. The second one, and work that does not stop within two seconds, end the process.
    Terminal();

    /// Stops when the user asks; tells how far it is on standard error, where that is a terminal.
    [[nodiscard]] const Run &run() const { return m_run; }
    /// Takes the percentage away, so that a sentence can stand there.
    void clear() const;
    /// Ends the process by the signal that stopped the work, as shells expect; returns where none came.
    void endIfStopped() const;

private:
    struct State;
    std::shared_ptr<State> m_state;
    Run m_run;
};

} // namespace attenscope
