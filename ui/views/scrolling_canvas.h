// SPDX-License-Identifier: GPL-3.0-or-later
// ScrollingCanvas: a painted page in a scrolling area.
#pragma once

#include <QAbstractScrollArea>
#include <QString>

class QPainter;
class QScrollBar;

namespace attenscope {

/// Lays its page out anew when size, font or palette change.
class ScrollingCanvas : public QAbstractScrollArea {
    Q_OBJECT

protected:
    explicit ScrollingCanvas(QWidget *parent);

    virtual void layOut() = 0;
    /// The mouse is no longer over the page.
    virtual void leave() = 0;
    /// The range of @p bar for a page of @p length of which @p room is seen.
    static void fit(QScrollBar *bar, double length, double room, double step);
    /// Where not all from @p top to @p bottom of the page is in the @p room that is seen, it gets into the middle of it.
    static void bringIntoView(QScrollBar *bar, double top, double bottom, double room);
    /// The empty page with why it is empty.
    void paintReason(QPainter &painter, const QString &reason) const;

    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    bool viewportEvent(QEvent *event) override;
};

} // namespace attenscope
