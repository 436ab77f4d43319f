// SPDX-License-Identifier: GPL-3.0-or-later
// FoldRow: a heading that shows or hides the rows after it.
#pragma once

#include "panels/controls.h"

class QToolButton;
class QVBoxLayout;

namespace attenscope {

/// "› Positions, bias, soft cap" with rows under it, folded at first.
class FoldRow : public QWidget {
    Q_OBJECT

public:
    explicit FoldRow(const QString &title, QWidget *parent = nullptr);

    void addRow(QWidget *row);
    void setOpen(bool isOpen);
    [[nodiscard]] bool isOpen() const { return m_isOpen; }
    /// Said beside the title while it is folded: what is set inside.
    void setSummary(const QString &summary);

signals:
    void opened(bool isOpen);

private:
    void showTitle();

    bool m_isOpen = false;
    QString m_title;
    QString m_summary;
    QToolButton *m_button = nullptr;
    QWidget *m_content = nullptr;
    QVBoxLayout *m_rows = nullptr;
};

} // namespace attenscope
