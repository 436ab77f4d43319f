// SPDX-License-Identifier: GPL-3.0-or-later
// FormulaView: the mechanism as a formula that follows it.
#pragma once

#include "panels/math_box.h"

#include <QWidget>

#include <optional>

namespace attenscope {

/// What the formula has to say.
struct Formula {
    bool isDividedByRoot = true; ///< By √d_k.
    std::optional<double> factor; ///< On the scores in its place.
    double temperature = 1.0;
    bool hasMask = false;
    bool hasValues = true;

    friend bool operator==(const Formula &, const Formula &) = default;
};

/// @p formula as boxes, without measures.
[[nodiscard]] MathBox mathBox(const Formula &formula);
/// The same in one line, for screen readers and tooltips: "softmax(QKᵀ / √d_k + M) V".
[[nodiscard]] QString plainFormula(const Formula &formula);

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
