// SPDX-License-Identifier: GPL-3.0-or-later
// The page of a view that has nothing to show.
#include "views/nothing_here.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace attenscope {

NothingHere::NothingHere(QWidget *parent)
    : QWidget(parent)
    , m_why(new QLabel)
    , m_offer(new QPushButton)
{
    m_why->setWordWrap(true);
    m_why->setAlignment(Qt::AlignCenter);
    m_why->setForegroundRole(QPalette::PlaceholderText);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(32, 32, 32, 32);
    column->setSpacing(16);
    column->addStretch(1);
    column->addWidget(m_why);
    column->addWidget(m_offer, 0, Qt::AlignHCenter);
    column->addStretch(1);
    m_offer->hide();
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    setFocusPolicy(Qt::StrongFocus);
    connect(m_offer, &QPushButton::clicked, this, &NothingHere::accepted);
}

void NothingHere::setWhy(const QString &why)
{
    m_why->setText(why);
    m_why->setVisible(!why.isEmpty());
}

void NothingHere::setOffer(const QString &offer, const QString &tip)
{
    m_offer->setVisible(!offer.isEmpty());
    m_offer->setText(offer);
    m_offer->setToolTip(tip);
}

} // namespace attenscope
