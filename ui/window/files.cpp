// SPDX-License-Identifier: GPL-3.0-or-later
// Files: opening, saving, recovery.
#include "window/files.h"

#include "state/autosave.h"
#include "window/numbers.h"

#include <QDateTime>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>

#include <chrono>

namespace attenscope {

namespace {

const QString sessionSuffix = QStringLiteral("attn");

bool isSessionFile(const QString &path)
{
    return QFileInfo(path).suffix().compare(sessionSuffix, Qt::CaseInsensitive) == 0;
}

QStringList fileNames(const QStringList &paths)
{
    QStringList names;
    for (const QString &path : paths)
        names << QFileInfo(path).fileName();
    return names;
}

/// "All Attenscope can open (*.npy …);;NumPy array (*.npy);;…"
QString openFilter()
{
    const auto pattern = [](const Format &format) {
        QStringList patterns;
        for (const std::string &extension : format.extensions)
            patterns << QStringLiteral("*.") + QString::fromStdString(extension);
        return patterns.join(QLatin1Char(' '));
    };
    QStringList all{ QStringLiteral("*.") + sessionSuffix };
    QStringList filters{ Files::tr("Session") + QStringLiteral(" (*.attn)") };
    for (const Format &format : formats()) {
        all << pattern(format);
        filters << QStringLiteral("%1 (%2)").arg(QString::fromStdString(format.name), pattern(format));
    }
    all.removeDuplicates();
    filters.removeDuplicates();
    filters.prepend(QStringLiteral("%1 (%2)").arg(Files::tr("Everything that can be opened"), all.join(QLatin1Char(' '))));
    filters << Files::tr("All files") + QStringLiteral(" (*)");
    return filters.join(QStringLiteral(";;"));
}

Message notice(const QString &what, const QString &where = {}, const QString &remedy = {})
{
    return { Message::Kind::Notice, Error{ what.toStdString(), where.toStdString(), remedy.toStdString(), {} }, {} };
}

std::vector<std::string> toPaths(const QStringList &paths)
{
    std::vector<std::string> standard;
    for (const QString &path : paths)
        standard.push_back(path.toStdString());
    return standard;
}

} // namespace

CellRef samplePick(const Session &sample)
{
    return std::holds_alternative<TokensSource>(sample.source) ? CellRef{ 2, 0 } : CellRef{ 0, 2 };
}

Files::Files(Document &document, Selection &selection, MessageBar &messages, LoadingBar &loading, QWidget *window)
    : QObject(window)
    , m_document(document)
    , m_selection(selection)
    , m_messages(messages)
    , m_loading(loading)
    , m_window(window)
{
    connect(&m_job, &Job::progressed, &m_loading, &LoadingBar::setProgress);
    connect(&m_job, &Job::finished, &m_loading, &LoadingBar::finish);
    connect(&m_loading, &LoadingBar::cancelled, this, [this] {
        m_job.cancel();
        m_loading.finish();
    });
    connect(&m_document, &Document::resultChanged, this, &Files::showNotes);
    connect(&m_document, &Document::changed, this, [this](const Session &before, const Session &after) {
        if (!(before.source == after.source))
            watch();
    });
    // A file is written in many pieces.
    constexpr std::chrono::milliseconds betweenPieces(300);
    m_changes.setSingleShot(true);
    m_changes.setInterval(betweenPieces);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, &m_changes, qOverload<>(&QTimer::start));
    connect(&m_changes, &QTimer::timeout, this, [this] {
        // One that was replaced is another file, which is not watched yet.
        watch();
        checkChanged();
    });
}

void Files::open(const QStringList &paths)
{
    if (paths.isEmpty() || !mayReplace())
        return;
    load(paths);
}

void Files::openDialog()
{
    const QString folder = m_settings.recentFiles().isEmpty()
        ? QDir::homePath()
        : QFileInfo(m_settings.recentFiles().first().section(QLatin1Char('\n'), 0, 0)).path();
    open(QFileDialog::getOpenFileNames(m_window, tr("Open"), folder, openFilter()));
}

bool Files::openSample(const Session &sample)
{
    if (!mayReplace())
        return false;
    m_job.cancel();
    m_loading.finish();
    clearMessages();
    m_selection.restore({});
    m_document.reset(sample);
    if (isSampleName(sample.name))
        m_selection.setPicked(samplePick(sample));
    emit opened();
    return true;
}

void Files::load(const QStringList &paths)
{
    QStringList absolute;
    for (const QString &path : paths)
        absolute << QFileInfo(path).absoluteFilePath();
    const bool hasSession = std::any_of(absolute.begin(), absolute.end(), isSessionFile);
    if (hasSession && absolute.size() > 1) {
        showError({ "A session is opened alone.",
            "One of these files is a session: " + fileNames(absolute).join(QStringLiteral(", ")).toStdString() + ".",
            "Open it by itself, or open the data files without it.", {} });
        return;
    }
    m_loading.start(tr("Reading %1…").arg(fileNames(absolute).join(QStringLiteral(", "))));
    m_job.start([this, absolute, hasSession](const Run &run, const Job::Deliver &deliver) {
        auto loaded = std::make_shared<Loaded>();
        if (hasSession) {
            Result<SessionFile> file = loadSession(absolute.first().toStdString(), run);
            *loaded = file ? Loaded(std::move(file).value()) : Loaded(file.error());
        } else {
            Result<FileSource> source = openFiles(toPaths(absolute), run);
            *loaded = source ? Loaded(sessionFor(std::move(source).value())) : Loaded(source.error());
        }
        deliver([this, loaded, absolute] { showLoaded(std::move(*loaded), absolute); });
    });
}

void Files::showLoaded(Loaded loaded, const QStringList &paths)
{
    m_loading.finish();
    if (const auto *error = std::get_if<Error>(&loaded)) {
        showError(*error);
        return;
    }
    m_settings.addRecentFile(paths.join(QLatin1Char('\n')));
    clearMessages();
    m_hasSaidChanged = false;
    if (auto *file = std::get_if<SessionFile>(&loaded)) {
        showSession(std::move(*file), paths.first());
        return;
    }
    m_selection.restore({});
    m_waitsForNotes = true;
    m_document.reset(std::get<Session>(std::move(loaded)));
    emit opened();
}

void Files::showSession(SessionFile file, const QString &path)
{
    m_selection.restore({});
    // A file may have been renamed, and was written before its session was named after it.
    if (!path.isEmpty())
        file.session.name = QFileInfo(path).completeBaseName().toStdString();
    m_document.reset(std::move(file.session), path);
    m_selection.restore(file.selection);
    emit opened();
    if (!file.missing.empty())
        showMissing(QString::fromStdString(file.missing.front().path), static_cast<int>(file.missing.size()));
}

void Files::showMissing(const QString &path, int count)
{
    const QString what
        = count == 1 ? tr("A data file of this session is missing.") : tr("%1 data files of this session are missing.").arg(count);
    const Error error{ what.toStdString(), {}, tr("Locate it, or put it back to where it was.").toStdString(), path.toStdString() };
    m_messages.showMessage({ Message::Kind::Error, error, {} }, { { tr("Locate…"), [this, path] { locate(path); } } });
}

void Files::showError(const Error &error)
{
    m_messages.showMessage({ Message::Kind::Error, error, {} }, { { tr("Choose another file…"), [this] { openDialog(); } } });
}

void Files::showNotes()
{
    if (!m_waitsForNotes || m_document.isComputing())
        return;
    m_waitsForNotes = false;
    if (m_document.problem() && !m_document.problem()->error.isCancelled) {
        showError(m_document.problem()->error);
        return;
    }
    const auto &notes = m_document.notes();
    if (notes.empty() || m_messages.isShown())
        return;
    QStringList rest;
    for (std::size_t i = 1; i < notes.size(); ++i)
        rest << QString::fromStdString(notes[i]);
    m_messages.showMessage(notice(QString::fromStdString(notes.front()), rest.join(QLatin1Char(' '))));
}

void Files::locate(const QString &wanted)
{
    const auto *source = std::get_if<FileSource>(&m_document.session().source);
    if (!source)
        return;
    const QString name = QFileInfo(wanted).fileName();
    const QString found = QFileDialog::getOpenFileName(m_window, tr("Locate %1").arg(name), QFileInfo(m_document.path()).path(),
        QStringLiteral("%1 (%1);;%2 (*)").arg(name, tr("All files")));
    if (found.isEmpty())
        return;
    Session next = m_document.session();
    std::vector<std::string> paths;
    QStringList missing;
    for (FileRef &file : std::get<FileSource>(next.source).files) {
        if (file.path == wanted.toStdString())
            file.path = found.toStdString();
        paths.push_back(file.path);
        if (!QFileInfo::exists(QString::fromStdString(file.path)))
            missing << QString::fromStdString(file.path);
    }
    if (!missing.isEmpty()) {
        m_document.edit(std::move(next), tr("locate"));
        showMissing(missing.first(), static_cast<int>(missing.size()));
        return;
    }
    m_loading.start(tr("Reading %1…").arg(QFileInfo(found).fileName()));
    m_job.start([this, paths](const Run &run, const Job::Deliver &deliver) {
        auto opened = std::make_shared<Result<FileSource>>(openFiles(paths, run));
        deliver([this, opened] {
            m_loading.finish();
            if (!*opened) {
                showError(opened->error());
                return;
            }
            Session reopened = m_document.session();
            const auto saved = std::get<FileSource>(reopened.source);
            FileSource located = std::move(*opened).value();
            // How the tensors were meant is the session's, as long as there are as many.
            if (saved.uses.size() == located.uses.size())
                located.uses = saved.uses;
            located.queryTokens = saved.queryTokens;
            located.keyTokens = saved.keyTokens;
            reopened.source = std::move(located);
            m_messages.clear();
            m_document.edit(std::move(reopened), tr("locate"));
        });
    });
}

bool Files::save()
{
    if (m_document.path().isEmpty())
        return saveAs();
    const Result<void> saved = saveSession(m_document.path().toStdString(), m_document.session(), m_selection.state());
    if (!saved) {
        m_messages.showMessage({ Message::Kind::Error, saved.error(), {} }, { { tr("Save as…"), [this] { saveAs(); } } });
        return false;
    }
    m_messages.clear();
    m_document.setSaved(m_document.path());
    m_settings.addRecentFile(m_document.path());
    return true;
}

bool Files::saveAs()
{
    const QString name = QString::fromStdString(m_document.session().name) + QStringLiteral(".attn");
    const QString folder = m_document.path().isEmpty() ? QDir::homePath() : QFileInfo(m_document.path()).path();
    QString path = QFileDialog::getSaveFileName(
        m_window, tr("Save session"), QDir(folder).filePath(name), tr("Session") + QStringLiteral(" (*.attn)"));
    if (path.isEmpty())
        return false;
    if (!isSessionFile(path))
        path += QStringLiteral(".attn");
    const Result<void> saved = saveSession(path.toStdString(), m_document.session(), m_selection.state());
    if (!saved) {
        m_messages.showMessage({ Message::Kind::Error, saved.error(), {} }, { { tr("Save elsewhere…"), [this] { saveAs(); } } });
        return false;
    }
    m_messages.clear();
    m_document.setSaved(path);
    m_settings.addRecentFile(path);
    return true;
}

bool Files::mayReplace()
{
    if (!m_document.isModified())
        return true;
    QMessageBox question(QMessageBox::NoIcon, tr("Unsaved changes"),
        tr("Save this session of “%1”?").arg(QString::fromStdString(m_document.session().name)),
        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, m_window);
    // A name such as sent.safetensors is that of the data, which are only read.
    question.setInformativeText(m_document.path().isEmpty()
            ? tr("It becomes an .attn file of its own; opened data stay as they are. Without saving, the changes are lost.")
            : tr("It is kept in %1; opened data stay as they are. Without saving, the changes are lost.")
                  .arg(QFileInfo(m_document.path()).fileName()));
    question.setDefaultButton(QMessageBox::Save);
    question.button(QMessageBox::Save)->setProperty("primary", true);
    switch (question.exec()) {
    case QMessageBox::Save:
        return save();
    case QMessageBox::Discard:
        return true;
    default:
        return false;
    }
}

void Files::fillRecent(QMenu *menu)
{
    menu->clear();
    const QStringList recent = m_settings.recentFiles();
    for (const QString &entry : recent) {
        const QStringList paths = entry.split(QLatin1Char('\n'));
        QString text = fileNames(paths).join(QStringLiteral(", "));
        QAction *action
            = menu->addAction(menu->fontMetrics().elidedText(text.replace(QLatin1Char('&'), QStringLiteral("&&")), Qt::ElideMiddle, 400));
        action->setToolTip(paths.join(QLatin1Char('\n')));
        connect(action, &QAction::triggered, this, [this, paths] { open(paths); });
    }
    if (recent.isEmpty()) {
        menu->addAction(tr("Nothing opened yet"))->setEnabled(false);
        return;
    }
    menu->addSeparator();
    connect(menu->addAction(tr("Clear this list")), &QAction::triggered, this, [this] { m_settings.clearRecentFiles(); });
}

void Files::offerRecovery()
{
    QStringList copies = Autosave::leftover();
    copies.removeIf([this](const QString &copy) { return m_restored.contains(copy); });
    m_isRecoveryOpen = !copies.isEmpty();
    if (copies.isEmpty())
        return;
    const QString copy = copies.first();
    const QDateTime when = QFileInfo(copy).lastModified();
    const QString time
        = when.date() == QDate::currentDate() ? when.toString(QStringLiteral("HH:mm")) : when.toString(QStringLiteral("yyyy-MM-dd HH:mm"));
    m_messages.showMessage(notice(tr("A session from %1 was not saved.").arg(time), tr("The program ended before it could be.")),
        { { tr("Restore"), [this, copy] { restore(copy); } }, { tr("Discard"), [this, copy] {
                                                                   Autosave::forget(copy);
                                                                   m_messages.clear();
                                                                   offerRecovery();
                                                               } } });
}

void Files::clearMessages()
{
    m_messages.clear();
    // A copy that was offered and not answered is not forgotten for a success with something else.
    if (m_isRecoveryOpen)
        offerRecovery();
}

void Files::restore(const QString &copy)
{
    if (!mayReplace())
        return;
    Result<SessionFile> file = loadSession(copy.toStdString());
    if (!file) {
        showError(file.error());
        return;
    }
    m_messages.clear();
    m_isRecoveryOpen = false;
    // It was saved nowhere that the user knows: no path, and closing asks whatever has been undone.
    if (const std::string mark = tr(" (restored)").toStdString(); !file->session.name.ends_with(mark))
        file->session.name += mark;
    showSession(std::move(file).value(), {});
    m_document.setUnsaved();
    m_restored.append(copy);
    offerRecovery();
}

void Files::forgetRestored()
{
    for (const QString &copy : std::as_const(m_restored))
        Autosave::forget(copy);
    m_restored.clear();
}

void Files::checkChanged()
{
    const auto *source = std::get_if<FileSource>(&m_document.session().source);
    if (!source || !source->tensors || m_hasSaidChanged || m_job.isRunning())
        return;
    const Result<void> unchanged = checkUnchanged(*source);
    if (unchanged)
        return;
    m_hasSaidChanged = true;
    m_messages.showMessage({ Message::Kind::Notice, unchanged.error(), {} }, { { tr("Reload"), [this] { reload(); } } });
}

void Files::showMessage(const Message &message)
{
    const auto *source = std::get_if<FileSource>(&m_document.session().source);
    if (!source || !source->tensors || message.kind != Message::Kind::Error || checkUnchanged(*source)) {
        m_messages.showMessage(message);
        return;
    }
    m_hasSaidChanged = true;
    m_messages.showMessage(message, { { tr("Reload"), [this] { reload(); } } });
}

void Files::watch()
{
    QStringList wanted;
    if (const auto *source = std::get_if<FileSource>(&m_document.session().source)) {
        for (const FileRef &file : source->files)
            wanted << QString::fromStdString(file.path);
    }
    for (const QString &path : m_watcher.files()) {
        if (!wanted.contains(path))
            m_watcher.removePath(path);
        else
            wanted.removeAll(path);
    }
    wanted.removeIf([](const QString &path) { return !QFileInfo::exists(path); });
    if (!wanted.isEmpty())
        m_watcher.addPaths(wanted);
}

void Files::reload()
{
    const auto *source = std::get_if<FileSource>(&m_document.session().source);
    if (!source || !mayReplace())
        return;
    QStringList paths;
    for (const FileRef &file : source->files)
        paths << QString::fromStdString(file.path);
    m_hasSaidChanged = false;
    load(paths);
}

} // namespace attenscope
