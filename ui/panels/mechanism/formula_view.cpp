// SPDX-License-Identifier: GPL-3.0-or-later
// A formula that follows the mechanism, painted.
#include "panels/mechanism/formula_view.h"

#include "panels/controls.h"
#include "state/theme.h"

#include <QMouseEvent>
#include <QPainter>

#include <array>

namespace attenscope {

namespace {

/// All that a click can mean.
constexpr Symbol symbols[]
    = { Symbol::Rope, Symbol::Scale, Symbol::SoftCap, Symbol::Bias, Symbol::Temperature, Symbol::Mask, Symbol::Softmax, Symbol::Score };

double bodySize(const QWidget &widget)
{
    // 20 px where the window's text is 13.
    return widget.fontInfo().pixelSize() * 20.0 / 13.0;
}

} // namespace

FormulaView::FormulaView(QWidget *parent)
    : QWidget(parent)
{
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Formula"));
}

void FormulaView::setFormula(const Formula &formula)
{
    m_formula = formula;
    setAccessibleDescription(plainFormula(formula));
    m_box = mathBox(formula);
    fit();
    update();
}

void FormulaView::setLit(Symbol symbol)
{
    if (m_lit == symbol)
        return;
    m_lit = symbol;
    update();
}

void FormulaView::fit()
{
    double size = bodySize(*this);
    layOut(m_box, font(), size);
    const double room = width() - 2.0 * panelPadding;
    // Letters have whole sizes, so one step may not be enough.
    while (m_box.width > room && size > 9.0 && room > 0.0) {
        size -= 1.0;
        layOut(m_box, font(), size);
    }
}

QPointF FormulaView::origin() const
{
    return { (width() - m_box.width) / 2.0, (height() + m_box.ascent - m_box.descent) / 2.0 };
}

QRectF FormulaView::rectOf(Symbol symbol) const
{
    return symbolRect(m_box, symbol, origin());
}

Symbol FormulaView::symbolAt(QPointF point) const
{
    for (const Symbol symbol : symbols) {
        const QRectF place = rectOf(symbol);
        if (!place.isNull() && place.adjusted(-2, -3, 2, 3).contains(point))
            return symbol;
    }
    return Symbol::None;
}

QSize FormulaView::sizeHint() const
{
    // As high as with a fraction, so that nothing below moves when the divisor goes.
    return { 240, qRound(bodySize(*this) * 3.0) };
}

QSize FormulaView::minimumSizeHint() const
{
    return { 160, sizeHint().height() };
}

void FormulaView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme &theme = Theme::of(palette());
    if (m_lit != Symbol::None) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.accentGround);
        const QRectF lit = rectOf(m_lit);
        if (!lit.isNull())
            painter.drawRoundedRect(lit.adjusted(-3, -3, 3, 3), 4, 4);
    }
    paintMath(painter, m_box, origin(), font(), theme.text, std::array{ m_lit }, theme.accent);
}

void FormulaView::resizeEvent(QResizeEvent *)
{
    fit();
}

void FormulaView::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        fit();
        updateGeometry();
    }
}

void FormulaView::mouseMoveEvent(QMouseEvent *event)
{
    const Symbol symbol = symbolAt(event->position());
    setLit(symbol);
    setCursor(symbol == Symbol::None ? Qt::ArrowCursor : Qt::PointingHandCursor);
}

void FormulaView::mousePressEvent(QMouseEvent *event)
{
    const Symbol symbol = symbolAt(event->position());
    if (event->button() == Qt::LeftButton && symbol != Symbol::None)
        emit symbolClicked(symbol);
}

void FormulaView::leaveEvent(QEvent *)
{
    setLit(Symbol::None);
}

} // namespace attenscope
