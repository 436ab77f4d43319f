// SPDX-License-Identifier: GPL-3.0-or-later
// LinesScene: names, dots, numbers and lines painted from plain values; the same on the screen and in figures.
#pragma once

#include "views/lines/line_ends.h"
#include "views/lines/lines_layout.h"

#include <QImage>

#include <functional>

class QPainter;

namespace attenscope {

/// What a page shows besides its lines.
struct LinesScene {
    LinesContent content;
    LinesStyle style;
    LinesLayout layout;
    LineEnds ends;
    std::vector<Index> pickedQueries;
    std::vector<Index> pickedKeys;
    std::optional<Index> markedKey; ///< Of the hovered or picked cell: its weight stands out.

    /// Legend and captions, from the top of the page.
    void paintHead(QPainter &painter) const;
    /// From the ninth head on colours are not told apart by everyone: their names stand on their strongest lit lines.
    void paintLineNames(QPainter &painter, const std::vector<HeadLines> &lines) const;
    /// Names, dots and weights of the tokens in view, from the top of the first token.
    void paintTokens(QPainter &painter, const LinesPart &part) const;
};

/// The lines of a whole head are a pixel wide for weight 1, those that stand out eight; fractions of a pixel are fainter instead.
inline constexpr double lineWidth = 1.0;
inline constexpr double litLineWidth = 8.0;
/// How much of the others is seen beside lit ones.
[[nodiscard]] double opacityBesideLit(const LinesContent &content);

/// Of a difference those of its sign, else of the head.
[[nodiscard]] QColor lineColor(const LinesContent &content, std::size_t head, const Theme &theme, bool isNegative = false);
[[nodiscard]] QColor litLineColor(const LinesContent &content, std::size_t head, const Theme &theme, bool isNegative = false);

/// Calls @p draw for every line of a head between shown tokens that has an end in view.
void forEachLine(const HeadLines &head, const LinesPart &part, const std::function<void(Index query, Index key, double weight)> &draw);
/// The same for the lines of the lit tokens, in view or not.
void forEachLitLine(const LineEnds &ends, const std::vector<HeadLines> &lines, std::size_t head, const LinesPart &part,
    const std::function<void(Index query, Index key, double weight)> &draw);
/// How many lines forEachLine() would draw of all heads.
[[nodiscard]] Index lineCount(const std::vector<HeadLines> &lines, const LinesPart &part);

/// Where a picture of lines lies on the page, from the top of the first token, in logical pixels.
struct LinesWindow {
    double top = 0.0;
    double height = 0.0;
    double pixelRatio = 1.0;
};
/// The picture from the left dots to the right ones; transparent where there is no line.
[[nodiscard]] QImage linesImage(const LinesScene &scene, const std::vector<HeadLines> &lines, const LinesWindow &window);
[[nodiscard]] QImage litLinesImage(const LinesScene &scene, const std::vector<HeadLines> &lines, const LinesWindow &window);

} // namespace attenscope
