// SPDX-License-Identifier: GPL-3.0-or-later
// ViewBar: the ground of the row above a view.
#pragma once

#include <QWidget>

#include <utility>

class QBoxLayout;
class QHBoxLayout;

namespace attenscope {

/// The colour of the view, with a faint line below.
class ViewBar : public QWidget {
    Q_OBJECT

public:
    explicit ViewBar(QWidget *parent = nullptr);

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

    static constexpr int spacing = 8;

    /// Lays out two rows: side by side where there is room for what they need, else one below the other. The caller fills them.
    [[nodiscard]] std::pair<QHBoxLayout *, QHBoxLayout *> makeRows();

private:
    void arrangeRows();

    QBoxLayout *m_rows = nullptr; ///< Of bars with two rows.
};

} // namespace attenscope
