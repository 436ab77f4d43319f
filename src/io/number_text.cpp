// SPDX-License-Identifier: GPL-3.0-or-later
// Parsing one number.
#include "io/number_text.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

namespace attenscope {

namespace {

bool equalsIgnoringCase(std::string_view text, std::string_view lower)
{
    return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
        [](char a, char b) { return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b; });
}

/// Whether digits that do not fit a double are too large, not too small: by the decimal place of the first digit that is not 0.
bool isHuge(std::string_view digits)
{
    const std::size_t mark = digits.find_first_of("eE");
    const std::string_view mantissa = digits.substr(0, mark);
    std::int64_t exponent = 0;
    if (mark != std::string_view::npos) {
        std::string_view power = digits.substr(mark + 1);
        const bool isNegative = power.starts_with('-');
        if (isNegative || power.starts_with('+'))
            power.remove_prefix(1);
        if (std::from_chars(power.data(), power.data() + power.size(), exponent).ec == std::errc::result_out_of_range)
            exponent = std::numeric_limits<std::int64_t>::max() / 2;
        exponent = isNegative ? -exponent : exponent;
    }
    const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
    const std::size_t first = mantissa.find_first_of("123456789");
    const auto place = static_cast<std::int64_t>(point) - static_cast<std::int64_t>(std::min(first, mantissa.size()));
    return exponent + place > 0;
}

} // namespace

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view space = " \t\r\n\v\f";
    const std::size_t first = text.find_first_not_of(space);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(space) - first + 1);
}

ParsedNumber parseNumber(std::string_view text, char decimalMark)
{
    std::string_view rest = trimmed(text);
    if (rest.empty())
        return { NumberKind::Empty, 0.0 };
    constexpr std::string_view minus = "\u2212";
    double sign = 1.0;
    if (rest.starts_with(minus)) {
        sign = -1.0;
        rest.remove_prefix(minus.size());
    } else if (rest.front() == '-' || rest.front() == '+') {
        sign = rest.front() == '-' ? -1.0 : 1.0;
        rest.remove_prefix(1);
    }
    if (equalsIgnoringCase(rest, "nan"))
        return { NumberKind::Number, std::numeric_limits<double>::quiet_NaN() };
    if (equalsIgnoringCase(rest, "inf") || equalsIgnoringCase(rest, "infinity") || rest == "\u221e")
        return { NumberKind::Number, sign * std::numeric_limits<double>::infinity() };
    if (rest.empty() || rest.find_first_not_of("0123456789.,eE+-") != std::string_view::npos || rest.front() == '-')
        return {};

    std::string withPoint;
    if (decimalMark != '.') {
        if (rest.find('.') != std::string_view::npos)
            return {};
        withPoint = rest;
        std::replace(withPoint.begin(), withPoint.end(), decimalMark, '.');
        rest = withPoint;
    }
    double number = 0.0;
    const auto [end, failure] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    if (end != rest.data() + rest.size() || failure == std::errc::invalid_argument)
        return {};
    if (failure == std::errc::result_out_of_range) {
        if (isHuge(rest))
            return { NumberKind::TooLarge, 0.0 };
        number = 0.0;
    }
    return { NumberKind::Number, sign * number };
}

Error tooLargeNumber(std::string where, const std::string &infinity)
{
    return { "A number is too large for double precision.", std::move(where),
        "The largest is 1.8e308; write " + infinity + " for an infinite one.", {} };
}

} // namespace attenscope
