// SPDX-License-Identifier: GPL-3.0-or-later
// The columns of the head table: what heads are listed, ordered, filtered and exported by.
#pragma once

#include "attention/summary.h"

#include <array>
#include <string>

namespace attenscope {

enum class HeadColumn {
    Head,
    Pattern,
    Entropy,
    EffectiveKeys,
    NormalizedEntropy,
    Distance,
    Previous,
    First,
    Own,
    Induction,
    Next,
    Separator,
    Largest
};
inline constexpr std::array allHeadColumns{ HeadColumn::Head, HeadColumn::Pattern, HeadColumn::Entropy, HeadColumn::EffectiveKeys,
    HeadColumn::NormalizedEntropy, HeadColumn::Distance, HeadColumn::Previous, HeadColumn::First, HeadColumn::Own, HeadColumn::Induction,
    HeadColumn::Next, HeadColumn::Separator, HeadColumn::Largest };

/// "Head", "Entropy", "Keys", "H/ln", ….
[[nodiscard]] std::string columnName(HeadColumn column);
/// The mean that a column shows; null for Head and Pattern.
[[nodiscard]] RowMean HeadSummary::*columnMean(HeadColumn column);
/// Whether it is among what an incomplete summary has.
[[nodiscard]] bool isAlwaysKnown(HeadColumn column);

} // namespace attenscope
