// SPDX-License-Identifier: GPL-3.0-or-later
// TextBar: the row above the text: which head, from or to the picked token, which weights, numbers.
#pragma once

#include "views/lines/lines_content.h"
#include "views/view_bar.h"

class QCheckBox;
class QToolButton;

namespace attenscope {

/// Edits Session::view; which way is read follows the pick and changes it.
class TextBar : public ViewBar {
    Q_OBJECT

public:
    TextBar(Document &document, Selection &selection, QWidget *parent = nullptr);

    /// @p hasChoice: queries and keys are one text.
    void setPicks(TokenSide side, bool hasChoice);

signals:
    void picksChosen(attenscope::TokenSide side);

private:
    void refresh();

    Document &m_document;
    QWidget *m_segments = nullptr;
    QToolButton *m_reads = nullptr;
    QToolButton *m_isRead = nullptr;
    QCheckBox *m_numbers = nullptr;
};

} // namespace attenscope
