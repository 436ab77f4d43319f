// SPDX-License-Identifier: GPL-3.0-or-later
// The row that offers work and shows how far it is.
#include "views/work_row.h"

#include "state/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QTimer>

#include <utility>

namespace attenscope {

namespace {

constexpr int delay = 200;

} // namespace

WorkRow::WorkRow(QWidget *parent)
    : QWidget(parent)
    , m_words(new QLabel)
    , m_progress(new QProgressBar)
    , m_button(new QPushButton)
    , m_delay(new QTimer(this))
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(16, 8, 16, 8);
    row->setSpacing(16);
    m_words->setWordWrap(true);
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(160);
    row->addWidget(m_words, 1);
    row->addWidget(m_progress);
    row->addWidget(m_button);
    m_delay->setSingleShot(true);
    m_delay->setInterval(delay);
    connect(m_delay, &QTimer::timeout, this, &QWidget::show);
    connect(m_button, &QPushButton::clicked, this, [this] { m_isRunning ? emit cancelRequested() : emit computeRequested(); });
    rest();
}

void WorkRow::rest()
{
    m_delay->stop();
    m_isRunning = false;
    hide();
}

void WorkRow::offer(const QString &cost, const QString &button)
{
    m_delay->stop();
    m_isRunning = false;
    m_words->setText(cost);
    m_button->setText(button);
    m_progress->hide();
    show();
}

void WorkRow::run(const QString &what)
{
    m_words->setText(what);
    if (std::exchange(m_isRunning, true))
        return;
    m_button->setText(tr("Cancel"));
    m_progress->setValue(0);
    m_progress->show();
    if (!isVisible())
        m_delay->start();
}

void WorkRow::setProgress(double fraction)
{
    m_progress->setValue(static_cast<int>(fraction * 1000.0));
}

void WorkRow::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::of(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.noticeGround);
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme.faintLine);
}

} // namespace attenscope
