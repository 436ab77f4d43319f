// SPDX-License-Identifier: GPL-3.0-or-later
// Round numbers for a scale, and the drawing of it.
#include "views/color_scale.h"

#include "core/text.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

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
    const double lowest = std::log10(colors.lower());
    const double highest = std::log10(colors.upper());
    const int step = std::max(1, static_cast<int>(std::ceil((highest - lowest) / 4.0)));
    std::vector<ScaleTick> ticks;
    const auto isWhole = [](double exponent) { return std::abs(exponent - std::round(exponent)) < 1e-9; };
    const QString lower = isWhole(lowest) ? powerOfTen(static_cast<int>(std::round(lowest))) : roundedPower(colors.lower());
    ticks.push_back({ 0.0, QStringLiteral("≤ ") + lower });
    const int last = static_cast<int>(std::floor(highest + 1e-9));
    for (int exponent = last; exponent > lowest + step / 2.0; exponent -= step)
        ticks.push_back({ (exponent - lowest) / (highest - lowest), powerOfTen(exponent) });
    std::sort(ticks.begin(), ticks.end(), [](const ScaleTick &a, const ScaleTick &b) { return a.position < b.position; });
    return ticks;
}

/// 1, 2 or 5 times a power of ten, so that about five steps make @p range.
double niceStep(double range)
{
    const double rough = range / 5.0;
    const double decade = std::pow(10.0, std::floor(std::log10(rough)));
    const double part = rough / decade;
    return decade * (part < 1.5 ? 1.0 : part < 3.5 ? 2.0 : part < 7.5 ? 5.0 : 10.0);
}

} // namespace

std::vector<ScaleTick> scaleTicks(const ColorMap &colors, bool isSigned, bool isSampled)
{
    if (colors.isLogarithmic())
        return logarithmicTicks(colors);
    const double lower = colors.lower();
    const double upper = colors.upper();
    const double range = upper - lower;
    if (!(range > 0.0) || !std::isfinite(range))
        return { { 0.5, QString::fromStdString(exactNumber(lower)) } };
    const auto textOf = [&](double number, int decimals) {
        const bool isSmall = std::abs(number) < 1e-12 * range;
        QString text = isSmall ? QStringLiteral("0") : QString::fromStdString(displayNumber(number, decimals));
        return isSigned && number > 0.0 && !isSmall ? u'+' + text : text;
    };
    std::vector<ScaleTick> ticks;
    const double step = lower < 0.0 && upper > 0.0 ? upper / 2.0 : niceStep(range);
    // Symmetric scales name their ends, however crooked; others round numbers and their upper end.
    const double magnitude = std::max(std::abs(lower), std::abs(upper));
    const bool isExtreme = magnitude >= 1e5 || magnitude < 1e-3;
    const int decimals = lower < 0.0 ? (magnitude >= 100.0 ? 0
                                 : magnitude >= 0.02       ? 2
                                                           : 4)
                                     : std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), upper <= 1.0 ? 1 : 0, 6);
    const auto label = [&](double number) {
        if (isExtreme && number != 0.0) {
            QString text = QString::number(number, 'g', 3).replace(u'-', u'−');
            return isSigned && number > 0.0 ? u'+' + text : text;
        }
        return textOf(number, decimals);
    };
    if (lower < 0.0) {
        for (int part = -2; part <= 2; ++part)
            ticks.push_back({ (part * step - lower) / range, label(part * step) });
    } else {
        for (int index = 0; lower + index * step <= upper * (1.0 + 1e-9); ++index)
            ticks.push_back(
                { index * step / range, index == 0 && lower == 0.0 && upper <= 1.0 ? QStringLiteral("0.0") : label(lower + index * step) });
    }
    if (isSampled && !ticks.empty()) {
        if (lower < 0.0)
            ticks.front().text.prepend(QStringLiteral("≤ "));
        ticks.back().text.prepend(QStringLiteral("≥ "));
    }
    return ticks;
}

void paintColorScale(QPainter &painter, const QRectF &bar, const ColorMap &colors, const std::vector<ScaleTick> &ticks,
    const QString &title, const MapStyle &style)
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

    const QFont font = style.font(style.px(12.0));
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    const double mark = style.px(4.0);
    double lastEnd = -1e9;
    for (const ScaleTick &tick : ticks) {
        const double along = isVertical ? bar.bottom() - tick.position * bar.height() : bar.left() + tick.position * bar.width();
        painter.setPen(QPen(style.theme.secondaryText, style.px(1.0)));
        if (isVertical) {
            painter.drawLine(QPointF(bar.right(), along), QPointF(bar.right() + mark, along));
            painter.drawText(QPointF(bar.right() + 2.0 * mark, along + metrics.capHeight() / 2.0), tick.text);
            continue;
        }
        painter.drawLine(QPointF(along, bar.bottom()), QPointF(along, bar.bottom() + mark));
        // The end labels stay over the bar.
        const double width = metrics.horizontalAdvance(tick.text);
        const double left = std::clamp(along - width / 2.0, bar.left(), std::max(bar.left(), bar.right() - width));
        if (left < lastEnd + mark)
            continue;
        lastEnd = left + width;
        painter.drawText(QPointF(left, bar.bottom() + mark + metrics.ascent() + style.px(1.0)), tick.text);
    }
    if (title.isEmpty())
        return;
    painter.setPen(style.theme.secondaryText);
    if (isVertical)
        painter.drawText(QPointF(bar.left(), bar.top() - style.px(12.0)), title);
    else
        painter.drawText(QPointF(bar.left() - style.px(12.0) - metrics.horizontalAdvance(title), bar.bottom()), title);
}

} // namespace attenscope
