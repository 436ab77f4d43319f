// SPDX-License-Identifier: GPL-3.0-or-later
// TextContent: the text whose tokens have the colours of weights, as a value; made from a Document for the screen and for figures alike.
#pragma once

#include "state/color_map.h"
#include "views/lines/line_ends.h"

namespace attenscope {

struct TextContent {
    LinesContent weights; ///< Of the picked head alone, or of all heads of the layer combined.
    LineEnds ends; ///< Whose weights tint the other side, and these, exact; Neither: nothing is picked.
    std::vector<double> tints; ///< One for each token of the other side: ends, or where those are not whole, numbers for colours.
    ColorMap colors;
    bool hasNumbers = false; ///< Under the tokens.
    std::vector<Index> pickedQueries;
    std::vector<Index> pickedKeys;
    std::optional<CellRef> hovered;

    /// Queries and keys are the same tokens: one text is both.
    [[nodiscard]] bool hasOneText() const;
    /// Whose tokens are tinted; Neither: none.
    [[nodiscard]] TokenSide tinted() const;
    /// "‘it’ (query 7) reads from the tinted tokens: where this head reads, not why the model answered."
    [[nodiscard]] QString caption() const;
};

/// The weights of @p document as lines have them, without what only lines have: more heads, pairs.
[[nodiscard]] std::optional<LinesContent> textWeights(const Document &document, FieldCache &fields);
/// What is tinted follows the pick, else what is hovered. Keys of large maps are tinted by colours, exact numbers have only @p inView.
[[nodiscard]] TextContent textContent(LinesContent weights, const ViewState &view, const Selection &selection, Range inView);
/// Changes of @p content what follows the mouse; false where that tints other tokens, so that a new content is needed.
[[nodiscard]] bool followMouse(TextContent &content, const Selection &selection);

} // namespace attenscope
