// SPDX-License-Identifier: GPL-3.0-or-later
// ViewBar: the ground of the row above a view.
#pragma once

#include <QWidget>

namespace attenscope {

/// The colour of the view, with a faint line below.
class ViewBar : public QWidget {
    Q_OBJECT

public:
    explicit ViewBar(QWidget *parent = nullptr);

protected:
    void paintEvent(QPaintEvent *event) override;
};

} // namespace attenscope
