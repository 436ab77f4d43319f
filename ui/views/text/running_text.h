// SPDX-License-Identifier: GPL-3.0-or-later
// Running text: tokens and word pieces joined as the tokenizer took them apart, and where they stand on a page.
#pragma once

#include <QFont>
#include <QRectF>
#include <QString>

#include "core/matrix.h"

#include <string>
#include <vector>

namespace attenscope {

/// How a token is written in the text.
struct TextPiece {
    QString text; ///< Without the mark of a word's start; what cannot be seen is shown by its picture.
    bool startsWord = true; ///< A space stands before it.
    bool endsLine = false; ///< A line break.
};

/// Marks of a word's start are a leading space, "Ġ", "▁" or "·"; pieces that go on are "##…" where a token has that. Without either, tokens are
/// words, or characters where some of them are blanks.
[[nodiscard]] std::vector<TextPiece> runningText(const std::vector<std::string> &tokens);
/// Whether most of the words are written from right to left: then lines start at the right.
[[nodiscard]] bool isRightToLeft(const std::vector<TextPiece> &pieces);

/// Lines of pieces, words kept together where they fit. Logical pixels from (0, 0).
class TextFlow {
public:
    TextFlow() = default;
    /// Pieces are at least @p leastWidth wide, so that a number fits under them. @p rowHeight: a piece with what is under it.
    TextFlow(const std::vector<TextPiece> &pieces, const QFont &font, double width, double leastWidth, double rowHeight);

    [[nodiscard]] double height() const { return m_height; }
    [[nodiscard]] Index count() const { return static_cast<Index>(m_boxes.size()); }
    /// The whole place of a piece, one row high.
    [[nodiscard]] const QRectF &box(Index piece) const { return m_boxes[static_cast<std::size_t>(piece)]; }
    /// The piece at @p point; -1 for none.
    [[nodiscard]] Index at(QPointF point) const;
    /// Pieces that have something between @p top and @p bottom.
    [[nodiscard]] Range between(double top, double bottom) const;
    /// The piece nearest to @p piece in the line above (-1) or below (1); itself where there is none.
    [[nodiscard]] Index inNextLine(Index piece, int direction) const;

private:
    std::vector<QRectF> m_boxes;
    double m_height = 0.0;
    double m_rowHeight = 1.0;
};

} // namespace attenscope
