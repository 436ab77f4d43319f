// SPDX-License-Identifier: GPL-3.0-or-later
// GridBar: by what the head grid is ordered, and which heads it shows.
#pragma once

#include "state/head_list.h"

#include <QWidget>

class QComboBox;
class QGridLayout;
class QLabel;

namespace attenscope {

/// Edits ViewState::heads. One row where there is room, else two.
class GridBar : public QWidget {
    Q_OBJECT

public:
    explicit GridBar(Document &document, QWidget *parent = nullptr);

    /// Shows the session's order and how many heads of @p list have each pattern.
    void follow(const HeadList &list);

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void arrange();
    void edit(const HeadOrder &order, const QString &name);

    Document &m_document;
    QGridLayout *m_rows = nullptr;
    QLabel *m_orderLabel = nullptr;
    QComboBox *m_order = nullptr;
    QLabel *m_showLabel = nullptr;
    QComboBox *m_show = nullptr;
    QLabel *m_note = nullptr;
    int m_columns = 0; ///< Of the present arrangement.
};

} // namespace attenscope
