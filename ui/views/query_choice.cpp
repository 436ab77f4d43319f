// SPDX-License-Identifier: GPL-3.0-or-later
// A list of queries, or a field for their positions.
#include "views/query_choice.h"

#include "session/token_groups.h"
#include "views/number_entry.h"
#include "views/readout_text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>

namespace attenscope {

namespace {

constexpr Index mostQueriesListed = 256;

} // namespace

QueryChoice::QueryChoice(Document &document, const QString &tip, QWidget *parent)
    : QWidget(parent)
    , m_document(document)
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins({});
    row->setSpacing(8);
    auto *label = new QLabel(tr("query"));
    label->setForegroundRole(QPalette::PlaceholderText);
    m_tokens = new QComboBox;
    m_tokens->setMinimumContentsLength(8);
    m_tokens->setAccessibleName(tr("Query"));
    m_tokens->setToolTip(tip);
    auto *entry = new NumberEntry<QSpinBox>;
    entry->setRefused([this](const QString &typed) {
        emit m_document.message({ Message::Kind::Notice,
            { tr("There is no query “%1”.").arg(typed).toStdString(), {},
                tr("Type a position from %1 to %2.").arg(m_position->minimum()).arg(m_position->maximum()).toStdString(), {} },
            {} });
    });
    m_position = entry;
    m_position->setAccessibleName(tr("Query"));
    m_position->setToolTip(tip);
    m_token = new QLabel;
    for (QWidget *widget : { static_cast<QWidget *>(label), static_cast<QWidget *>(m_tokens), static_cast<QWidget *>(m_position),
             static_cast<QWidget *>(m_token) })
        row->addWidget(widget);
    connect(m_tokens, &QComboBox::currentIndexChanged, this, [this](int index) { emit chosen(index); });
    connect(m_position, &QSpinBox::valueChanged, this, [this](int position) { emit chosen(queryAt(position)); });
}

void QueryChoice::fill()
{
    const AttentionBlock &block = m_document.block();
    if (m_input == m_document.input() && m_block == m_document.head().block)
        return;
    m_input = m_document.input();
    m_block = m_document.head().block;
    m_tokens->clear();
    const bool isListed = block.queries <= mostQueriesListed;
    if (isListed) {
        for (Index query = 0; query < block.queries; ++query)
            m_tokens->addItem(QStringLiteral("%1  %2").arg(wholeQuery(block, query)).arg(readout::queryText(block, query)));
    }
    m_position->setRange(static_cast<int>(wholeQuery(block, 0)), static_cast<int>(wholeQuery(block, block.queries - 1)));
    m_tokens->setVisible(isListed);
    m_position->setVisible(!isListed);
    m_token->setVisible(!isListed);
}

void QueryChoice::refresh(Index query)
{
    const QSignalBlocker tokensBlocker(m_tokens);
    const QSignalBlocker positionBlocker(m_position);
    fill();
    m_tokens->setCurrentIndex(static_cast<int>(query));
    m_query = query;
    m_position->setValue(static_cast<int>(wholeQuery(m_document.block(), query)));
    m_token->setText(readout::queryText(m_document.block(), query));
}

Index QueryChoice::queryAt(Index position) const
{
    const AttentionBlock &block = m_document.block();
    const Index step = position < wholeQuery(block, m_query) ? -1 : 1;
    Index query = shownQuery(block, position);
    for (; query < 0; query = shownQuery(block, position))
        position += step;
    return query;
}

} // namespace attenscope
