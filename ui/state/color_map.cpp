// SPDX-License-Identifier: GPL-3.0-or-later
// From a number to a place on the scale, and from there to a colour.
#include "state/color_map.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace attenscope {

namespace {

/// Relative luminance of WCAG 2, 0 to 1.
double luminance(QRgb color)
{
    const auto linear = [](int channel) {
        const double part = channel / 255.0;
        return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(qRed(color)) + 0.7152 * linear(qGreen(color)) + 0.0722 * linear(qBlue(color));
}

} // namespace

ColorMap::ColorMap(std::span<const QRgb, 256> table, double lower, double upper, bool isLogarithmic)
    : m_table(table)
    , m_lower(lower)
    , m_upper(upper)
    , m_least(isLogarithmic ? lower : 0.0)
    , m_isLogarithmic(isLogarithmic)
{
    assert(!isLogarithmic || (lower > 0.0 && lower < upper));
}

ColorMap ColorMap::signedLogarithmic(std::span<const QRgb, 256> table, double least, double upper)
{
    ColorMap map(table, least, upper, true);
    map.m_lower = -upper;
    return map;
}

double ColorMap::position(double number) const
{
    if (isSignedLogarithmic()) {
        const double magnitude = std::abs(number);
        if (!(magnitude > m_least))
            return 0.5;
        const double share = std::min(1.0, std::log(magnitude / m_least) / std::log(m_upper / m_least));
        return number < 0.0 ? 0.5 - share / 2.0 : 0.5 + share / 2.0;
    }
    if (m_isLogarithmic) {
        if (!(number > m_lower))
            return 0.0;
        return std::min(1.0, std::log(number / m_lower) / std::log(m_upper / m_lower));
    }
    if (m_upper <= m_lower)
        return number < m_lower ? 0.0 : number > m_upper ? 1.0 : 0.5;
    // Halves keep a range of ±1e308 finite.
    return std::clamp((number / 2.0 - m_lower / 2.0) / (m_upper / 2.0 - m_lower / 2.0), 0.0, 1.0);
}

QRgb ColorMap::color(float number) const
{
    const auto entry = static_cast<std::size_t>(position(number) * 256.0);
    return m_table[std::min<std::size_t>(entry, 255)];
}

QColor ColorMap::textColor(float number) const
{
    return textColorOn(color(number));
}

QColor textColorOn(QRgb ground)
{
    // Contrast with white is 1.05 / (L + 0.05), with black (L + 0.05) / 0.05.
    const double light = luminance(ground) + 0.05;
    return light * light > 1.05 * 0.05 ? QColor(Qt::black) : QColor(Qt::white);
}

ColorMap weightColors(const ViewState &view, Index keys)
{
    const bool isLogarithmic = view.scale == ColorScale::Logarithmic || (view.scale == ColorScale::Automatic && keys > 128);
    return { colorTable(view.colors), isLogarithmic ? lowestLogarithmicWeight : 0.0, 1.0, isLogarithmic };
}

} // namespace attenscope
