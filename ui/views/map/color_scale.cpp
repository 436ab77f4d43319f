// SPDX-License-Identifier: GPL-3.0-or-later
// Round numbers for a scale, and the drawing of it.
#include "views/map/color_scale.h"

#include "core/text.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attenscope {

namespace {

QString superscript(int exponent)
{
    static const QString digits = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
    QString text = exponent < 0 ? QStringLiteral("⁻") : QString();
    for (const QChar digit : QString::number(std::abs(exponent)))
        text += digits.at(digit.digitValue());
    return text;
}

QString powerOfTen(int exponent)
{
    return exponent == 0 ? QStringLiteral("1") : exponent == 1 ? QStringLiteral("10") : QStringLiteral("10") + superscript(exponent);
}

/// "5.0·10⁻⁶": two digits and a power of ten.
QString roundedPower(double number)
{
    int exponent = static_cast<int>(std::floor(std::log10(number)));
    QString digits = QString::fromStdString(displayNumber(number / std::pow(10.0, exponent), 1));
    if (digits == QLatin1String("10.0")) {
        digits = QStringLiteral("1.0");
        ++exponent;
    }
    return exponent == 0 ? digits : digits + QStringLiteral("·") + powerOfTen(exponent);
}

std::vector<ScaleTick> logarithmicTicks(const ColorMap &colors)
{
    const double lowest = std::log10(colors.least());
    const double highest = std::log10(colors.upper());
    const int step = std::max(1, static_cast<int>(std::ceil((highest - lowest) / 4.0)));
    std::vector<ScaleTick> ticks;
    const auto isWhole = [](double exponent) { return std::abs(exponent - std::round(exponent)) < 1e-9; };
    const QString lower = isWhole(lowest) ? powerOfTen(static_cast<int>(std::round(lowest))) : roundedPower(colors.least());
    ticks.push_back({ 0.0, (colors.isSignedLogarithmic() ? QStringLiteral("±") : QStringLiteral("≤ ")) + lower });
    const int last = static_cast<int>(std::floor(highest + 1e-9));
    for (int exponent = last; exponent > lowest + step / 2.0; exponent -= step)
        ticks.push_back({ (exponent - lowest) / (highest - lowest), powerOfTen(exponent) });
    std::sort(ticks.begin(), ticks.end(), [](const ScaleTick &a, const ScaleTick &b) { return a.position < b.position; });
    return ticks;
}

/// The powers of ten on both sides of what looks like zero.
std::vector<ScaleTick> signedTicks(const ColorMap &colors)
{
    const std::vector<ScaleTick> above = logarithmicTicks(colors);
    std::vector<ScaleTick> ticks;
    for (auto tick = above.rbegin(); tick + 1 != above.rend(); ++tick)
        ticks.push_back({ (1.0 - tick->position) / 2.0, QChar(0x2212) + tick->text });
    ticks.push_back({ 0.5, above.front().text });
    for (auto tick = above.begin() + 1; tick != above.end(); ++tick)
        ticks.push_back({ (1.0 + tick->position) / 2.0, u'+' + tick->text });
    return ticks;
}

/// 1, 2 or 5 times a power of ten, near @p rough.
double niceStep(double rough)
{
    const double decade = std::pow(10.0, std::floor(std::log10(rough)));
    const double part = rough / decade;
    return decade * (part < 1.5 ? 1.0 : part < 3.5 ? 2.0 : part < 7.5 ? 5.0 : 10.0);
}

/// 1, 2 or 5 times a power of ten, of which two to four go into @p length.
double halfStep(double length)
{
    const double decade = std::pow(10.0, std::floor(std::log10(length) + 1e-9));
    const double part = length / decade;
    return decade * (part < 2.0 - 1e-9 ? 0.5 : part < 5.0 - 1e-9 ? 1.0 : 2.0);
}

/// Where ticks are counted from when some are left out: zero or what looks like it on both sides, else the lower end.
std::ptrdiff_t anchorOf(const std::vector<ScaleTick> &ticks)
{
    const auto zero = std::find_if(
        ticks.begin(), ticks.end(), [](const ScaleTick &tick) { return tick.text == QLatin1String("0") || tick.text.startsWith(u'±'); });
    return zero == ticks.end() ? 0 : zero - ticks.begin();
}

} // namespace

std::vector<ScaleTick> scaleTicks(const ColorMap &colors, bool isSigned)
{
    if (colors.isLogarithmic())
        return colors.isSignedLogarithmic() ? signedTicks(colors) : logarithmicTicks(colors);
    const double lower = colors.lower();
    const double upper = colors.upper();
    // Halves keep a range of ±1e308 finite.
    const double half = upper / 2.0 - lower / 2.0;
    if (!(half > 0.0) || !std::isfinite(half))
        return { { 0.5, QString::fromStdString(exactNumber(lower)) } };
    const bool isDiverging = lower < 0.0 && upper > 0.0;
    const double step = isDiverging ? halfStep(std::min(-lower, upper)) : niceStep(half / 2.5);
    const double magnitude = std::max(std::abs(lower), std::abs(upper));
    const bool isExtreme = magnitude >= 1e5 || magnitude < 1e-3;
    const int decimals = std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), upper <= 1.0 ? 1 : 0, 6);
    const auto label = [&](double number) {
        if (number == 0.0)
            return isDiverging || upper > 1.0 ? QStringLiteral("0") : QStringLiteral("0.0");
        const QString text = isExtreme ? QString::number(number, 'g', 3).replace(u'-', QChar(0x2212))
                                       : QString::fromStdString(displayNumber(number, decimals));
        return isSigned && number > 0.0 ? u'+' + text : text;
    };
    std::vector<ScaleTick> ticks;
    const auto add = [&](double number) { ticks.push_back({ (number / 2.0 - lower / 2.0) / half, label(number) }); };
    if (isDiverging) {
        const int count = static_cast<int>(std::min(-lower, upper) / step + 1e-9);
        for (int index = -count; index <= count; ++index)
            add(index * step);
    } else {
        for (int index = 0; lower + index * step <= upper * (1.0 + 1e-9); ++index)
            add(lower + index * step);
    }
    return ticks;
}

std::vector<ScaleTick> fittingTicks(const std::vector<ScaleTick> &ticks, const std::vector<double> &extents, double length, double gap)
{
    const auto count = static_cast<std::ptrdiff_t>(ticks.size());
    const std::ptrdiff_t anchor = anchorOf(ticks);
    for (std::ptrdiff_t stride = 1; stride < count; ++stride) {
        std::vector<ScaleTick> kept;
        double end = -std::numeric_limits<double>::infinity();
        bool fits = true;
        for (std::ptrdiff_t index = anchor % stride; index < count; index += stride) {
            const auto place = static_cast<std::size_t>(index);
            const double middle = ticks[place].position * length;
            const double half = extents[place] / 2.0;
            fits = fits && middle - half >= end + gap;
            end = middle + half;
            kept.push_back(ticks[place]);
        }
        if (fits)
            return kept;
    }
    return count == 0 ? ticks : std::vector{ ticks[static_cast<std::size_t>(anchor)] };
}

namespace {

/// The ends of the bar where numbers lie beyond them, in the colours that those have.
void paintEnds(QPainter &painter, const QRectF &bar, const ColorMap &colors, const ScaleEnds &ends, const MapStyle &style)
{
    const bool isVertical = bar.height() > bar.width();
    const double reach = style.px(7.0);
    const auto paint = [&](const QPointF &from, const QPointF &to, const QPointF &outwards, QRgb color) {
        painter.setBrush(QColor(color));
        painter.drawPolygon(QPolygonF({ from, (from + to) / 2.0 + outwards * reach, to }));
    };
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(style.theme.secondaryText, style.px(1.0), Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
    const auto table = colors.table();
    if (ends.hasAbove)
        isVertical ? paint(bar.topLeft(), bar.topRight(), { 0.0, -1.0 }, table.back())
                   : paint(bar.topRight(), bar.bottomRight(), { 1.0, 0.0 }, table.back());
    if (ends.hasBelow)
        isVertical ? paint(bar.bottomLeft(), bar.bottomRight(), { 0.0, 1.0 }, table.front())
                   : paint(bar.topLeft(), bar.bottomLeft(), { -1.0, 0.0 }, table.front());
    painter.restore();
}

} // namespace

void paintColorScale(QPainter &painter, const QRectF &bar, const ColorMap &colors, const std::vector<ScaleTick> &ticks,
    const QString &title, const ScaleEnds &ends, const MapStyle &style)
{
    const bool isVertical = bar.height() > bar.width();
    const auto table = colors.table();
    QImage strip(isVertical ? QSize(1, 256) : QSize(256, 1), QImage::Format_RGB32);
    for (int entry = 0; entry < 256; ++entry)
        strip.setPixel(isVertical ? 0 : entry, isVertical ? 255 - entry : 0, table[static_cast<std::size_t>(entry)]);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.drawImage(bar, strip);
    painter.setPen(QPen(style.theme.line, style.px(1.0)));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(bar);
    paintEnds(painter, bar, colors, ends, style);

    const QFont font = style.font(style.px(12.0));
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    painter.setPen(QPen(style.theme.secondaryText, style.px(1.0)));
    const double mark = style.px(4.0);
    std::vector<double> extents;
    for (const ScaleTick &tick : ticks)
        extents.push_back(isVertical ? metrics.ascent() : metrics.horizontalAdvance(tick.text));
    for (const ScaleTick &tick : fittingTicks(ticks, extents, isVertical ? bar.height() : bar.width(), mark)) {
        const double along = isVertical ? bar.bottom() - tick.position * bar.height() : bar.left() + tick.position * bar.width();
        if (isVertical) {
            painter.drawLine(QPointF(bar.right(), along), QPointF(bar.right() + mark, along));
            painter.drawText(QPointF(bar.right() + 2.0 * mark, along + metrics.capHeight() / 2.0), tick.text);
        } else {
            const double width = metrics.horizontalAdvance(tick.text);
            painter.drawLine(QPointF(along, bar.bottom()), QPointF(along, bar.bottom() + mark));
            painter.drawText(QPointF(along - width / 2.0, bar.bottom() + mark + metrics.ascent() + style.px(1.0)), tick.text);
        }
    }
    if (title.isEmpty())
        return;
    if (isVertical)
        painter.drawText(QPointF(bar.left(), bar.top() - style.px(12.0)), title);
    else
        painter.drawText(QPointF(bar.left() - style.px(12.0) - metrics.horizontalAdvance(title), bar.bottom()), title);
}

} // namespace attenscope
