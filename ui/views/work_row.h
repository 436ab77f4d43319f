// SPDX-License-Identifier: GPL-3.0-or-later
// WorkRow: what is said while something waits to be computed or is being computed.
#pragma once

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;
class QTimer;

namespace attenscope {

/// A row with words, progress and one button: Compute (or Continue) or Cancel.
class WorkRow : public QWidget {
    Q_OBJECT

public:
    explicit WorkRow(QWidget *parent = nullptr);

    /// Nothing is going on.
    void rest();
    /// Says what it takes; the button, of which the words are @p button, starts it.
    void offer(const QString &cost, const QString &button = tr("Compute"));
    /// Appears after 200 ms. Work that runs already goes on, perhaps under another name.
    void run(const QString &what);
    void setProgress(double fraction);

signals:
    void computeRequested();
    void cancelRequested();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QLabel *m_words = nullptr;
    QProgressBar *m_progress = nullptr;
    QPushButton *m_button = nullptr;
    QTimer *m_delay = nullptr;
    bool m_isRunning = false;
};

} // namespace attenscope
