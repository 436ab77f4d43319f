// SPDX-License-Identifier: GPL-3.0-or-later
// ScaleField: the factor on the scores, 1/√d_k unless another is typed.
#pragma once

#include "panels/number_field.h"

namespace attenscope {

/// Shows the rule at the left ("1 / √8") and what it comes to at the right ("0.3536"). Accepts a number, "1/√8", "1/sqrt(8)", "1/8"; an empty text and a
/// double click that brings the focus along bring the default back. Commits on Enter and when the focus leaves.
class ScaleField : public QLineEdit {
    Q_OBJECT

public:
    explicit ScaleField(QWidget *parent = nullptr);

    /// Shows @p factor, or where it is unset 1/√@p dimension. Emits nothing.
    void setScale(std::optional<double> factor, long dimension);

signals:
    void edited(std::optional<double> factor);
    /// One sentence about a text that is no factor; empty when that has passed.
    void badText(const QString &sentence);

protected:
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void commit();
    [[nodiscard]] QString ruleText() const;

    std::optional<double> m_factor;
    long m_dimension = 1;
    bool m_isBad = false;
    FocusClick m_focusClick;
};

/// The factor that @p text is; nothing for other text.
[[nodiscard]] std::optional<double> parseScale(const QString &text);

} // namespace attenscope
