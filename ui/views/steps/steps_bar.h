// SPDX-License-Identifier: GPL-3.0-or-later
// StepsBar: the row above the steps: which query, which head.
#pragma once

#include "state/document.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QSpinBox;
class QToolButton;

namespace attenscope {

class StepsBar : public QWidget {
    Q_OBJECT

public:
    explicit StepsBar(Document &document, QWidget *parent = nullptr);

    /// Shows @p query as the chosen one, and the head of the document.
    void refresh(Index query);
    void setUnfolded(bool isUnfolded);

signals:
    void queryChosen(attenscope::Index query);
    void foldRequested();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void fillQueries();

    Document &m_document;
    std::shared_ptr<const AttentionInput> m_input; ///< Whose tokens are listed.
    int m_block = -1;
    QComboBox *m_tokens = nullptr;
    QSpinBox *m_position = nullptr; ///< Where there are too many for a list.
    QLabel *m_token = nullptr;
    QToolButton *m_fold = nullptr;
    QComboBox *m_heads = nullptr;
};

} // namespace attenscope
