// SPDX-License-Identifier: GPL-3.0-or-later
// Layout and painting of formulas.
#include "state/math_box.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace attenscope {

namespace {

using Kind = MathBox::Kind;

constexpr double scriptScale = 0.7;
constexpr double smallest = 9.0;

QFont fontFor(const MathBox &box, QFont font)
{
    font.setPixelSize(std::max(1, qRound(box.fontSize)));
    if (box.kind == Kind::Letter) {
        font.setFamilies({ QStringLiteral("STIX Two Text"), QStringLiteral("TeX Gyre Termes"), QStringLiteral("Liberation Serif"),
            QStringLiteral("DejaVu Serif"), QStringLiteral("serif") });
        font.setStyleHint(QFont::Serif);
        font.setItalic(true);
    }
    return font;
}

double gap(const MathBox &box)
{
    return box.fontSize * 0.15;
}

double parenthesisWidth(const MathBox &box)
{
    return box.fontSize * 0.32;
}

double rootWidth(const MathBox &box)
{
    return box.fontSize * 0.5;
}

/// Where the fraction bar lies above the baseline.
double axisHeight(const MathBox &box)
{
    return box.fontSize * 0.3;
}

/// Offsets of the parts from the box's origin.
std::vector<QPointF> places(const MathBox &box)
{
    std::vector<QPointF> result;
    double x = 0.0;
    switch (box.kind) {
    case Kind::Word:
    case Kind::Letter:
        break;
    case Kind::Row:
        for (const MathBox &part : box.parts) {
            result.emplace_back(x, 0.0);
            x += part.width;
        }
        break;
    case Kind::Fraction: {
        const MathBox &top = box.parts[0];
        const MathBox &bottom = box.parts[1];
        result.emplace_back((box.width - top.width) / 2.0, -axisHeight(box) - gap(box) - top.descent);
        result.emplace_back((box.width - bottom.width) / 2.0, -axisHeight(box) + gap(box) + bottom.ascent);
        break;
    }
    case Kind::Root:
        result.emplace_back(rootWidth(box), 0.0);
        break;
    case Kind::Superscript:
        result.emplace_back(0.0, 0.0);
        result.emplace_back(box.parts[0].width, -box.fontSize * 0.38);
        break;
    case Kind::Subscript:
        result.emplace_back(0.0, 0.0);
        result.emplace_back(box.parts[0].width, box.fontSize * 0.18);
        break;
    case Kind::Parentheses:
        result.emplace_back(parenthesisWidth(box), 0.0);
        break;
    }
    return result;
}

void drawLines(QPainter &painter, const MathBox &box, QPointF origin, const QColor &color)
{
    painter.setPen(QPen(color, std::max(1.0, box.fontSize / 16.0), Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    painter.setBrush(Qt::NoBrush);
    if (box.kind == Kind::Fraction) {
        const double y = origin.y() - axisHeight(box);
        painter.drawLine(QPointF(origin.x(), y), QPointF(origin.x() + box.width, y));
    } else if (box.kind == Kind::Root) {
        const double top = origin.y() - box.ascent + 1.0;
        const double bottom = origin.y() + box.descent - 1.0;
        const double hook = rootWidth(box);
        QPolygonF line;
        line << QPointF(origin.x(), origin.y() - box.ascent * 0.4) << QPointF(origin.x() + hook * 0.25, origin.y() - box.ascent * 0.5)
             << QPointF(origin.x() + hook * 0.5, bottom) << QPointF(origin.x() + hook * 0.9, top) << QPointF(origin.x() + box.width, top);
        painter.drawPolyline(line);
    } else if (box.kind == Kind::Parentheses) {
        const double top = origin.y() - box.ascent;
        const double bottom = origin.y() + box.descent;
        const double middle = (top + bottom) / 2.0;
        const double bend = parenthesisWidth(box);
        for (const bool isLeft : { true, false }) {
            const double open = isLeft ? origin.x() + bend * 0.85 : origin.x() + box.width - bend * 0.85;
            const double back = isLeft ? origin.x() - bend * 0.1 : origin.x() + box.width + bend * 0.1;
            QPainterPath path(QPointF(open, top));
            path.quadTo(QPointF(back, middle), QPointF(open, bottom));
            painter.drawPath(path);
        }
    }
}

bool isLit(const MathBox &box, std::span<const Symbol> lit, Symbol inherited)
{
    const Symbol symbol = box.symbol == Symbol::None ? inherited : box.symbol;
    if (box.parts.empty())
        return symbol != Symbol::None && std::find(lit.begin(), lit.end(), symbol) != lit.end();
    return std::all_of(box.parts.begin(), box.parts.end(), [&](const MathBox &part) { return isLit(part, lit, symbol); });
}

void paint(QPainter &painter, const MathBox &box, QPointF origin, const QFont &font, const QColor &color, std::span<const Symbol> lit,
    const QColor &litColor, Symbol inherited)
{
    const Symbol symbol = box.symbol == Symbol::None ? inherited : box.symbol;
    // Lines of a fraction are lit where all that they join is.
    const QColor &ink = isLit(box, lit, inherited) ? litColor : color;
    if (!box.text.isEmpty()) {
        painter.setPen(ink);
        painter.setFont(fontFor(box, font));
        painter.drawText(origin, box.text);
    }
    drawLines(painter, box, origin, ink);
    const std::vector<QPointF> offsets = places(box);
    for (std::size_t part = 0; part < box.parts.size(); ++part)
        paint(painter, box.parts[part], origin + offsets[part], font, color, lit, litColor, symbol);
}

} // namespace

void layOut(MathBox &box, const QFont &font, double size)
{
    box.fontSize = size;
    const bool isScript = box.kind == Kind::Superscript || box.kind == Kind::Subscript;
    for (std::size_t part = 0; part < box.parts.size(); ++part)
        layOut(box.parts[part], font, isScript && part == 1 ? std::max(size * scriptScale, smallest) : size);

    const QFontMetricsF metrics(fontFor(box, font));
    box.width = 0.0;
    box.ascent = metrics.capHeight();
    box.descent = 0.0;
    if (!box.text.isEmpty()) {
        const QRectF ink = metrics.tightBoundingRect(box.text);
        box.width = std::max(metrics.horizontalAdvance(box.text), ink.right());
        box.ascent = std::max(box.ascent, -ink.top());
        box.descent = std::max(0.0, ink.bottom());
        return;
    }
    if (box.kind == Kind::Fraction) {
        const MathBox &top = box.parts[0];
        const MathBox &bottom = box.parts[1];
        box.width = std::max(top.width, bottom.width) + 2.0 * gap(box);
        box.ascent = axisHeight(box) + gap(box) + top.descent + top.ascent;
        box.descent = gap(box) + bottom.ascent + bottom.descent - axisHeight(box);
        return;
    }
    const std::vector<QPointF> offsets = places(box);
    for (std::size_t part = 0; part < box.parts.size(); ++part) {
        const MathBox &inner = box.parts[part];
        box.width = std::max(box.width, offsets[part].x() + inner.width);
        box.ascent = std::max(box.ascent, inner.ascent - offsets[part].y());
        box.descent = std::max(box.descent, inner.descent + offsets[part].y());
    }
    if (box.kind == Kind::Root) {
        box.width += gap(box) * 0.5;
        box.ascent += gap(box);
    } else if (box.kind == Kind::Parentheses) {
        box.width += parenthesisWidth(box);
        box.ascent += gap(box) * 0.5;
        box.descent += gap(box) * 0.5;
    }
}

QRectF symbolRect(const MathBox &box, Symbol symbol, QPointF origin)
{
    if (box.symbol == symbol)
        return { origin.x(), origin.y() - box.ascent, box.width, box.ascent + box.descent };
    QRectF result;
    const std::vector<QPointF> offsets = places(box);
    for (std::size_t part = 0; part < box.parts.size(); ++part)
        result = result.united(symbolRect(box.parts[part], symbol, origin + offsets[part]));
    return result;
}

void paintMath(QPainter &painter, const MathBox &box, QPointF origin, const QFont &font, const QColor &color, std::span<const Symbol> lit,
    const QColor &litColor)
{
    paint(painter, box, origin, font, color, lit, litColor, Symbol::None);
}

} // namespace attenscope
