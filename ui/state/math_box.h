// SPDX-License-Identifier: GPL-3.0-or-later
// MathBox: a formula as nested boxes, laid out and painted as mathematics.
#pragma once

#include <QColor>
#include <QFont>
#include <QPointF>
#include <QRectF>
#include <QString>

#include <span>
#include <vector>

class QPainter;

namespace attenscope {

/// The control that a part of the formula belongs to.
enum class Symbol { None, Score, Scale, Temperature, Mask, Softmax, Values };

/// One box: letters, a row, a fraction, a root or a script. Positions are relative to the baseline's left end.
struct MathBox {
    enum class Kind {
        Word, ///< Upright.
        Letter, ///< Serif italic.
        Row,
        Fraction, ///< parts: numerator, denominator.
        Root, ///< parts: what is under the root.
        Superscript, ///< parts: base, script.
        Subscript,
        Parentheses, ///< parts: what they enclose, as high as it is.
    };
    Kind kind = Kind::Row;
    QString text;
    std::vector<MathBox> parts;
    Symbol symbol = Symbol::None; ///< Of this box and of parts without one.

    double width = 0.0;
    double ascent = 0.0;
    double descent = 0.0;
    double fontSize = 0.0; ///< Pixels.
};

/// Fills in the measures for @p size pixels of body text.
void layOut(MathBox &box, const QFont &font, double size);

/// The box around everything that stands for @p symbol, where @p box is painted at @p origin; null if nothing does.
[[nodiscard]] QRectF symbolRect(const MathBox &box, Symbol symbol, QPointF origin);

/// Paints @p box; what stands for one of @p lit is painted in @p litColor. layOut() comes first.
void paintMath(QPainter &painter, const MathBox &box, QPointF origin, const QFont &font, const QColor &color, std::span<const Symbol> lit,
    const QColor &litColor);

} // namespace attenscope
