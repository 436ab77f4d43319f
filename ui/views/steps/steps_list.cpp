// SPDX-License-Identifier: GPL-3.0-or-later
// The list of steps.
#include "views/steps/steps_list.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QSignalBlocker>
#include <QStyledItemDelegate>

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

constexpr int noteRole = Qt::UserRole;

class Delegate : public QStyledItemDelegate {
public:
    explicit Delegate(StepsList *list)
        : QStyledItemDelegate(list)
        , m_list(list)
    {
    }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const int active = m_list->currentRow();
        paintStepItem(*painter, m_list->stepStyle(), option.rect, index.row() + 1,
            { index.data().toString(), index.data(noteRole).toString() }, index.row() == active, index.row() > active);
    }

    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const override
    {
        return { 0, qRound(stepItemHeight(m_list->stepStyle())) };
    }

private:
    StepsList *m_list;
};

} // namespace

double stepItemHeight(const StepStyle &style)
{
    const QFontMetricsF titles(style.sized(13, 22, true));
    const QFontMetricsF notes(style.sized(12, 17));
    return std::ceil(titles.height() + notes.height() + style.size(12, 24));
}

double stepListWidth(const StepStyle &style)
{
    // Wide enough for its notes, however large they are.
    constexpr double lettersOfNotes = 14.0;
    return std::max(style.size(184, 288), std::ceil(lettersOfNotes * style.sized(12, 17).pixelSize()));
}

void paintStepItem(QPainter &painter, const StepStyle &style, const QRectF &box, int number, const std::pair<QString, QString> &title,
    bool isActive, bool isToCome)
{
    const Theme &theme = style.theme;
    if (isActive) {
        painter.fillRect(box, theme.accentGround);
        painter.fillRect(QRectF(box.left(), box.top(), style.size(3, 6), box.height()), theme.accent);
    }
    const QFont titleFont = style.sized(13, 22, isActive);
    const QFont noteFont = style.sized(12, 17);
    const QFontMetricsF titles(titleFont);
    const QFontMetricsF notes(noteFont);
    const double left = box.left() + style.size(16, 32);
    const double text = left + style.size(24, 36);
    const double room = box.right() - text - 4.0;
    double y = box.top() + (box.height() - titles.height() - notes.height()) / 2.0 + titles.ascent();
    painter.setFont(titleFont);
    painter.setPen(isActive ? theme.accent : theme.secondaryText);
    painter.drawText(QPointF(left, y), QString::number(number));
    painter.setPen(isToCome ? theme.secondaryText : theme.text);
    painter.drawText(QPointF(text, y), titles.elidedText(title.first, Qt::ElideRight, room));
    y += titles.descent() + notes.ascent();
    painter.setFont(noteFont);
    painter.setPen(theme.secondaryText);
    painter.drawText(QPointF(text, y), notes.elidedText(title.second, Qt::ElideRight, room));
}

StepsList::StepsList(QWidget *parent)
    : QListWidget(parent)
{
    m_style.font = font();
    setFrameShape(QFrame::NoFrame);
    setItemDelegate(new Delegate(this));
    setAccessibleName(tr("Steps"));
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    setFocusPolicy(Qt::TabFocus);
}

void StepsList::setSteps(const std::vector<std::pair<QString, QString>> &titles, int active)
{
    const QSignalBlocker blocker(this);
    while (count() > static_cast<int>(titles.size()))
        delete takeItem(count() - 1);
    while (count() < static_cast<int>(titles.size()))
        addItem(QString());
    for (int row = 0; row < count(); ++row) {
        const auto &[title, note] = titles[static_cast<std::size_t>(row)];
        item(row)->setText(title);
        item(row)->setData(noteRole, note);
        item(row)->setToolTip(QStringLiteral("%1: %2").arg(title, note));
    }
    setCurrentRow(active);
    viewport()->update();
}

QSize StepsList::sizeHint() const
{
    return { qRound(stepListWidth(m_style)), 200 };
}

QSize StepsList::minimumSizeHint() const
{
    return { sizeHint().width(), 100 };
}

void StepsList::setStepStyle(const StepStyle &style)
{
    m_style = style;
    updateGeometry();
    scheduleDelayedItemsLayout();
}

StepStyle StepsList::stepStyle() const
{
    StepStyle style = m_style;
    style.theme = Theme::of(palette());
    return style;
}

} // namespace attenscope
