// SPDX-License-Identifier: GPL-3.0-or-later
// The formula of scaled dot-product attention and its relatives, painted.
#include "panels/formula_view.h"

#include "panels/controls.h"
#include "panels/number_text.h"
#include "state/theme.h"

#include <QMouseEvent>
#include <QPainter>

namespace attenscope {

namespace {

using Kind = MathBox::Kind;

MathBox word(const QString &text, Symbol symbol = Symbol::None)
{
    return { .kind = Kind::Word, .text = text, .parts = {}, .symbol = symbol };
}

MathBox letter(const QString &text, Symbol symbol = Symbol::None)
{
    return { .kind = Kind::Letter, .text = text, .parts = {}, .symbol = symbol };
}

MathBox nest(Kind kind, std::vector<MathBox> parts, Symbol symbol = Symbol::None)
{
    return { .kind = kind, .text = {}, .parts = std::move(parts), .symbol = symbol };
}

/// All that a click can mean.
constexpr Symbol symbols[] = { Symbol::Scale, Symbol::Temperature, Symbol::Mask, Symbol::Score };

double bodySize(const QWidget &widget)
{
    // 20 px where the window's text is 13.
    return widget.fontInfo().pixelSize() * 20.0 / 13.0;
}

} // namespace

MathBox mathBox(const Formula &formula)
{
    MathBox keys = nest(Kind::Superscript, { letter(QStringLiteral("K")), word(QStringLiteral("T")) });
    MathBox scores = nest(Kind::Row, { letter(QStringLiteral("Q")), std::move(keys) }, Symbol::Score);
    if (formula.factor) {
        MathBox factor = word(cellText(*formula.factor), Symbol::Scale);
        scores = nest(Kind::Row, { std::move(factor), word(QStringLiteral(" ")), std::move(scores) });
    }

    std::vector<MathBox> divisors;
    if (formula.isDividedByRoot && !formula.factor)
        divisors.push_back(
            nest(Kind::Root, { nest(Kind::Subscript, { letter(QStringLiteral("d")), letter(QStringLiteral("k")) }) }, Symbol::Scale));
    if (formula.temperature != 1.0) {
        if (!divisors.empty())
            divisors.push_back(word(QStringLiteral(" ")));
        divisors.push_back(letter(QStringLiteral("T"), Symbol::Temperature));
    }
    if (!divisors.empty())
        scores = nest(Kind::Fraction, { std::move(scores), nest(Kind::Row, std::move(divisors)) });

    std::vector<MathBox> inner{ std::move(scores) };
    if (formula.hasMask) {
        inner.push_back(word(QStringLiteral(" + ")));
        inner.push_back(letter(QStringLiteral("M"), Symbol::Mask));
    }
    std::vector<MathBox> all{ word(QStringLiteral("softmax")), word(QStringLiteral(" ")),
        nest(Kind::Parentheses, { nest(Kind::Row, std::move(inner)) }) };
    if (formula.hasValues) {
        all.push_back(word(QStringLiteral(" ")));
        all.push_back(letter(QStringLiteral("V")));
    }
    return nest(Kind::Row, std::move(all));
}

QString plainFormula(const Formula &formula)
{
    QString text = QStringLiteral("QKᵀ");
    if (formula.factor)
        text = cellText(*formula.factor) + QLatin1Char(' ') + text;
    else if (formula.isDividedByRoot)
        text += QStringLiteral(" / √d_k");
    if (formula.temperature != 1.0)
        text += QStringLiteral(" / T");
    if (formula.hasMask)
        text += QStringLiteral(" + M");
    return QStringLiteral("softmax(%1)%2").arg(text, formula.hasValues ? QStringLiteral(" V") : QString());
}

FormulaView::FormulaView(QWidget *parent)
    : QWidget(parent)
{
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Formula"));
    setFormula({});
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
    paintMath(painter, m_box, origin(), font(), theme.text, m_lit, theme.accent);
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
