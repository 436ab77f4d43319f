// SPDX-License-Identifier: GPL-3.0-or-later
// Shows progress where the picture will appear, and lets it be stopped.
#include "views/map/map_progress.h"

#include "state/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>

namespace attenscope {

namespace {

constexpr int hiddenMilliseconds = 200;
constexpr int slowMilliseconds = 1000;
constexpr int stripWidth = 320;
constexpr int margin = 16;

} // namespace

MapProgress::MapProgress(Document &document, QWidget *parent)
    : QWidget(parent)
    , m_document(document)
    , m_bar(new QProgressBar)
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(12, 8, 8, 8);
    row->setSpacing(12);
    m_bar->setTextVisible(false);
    m_bar->setFixedHeight(6);
    m_bar->setRange(0, 1000);
    m_bar->setAccessibleName(tr("Progress of the computation"));
    row->addWidget(m_bar, 1);
    auto *cancel = new QPushButton(tr("Cancel"));
    connect(cancel, &QPushButton::clicked, &m_document, &Document::cancel);
    row->addWidget(cancel);
    m_showTimer.setSingleShot(true);
    m_showTimer.setInterval(hiddenMilliseconds);
    connect(&m_showTimer, &QTimer::timeout, this, [this] {
        place();
        show();
        raise();
    });
    m_slowTimer.setSingleShot(true);
    m_slowTimer.setInterval(slowMilliseconds);
    connect(&m_slowTimer, &QTimer::timeout, this, [this] { emit slow(true); });
    connect(&m_document, &Document::progressChanged, this, [this] { m_bar->setValue(static_cast<int>(m_document.progress() * 1000.0)); });
    parent->installEventFilter(this);
    hide();
}

void MapProgress::setWaiting(bool isWaiting)
{
    if (isWaiting == m_isWaiting)
        return;
    m_isWaiting = isWaiting;
    if (isWaiting) {
        m_showTimer.start();
        m_slowTimer.start();
        return;
    }
    m_showTimer.stop();
    m_slowTimer.stop();
    hide();
    emit slow(false);
}

void MapProgress::place()
{
    const QWidget *parent = parentWidget();
    resize(qMin(stripWidth, parent->width() - 2 * margin), sizeHint().height());
    move((parent->width() - width()) / 2, parent->height() - height() - margin);
}

bool MapProgress::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == parent() && event->type() == QEvent::Resize && isVisible())
        place();
    return QWidget::eventFilter(watched, event);
}

void MapProgress::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::of(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme.line);
    painter.setBrush(theme.panel);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4.0, 4.0);
}

} // namespace attenscope
