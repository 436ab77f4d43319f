// SPDX-License-Identifier: GPL-3.0-or-later
// LayersBar: the row above what is found across layers: what, up to which layer, of which block.
#pragma once

#include "state/document.h"
#include "state/selection.h"
#include "views/view_bar.h"

#include <vector>

class QMenu;
class QToolButton;

namespace attenscope {

/// Edits ViewState::layersShown and layersUpTo.
class LayersBar : public ViewBar {
    Q_OBJECT

public:
    LayersBar(Document &document, Selection &selection, QWidget *parent = nullptr);

    void refresh();

signals:
    void fitRequested();

private:
    void fillLayers(QMenu *menu);

    Document &m_document;
    std::vector<QToolButton *> m_segments; ///< In the order of LayersShown.
    QToolButton *m_upTo = nullptr;
    QToolButton *m_fit = nullptr;
};

} // namespace attenscope
