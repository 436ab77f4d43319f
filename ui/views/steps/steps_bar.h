// SPDX-License-Identifier: GPL-3.0-or-later
// StepsBar: the row above the steps: which query, which head.
#pragma once

#include "state/document.h"
#include "views/view_bar.h"

class QComboBox;
class QToolButton;

namespace attenscope {

class QueryChoice;

class StepsBar : public ViewBar {
    Q_OBJECT

public:
    explicit StepsBar(Document &document, QWidget *parent = nullptr);

    /// Shows @p query as the chosen one, and the head of the document.
    void refresh(Index query);
    /// Whether the page shows more than fits, or less than there is.
    void setFolding(bool isUnfolded, bool isFolded);

signals:
    void queryChosen(attenscope::Index query);
    void foldRequested();
    void unfoldRequested();

private:
    Document &m_document;
    QueryChoice *m_query = nullptr;
    QToolButton *m_fold = nullptr;
    QToolButton *m_unfold = nullptr;
    QComboBox *m_heads = nullptr;
};

} // namespace attenscope
