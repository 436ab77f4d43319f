// SPDX-License-Identifier: GPL-3.0-or-later
// Rail: what stands for the folded docks of one side.
#pragma once

#include <QFrame>

namespace attenscope {

enum class DockSide { Left, Right };

/// The strip that stands for the folded docks of one side: their names, one button each.
class Rail : public QFrame {
    Q_OBJECT

public:
    explicit Rail(DockSide side, QWidget *parent = nullptr);

    void setEntries(const QStringList &names);

signals:
    void clicked(int entry);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    DockSide m_side;
};

} // namespace attenscope
