// SPDX-License-Identifier: GPL-3.0-or-later
// ViewBar.
#include "views/view_bar.h"

#include "state/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>

namespace attenscope {

namespace {

constexpr int barPadding = 16;

/// What a row needs: a widget that says how narrow it may get, or else its whole width.
int neededWidth(const QLayout &row)
{
    int width = 0;
    for (int place = 0; place < row.count(); ++place) {
        const QWidget *widget = row.itemAt(place)->widget();
        if (!widget || widget->isHidden())
            continue;
        const bool canShrink = widget->sizePolicy().horizontalPolicy() == QSizePolicy::Expanding;
        width += (width > 0 ? row.spacing() : 0) + (canShrink ? widget->minimumSizeHint() : widget->sizeHint()).width();
    }
    return width;
}

} // namespace

ViewBar::ViewBar(QWidget *parent)
    : QWidget(parent)
{
    setAccessibleName(tr("View bar"));
}

std::pair<QHBoxLayout *, QHBoxLayout *> ViewBar::makeRows()
{
    m_rows = new QBoxLayout(QBoxLayout::LeftToRight, this);
    m_rows->setContentsMargins(barPadding, spacing, barPadding, spacing);
    m_rows->setSpacing(spacing);
    const auto add = [this] {
        auto *row = new QHBoxLayout;
        row->setSpacing(spacing);
        m_rows->addLayout(row, m_rows->count());
        return row;
    };
    QHBoxLayout *first = add();
    return { first, add() };
}

void ViewBar::arrangeRows()
{
    if (!m_rows)
        return;
    const int needed = neededWidth(*m_rows->itemAt(0)->layout()) + spacing + neededWidth(*m_rows->itemAt(1)->layout());
    const auto direction = needed + 2 * barPadding <= width() ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom;
    if (direction != m_rows->direction())
        m_rows->setDirection(direction);
}

bool ViewBar::event(QEvent *event)
{
    if (event->type() == QEvent::LayoutRequest)
        arrangeRows();
    return QWidget::event(event);
}

void ViewBar::resizeEvent(QResizeEvent *event)
{
    arrangeRows();
    QWidget::resizeEvent(event);
}

void ViewBar::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::of(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.view);
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme.faintLine);
}

} // namespace attenscope
