// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as people type them and as table cells show them.
#include "panels/number_text.h"

#include "core/text.h"

#include <QLocale>

#include <cmath>
#include <limits>

namespace attenscope {

std::optional<double> parseNumber(const QString &text)
{
    QString plain = text.trimmed().toLower();
    plain.replace(QChar(0x2212), QLatin1Char('-'));
    if (plain.count(QLatin1Char(',')) == 1 && !plain.contains(QLatin1Char('.')))
        plain.replace(QLatin1Char(','), QLatin1Char('.'));
    const bool isNegative = plain.startsWith(QLatin1Char('-'));
    const QString word = isNegative || plain.startsWith(QLatin1Char('+')) ? plain.mid(1) : plain;
    if (word == QLatin1String("nan"))
        return std::numeric_limits<double>::quiet_NaN();
    if (word == QLatin1String("inf") || word == QLatin1String("infinity") || word == QStringLiteral("∞"))
        return isNegative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
    bool isNumber = false;
    const double number = QLocale::c().toDouble(plain, &isNumber);
    // QLocale would read "1e999" as infinity without a word; only a written infinity is one.
    if (!isNumber || std::isinf(number))
        return std::nullopt;
    return number;
}

QString cellText(double number)
{
    if (!std::isfinite(number))
        return QString::fromStdString(displayNumber(number, 0));
    const double size = std::abs(number);
    if (number != 0.0 && (size < 5e-5 || size >= 1e7)) {
        QString text = QLocale::c().toString(number, 'e', 2);
        return text.replace(QLatin1Char('-'), QChar(0x2212));
    }
    QString exact = QString::fromStdString(exactNumber(number));
    const auto point = exact.indexOf(QLatin1Char('.'));
    const bool isShort = !exact.contains(QLatin1Char('e')) && (point < 0 || exact.size() - point - 1 <= 4);
    if (!isShort)
        return QString::fromStdString(displayNumber(number, 4));
    return exact.replace(QLatin1Char('-'), QChar(0x2212));
}

} // namespace attenscope
