// SPDX-License-Identifier: GPL-3.0-or-later
// ExactLine: the line of a view that has the numbers of what is hovered, else of what is picked.
#pragma once

#include <QString>
#include <QWidget>

namespace attenscope {

/// One line as high as its font needs, whatever it says; cut at the end where it does not fit, whole as tooltip and for readers of screens.
class ExactLine : public QWidget {
    Q_OBJECT

public:
    explicit ExactLine(QWidget *parent = nullptr);

    void setText(const QString &text);
    [[nodiscard]] QString text() const { return m_text; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_text;
};

} // namespace attenscope
