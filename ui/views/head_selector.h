// SPDX-License-Identifier: GPL-3.0-or-later
// HeadSelector: which block, element of the batch, layer and head is shown; the same in every view bar.
#pragma once

#include "state/document.h"

#include <QWidget>

class QHBoxLayout;
class QMenu;
class QToolButton;

namespace attenscope {

/// Buttons with menus side by side; one that offers no choice is hidden, but for the head. Picks by Document::pickHead() and edits
/// ViewState::headsShown.
class HeadSelector : public QWidget {
    Q_OBJECT

public:
    /// Whether layers and heads can be chosen, and whether all heads of the layer together (mean, largest) besides each of them.
    enum class Offers { Blocks, SingleHeads, CombinedToo };

    explicit HeadSelector(Document &document, Offers offers, QWidget *parent = nullptr);

private:
    void refresh();
    void pick(int HeadRef::*part, int number);
    void fillBlocks(QMenu *menu);
    void fillElements(QMenu *menu);
    void fillLayers(QMenu *menu);
    void fillHeads(QMenu *menu);
    QToolButton *addMenuButton(const QString &tip, void (HeadSelector::*fill)(QMenu *));

    Document &m_document;
    Offers m_offers;
    QHBoxLayout *m_row = nullptr;
    QToolButton *m_block = nullptr;
    QToolButton *m_element = nullptr;
    QToolButton *m_layer = nullptr;
    QToolButton *m_head = nullptr;
};

} // namespace attenscope
