// SPDX-License-Identifier: GPL-3.0-or-later
// Filters of heads: reading them and asking them.
#include "session/head_order.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string_view>

namespace attenscope {

namespace {

std::string lower(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return text;
}

std::string_view trimmed(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t");
    return first == std::string_view::npos ? std::string_view() : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// The column that @p word is the name of, or the beginning of the name.
std::optional<HeadColumn> columnCalled(const std::string &word)
{
    std::optional<HeadColumn> begun;
    for (const HeadColumn column : allHeadColumns) {
        if (columnMean(column) == nullptr)
            continue;
        const std::string name = lower(columnName(column));
        if (name == word)
            return column;
        if (!begun && !word.empty() && name.starts_with(word))
            begun = column;
    }
    return begun;
}

/// Cuts off and returns the text up to the next blank.
std::string_view takeWord(std::string_view &rest)
{
    rest = trimmed(rest);
    const auto end = std::min(rest.find_first_of(" \t"), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(end);
    return word;
}

} // namespace

Result<HeadFilter> HeadFilter::parse(const std::string &text)
{
    HeadFilter filter;
    std::string_view rest = text;
    while (!trimmed(rest).empty()) {
        rest = trimmed(rest);
        // A comparison is a word, perhaps blanks, a sign, perhaps blanks, and a number.
        const auto nameEnd = std::min(rest.find_first_of("<>= \t"), rest.size());
        const auto signStart = std::min(rest.find_first_not_of(" \t", nameEnd), rest.size());
        const bool isComparison = signStart < rest.size() && std::string_view("<>=").find(rest[signStart]) != std::string_view::npos;
        if (!isComparison) {
            filter.m_words.push_back(lower(std::string(takeWord(rest))));
            continue;
        }
        const std::string name = lower(std::string(rest.substr(0, nameEnd)));
        const auto signEnd = std::min(rest.find_first_not_of("<>=", signStart), rest.size());
        const std::string_view sign = rest.substr(signStart, signEnd - signStart);
        rest.remove_prefix(signEnd);
        std::string number(takeWord(rest));
        // A decimal comma is as good as a point.
        std::replace(number.begin(), number.end(), ',', '.');
        Comparison comparison;
        const auto column = columnCalled(name);
        if (!column)
            return Error{ "There is no column “" + name + "”.", {}, "The head table names them.", {} };
        comparison.column = *column;
        if (sign == "<")
            comparison.sign = Sign::Less;
        else if (sign == "<=")
            comparison.sign = Sign::LessOrEqual;
        else if (sign == "=" || sign == "==")
            comparison.sign = Sign::Equal;
        else if (sign == ">=")
            comparison.sign = Sign::GreaterOrEqual;
        else if (sign == ">")
            comparison.sign = Sign::Greater;
        else
            return Error{ "“" + std::string(sign) + "” compares nothing.", {}, "Use <, <=, =, >= or >.", {} };
        const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), comparison.number);
        if (problem != std::errc() || end != number.data() + number.size())
            return Error{ "After “" + name + " " + std::string(sign) + "” there is no number.", {}, "For example: first > 0.4.", {} };
        filter.m_comparisons.push_back(comparison);
    }
    return filter;
}

bool HeadFilter::holds(const Comparison &comparison, const HeadSummary &summary)
{
    const RowMean &mean = summary.*columnMean(comparison.column);
    if (mean.rows == 0)
        return false;
    switch (comparison.sign) {
    case Sign::Less:
        return mean.mean < comparison.number;
    case Sign::LessOrEqual:
        return mean.mean <= comparison.number;
    case Sign::Equal:
        return mean.mean == comparison.number;
    case Sign::GreaterOrEqual:
        return mean.mean >= comparison.number;
    case Sign::Greater:
        return mean.mean > comparison.number;
    }
    return false;
}

bool HeadFilter::accepts(const std::string &name, const std::string &pattern, const HeadSummary *summary) const
{
    const std::string text = lower(name + ' ' + pattern);
    return std::all_of(m_words.begin(), m_words.end(), [&text](const std::string &word) { return text.find(word) != std::string::npos; })
        && std::all_of(m_comparisons.begin(), m_comparisons.end(),
            [summary](const Comparison &comparison) { return summary != nullptr && holds(comparison, *summary); });
}

} // namespace attenscope
