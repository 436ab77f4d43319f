// SPDX-License-Identifier: GPL-3.0-or-later
// ColorMap: from a cell to a colour; tables, linear, logarithmic and diverging scales.
#pragma once

#include "attention/cell.h"
#include "session/session.h"

#include <QColor>
#include <QRgb>

#include <array>
#include <span>

namespace attenscope {

/// The 256 entries of a table.
[[nodiscard]] std::span<const QRgb, 256> colorTable(ColorTable table);
/// Diverging: #2166AC, #F7F7F7, #B2182B.
[[nodiscard]] std::span<const QRgb, 256> divergingTable();

/// Value range and scale, ready to colour cells. Immutable value.
class ColorMap {
public:
    ColorMap() = default;
    /// Logarithmic needs 0 < lower < upper; what is at or below lower has the lowest colour.
    ColorMap(std::span<const QRgb, 256> table, double lower, double upper, bool isLogarithmic);
    /// From -upper to upper, logarithmic on both sides: what is not farther from zero than @p least has the middle colour. 0 < least < upper.
    [[nodiscard]] static ColorMap signedLogarithmic(std::span<const QRgb, 256> table, double least, double upper);

    [[nodiscard]] double lower() const { return m_lower; }
    [[nodiscard]] double upper() const { return m_upper; }
    [[nodiscard]] bool isLogarithmic() const { return m_isLogarithmic; }
    /// Logarithmic on both sides of zero.
    [[nodiscard]] bool isSignedLogarithmic() const { return m_isLogarithmic && m_lower < 0.0; }
    /// Of logarithmic scales: the largest magnitude that looks like zero.
    [[nodiscard]] double least() const { return m_least; }
    [[nodiscard]] std::span<const QRgb, 256> table() const { return m_table; }

    /// Colour of a number; ±inf and numbers outside get the end colours. Not for NaN, masked, absent.
    [[nodiscard]] QRgb color(float number) const;
    /// Position 0 to 1 on the scale.
    [[nodiscard]] double position(double number) const;
    /// textColorOn() the colour of a number.
    [[nodiscard]] QColor textColor(float number) const;

    friend bool operator==(const ColorMap &a, const ColorMap &b)
    {
        return a.m_table.data() == b.m_table.data() && a.m_lower == b.m_lower && a.m_upper == b.m_upper
            && a.m_isLogarithmic == b.m_isLogarithmic && a.m_least == b.m_least;
    }

private:
    std::span<const QRgb, 256> m_table = colorTable(ColorTable::Viridis);
    double m_lower = 0.0;
    double m_upper = 1.0;
    double m_least = 0.0;
    bool m_isLogarithmic = false;
};

/// Black or white, whichever contrasts more with @p ground.
[[nodiscard]] QColor textColorOn(QRgb ground);

/// What a logarithmic scale of weights calls "nothing": its lower end.
inline constexpr double lowestLogarithmicWeight = 1e-6;
/// The scale of weights that all heads share: 0 to 1, logarithmic from lowestLogarithmicWeight where @p view says so for @p keys keys.
[[nodiscard]] ColorMap weightColors(const ViewState &view, Index keys);

} // namespace attenscope
