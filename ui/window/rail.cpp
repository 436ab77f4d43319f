// SPDX-License-Identifier: GPL-3.0-or-later
// Rail and its buttons.
#include "window/rail.h"

#include "state/theme.h"

#include <QAbstractButton>
#include <QPainter>
#include <QVBoxLayout>

namespace attenscope {

namespace {

constexpr int railWidth = 40;
/// Above and below a name.
constexpr int endOfName = 16;

/// A name written along the rail.
class RailButton : public QAbstractButton {
public:
    RailButton(const QString &text, DockSide side, QWidget *parent)
        : QAbstractButton(parent)
        , m_side(side)
    {
        setText(text);
        setAccessibleName(text);
        setToolTip(Rail::tr("Show %1").arg(text));
        setFocusPolicy(Qt::TabFocus);
        setAttribute(Qt::WA_Hover);
    }

    QSize sizeHint() const override { return QSize(railWidth - 1, fontMetrics().horizontalAdvance(text()) + 2 * endOfName); }

protected:
    void paintEvent(QPaintEvent *) override
    {
        const Theme &theme = Theme::of(palette());
        QPainter painter(this);
        if (underMouse())
            painter.fillRect(rect(), theme.hover);
        painter.setPen(underMouse() ? theme.text : theme.secondaryText);
        painter.save();
        painter.translate(rect().center());
        painter.rotate(m_side == DockSide::Left ? -90 : 90);
        painter.drawText(QRect(-height() / 2, -width() / 2, height(), width()), Qt::AlignCenter, text());
        painter.restore();
        if (hasFocus()) {
            painter.setPen(QPen(theme.accent, 2));
            painter.drawRect(rect().adjusted(1, 1, -1, -1));
        }
    }

private:
    DockSide m_side;
};

} // namespace

Rail::Rail(DockSide side, QWidget *parent)
    : QFrame(parent)
    , m_side(side)
{
    setFixedWidth(railWidth);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(side == DockSide::Left ? 0 : 1, 0, side == DockSide::Left ? 1 : 0, 0);
    column->setSpacing(8);
    column->addStretch(1);
    hide();
}

void Rail::setEntries(const QStringList &names)
{
    auto *column = static_cast<QVBoxLayout *>(layout());
    while (column->count() > 1) {
        QLayoutItem *item = column->takeAt(0);
        delete item->widget();
        delete item;
    }
    for (int i = 0; i < names.size(); ++i) {
        auto *button = new RailButton(names[i], m_side, this);
        connect(button, &QAbstractButton::clicked, this, [this, i] { emit clicked(i); });
        column->insertWidget(i, button);
    }
}

void Rail::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::of(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.window);
    painter.fillRect(m_side == DockSide::Left ? width() - 1 : 0, 0, 1, height(), theme.line);
}

} // namespace attenscope
