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

/// Rows count from the top of the first token; the head of the page (legend, captions) stands above them and does not scroll.
struct LinesLayout {
    double scale = 1.0;
    double rowHeight = 28.0;
    Index rows = 0;
    Index cols = 0;
    std::size_t heads = 1;
    double left = 0.0; ///< Of the positions.
    double leftNumbers = 0.0; ///< Left edge of the weights of queries.
    double queryLeft = 0.0; ///< Of the names of queries, which end at queryRight.
    double queryRight = 0.0;
    double leftDot = 0.0;
    double rightDot = 0.0;
    double keyLeft = 0.0; ///< Of the names of keys.
    double rightNumbers = 0.0;
    double right = 0.0; ///< Where the last column of weights ends.
    double numberWidth = 0.0;
    std::size_t numberColumns = 1; ///< Heads whose weights fit, on either side.
    std::vector<QRectF> legend; ///< One entry per head, from the top of the page; empty for one head.
    double captions = 0.0; ///< Top of the captions of the columns.
    double headHeight = 0.0; ///< Of legend and captions.

    LinesLayout() = default;
    /// For a page of @p room with its head; rows are as high as the room allows between 20 and 28.
    LinesLayout(const LinesContent &content, const LinesStyle &style, QSizeF room);

    [[nodiscard]] double height() const { return static_cast<double>(std::max(rows, cols)) * rowHeight; }
    [[nodiscard]] double middle(Index token) const { return (static_cast<double>(token) + 0.5) * rowHeight; }
    /// Lines of several heads run side by side, so that none covers those of another between the same tokens.
    [[nodiscard]] double offset(std::size_t head) const;
    [[nodiscard]] QRectF query(Index token) const;
    [[nodiscard]] QRectF key(Index token) const;
    /// The weight of head number @p column at a token.
    [[nodiscard]] QRectF number(TokenSide side, Index token, std::size_t column) const;
    /// Tokens between @p top and @p bottom, which may lie beyond the ends.
    [[nodiscard]] Range tokens(double top, double bottom) const;
    [[nodiscard]] std::optional<LinesHit> hit(QPointF point) const;
};

} // namespace attenscope
