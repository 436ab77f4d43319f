// SPDX-License-Identifier: GPL-3.0-or-later
// LinesLayout: where tokens, dots, legend and numbers of the lines stand, in logical pixels, without any drawing.
#pragma once

#include "views/lines/lines_content.h"

#include <QFont>
#include <QRectF>

#include <optional>
#include <vector>

namespace attenscope {

/// Letters and lengths: 13 pixels are body text.
struct LinesStyle {
    Theme theme;
    QFont font;

    [[nodiscard]] double scale() const;
    /// Token names and numbers: 15 for a body of 13; notes: 12.
    [[nodiscard]] QFont tokenFont() const;
    [[nodiscard]] QFont noteFont() const;
};

/// What is at a point.
struct LinesHit {
    TokenSide side = TokenSide::Neither;
    Index token = 0;
    bool isNumber = false; ///< On a weight at the end of a line.
};

/// What is shown, and of that what is in view.
struct LinesPart {
    Range queries;
    Range keys;
    Range queriesInView;
    Range keysInView;
};

/// Rows count from the top of the first shown query and key; the head of the page (legend, captions) stands above them and does not scroll.
struct LinesLayout {
    double scale = 1.0;
    double rowHeight = 28.0;
    Index rows = 0; ///< Of the whole map.
    Index cols = 0;
    Range queries; ///< That are shown.
    Range keys;
    std::size_t heads = 1;
    double left = 0.0; ///< Of the positions.
    double leftNumbers = 0.0; ///< Left edge of the weights of queries.
    double queryLeft = 0.0; ///< Of the names of queries, which end at queryRight.
    double queryRight = 0.0;
    double leftDot = 0.0;
    double rightDot = 0.0;
    double keyPositions = 0.0; ///< Left edge of the positions of keys; 0: those at the left are theirs too.
    double keyLeft = 0.0; ///< Of the names of keys.
    double rightNumbers = 0.0;
    double right = 0.0; ///< Where the last column of weights ends.
    double numberWidth = 0.0;
    std::size_t numberColumns = 1; ///< Heads whose weights fit, on either side.
    double leastWidth = 0.0; ///< A narrower room has to be scrolled.
    double leastHeight = 0.0; ///< A lower one, with the head of the page.
    double titles = 0.0; ///< Top of the title of the side.
    std::vector<QRectF> legend; ///< One entry per head, from the top of the page; empty for one head.
    double captions = 0.0; ///< Top of the captions of the columns.
    double headHeight = 0.0; ///< Of legend and captions.

    LinesLayout() = default;
    /// For a page of @p room with its head; rows are as high as the room allows between 20 and 28.
    LinesLayout(const LinesContent &content, const LinesStyle &style, QSizeF room);

    [[nodiscard]] double height() const { return static_cast<double>(std::max(queries.size(), keys.size())) * rowHeight; }
    [[nodiscard]] double top(TokenSide side, Index token) const
    {
        return static_cast<double>(token - (side == TokenSide::Queries ? queries : keys).first) * rowHeight;
    }
    [[nodiscard]] double middle(TokenSide side, Index token) const { return top(side, token) + 0.5 * rowHeight; }
    /// Lines of several heads run side by side, so that none covers those of another between the same tokens.
    [[nodiscard]] double offset(std::size_t head) const;
    [[nodiscard]] QRectF query(Index token) const;
    [[nodiscard]] QRectF key(Index token) const;
    /// The weight of head number @p column at a token.
    [[nodiscard]] QRectF number(TokenSide side, Index token, std::size_t column) const;
    /// What is between @p top and @p bottom of the page.
    [[nodiscard]] LinesPart part(double top, double bottom) const;
    /// The whole page.
    [[nodiscard]] LinesPart part() const { return { queries, keys, queries, keys }; }
    [[nodiscard]] std::optional<LinesHit> hit(QPointF point) const;
};

} // namespace attenscope
