// SPDX-License-Identifier: GPL-3.0-or-later
// The plain header of a matrix table.
#include "panels/input/name_header.h"

#include "state/theme.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>

namespace attenscope {

NameHeader::NameHeader(Qt::Orientation orientation, QWidget *parent)
    : QHeaderView(orientation, parent)
{
    setSectionsClickable(true);
    setSectionsMovable(true);
    setHighlightSections(false);
    setSectionResizeMode(QHeaderView::Fixed);
    setDefaultAlignment(orientation == Qt::Vertical ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignCenter);
    setMouseTracking(true);
    viewport()->setMouseTracking(true);
    connect(this, &QHeaderView::sectionMoved, this, [this](int, int from, int to) {
        if (m_isMovingBack)
            return;
        // The numbers move, not the section: the model is what is in order.
        m_isMovingBack = true;
        moveSection(to, from);
        m_isMovingBack = false;
        emit sectionDragged(from, to);
    });
}

void NameHeader::setLit(int section)
{
    if (m_lit == section)
        return;
    m_lit = section;
    viewport()->update();
}

void NameHeader::edit(int section, const QString &name)
{
    if (!m_editor) {
        m_editor = new QLineEdit(viewport());
        m_editor->setAccessibleName(tr("Token name"));
        m_editor->installEventFilter(this);
        connect(m_editor, &QLineEdit::editingFinished, this, [this] {
            if (m_edited < 0)
                return;
            const int edited = m_edited;
            m_edited = -1;
            m_editor->hide();
            if (m_editor->isModified())
                emit nameEntered(edited, m_editor->text());
        });
    }
    m_edited = section;
    m_editor->setText(name);
    m_editor->setModified(false);
    m_editor->setGeometry(0, sectionViewportPosition(section), width(), sectionSize(section));
    m_editor->selectAll();
    m_editor->show();
    m_editor->setFocus(Qt::OtherFocusReason);
}

bool NameHeader::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_editor && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        if (key == Qt::Key_Escape) {
            m_edited = -1;
            m_editor->hide();
            parentWidget()->setFocus(Qt::OtherFocusReason);
            return true;
        }
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            // Hiding it ends the editing once.
            parentWidget()->setFocus(Qt::OtherFocusReason);
            return true;
        }
    }
    return QHeaderView::eventFilter(watched, event);
}

void NameHeader::paintEvent(QPaintEvent *event)
{
    QHeaderView::paintEvent(event);
    // The style's empty area behind the last section has a line that belongs to no cell.
    QRect rest = viewport()->rect();
    const int end = length() - offset();
    if (orientation() == Qt::Horizontal)
        rest.setLeft(end);
    else
        rest.setTop(end);
    if (rest.isValid())
        QPainter(viewport()).fillRect(rest, palette().base());
}

void NameHeader::paintSection(QPainter *painter, const QRect &rect, int section) const
{
    const Theme &theme = Theme::of(palette());
    painter->save();
    const bool isVertical = orientation() == Qt::Vertical;
    if (section == m_lit)
        painter->fillRect(rect.adjusted(0, 1, -1, -1), theme.accentGround);
    const QString text = model()->headerData(section, orientation(), Qt::DisplayRole).toString();
    painter->setPen(section == m_lit ? theme.text : theme.secondaryText);
    const QRect room = isVertical ? rect.adjusted(0, 0, -8, 0) : rect;
    const QString shown = painter->fontMetrics().elidedText(text, Qt::ElideRight, room.width());
    painter->drawText(room, static_cast<int>(defaultAlignment()) | Qt::TextSingleLine, shown);
    // The edge of the cells; between rows the grid of the table draws it.
    painter->setPen(theme.line);
    if (isVertical)
        painter->drawLine(rect.topRight(), rect.bottomRight());
    else
        painter->drawLine(rect.bottomLeft(), rect.bottomRight());
    painter->restore();
}

void NameHeader::mouseDoubleClickEvent(QMouseEvent *event)
{
    const int section = logicalIndexAt(event->pos());
    if (m_isNameable && section >= 0)
        emit nameRequested(section);
    else
        QHeaderView::mouseDoubleClickEvent(event);
}

void NameHeader::mouseMoveEvent(QMouseEvent *event)
{
    QHeaderView::mouseMoveEvent(event);
    emit sectionHovered(logicalIndexAt(event->pos()));
}

bool NameHeader::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::Leave)
        emit sectionHovered(-1);
    return QHeaderView::viewportEvent(event);
}

} // namespace attenscope
