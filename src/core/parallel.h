// SPDX-License-Identifier: GPL-3.0-or-later
// The engine's own small thread pool: persistent workers, one loop at a time.
#pragma once

#include "core/matrix.h"

#include <functional>

namespace attenscope {

/// How many threads parallelFor() uses, the calling one included; 1 to 256.
[[nodiscard]] int threadCount();
/// Sets threadCount(); 0 means one per processor. Not while a loop runs.
void setThreadCount(int count);
/// Lets other threads of the machine go before the calling one (nice 10). On Linux only, where niceness belongs to the thread.
void giveWay();
/// From now on the threads that help parallelFor() give way: for a program whose window is to stay fluid while every core computes.
/// Without it they are as nice as the thread that ran the first loop. Not while a loop runs.
void letHelpersGiveWay();

/// Calls @p body(index) for every index in [0, count), each exactly once, on the pool and the calling thread, and returns when
/// all are done. Indices are handed out in ascending order. A call from inside a body runs serially. @p body must not throw.
/// Results must not depend on which thread ran what: write to a place owned by the index.
void parallelFor(Index count, const std::function<void(Index)> &body);

} // namespace attenscope
