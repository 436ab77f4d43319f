// SPDX-License-Identifier: GPL-3.0-or-later
// When Autosave writes and removes its copy, and how it tells the copies of the dead from those of the living.
#include "state/autosave.h"

#include "io/session_file.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <QUuid>

#include <algorithm>

namespace attenscope {

namespace {

QString lockPath(const QString &path)
{
    return path + QStringLiteral(".lock");
}

} // namespace

Autosave::Autosave(Document &document, Selection &selection, const QString &folder, Delays delays, QObject *parent)
    : QObject(parent)
    , m_document(document)
    , m_selection(selection)
    , m_delays(delays)
    , m_path(QDir(folder).filePath(QStringLiteral("recovery-%1.attn").arg(QUuid::createUuid().toString(QUuid::WithoutBraces))))
    , m_lock(lockPath(m_path))
    , m_job(std::make_unique<Job>())
{
    m_lock.setStaleLockTime(0);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &Autosave::write);
    connect(&m_document, &Document::changed, this, &Autosave::schedule);
    // The undo stack knows only after changed() that there is something to save.
    connect(&m_document, &Document::savedChanged, this, [this] {
        if (m_document.isModified())
            schedule();
        else
            remove();
    });
}

Autosave::Autosave(Document &document, Selection &selection, QObject *parent)
    : Autosave(document, selection, defaultFolder(), Delays(), parent)
{
}

Autosave::~Autosave()
{
    m_job.reset();
    QFile::remove(m_path);
}

QString Autosave::defaultFolder()
{
    return QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation)).filePath(QStringLiteral("recovery"));
}

QStringList Autosave::leftover(const QString &folder)
{
    QStringList paths;
    const QFileInfoList files = QDir(folder).entryInfoList({ QStringLiteral("recovery-*.attn") }, QDir::Files, QDir::Time);
    for (const QFileInfo &file : files) {
        // Stale only if its process is gone.
        QLockFile lock(lockPath(file.absoluteFilePath()));
        lock.setStaleLockTime(0);
        if (lock.tryLock(0))
            paths.append(file.absoluteFilePath());
    }
    return paths;
}

void Autosave::forget(const QString &path)
{
    QFile::remove(path);
    QFile::remove(lockPath(path));
}

void Autosave::schedule()
{
    using std::chrono::milliseconds;
    if (!m_document.isModified())
        return;
    if (!m_sinceFirstChange.isValid())
        m_sinceFirstChange.start();
    const milliseconds latest = m_delays.most - milliseconds(m_sinceFirstChange.elapsed());
    milliseconds wait = std::min(m_delays.quiet, latest);
    if (m_sinceWrite.isValid())
        wait = std::max(wait, m_delays.most - milliseconds(m_sinceWrite.elapsed()));
    m_timer.start(std::max(wait, milliseconds(0)));
}

void Autosave::write()
{
    m_sinceFirstChange.invalidate();
    m_sinceWrite.start();
    if (!m_lock.isLocked()) {
        QDir().mkpath(QFileInfo(m_path).path());
        m_lock.tryLock(0);
    }
    m_job->start([this, path = m_path.toStdString(), session = m_document.session(), selection = m_selection.state()](
                     const Run &, const Job::Deliver &deliver) {
        const auto saved = saveSession(path, session, selection);
        deliver([this, saved] {
            if (!saved && !m_hasFailed)
                emit failed(saved.error());
            m_hasFailed = !saved;
            if (saved)
                emit written();
        });
    });
}

void Autosave::remove()
{
    m_timer.stop();
    m_sinceFirstChange.invalidate();
    // In the job, because a copy may just be being written there.
    m_job->start([path = m_path](const Run &, const Job::Deliver &) { QFile::remove(path); });
}

} // namespace attenscope
