// SPDX-License-Identifier: GPL-3.0-or-later
// QueryChoice: which query a view is about, by name or where there are too many by position.
#pragma once

#include "state/document.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QSpinBox;

namespace attenscope {

class QueryChoice : public QWidget {
    Q_OBJECT

public:
    /// @p tip says what the query is chosen for.
    QueryChoice(Document &document, const QString &tip, QWidget *parent = nullptr);

    /// Shows @p query of the document's block as the chosen one.
    void refresh(Index query);

signals:
    void chosen(attenscope::Index query);

private:
    void fill();
    /// The shown query nearest to @p position of the whole input, further on in the direction of the change where that one is left out.
    [[nodiscard]] Index queryAt(Index position) const;

    Document &m_document;
    std::shared_ptr<const AttentionInput> m_input; ///< Whose tokens are listed.
    int m_block = -1;
    Index m_query = 0;
    QComboBox *m_tokens = nullptr;
    QSpinBox *m_position = nullptr; ///< Where there are too many for a list.
    QLabel *m_token = nullptr;
};

} // namespace attenscope
