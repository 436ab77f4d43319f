// SPDX-License-Identifier: GPL-3.0-or-later
// DocumentView.
#include "views/document_view.h"

#include "state/theme.h"

#include <QLabel>
#include <QPainter>

namespace attenscope {

DocumentView::DocumentView(Document &document, Selection &selection, QWidget *parent)
    : QWidget(parent)
    , m_selection(selection)
{
    connect(&document, &Document::changed, this, &DocumentView::refreshIfSeen);
    connect(&document, &Document::resultChanged, this, &DocumentView::refreshIfSeen);
}

void DocumentView::refreshIfSeen()
{
    if (isVisible())
        refresh();
}

QLabel *DocumentView::makeFooter()
{
    auto *footer = new QLabel;
    footer->setContentsMargins(16, 8, 16, 8);
    footer->setWordWrap(true);
    footer->setForegroundRole(QPalette::PlaceholderText);
    return footer;
}

void DocumentView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    refresh();
}

void DocumentView::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_selection.setHovered(std::nullopt);
}

void DocumentView::paintEvent(QPaintEvent *)
{
    QPainter(this).fillRect(rect(), Theme::of(palette()).view);
}

} // namespace attenscope
