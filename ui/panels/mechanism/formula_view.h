// SPDX-License-Identifier: GPL-3.0-or-later
// FormulaView: the mechanism as a formula that follows it.
#pragma once

#include "state/formula.h"

#include <QWidget>

namespace attenscope {

/// Centred, 20 px or as small as the width asks for. The symbol under the mouse is lit; a click on it asks for its control.
class FormulaView : public QWidget {
    Q_OBJECT

public:
    explicit FormulaView(QWidget *parent = nullptr);

    void setFormula(const Formula &formula);
    [[nodiscard]] const Formula &formula() const { return m_formula; }
    /// Lights what belongs to a hovered control; None: nothing.
    void setLit(Symbol symbol);
    [[nodiscard]] Symbol lit() const { return m_lit; }
    /// Where @p symbol is, widget coordinates; null if the formula does not have it.
    [[nodiscard]] QRectF rectOf(Symbol symbol) const;
    [[nodiscard]] Symbol symbolAt(QPointF point) const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void symbolClicked(attenscope::Symbol symbol);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;

private:
    void fit();
    [[nodiscard]] QPointF origin() const;

    Formula m_formula;
    MathBox m_box;
    Symbol m_lit = Symbol::None;
};

} // namespace attenscope
