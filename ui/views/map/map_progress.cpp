// SPDX-License-Identifier: GPL-3.0-or-later
// Shows progress where the picture will appear, and lets it be stopped.
#include "views/map/map_progress.h"

#include "state/theme.h"
#include "views/map/map_plot.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>

#include <cmath>

namespace attenscope {

namespace {

constexpr int hiddenMilliseconds = 200;
constexpr int slowMilliseconds = 1000;
constexpr int stripWidth = 320;
constexpr int margin = 16;

} // namespace

MapProgress::MapProgress(Document &document, MapPlot *plot)
    : QWidget(plot)
    , m_document(document)
    , m_plot(plot)
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
    m_stopped = new QLabel(tr("Stopped"));
    m_stopped->hide();
    row->addWidget(m_stopped, 1);
    m_button = new QPushButton(tr("Cancel"));
    connect(m_button, &QPushButton::clicked, this, [this] { m_isStopped ? m_document.resume() : m_document.cancel(); });
    row->addWidget(m_button);
    m_showTimer.setSingleShot(true);
    m_showTimer.setInterval(hiddenMilliseconds);
    connect(&m_showTimer, &QTimer::timeout, this, &MapProgress::appear);
    m_slowTimer.setSingleShot(true);
    m_slowTimer.setInterval(slowMilliseconds);
    connect(&m_slowTimer, &QTimer::timeout, this, [this] { emit slow(true); });
    connect(&m_document, &Document::progressChanged, this, [this] { m_bar->setValue(static_cast<int>(m_document.progress() * 1000.0)); });
    // The maps may have moved.
    connect(plot, &QCustomPlot::afterReplot, this, [this] {
        if (isVisible())
            place();
    });
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

void MapProgress::setStopped(bool isStopped)
{
    if (isStopped == m_isStopped)
        return;
    m_isStopped = isStopped;
    m_bar->setVisible(!isStopped);
    m_stopped->setVisible(isStopped);
    m_button->setText(isStopped ? tr("Continue") : tr("Cancel"));
    if (isStopped)
        appear();
    else if (!m_isWaiting)
        hide();
}

void MapProgress::appear()
{
    place();
    show();
    raise();
}

void MapProgress::place()
{
    const MapLayout &layout = m_plot->mapLayout();
    const QRectF maps = layout.isEmpty() ? QRectF(m_plot->rect()) : layout.maps.front().united(layout.maps.back());
    const QSize least = sizeHint();
    resize(qMin(stripWidth, qMax(least.width(), static_cast<int>(maps.width()) - 2 * margin)), least.height());
    const int left = static_cast<int>(maps.center().x()) - width() / 2;
    // Below the words under the maps, or, where those end the page, on the maps, as badges are.
    const int below
        = layout.isEmpty() ? m_plot->height() : static_cast<int>(std::ceil((layout.size.height() + layout.block.height()) / 2.0));
    const bool hasRoom = below + height() + margin <= m_plot->height();
    move(qMax(margin, qMin(left, m_plot->width() - width() - margin)),
        hasRoom ? below : static_cast<int>(maps.bottom()) - height() - margin);
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
