// SPDX-License-Identifier: GPL-3.0-or-later
// LinesBar: the row above the lines: which heads, which weights, which pairs of sentences.
#pragma once

#include "state/document.h"
#include "state/selection.h"
#include "views/view_bar.h"

class QMenu;
class QToolButton;

namespace attenscope {

/// Edits Session::view. Only what applies is shown.
class LinesBar : public ViewBar {
    Q_OBJECT

public:
    LinesBar(Document &document, Selection &selection, QWidget *parent = nullptr);

private:
    void refresh();
    void fillHeads(QMenu *menu);
    void fillPairs(QMenu *menu);
    template <typename Change>
    void edit(const QString &name, Change change);

    Document &m_document;
    QToolButton *m_heads = nullptr;
    QToolButton *m_pairs = nullptr;
};

} // namespace attenscope
