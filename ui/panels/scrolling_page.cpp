// SPDX-License-Identifier: GPL-3.0-or-later
// The page of a panel, and how it finds what is to be seen.
#include "panels/scrolling_page.h"

#include "panels/controls.h"

#include <QApplication>
#include <QBoxLayout>
#include <QEvent>
#include <QPointer>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>

#include <algorithm>

namespace attenscope {

namespace {

/// Where a widget stands on the page that it is on.
QRect placeOn(const QWidget *page, const QWidget *widget, const QRect &part)
{
    return { widget->mapTo(page, part.topLeft()), part.size() };
}

/// Never narrower than its page, so that nothing is cut off at the right, whatever the font. Scrolls to what is wrong as soon as it is said.
class PageArea : public QScrollArea {
public:
    explicit PageArea(QWidget *parent)
        : QScrollArea(parent)
    {
        m_settled.setSingleShot(true);
        m_settled.setInterval(0);
        connect(&m_settled, &QTimer::timeout, this, &PageArea::revealProblem);
    }

    [[nodiscard]] QSize minimumSizeHint() const override
    {
        // A scroll bar may cover the page's padding at the right.
        return { widget() ? widget()->minimumSizeHint().width() : 0, 80 };
    }

    /// As little as is needed; what does not fit is shown from its top.
    void scrollTo(const QRect &place)
    {
        settle();
        QScrollBar *bar = verticalScrollBar();
        const int bottom = place.bottom() + rowSpacing - viewport()->height();
        bar->setValue(std::min(std::max(bar->value(), bottom), place.top() - rowSpacing));
    }

    /// Gives the page the size that its rows ask for now.
    void settle()
    {
        m_isSettling = true;
        widget()->layout()->activate();
        QEvent request(QEvent::LayoutRequest);
        QCoreApplication::sendEvent(widget(), &request);
        m_isSettling = false;
    }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        const bool isNews = watched == widget() && event->type() == QEvent::LayoutRequest;
        const bool isDone = QScrollArea::eventFilter(watched, event);
        if (isNews && !m_isSettling) {
            updateGeometry();
            m_settled.start();
        }
        return isDone;
    }

    void showEvent(QShowEvent *event) override
    {
        QScrollArea::showEvent(event);
        m_settled.start();
    }

    void resizeEvent(QResizeEvent *event) override
    {
        QScrollArea::resizeEvent(event);
        m_settled.start();
    }

private:
    void revealProblem()
    {
        if (!isVisible())
            return;
        settle();
        const ProblemNote *news = nullptr;
        const ProblemNote *kept = nullptr;
        QStringList said;
        for (const ProblemNote *note : widget()->findChildren<ProblemNote *>()) {
            if (!note->isVisible())
                continue;
            said << note->sentence();
            if (!news && !m_said.contains(note->sentence()))
                news = note;
            if (note == m_revealed)
                kept = note;
        }
        m_said = said;
        if (const ProblemNote *note = news ? news : kept)
            revealNote(note, news != nullptr);
        m_revealed = news ? news : kept;
    }

    /// Together with its row and with what is being edited where all that fits. A note that is not new is followed only while the page is edited,
    /// and leaves what is edited in place.
    void revealNote(const ProblemNote *note, bool isNew)
    {
        const int room = viewport()->height() - 2 * rowSpacing;
        QRect place = placeOn(widget(), note, note->rect());
        if (const QWidget *row = note->parentWidget()) {
            const QRect whole = place.united(placeOn(widget(), row, row->rect()));
            if (whole.height() <= room)
                place = whole;
        }
        const QWidget *focus = QApplication::focusWidget();
        const bool isEdited = focus && widget()->isAncestorOf(focus);
        if (!isNew && !isEdited)
            return;
        if (isEdited) {
            const QRect edited = placeOn(widget(), focus, focus->inputMethodQuery(Qt::ImCursorRectangle).toRect());
            const QRect both = place.united(edited);
            if (both.height() <= room)
                place = both;
            else if (!isNew)
                return;
        }
        scrollTo(place);
    }

    QTimer m_settled;
    bool m_isSettling = false;
    QStringList m_said; ///< What was wrong when it was last looked at.
    QPointer<const ProblemNote> m_revealed;
};

} // namespace

void reveal(const QWidget *widget, const QRect &part)
{
    for (QWidget *parent = widget->parentWidget(); parent; parent = parent->parentWidget()) {
        if (auto *area = dynamic_cast<PageArea *>(parent)) {
            area->settle();
            area->scrollTo(placeOn(area->widget(), widget, part.isNull() ? widget->rect() : part));
            return;
        }
    }
}

QWidget *scrollingPage(const std::vector<QWidget *> &rows, QWidget *parent)
{
    auto *area = new PageArea(parent);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    auto *page = new QWidget;
    page->setAutoFillBackground(true);
    page->setBackgroundRole(QPalette::Base);
    auto *layout = new QVBoxLayout(page);
    layout->setSpacing(rowSpacing);
    layout->setContentsMargins(0, panelPadding, 0, panelPadding);
    for (QWidget *row : rows)
        layout->addWidget(row);
    layout->addStretch(1);
    area->setWidget(page);
    return area;
}

} // namespace attenscope
