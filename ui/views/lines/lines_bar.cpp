// SPDX-License-Identifier: GPL-3.0-or-later
// Heads beside the picked one, filter and pairs.
#include "views/lines/lines_bar.h"

#include "views/filter_controls.h"
#include "views/head_selector.h"
#include "views/lines/lines_content.h"
#include "views/menu_button.h"
#include "views/tokens_button.h"

#include <QActionGroup>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>

#include <algorithm>
#include <array>

namespace attenscope {

namespace {

constexpr std::array pairChoices{ SentencePairs::All, SentencePairs::WithinA, SentencePairs::FromAToB, SentencePairs::FromBToA,
    SentencePairs::WithinB };

QString pairsText(SentencePairs pairs)
{
    switch (pairs) {
    case SentencePairs::WithinA:
        return QObject::tr("A → A");
    case SentencePairs::FromAToB:
        return QObject::tr("A → B");
    case SentencePairs::FromBToA:
        return QObject::tr("B → A");
    case SentencePairs::WithinB:
        return QObject::tr("B → B");
    case SentencePairs::All:
        break;
    }
    return QObject::tr("All pairs");
}

} // namespace

LinesBar::LinesBar(Document &document, Selection &selection, QWidget *parent)
    : ViewBar(parent)
    , m_document(document)
{
    const auto [row, filters] = makeRows();
    row->addWidget(new HeadSelector(m_document, HeadSelector::Offers::CombinedToo));
    m_heads = menuButton(tr("Heads whose lines are drawn beside those of the picked one"), [this](QMenu *menu) { fillHeads(menu); });
    row->addWidget(m_heads);
    row->addWidget(new TokensButton(m_document, selection));
    row->addStretch(1);
    filters->addWidget(new FilterControls(m_document), 1);
    m_pairs = menuButton(
        tr("Lines from one of two sentences to one of two; A is the first, query first"), [this](QMenu *menu) { fillPairs(menu); });
    filters->addWidget(m_pairs);
    connect(&m_document, &Document::changed, this, &LinesBar::refresh);
    connect(&m_document, &Document::resultChanged, this, &LinesBar::refresh);
    refresh();
}

template <typename Change>
void LinesBar::edit(const QString &name, Change change)
{
    Session next = m_document.session();
    change(next.view);
    m_document.edit(std::move(next), name);
}

void LinesBar::refresh()
{
    const ViewState &view = m_document.session().view;
    const HeadRef picked = m_document.head();
    const auto more = std::count_if(view.moreHeads.begin(), view.moreHeads.end(),
        [&](const HeadRef &head) { return head.block == picked.block && (head.layer != picked.layer || head.head != picked.head); });
    const AttentionBlock &block = m_document.block();
    m_heads->setVisible(block.layers * headCount(block, m_document.result()->spec) > 1);
    m_heads->setText(more > 0 ? tr("and %1 more").arg(more) : tr("Add heads"));
    m_pairs->setVisible(sentenceBoundary(block, m_document.result()->spec.mask).has_value());
    m_pairs->setText(pairsText(view.pairs));
}

void LinesBar::fillHeads(QMenu *menu)
{
    const HeadRef picked = m_document.head();
    const std::vector<HeadRef> more = m_document.session().view.moreHeads;
    const int heads = headCount(m_document.block(), m_document.result()->spec);
    std::vector<HeadRef> layer;
    for (HeadRef head = picked; static_cast<int>(layer.size()) < heads;) {
        head.head = static_cast<int>(layer.size());
        layer.push_back(head);
    }
    const auto show = [this](const std::vector<HeadRef> &next) {
        edit(tr("change heads of lines"), [&next](ViewState &view) { view.moreHeads = next; });
    };
    addChoice(menu, nullptr, tr("Only the picked head"), more.empty(), [show] { show({}); });
    addChoice(menu, nullptr, tr("All heads of the layer"), false, [show, layer, picked] {
        std::vector<HeadRef> others = layer;
        std::erase(others, picked);
        show(others);
    });
    menu->addSeparator();
    const auto add = [&](const HeadRef &head) {
        const bool isShown = std::find(more.begin(), more.end(), head) != more.end();
        addChoice(menu, nullptr, tr("Head %1").arg(QString::fromStdString(headName(*m_document.input(), head))), isShown, [=] {
            std::vector<HeadRef> next = more;
            if (std::erase(next, head) == 0)
                next.push_back(head);
            show(next);
        });
    };
    for (const HeadRef &head : layer) {
        if (!(head == picked))
            add(head);
    }
    // Those of other layers were picked elsewhere; here they can be taken away.
    for (const HeadRef &head : more) {
        if (head.layer != picked.layer && head.block == picked.block)
            add(head);
    }
}

void LinesBar::fillPairs(QMenu *menu)
{
    auto *group = new QActionGroup(menu);
    const SentencePairs now = m_document.session().view.pairs;
    for (const SentencePairs pairs : pairChoices)
        addChoice(menu, group, pairsText(pairs), pairs == now,
            [this, pairs] { edit(tr("change pairs of sentences"), [pairs](ViewState &view) { view.pairs = pairs; }); });
}

} // namespace attenscope
