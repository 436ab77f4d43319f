// SPDX-License-Identifier: GPL-3.0-or-later
// Dock and DockTitle.
#include "window/dock.h"

#include "state/theme.h"

#include <QPainter>

#include <algorithm>

namespace attenscope {

namespace {

constexpr int titleHeight = 32;
constexpr int padding = 16;

QFont boldFont(QFont font)
{
    font.setBold(true);
    return font;
}

} // namespace

DockTitle::DockTitle(QDockWidget *dock)
    : QWidget(dock)
    , m_dock(dock)
{
    connect(dock, &QDockWidget::windowTitleChanged, this, qOverload<>(&QWidget::update));
}

void DockTitle::setNote(const QString &note)
{
    m_note = note;
    update();
}

QSize DockTitle::sizeHint() const
{
    return QSize(200, std::max(titleHeight, fontMetrics().height() + 14));
}

void DockTitle::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::of(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.window);
    painter.fillRect(0, height() - 1, width(), 1, theme.line);
    const QRect text = rect().adjusted(padding, 0, -padding, -1);
    const QString title = m_dock->windowTitle();
    painter.setFont(boldFont(font()));
    painter.setPen(theme.text);
    painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter, title);
    const int free = text.width() - painter.fontMetrics().horizontalAdvance(title) - padding;
    painter.setFont(font());
    painter.setPen(theme.secondaryText);
    painter.drawText(text, Qt::AlignRight | Qt::AlignVCenter, fontMetrics().elidedText(m_note, Qt::ElideRight, free));
}

Dock::Dock(const QString &id, const QString &title, QWidget *content, int minimumWidth, QWidget *parent)
    : QDockWidget(title, parent)
    , m_title(new DockTitle(this))
{
    setObjectName(id);
    setAccessibleName(title);
    setTitleBarWidget(m_title);
    setFeatures(QDockWidget::NoDockWidgetFeatures);
    content->setMinimumWidth(minimumWidth);
    setWidget(content);
}

void Dock::focusContent()
{
    raise();
    for (QWidget *next = widget()->nextInFocusChain(); next != widget(); next = next->nextInFocusChain()) {
        if (!widget()->isAncestorOf(next))
            continue;
        if (next->isVisible() && next->isEnabled() && (next->focusPolicy() & Qt::TabFocus)) {
            next->setFocus(Qt::TabFocusReason);
            return;
        }
    }
}

} // namespace attenscope
