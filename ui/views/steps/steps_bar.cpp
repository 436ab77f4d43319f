// SPDX-License-Identifier: GPL-3.0-or-later
// Choosing the query and the head of a walk.
#include "views/steps/steps_bar.h"

#include "views/query_choice.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QToolButton>

namespace attenscope {

StepsBar::StepsBar(Document &document, QWidget *parent)
    : ViewBar(parent)
    , m_document(document)
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(16, 8, 16, 8);
    row->setSpacing(8);
    m_query = new QueryChoice(document, tr("Whose row is walked through (Up, Down)"));
    const auto button = [](const QString &text, const QString &tip) {
        auto *made = new QToolButton;
        made->setText(text);
        made->setToolButtonStyle(Qt::ToolButtonTextOnly);
        made->setToolTip(tip);
        made->hide();
        return made;
    };
    m_fold = button(tr("Fold"), tr("Show only as many numbers as fit"));
    m_unfold = button(tr("Unfold"), tr("Show up to 48 more of all that is folded; the page scrolls then"));
    m_heads = new QComboBox;
    m_heads->setAccessibleName(tr("Head"));
    m_heads->setToolTip(tr("Which head of the layer (Page Up, Page Down)"));
    row->addWidget(m_query);
    row->addStretch(1);
    row->addWidget(m_unfold);
    row->addWidget(m_fold);
    row->addWidget(m_heads);
    connect(m_query, &QueryChoice::chosen, this, &StepsBar::queryChosen);
    connect(m_fold, &QToolButton::clicked, this, &StepsBar::foldRequested);
    connect(m_unfold, &QToolButton::clicked, this, &StepsBar::unfoldRequested);
    connect(m_heads, &QComboBox::currentIndexChanged, this, [this](int index) {
        HeadRef head = m_document.head();
        head.head = index;
        m_document.pickHead(head);
    });
}

void StepsBar::refresh(Index query)
{
    m_query->refresh(query);
    const int heads = headCount(m_document.block(), m_document.result()->spec);
    const QSignalBlocker headsBlocker(m_heads);
    if (m_heads->count() != heads) {
        m_heads->clear();
        for (int head = 0; head < heads; ++head)
            m_heads->addItem(tr("Head %1").arg(head));
    }
    m_heads->setVisible(heads > 1);
    m_heads->setCurrentIndex(m_document.head().head);
}

void StepsBar::setFolding(bool isUnfolded, bool isFolded)
{
    m_fold->setVisible(isUnfolded);
    m_unfold->setVisible(isFolded);
}

} // namespace attenscope
