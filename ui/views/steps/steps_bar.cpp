// SPDX-License-Identifier: GPL-3.0-or-later
// Choosing the query and the head of a walk.
#include "views/steps/steps_bar.h"

#include "state/theme.h"
#include "views/readout_text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>

namespace attenscope {

namespace {

constexpr Index mostListed = 256;

} // namespace

StepsBar::StepsBar(Document &document, QWidget *parent)
    : QWidget(parent)
    , m_document(document)
{
    setAccessibleName(tr("View bar"));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(16, 8, 16, 8);
    row->setSpacing(8);
    auto *label = new QLabel(tr("query"));
    label->setForegroundRole(QPalette::PlaceholderText);
    m_tokens = new QComboBox;
    m_tokens->setMinimumContentsLength(8);
    m_tokens->setAccessibleName(tr("Query"));
    m_tokens->setToolTip(tr("Whose row is walked through (Up, Down)"));
    m_position = new QSpinBox;
    m_position->setAccessibleName(tr("Query"));
    m_position->setToolTip(m_tokens->toolTip());
    m_token = new QLabel;
    m_fold = new QToolButton;
    m_fold->setText(tr("Fold"));
    m_fold->setToolButtonStyle(Qt::ToolButtonTextOnly);
    m_fold->setToolTip(tr("Show only as many numbers as fit"));
    m_fold->hide();
    m_heads = new QComboBox;
    m_heads->setAccessibleName(tr("Head"));
    m_heads->setToolTip(tr("Which head of the layer (Page Up, Page Down)"));
    for (QWidget *widget : { static_cast<QWidget *>(label), static_cast<QWidget *>(m_tokens), static_cast<QWidget *>(m_position),
             static_cast<QWidget *>(m_token) })
        row->addWidget(widget);
    row->addStretch(1);
    row->addWidget(m_fold);
    row->addWidget(m_heads);
    connect(m_tokens, &QComboBox::currentIndexChanged, this, [this](int index) { emit queryChosen(index); });
    connect(m_position, &QSpinBox::valueChanged, this, [this](int position) { emit queryChosen(position); });
    connect(m_fold, &QToolButton::clicked, this, &StepsBar::foldRequested);
    connect(m_heads, &QComboBox::currentIndexChanged, this, [this](int index) {
        HeadRef head = m_document.head();
        head.head = index;
        m_document.pickHead(head);
    });
}

void StepsBar::fillQueries()
{
    const AttentionBlock &block = m_document.block();
    if (m_input == m_document.input() && m_block == m_document.head().block)
        return;
    m_input = m_document.input();
    m_block = m_document.head().block;
    const QSignalBlocker blocker(m_tokens);
    m_tokens->clear();
    const bool isListed = block.queries <= mostListed;
    if (isListed) {
        for (Index query = 0; query < block.queries; ++query)
            m_tokens->addItem(QStringLiteral("%1  %2").arg(query).arg(readout::tokenText(block.queryTokens, query)));
    }
    const QSignalBlocker positionBlocker(m_position);
    m_position->setRange(0, static_cast<int>(block.queries - 1));
    m_tokens->setVisible(isListed);
    m_position->setVisible(!isListed);
    m_token->setVisible(!isListed);
}

void StepsBar::refresh(Index query)
{
    fillQueries();
    const AttentionBlock &block = m_document.block();
    const QSignalBlocker tokensBlocker(m_tokens);
    const QSignalBlocker positionBlocker(m_position);
    m_tokens->setCurrentIndex(static_cast<int>(query));
    m_position->setValue(static_cast<int>(query));
    m_token->setText(readout::tokenText(block.queryTokens, query));
    const int heads = headCount(block, m_document.result()->spec);
    const QSignalBlocker headsBlocker(m_heads);
    if (m_heads->count() != heads) {
        m_heads->clear();
        for (int head = 0; head < heads; ++head)
            m_heads->addItem(tr("Head %1").arg(head));
    }
    m_heads->setVisible(heads > 1);
    m_heads->setCurrentIndex(m_document.head().head);
}

void StepsBar::setUnfolded(bool isUnfolded)
{
    m_fold->setVisible(isUnfolded);
}

void StepsBar::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::of(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.view);
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme.faintLine);
}

} // namespace attenscope
