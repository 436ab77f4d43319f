// SPDX-License-Identifier: GPL-3.0-or-later
// Files: opening, saving and finding again what the document is made of, without ever blocking the window.
#pragma once

#include "io/open.h"
#include "io/session_file.h"
#include "state/document.h"
#include "state/selection.h"
#include "state/settings.h"
#include "window/message_bar.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QStringList>
#include <QTimer>

class QMenu;

namespace attenscope {

/// Opens by dialog, drop, command line, recent list and recovery; answers in the message bar. @p window is the parent of its dialogs.
class Files : public QObject {
    Q_OBJECT

public:
    Files(Document &document, Selection &selection, MessageBar &messages, LoadingBar &loading, QWidget *window);

    /// One session, or data files that belong together. Asks about unsaved changes first.
    void open(const QStringList &paths);
    void openDialog();
    /// Replaces the document by a sample or by an empty one. False: the user kept the old one.
    bool openSample(const Session &sample);
    /// False where it was not saved.
    bool save();
    bool saveAs();
    /// Unsaved changes: Save, Discard or Cancel. False: cancelled.
    [[nodiscard]] bool mayReplace();

    /// The recent files, newest first, and a row that empties the list.
    void fillRecent(QMenu *menu);
    /// Asks where the data file that was at @p wanted is now, and reads it.
    void locate(const QString &wanted);
    /// Offers what an earlier start that ended without a clean exit has left.
    void offerRecovery();
    /// Deletes the copies that were restored: what they hold is kept elsewhere now.
    void forgetRestored();
    /// Says so when a data file is no longer as it was opened; once for each opening. Called by itself after a file has changed.
    void checkChanged();
    /// What the document has to say; where a data file is no longer as it was opened, reloading is offered with it.
    void showMessage(const Message &message);

    [[nodiscard]] bool isLoading() const { return m_job.isRunning(); }

signals:
    /// Another document is open.
    void opened();

private:
    using Loaded = std::variant<Error, Session, SessionFile>;
    void load(const QStringList &paths);
    void showLoaded(Loaded loaded, const QStringList &paths);
    void showSession(SessionFile file, const QString &path);
    void showError(const Error &error);
    void showNotes();
    /// After a success; asks again for a copy that is still there.
    void clearMessages();
    void restore(const QString &copy);
    void showMissing(const QString &path, int count);
    void reload();
    /// Is told by the system of changes of the data files of the present source.
    void watch();

    Document &m_document;
    Selection &m_selection;
    MessageBar &m_messages;
    LoadingBar &m_loading;
    QWidget *m_window;
    Settings m_settings;
    Job m_job;
    bool m_waitsForNotes = false;
    bool m_hasSaidChanged = false;
    QFileSystemWatcher m_watcher;
    QTimer m_changes; ///< Runs while a file is being written.
    QStringList m_restored; ///< Copies that stay until what was restored of them is kept elsewhere.
    bool m_isRecoveryOpen = false; ///< A copy was offered and neither restored nor discarded.
};

/// The cell that is picked when a sample opens.
[[nodiscard]] CellRef samplePick(const Session &sample);

} // namespace attenscope
