// SPDX-License-Identifier: GPL-3.0-or-later
// TokensButton: leaving tokens out of every view, and word pieces as words.
#pragma once

#include "state/document.h"
#include "state/selection.h"

#include <QToolButton>

namespace attenscope {

/// Edits ViewState::tokens. Says how many keys are shown where some are left out or merged. Its menu offers the picked tokens too.
class TokensButton : public QToolButton {
    Q_OBJECT

public:
    TokensButton(Document &document, Selection &selection, QWidget *parent = nullptr);

private:
    void refresh();
    void fill();
    void addKinds();
    void addPart();
    void addPicked();
    void addLeftOut();
    void edit(const QString &name, const std::function<void(TokensShown &)> &change);

    Document &m_document;
    Selection &m_selection;
};

} // namespace attenscope
