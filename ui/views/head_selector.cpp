// SPDX-License-Identifier: GPL-3.0-or-later
// Captions and menus of the buttons that choose a head.
#include "views/head_selector.h"

#include "views/menu_button.h"

#include <QActionGroup>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>

namespace attenscope {

HeadSelector::HeadSelector(Document &document, Offers offers, QWidget *parent)
    : QWidget(parent)
    , m_document(document)
    , m_offers(offers)
{
    constexpr int spacing = 8;
    m_row = new QHBoxLayout(this);
    m_row->setContentsMargins({});
    m_row->setSpacing(spacing);
    m_block = addMenuButton(tr("Which part of the model"), &HeadSelector::fillBlocks);
    m_element = addMenuButton(tr("Which element of the batch"), &HeadSelector::fillElements);
    m_layer = addMenuButton(tr("Which layer (Shift+Page Up, Shift+Page Down)"), &HeadSelector::fillLayers);
    m_head = addMenuButton(offers == Offers::CombinedToo ? tr("Which head, or all heads of the layer together (Page Up, Page Down)")
                                                         : tr("Which head (Page Up, Page Down)"),
        &HeadSelector::fillHeads);
    connect(&m_document, &Document::changed, this, &HeadSelector::refresh);
    connect(&m_document, &Document::resultChanged, this, &HeadSelector::refresh);
    refresh();
}

QToolButton *HeadSelector::addMenuButton(const QString &tip, void (HeadSelector::*fill)(QMenu *))
{
    QToolButton *button = menuButton(tip, [this, fill](QMenu *menu) { (this->*fill)(menu); });
    m_row->addWidget(button);
    return button;
}

void HeadSelector::refresh()
{
    const AttentionBlock &block = m_document.block();
    const HeadRef head = m_document.head();
    m_block->setVisible(m_document.input()->blocks.size() > 1);
    m_block->setText(QString::fromStdString(blockName(*m_document.input(), head.block)));
    m_element->setVisible(block.batch > 1);
    m_element->setText(tr("Element %1").arg(head.element));
    m_layer->setVisible(block.layers > 1 && m_offers != Offers::Blocks);
    m_layer->setText(tr("Layer %1").arg(head.layer));
    m_head->setVisible(m_offers != Offers::Blocks);
    const HeadsShown shown = m_offers == Offers::CombinedToo ? m_document.session().view.headsShown : HeadsShown::Single;
    switch (shown) {
    case HeadsShown::Single:
        m_head->setText(tr("Head %1").arg(head.head));
        break;
    case HeadsShown::Mean:
        m_head->setText(tr("Mean of heads"));
        break;
    case HeadsShown::Max:
        m_head->setText(tr("Largest of heads"));
        break;
    }
    // At once, so that a bar can ask how wide this is.
    m_row->activate();
}

void HeadSelector::pick(int HeadRef::*part, int number)
{
    HeadRef head = m_document.head();
    head.*part = number;
    m_document.pickHead(clamped(head, *m_document.input(), m_document.result()->spec));
}

void HeadSelector::fillBlocks(QMenu *menu)
{
    auto *group = new QActionGroup(menu);
    const AttentionInput &input = *m_document.input();
    for (int number = 0; number < static_cast<int>(input.blocks.size()); ++number)
        addChoice(menu, group, QString::fromStdString(blockName(input, number)), number == m_document.head().block,
            [this, number] { pick(&HeadRef::block, number); });
}

void HeadSelector::fillElements(QMenu *menu)
{
    auto *group = new QActionGroup(menu);
    for (int element = 0; element < m_document.block().batch; ++element)
        addChoice(menu, group, tr("Element %1").arg(element), element == m_document.head().element,
            [this, element] { pick(&HeadRef::element, element); });
}

void HeadSelector::fillLayers(QMenu *menu)
{
    auto *group = new QActionGroup(menu);
    for (int layer = 0; layer < m_document.block().layers; ++layer)
        addChoice(
            menu, group, tr("Layer %1").arg(layer), layer == m_document.head().layer, [this, layer] { pick(&HeadRef::layer, layer); });
}

void HeadSelector::fillHeads(QMenu *menu)
{
    auto *group = new QActionGroup(menu);
    const bool isCombined = m_offers == Offers::CombinedToo;
    const HeadsShown shown = isCombined ? m_document.session().view.headsShown : HeadsShown::Single;
    const int heads = headCount(m_document.block(), m_document.result()->spec);
    const auto show = [this](HeadsShown next) {
        Session session = m_document.session();
        session.view.headsShown = next;
        m_document.edit(std::move(session), tr("change shown heads"));
    };
    for (int head = 0; head < heads; ++head) {
        const bool isChosen = shown == HeadsShown::Single && head == m_document.head().head;
        addChoice(menu, group, tr("Head %1").arg(head), isChosen, [this, head, show, isCombined] {
            if (isCombined)
                show(HeadsShown::Single);
            pick(&HeadRef::head, head);
        });
    }
    if (heads < 2 || !isCombined)
        return;
    menu->addSeparator();
    addChoice(menu, group, tr("Mean of heads"), shown == HeadsShown::Mean, [show] { show(HeadsShown::Mean); });
    addChoice(menu, group, tr("Largest of heads"), shown == HeadsShown::Max, [show] { show(HeadsShown::Max); });
}

} // namespace attenscope
