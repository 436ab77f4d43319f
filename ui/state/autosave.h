// SPDX-License-Identifier: GPL-3.0-or-later
// Autosave: a copy of unsaved work beside the user's settings, so that a kill or a power cut costs seconds.
#pragma once

#include "state/document.h"
#include "state/selection.h"

#include <QElapsedTimer>
#include <QLockFile>
#include <QTimer>

#include <chrono>
#include <memory>

namespace attenscope {

/// Writes the session while it has unsaved changes; the copy goes when they are saved, and on a clean exit (destructor).
class Autosave : public QObject {
    Q_OBJECT

public:
    /// Pauses between edits and the copy.
    struct Delays {
        std::chrono::milliseconds quiet{ 2000 }; ///< After the last edit,
        std::chrono::milliseconds most{ 10'000 }; ///< but no later than this after the first one, and no more often than this.
    };

    Autosave(Document &document, Selection &selection, const QString &folder, Delays delays, QObject *parent = nullptr);
    /// In defaultFolder().
    Autosave(Document &document, Selection &selection, QObject *parent = nullptr);
    ~Autosave() override;

    [[nodiscard]] static QString defaultFolder();
    /// Copies of processes that ended without cleaning up, newest first; loadSession() reads them. Restore one by edit(), so that it counts as unsaved.
    [[nodiscard]] static QStringList leftover(const QString &folder = defaultFolder());
    /// Deletes a copy that was restored or refused.
    static void forget(const QString &path);

    /// Where this process writes.
    [[nodiscard]] QString path() const { return m_path; }

signals:
    /// The copy has all that was there when it was begun.
    void written();
    /// The copy could not be written; once, until one can.
    void failed(const attenscope::Error &error);

private:
    void schedule();
    void write();
    void remove();

    Document &m_document;
    Selection &m_selection;
    Delays m_delays;
    QString m_path;
    QLockFile m_lock;
    QTimer m_timer;
    QElapsedTimer m_sinceFirstChange; ///< Invalid: everything is written.
    QElapsedTimer m_sinceWrite;
    bool m_hasFailed = false;
    std::unique_ptr<Job> m_job;
};

} // namespace attenscope
