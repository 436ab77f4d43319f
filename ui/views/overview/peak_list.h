// SPDX-License-Identifier: GPL-3.0-or-later
// PeakList: the largest weights of a long map as rows of exact numbers; a row leads to its cell.
#pragma once

#include "attention/peaks.h"
#include "state/job.h"
#include "views/document_view.h"

class QLabel;
class QProgressBar;
class QPushButton;
class QTableWidget;

namespace attenscope {

/// Looks for them as soon as the exact map is there, in a job with progress and Cancel, and names them in Selection::listed() while it is seen.
class PeakList : public DocumentView {
    Q_OBJECT

public:
    PeakList(Document &document, Selection &selection, QWidget *parent = nullptr);

    /// "off the diagonal and key 0".
    [[nodiscard]] QString titleNote() const;
    [[nodiscard]] const std::vector<Peak> &peaks() const { return m_peaks; }
    [[nodiscard]] bool isSearching() const { return m_job.isRunning(); }

signals:
    void titleNoteChanged();

protected:
    void refresh() override;
    void hideEvent(QHideEvent *event) override;
    void changeEvent(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void search();
    void stop();
    void take(std::vector<Peak> peaks);
    void fill();
    void fit();
    void follow();
    void goTo(int row);
    void copy() const;
    void say(const QString &text, bool canSearch);

    Document &m_document;
    Selection &m_selection;
    MapFieldPtr m_field; ///< That was searched, or is.
    bool m_hasDiagonal = true;
    std::vector<Peak> m_peaks;
    bool m_isFollowing = false;
    QTableWidget *m_table = nullptr;
    QLabel *m_note = nullptr;
    QWidget *m_progress = nullptr;
    QProgressBar *m_bar = nullptr;
    QPushButton *m_again = nullptr;
    Job m_job;
};

} // namespace attenscope
