// SPDX-License-Identifier: GPL-3.0-or-later
// Job: work off the window's thread that can be cancelled; the newest wins.
#pragma once

#include "core/run.h"

#include <QObject>

#include <functional>
#include <memory>

namespace attenscope {

/// Runs one piece of work at a time on a thread of its own that gives way to the window's. Work carries its inputs by value. GUI thread only.
class Job : public QObject {
    Q_OBJECT

public:
    using Deliver = std::function<void(std::function<void()>)>;
    /// @p deliver runs a function on the GUI thread later, unless the work has been cancelled or replaced by then.
    using Work = std::function<void(const Run &run, const Deliver &deliver)>;

    explicit Job(QObject *parent = nullptr);
    /// Cancels and waits.
    ~Job() override;

    /// Cancels what runs and starts @p work as soon as that has stopped; nothing it still delivers arrives.
    void start(Work work);
    void cancel();
    [[nodiscard]] bool isRunning() const;

signals:
    void progressed(double fraction);
    /// Work ended by itself (not after cancel()).
    void finished();

private:
    class Thread;
    std::unique_ptr<Thread> m_thread;
};

} // namespace attenscope
