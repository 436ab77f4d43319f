// SPDX-License-Identifier: GPL-3.0-or-later
// Head, direction, filter and numbers of the text.
#include "views/text/text_bar.h"

#include "views/filter_controls.h"
#include "views/head_selector.h"
#include "views/tokens_button.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QToolButton>

namespace attenscope {

TextBar::TextBar(Document &document, Selection &selection, QWidget *parent)
    : ViewBar(parent)
    , m_document(document)
{
    const auto [row, filters] = makeRows();
    row->addWidget(new HeadSelector(m_document, HeadSelector::Offers::CombinedToo));
    m_segments = new QWidget;
    auto *segments = new QHBoxLayout(m_segments);
    segments->setContentsMargins({});
    segments->setSpacing(0);
    const auto segment = [&](const QString &text, const QString &tip, const char *place, TokenSide side) {
        auto *button = new QToolButton;
        button->setText(text);
        button->setToolTip(tip);
        button->setToolButtonStyle(Qt::ToolButtonTextOnly);
        button->setCheckable(true);
        button->setProperty("segment", QLatin1String(place));
        connect(button, &QToolButton::clicked, this, [this, side] { emit picksChosen(side); });
        segments->addWidget(button);
        return button;
    };
    m_reads = segment(tr("Reads"), tr("A click picks a query: the text shows which keys it reads"), "first", TokenSide::Queries);
    m_isRead = segment(tr("Is read"), tr("A click picks a key: the text shows which queries read it"), "last", TokenSide::Keys);
    row->addWidget(m_segments);
    row->addWidget(new TokensButton(m_document, selection));
    row->addStretch(1);
    filters->addWidget(new FilterControls(m_document), 1);
    m_numbers = new QCheckBox(tr("Numbers"));
    m_numbers->setToolTip(tr("The exact weight under each token (N)"));
    connect(m_numbers, &QCheckBox::clicked, this, [this](bool isOn) {
        Session next = m_document.session();
        next.view.numbers = isOn ? CellNumbers::WhenTheyFit : CellNumbers::Never;
        m_document.edit(std::move(next), tr("change numbers"));
    });
    filters->addWidget(m_numbers);
    connect(&m_document, &Document::changed, this, &TextBar::refresh);
    refresh();
    setPicks(TokenSide::Queries, true);
}

void TextBar::refresh()
{
    m_numbers->setChecked(m_document.session().view.numbers == CellNumbers::WhenTheyFit);
}

void TextBar::setPicks(TokenSide side, bool hasChoice)
{
    m_segments->setVisible(hasChoice);
    m_reads->setChecked(side == TokenSide::Queries);
    m_isRead->setChecked(side == TokenSide::Keys);
}

} // namespace attenscope
