// SPDX-License-Identifier: GPL-3.0-or-later
// MapProgress: the thin bar with Cancel over a map that is being computed.
#pragma once

#include "state/document.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace attenscope {

class MapPlot;

/// Floats below the maps of its plot and the words there, or over the maps' lower edge. Nothing is seen of it for the first 200 ms of work. Work that was stopped can be continued here.
class MapProgress : public QWidget {
    Q_OBJECT

public:
    MapProgress(Document &document, MapPlot *plot);

    /// The shown picture waits for what is being computed.
    void setWaiting(bool isWaiting);
    [[nodiscard]] bool isWaiting() const { return m_isWaiting; }
    /// The shown picture lacks what was stopped.
    void setStopped(bool isStopped);

signals:
    /// It has waited for more than a second, or no longer waits.
    void slow(bool isSlow);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void place();
    void appear();

    Document &m_document;
    MapPlot *m_plot;
    QProgressBar *m_bar = nullptr;
    QLabel *m_stopped = nullptr;
    QPushButton *m_button = nullptr; ///< Cancel, or Continue.
    QTimer m_showTimer;
    QTimer m_slowTimer;
    bool m_isWaiting = false;
    bool m_isStopped = false;
};

} // namespace attenscope
