// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as people type them and as table cells show them.
#include "state/number_text.h"

#include "core/text.h"
#include "io/number_text.h"

#include <QLocale>

#include <cmath>

namespace attenscope {

namespace {

ParsedNumber parsedNumber(const QString &text)
{
    QString plain = text.trimmed();
    plain.replace(QStringLiteral("∞"), QStringLiteral("inf"));
    const bool hasDecimalComma = plain.count(QLatin1Char(',')) == 1 && !plain.contains(QLatin1Char('.'));
    return parseNumber(plain.toStdString(), hasDecimalComma ? ',' : '.');
}

} // namespace

std::optional<double> typedNumber(const QString &text)
{
    const ParsedNumber parsed = parsedNumber(text);
    return parsed.kind == NumberKind::Number ? std::optional(parsed.number) : std::nullopt;
}

bool isTooLarge(const QString &text)
{
    return parsedNumber(text).kind == NumberKind::TooLarge;
}

QString cellText(double number)
{
    if (!std::isfinite(number))
        return QString::fromStdString(displayNumber(number, 0));
    const double size = std::abs(number);
    if (number != 0.0 && (size < 5e-5 || size >= 1e7)) {
        QString text = QLocale::c().toString(number, 'g', 3);
        text.replace(QLatin1String("e+0"), QLatin1String("e"))
            .replace(QLatin1String("e+"), QLatin1String("e"))
            .replace(QLatin1String("e-0"), QLatin1String("e-"));
        return text.replace(QLatin1Char('-'), QChar(0x2212));
    }
    QString exact = QString::fromStdString(exactNumber(number));
    const auto point = exact.indexOf(QLatin1Char('.'));
    const bool isShort = !exact.contains(QLatin1Char('e')) && (point < 0 || exact.size() - point - 1 <= 4);
    if (!isShort)
        return QString::fromStdString(displayNumber(number, 4));
    return exact.replace(QLatin1Char('-'), QChar(0x2212));
}

QString shownNumber(double number, int decimals)
{
    const double size = std::abs(number);
    const bool isNothing = size > 0.0 && size < 0.5 * std::pow(10.0, -decimals);
    constexpr double tooLong = 1e7;
    if (std::isfinite(number) && (isNothing || size >= tooLong))
        return QString::number(number, 'e', isNothing ? 1 : decimals).replace(u'-', QChar(0x2212));
    return QString::fromStdString(displayNumber(number, decimals));
}

QString shownDifference(double difference, int decimals)
{
    constexpr double rounding = 1e-15;
    if (std::abs(difference) <= rounding)
        return QString::fromStdString(displayNumber(0.0, decimals));
    const QString text = shownNumber(difference, decimals);
    return difference > 0.0 ? u'+' + text : text;
}

QString widestWeight()
{
    return QStringLiteral("0.0e−00");
}

QString countText(Index count)
{
    return QString::fromStdString(groupedCount(count));
}

} // namespace attenscope
