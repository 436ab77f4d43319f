// SPDX-License-Identifier: GPL-3.0-or-later
// NothingHere: why a view has nothing to show, and what could be shown instead.
#pragma once

#include <QString>
#include <QWidget>

class QLabel;
class QPushButton;

namespace attenscope {

/// A sentence in the middle, below it a button where something is offered.
class NothingHere : public QWidget {
    Q_OBJECT

public:
    explicit NothingHere(QWidget *parent = nullptr);

    void setWhy(const QString &why);
    /// An empty @p offer is none.
    void setOffer(const QString &offer, const QString &tip = {});

signals:
    /// The button.
    void accepted();

private:
    QLabel *m_why = nullptr;
    QPushButton *m_offer = nullptr;
};

} // namespace attenscope
