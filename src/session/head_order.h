// SPDX-License-Identifier: GPL-3.0-or-later
// HeadOrder: which heads are listed, and in which order; the same for the head grid and the head table.
#pragma once

#include "attention/head_columns.h"
#include "attention/patterns.h"
#include "core/result.h"

#include <optional>
#include <string>
#include <vector>

namespace attenscope {

struct HeadOrder {
    HeadColumn by = HeadColumn::Head;
    bool isDescending = false;
    std::optional<Pattern> only; ///< Heads of one pattern.
    std::string filter; ///< As typed, see HeadFilter.

    friend bool operator==(const HeadOrder &, const HeadOrder &) = default;
};

/// What a filter in words asks of a head; all of it must hold: words that its name or pattern contains, and comparisons of columns such as
/// "first > 0.4" or "entropy<=1". Columns are called as in the head table or by the beginning of that, capitals do not matter.
class HeadFilter {
public:
    /// Errors: a comparison without a number, or of a column that there is not.
    [[nodiscard]] static Result<HeadFilter> parse(const std::string &text);

    /// A mean that @p summary does not have fulfils no comparison. @p summary may be null.
    [[nodiscard]] bool accepts(const std::string &name, const std::string &pattern, const HeadSummary *summary) const;

private:
    enum class Sign { Less, LessOrEqual, Equal, GreaterOrEqual, Greater };
    struct Comparison {
        HeadColumn column = HeadColumn::Entropy;
        Sign sign = Sign::Less;
        double number = 0.0;
    };

    [[nodiscard]] static bool holds(const Comparison &comparison, const HeadSummary &summary);

    std::vector<std::string> m_words; ///< In small letters.
    std::vector<Comparison> m_comparisons;
};

} // namespace attenscope
