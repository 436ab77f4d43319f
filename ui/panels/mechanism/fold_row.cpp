// SPDX-License-Identifier: GPL-3.0-or-later
// A heading with a chevron, and the rows that it folds.
#include "panels/mechanism/fold_row.h"

#include "state/icons.h"

#include <QToolButton>
#include <QVBoxLayout>

namespace attenscope {

FoldRow::FoldRow(const QString &title, QWidget *parent)
    : QWidget(parent)
    , m_title(title)
    , m_button(new QToolButton)
    , m_content(new QWidget)
    , m_rows(new QVBoxLayout(m_content))
{
    m_button->setAutoRaise(true);
    m_button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_button->setIconSize({ 16, 16 });
    m_button->setFocusPolicy(Qt::StrongFocus);
    m_button->setMinimumHeight(controlHeight);
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setSpacing(rowSpacing);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(rowSpacing);
    auto *heading = new QHBoxLayout;
    heading->setContentsMargins(panelPadding - 12, 0, panelPadding, 0);
    heading->addWidget(m_button);
    heading->addStretch(1);
    column->addLayout(heading);
    column->addWidget(m_content);
    connect(m_button, &QToolButton::clicked, this, [this] { setOpen(!m_isOpen); });
    m_content->hide();
    showTitle();
}

void FoldRow::addRow(QWidget *row)
{
    m_rows->addWidget(row);
}

void FoldRow::setOpen(bool isOpen)
{
    if (m_isOpen == isOpen)
        return;
    m_isOpen = isOpen;
    m_content->setVisible(isOpen);
    showTitle();
    emit opened(isOpen);
}

void FoldRow::setSummary(const QString &summary)
{
    m_summary = summary;
    showTitle();
}

void FoldRow::showTitle()
{
    const bool isNamed = !m_isOpen && !m_summary.isEmpty();
    m_button->setText(isNamed ? m_title + QStringLiteral(": ") + m_summary : m_title);
    m_button->setAccessibleName(m_button->text());
    m_button->setIcon(icon(m_isOpen ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right")));
}

} // namespace attenscope
