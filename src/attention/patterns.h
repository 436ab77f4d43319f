// SPDX-License-Identifier: GPL-3.0-or-later
// A name for where a head looks, and the rule that gave it.
#pragma once

#include "attention/summary.h"

#include <array>
#include <optional>
#include <string>

namespace attenscope {

/// In the order in which they are tried. A name describes the head on this input, not its function.
enum class Pattern { Previous, Next, Own, Induction, First, Separator, Uniform, Local, Broad, Mixed };
inline constexpr std::array allPatterns{ Pattern::Previous, Pattern::Next, Pattern::Own, Pattern::Induction, Pattern::First,
    Pattern::Separator, Pattern::Uniform, Pattern::Local, Pattern::Broad, Pattern::Mixed };

/// The bounds from which on a head has a name.
struct PatternRules {
    // Previous, next, own, induction, first and separator: the mean weight of that key is
    double share = 0.5; ///< at least this,
    double timesUniform = 2.0; ///< at least this many times that of uniform attention under the same mask,
    Index rows = 4; ///< and a mean over at least this many rows.
    double uniform = 0.95; ///< Uniform: entropy / ln(visible keys) is at least this.
    double local = 0.5; ///< Local: the mean distance is at most this many times that of uniform attention, over as many rows as above.
    double broad = 0.75; ///< Broad: entropy / ln(visible keys) is at least this.
    /// Any name: rows have at least this weight on average. Where tokens are left out most of it may lie outside of what is shown, and then neither where
    /// the rest goes nor how little of it there is says where the head looks. Uniform attention of the rule for Local has as much weight as the rows.
    double weight = 0.5;

    static constexpr double mostTimesUniform = 1000.0; ///< That any bound may be.

    friend bool operator==(const PatternRules &, const PatternRules &) = default;
};

struct FoundPattern {
    std::optional<Pattern> pattern; ///< Nothing: there is too little weight for a name.
    std::string rule; ///< "previous 0.83 ≥ 0.5 and ≥ 2 × 0.21 of uniform, 9 rows"; Mixed: "no rule reaches its bound"; nothing: why.

    friend bool operator==(const FoundPattern &, const FoundPattern &) = default;
};

/// "Previous token", "First token", "Uniform", ….
[[nodiscard]] std::string patternName(Pattern pattern);
/// The first pattern whose rule @p summary fulfils; none where its rows have too little weight. @p summary is complete; what it does not have fulfils
/// nothing.
[[nodiscard]] FoundPattern findPattern(const HeadSummary &summary, const PatternRules &rules = {});

} // namespace attenscope
