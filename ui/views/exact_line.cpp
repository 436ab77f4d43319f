// SPDX-License-Identifier: GPL-3.0-or-later
// Painting a line of numbers.
#include "views/exact_line.h"

#include "state/theme.h"

#include <QPainter>

namespace attenscope {

namespace {

constexpr int linePadding = 16;

} // namespace

ExactLine::ExactLine(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

void ExactLine::setText(const QString &text)
{
    if (m_text == text)
        return;
    m_text = text;
    setToolTip(text);
    setAccessibleName(text);
    update();
}

QSize ExactLine::sizeHint() const
{
    return { linePadding * 2, fontMetrics().height() + 16 };
}

QSize ExactLine::minimumSizeHint() const
{
    return sizeHint();
}

void ExactLine::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::of(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.view);
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme.faintLine);
    painter.setPen(theme.text);
    const QRect box = rect().adjusted(linePadding, 0, -linePadding, 0);
    painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, fontMetrics().elidedText(m_text, Qt::ElideRight, box.width()));
}

} // namespace attenscope
