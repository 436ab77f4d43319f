// SPDX-License-Identifier: GPL-3.0-or-later
// TextScene: the tinted text on a page; the same on the screen and in figures.
#pragma once

#include "views/lines/lines_layout.h"
#include "views/text/running_text.h"
#include "views/text/text_content.h"

#include <optional>
#include <vector>

class QPainter;

namespace attenscope {

/// A token of a text.
struct TextHit {
    TokenSide side = TokenSide::Queries; ///< Of one text that is both: what a click picks.
    Index token = 0;
};

class TextScene {
public:
    TextScene() = default;
    /// For a page of @p width with the shown tokens of @p weights; of one text that is both those from the first to the last of either.
    /// @p picks: what tokens of one text that is both are picked as.
    TextScene(const LinesContent &weights, const LinesStyle &style, double width, bool hasNumbers, TokenSide picks);

    [[nodiscard]] double height() const { return m_height; }
    [[nodiscard]] std::optional<TextHit> hit(QPointF point) const;
    /// The place of a token's letters, without what is under them.
    [[nodiscard]] QRectF box(TokenSide side, Index token) const;
    /// The tokens of @p side between @p top and @p bottom.
    [[nodiscard]] Range tokens(TokenSide side, double top, double bottom) const;
    /// The token above or below @p token.
    [[nodiscard]] Index inNextLine(TokenSide side, Index token, int direction) const;
    /// Whatever stands between @p top and @p bottom.
    void paint(QPainter &painter, const TextContent &content, double top, double bottom) const;

private:
    struct Part {
        TokenSide side = TokenSide::Queries;
        QString caption; ///< "queries"; empty: one text.
        double top = 0.0; ///< Of the flow.
        Index first = 0; ///< Token of the first piece.
        std::vector<TextPiece> pieces;
        TextFlow flow;
    };
    [[nodiscard]] const Part *part(TokenSide side) const;
    void paintPart(QPainter &painter, const TextContent &content, const Part &part, double top, double bottom) const;
    void paintScale(QPainter &painter, const TextContent &content) const;

    std::shared_ptr<const AttentionInput> m_input;
    LinesStyle m_style;
    double m_width = 0.0;
    double m_height = 0.0;
    double m_left = 0.0;
    double m_lettersHeight = 0.0;
    TokenSide m_picks = TokenSide::Queries;
    std::vector<Part> m_parts;
};

} // namespace attenscope
