// SPDX-License-Identifier: GPL-3.0-or-later
// Painting and picking thumbnails.
#include "views/heads/head_field.h"

#include "state/color_map.h"
#include "state/theme.h"
#include "views/heads/head_paint.h"

#include <QHelpEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

constexpr int frameReach = 4; ///< How far the frame of the picked one stands out.

} // namespace

HeadField::HeadField(Document &document, QWidget *parent)
    : QAbstractScrollArea(parent)
    , m_document(document)
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Heads"));
    viewport()->setMouseTracking(true);
    connect(&m_thumbnails, &Thumbnails::ready, viewport(), qOverload<>(&QWidget::update));
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &HeadField::tellSeen);
}

void HeadField::refresh(const HeadList &list)
{
    m_list = list;
    m_thumbnails.keepOnly(*m_document.result());
    layOut();
    follow();
}

void HeadField::follow()
{
    const HeadRef picked = m_document.head();
    setAccessibleDescription(tr("Head %1 is picked.").arg(QString::fromStdString(headName(*m_document.input(), picked))));
    if (std::exchange(m_lastPicked, picked) != picked)
        showPicked();
    viewport()->update();
}

bool HeadField::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const int index = m_layout.at(help->pos() + scrolled());
        if (index < 0)
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), tipOf(m_layout.heads[static_cast<std::size_t>(index)].head), viewport());
        return true;
    }
    if (event->type() == QEvent::Leave)
        setHovered(-1);
    return QAbstractScrollArea::viewportEvent(event);
}

void HeadField::resizeEvent(QResizeEvent *)
{
    layOut();
}

void HeadField::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::FontChange)
        layOut();
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        viewport()->update();
    QAbstractScrollArea::changeEvent(event);
}

void HeadField::paintEvent(QPaintEvent *event)
{
    const Theme &theme = Theme::of(palette());
    m_thumbnails.setLook(theme, devicePixelRatioF());
    QPainter painter(viewport());
    painter.fillRect(event->rect(), theme.panel);
    const QRect area = event->rect().translated(scrolled()).adjusted(-frameReach, -frameReach, frameReach, frameReach);
    painter.translate(-scrolled());
    painter.setFont(font());
    paintCaptions(painter, m_layout, area, theme);
    for (std::size_t index = 0; index < m_layout.heads.size(); ++index) {
        const HeadPlace &place = m_layout.heads[index];
        if (place.thumbnail.united(place.name).intersects(area))
            paintHead(painter, place, static_cast<int>(index) == m_hovered, theme);
    }
    m_thumbnails.fetch();
    painter.resetTransform();
    if (m_layout.heads.empty()) {
        painter.setPen(theme.secondaryText);
        painter.drawText(viewport()->rect().adjusted(16, 16, -16, -16), Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap,
            tr("No head is like that: see Show, and the filter of the head table."));
    }
    if (hasFocus() && m_hasRing) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.accent, 2.0));
        painter.drawRect(QRectF(viewport()->rect()).adjusted(1.0, 1.0, -1.0, -1.0));
    }
}

void HeadField::mouseMoveEvent(QMouseEvent *event)
{
    setHovered(m_layout.at(event->pos() + scrolled()));
}

void HeadField::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    const int index = m_layout.at(event->pos() + scrolled());
    if ((event->modifiers() & Qt::ControlModifier) != 0)
        toggle(index);
    else
        pick(index);
}

void HeadField::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || m_layout.at(event->pos() + scrolled()) < 0)
        return;
    if ((event->modifiers() & Qt::ControlModifier) != 0)
        return mousePressEvent(event);
    Session next = m_document.session();
    next.view.shown = ShownView::Map;
    m_document.edit(std::move(next), tr("show the map"));
}

void HeadField::contextMenuEvent(QContextMenuEvent *event)
{
    emit contextMenuRequested(event->globalPos());
}

void HeadField::focusInEvent(QFocusEvent *event)
{
    // A ring where the mouse went says nothing.
    if (event->reason() != Qt::ActiveWindowFocusReason && event->reason() != Qt::PopupFocusReason)
        m_hasRing = event->reason() != Qt::MouseFocusReason;
    viewport()->update();
}

void HeadField::focusOutEvent(QFocusEvent *)
{
    viewport()->update();
}

void HeadField::keyPressEvent(QKeyEvent *event)
{
    const int picked = pickedIndex();
    const bool isPlain = (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    if (m_layout.heads.empty() || !isPlain) {
        event->ignore();
        return;
    }
    const auto step = [&](int dx, int dy) { pick(picked < 0 ? 0 : m_layout.neighbour(picked, dx, dy)); };
    switch (event->key()) {
    case Qt::Key_Left:
        return step(-1, 0);
    case Qt::Key_Right:
        return step(1, 0);
    case Qt::Key_Up:
        return step(0, -1);
    case Qt::Key_Down:
        return step(0, 1);
    case Qt::Key_Home:
        return pick(0);
    case Qt::Key_End:
        return pick(static_cast<int>(m_layout.heads.size()) - 1);
    default:
        event->ignore();
    }
}

QPoint HeadField::scrolled() const
{
    return { 0, verticalScrollBar()->value() };
}

int HeadField::pickedIndex() const
{
    const HeadRef picked = m_document.head();
    const auto found
        = std::find_if(m_layout.heads.begin(), m_layout.heads.end(), [&picked](const HeadPlace &place) { return place.head == picked; });
    return found == m_layout.heads.end() ? -1 : static_cast<int>(found - m_layout.heads.begin());
}

void HeadField::pick(int index)
{
    if (index >= 0)
        m_document.pickHead(m_layout.heads[static_cast<std::size_t>(index)].head);
}

void HeadField::toggle(int index)
{
    if (index < 0)
        return;
    const HeadRef head = m_layout.heads[static_cast<std::size_t>(index)].head;
    // The picked one is drawn anyway.
    if (head == m_document.head())
        return;
    Session next = m_document.session();
    std::vector<HeadRef> &more = next.view.moreHeads;
    const auto found = std::find(more.begin(), more.end(), head);
    if (found == more.end())
        more.push_back(head);
    else
        more.erase(found);
    m_document.edit(std::move(next), tr("choose heads"));
}

void HeadField::setHovered(int index)
{
    if (std::exchange(m_hovered, index) == index)
        return;
    viewport()->setCursor(index >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    viewport()->update();
}

void HeadField::layOut()
{
    const HeadColumn by = m_document.session().view.heads.by;
    m_layout = layOutHeads(*m_document.input(), m_document.result()->spec, m_list, by, viewport()->width(), fontMetrics().height(),
        leastThumbnail(m_list, by, fontMetrics()));
    m_hovered = -1;
    QScrollBar *bar = verticalScrollBar();
    bar->setRange(0, std::max(0, m_layout.height - viewport()->height()));
    bar->setPageStep(viewport()->height());
    bar->setSingleStep(24);
    tellSeen();
}

void HeadField::tellSeen()
{
    const QRect area = viewport()->rect().translated(scrolled());
    std::set<HeadRef> seen;
    for (const HeadPlace &place : m_layout.heads) {
        if (place.thumbnail.intersects(area))
            seen.insert(place.head);
    }
    m_document.setSeenHeads(std::move(seen));
}

void HeadField::showPicked()
{
    const int picked = pickedIndex();
    if (picked < 0)
        return;
    const HeadPlace &place = m_layout.heads[static_cast<std::size_t>(picked)];
    const QRect whole = place.thumbnail.united(place.name).adjusted(0, -8, 0, 8);
    QScrollBar *bar = verticalScrollBar();
    if (whole.top() < bar->value())
        bar->setValue(whole.top());
    else if (whole.bottom() > bar->value() + viewport()->height())
        bar->setValue(whole.bottom() - viewport()->height());
}

QString HeadField::tipOf(const HeadRef &ref) const
{
    const int index = m_list.indexOf(ref);
    if (index < 0)
        return {};
    const ListedHead &head = m_list.heads[static_cast<std::size_t>(index)];
    if (!head.summary)
        return tr("Head %1: not computed yet.").arg(head.name);
    const QString pattern = head.pattern.pattern ? tr("%1: %2").arg(head.pattern.name, head.pattern.rule) : head.pattern.rule;
    const QString numbers = tr("Mean over rows: entropy %1 nats, %2 keys, largest weight %3.")
                                .arg(columnText(head, HeadColumn::Entropy), columnText(head, HeadColumn::EffectiveKeys),
                                    columnText(head, HeadColumn::Largest));
    return tr("Head %1").arg(head.name) + u'\n' + pattern + u'\n' + numbers;
}

void HeadField::paintHead(QPainter &painter, const HeadPlace &place, bool isHovered, const Theme &theme)
{
    const double ratio = devicePixelRatioF();
    const AttentionBlock &block = m_document.input()->blocks[static_cast<std::size_t>(place.head.block)];
    const QSize pixels = (QSizeF(place.thumbnail.size()) * ratio).toSize();
    const auto head = m_document.result()->find(place.head);
    QImage picture = head ? m_thumbnails.image(head, weightColors(m_document.session().view, block.keys), pixels) : QImage();
    if (picture.isNull())
        picture = m_thumbnails.placeholder(pixels);
    // One to one: from a whole device pixel on.
    const QPointF corner = place.thumbnail.topLeft();
    painter.drawImage(QPointF(std::round(corner.x() * ratio) / ratio, std::round(corner.y() * ratio) / ratio), picture);
    paintFrame(painter, m_document.head(), m_document.session().view.moreHeads, place, isHovered, theme);
    paintName(painter, place, place.head == m_document.head(), theme);
}

} // namespace attenscope
