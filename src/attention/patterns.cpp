// SPDX-License-Identifier: GPL-3.0-or-later
// The rules behind the names of patterns.
#include "attention/patterns.h"

#include "core/text.h"

#include <optional>
#include <utility>

namespace attenscope {

namespace {

/// What one pattern looks at.
struct Name {
    const char *name;
    const char *quantity; ///< In a rule.
    RowMean HeadSummary::*mean;
};

Name nameOf(Pattern pattern)
{
    switch (pattern) {
    case Pattern::Previous:
        return { "Previous token", "previous", &HeadSummary::previous };
    case Pattern::Next:
        return { "Next token", "next", &HeadSummary::next };
    case Pattern::Own:
        return { "Own token", "own", &HeadSummary::own };
    case Pattern::Induction:
        return { "Induction", "induction", &HeadSummary::induction };
    case Pattern::First:
        return { "First token", "first", &HeadSummary::first };
    case Pattern::Separator:
        return { "Separator", "separators", &HeadSummary::separator };
    case Pattern::Uniform:
        return { "Uniform", "H/ln", &HeadSummary::normalizedEntropy };
    case Pattern::Local:
        return { "Local", "distance", &HeadSummary::distance };
    case Pattern::Broad:
        return { "Broad", "H/ln", &HeadSummary::normalizedEntropy };
    case Pattern::Mixed:
        break;
    }
    return { "Mixed", "", nullptr };
}

std::string shown(double number)
{
    return displayNumber(number, 2);
}

std::string rowsText(Index rows)
{
    return groupedCount(rows) + (rows == 1 ? " row" : " rows");
}

/// The rule of @p pattern in words, if @p mean fulfils it.
std::optional<std::string> fulfilled(Pattern pattern, const HeadSummary &summary, const PatternRules &rules)
{
    const RowMean &mean = summary.*nameOf(pattern).mean;
    const std::string value = std::string(nameOf(pattern).quantity) + " " + shown(mean.mean);
    switch (pattern) {
    case Pattern::Uniform:
    case Pattern::Broad: {
        const double bound = pattern == Pattern::Uniform ? rules.uniform : rules.broad;
        if (mean.rows > 0 && mean.mean >= bound)
            return value + " ≥ " + exactNumber(bound);
        return std::nullopt;
    }
    case Pattern::Local: {
        const double uniform = mean.uniform * (summary.weight.rows > 0 ? summary.weight.mean : 1.0);
        if (mean.rows >= rules.rows && uniform > 0.0 && mean.mean <= rules.local * uniform)
            return value + " ≤ " + exactNumber(rules.local) + " × " + shown(uniform) + " of uniform, " + rowsText(mean.rows);
        return std::nullopt;
    }
    default:
        if (mean.rows >= rules.rows && mean.rows > 0 && mean.mean >= rules.share && mean.mean >= rules.timesUniform * mean.uniform)
            return value + " ≥ " + exactNumber(rules.share) + " and ≥ " + exactNumber(rules.timesUniform) + " × " + shown(mean.uniform)
                + " of uniform, " + rowsText(mean.rows);
        return std::nullopt;
    }
}

} // namespace

std::string patternName(Pattern pattern)
{
    return nameOf(pattern).name;
}

FoundPattern findPattern(const HeadSummary &summary, const PatternRules &rules)
{
    if (summary.weight.rows > 0 && summary.weight.mean < rules.weight)
        return { std::nullopt,
            "weight of a row " + shown(summary.weight.mean) + " < " + exactNumber(rules.weight) + ": too little for a name" };
    for (const Pattern pattern : allPatterns) {
        if (pattern == Pattern::Mixed)
            break;
        if (std::optional<std::string> rule = fulfilled(pattern, summary, rules))
            return { pattern, *std::move(rule) };
    }
    return { Pattern::Mixed, "no rule reaches its bound" };
}

} // namespace attenscope
