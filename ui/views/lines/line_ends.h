// SPDX-License-Identifier: GPL-3.0-or-later
// LineEnds: the exact weights at the other ends of the lit lines, and what is said about hidden ones.
#pragma once

#include "views/lines/line_rows.h"

namespace attenscope {

/// Of one head.
struct HeadEnds {
    std::vector<double> cells; ///< One per token of LineEnds::tokens: the weight, or the sum of several; masked where all of them are.
    std::vector<bool> isHidden; ///< By filter or pairs, in all of the lit tokens' rows or columns.
    std::vector<WeightLine> lines; ///< Lit queries: their lines, one after the other; else empty.
    std::vector<std::size_t> lineEnds; ///< Where the lines of each lit query end in @p lines.
    double largest = 0.0; ///< Magnitude, of all cells that were looked at.
    Index hidden = 0; ///< Lines.
    double hiddenWeight = 0.0;
    double weight = 0.0; ///< Of all that were looked at.
};

struct LineEnds {
    LitTokens lit;
    Range tokens; ///< Of the side that is not lit.
    bool isWhole = false; ///< All tokens of that side were looked at, so that hidden lines are counted.
    std::vector<HeadEnds> heads;
};

/// Weights of @p lit at the tokens @p inView of the other side; lit queries are read to their ends, of lit keys only the queries in view where
/// the map is large.
[[nodiscard]] LineEnds lineEnds(const LinesContent &content, const LitTokens &lit, Range inView);

/// What is said to be hidden.
enum class HiddenThings { Lines, Tokens };
/// "Row 15: 6 lines hidden, 1.20 % of the weight. Whole head: 1.05 %." Empty where nothing can be hidden. With several heads all of them together.
/// Whole heads whose @p lines are not all there are being computed, unless that @p isStopped.
[[nodiscard]] QString hiddenText(const LinesContent &content, const LineEnds &ends, const std::vector<HeadLines> &lines,
    HiddenThings things = HiddenThings::Lines, bool isStopped = false);

/// "Row 15: 12.30 % of the weight goes to keys out of sight": what the lit tokens have beyond the shown queries and keys. Empty where all are shown,
/// or not all were looked at.
[[nodiscard]] QString outOfSightText(const LinesContent &content, const LineEnds &ends);

/// Adds a cell to the sum of several; masked and absent cells add nothing, and a sum of nothing else is what they are. Sums start as absent.
void addWeight(double &sum, double cell);

/// "0.4379", "1.5e−06", "masked", "NaN": a weight at the end of a line; of a difference with its sign.
[[nodiscard]] QString endText(double cell, bool isDifference = false);

} // namespace attenscope
