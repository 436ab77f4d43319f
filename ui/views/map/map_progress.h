// SPDX-License-Identifier: GPL-3.0-or-later
// MapProgress: the thin bar with Cancel over a map that is being computed.
#pragma once

#include "state/document.h"

#include <QTimer>
#include <QWidget>

class QProgressBar;

namespace attenscope {

class MapPlot;

/// Floats over the lower edge of the maps of its plot. Nothing is seen of it for the first 200 ms of work.
class MapProgress : public QWidget {
    Q_OBJECT

public:
    MapProgress(Document &document, MapPlot *plot);

    /// The shown picture waits for what is being computed.
    void setWaiting(bool isWaiting);
    [[nodiscard]] bool isWaiting() const { return m_isWaiting; }

signals:
    /// It has waited for more than a second, or no longer waits.
    void slow(bool isSlow);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void place();

    Document &m_document;
    MapPlot *m_plot;
    QProgressBar *m_bar = nullptr;
    QTimer m_showTimer;
    QTimer m_slowTimer;
    bool m_isWaiting = false;
};

} // namespace attenscope
