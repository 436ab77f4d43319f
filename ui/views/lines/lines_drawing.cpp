// SPDX-License-Identifier: GPL-3.0-or-later
// Which lines are drawn, and their pictures.
#include "views/lines/line_raster.h"
#include "views/lines/lines_scene.h"

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

using Draw = std::function<void(Index query, Index key, double weight)>;

/// Lines of @p row whose keys are @p keys.
std::span<const WeightLine> linesTo(const RowLines &row, Range keys)
{
    const auto before = [](const WeightLine &line, Index key) { return line.key < key; };
    const auto first = std::lower_bound(row.lines.begin(), row.lines.end(), keys.first, before);
    const auto end = std::lower_bound(first, row.lines.end(), keys.end, before);
    return { first, end };
}

template <typename Use>
void forEachSpan(const HeadLines &head, const LinesPart &part, Use use)
{
    for (Index query = part.queries.first; query < part.queries.end; ++query) {
        const auto &row = head.rows[static_cast<std::size_t>(query)];
        if (row)
            use(query, linesTo(*row, part.queriesInView.contains(query) ? part.keys : part.keysInView));
    }
}

/// A raster of the window, and how lines get into it.
struct Pencil {
    const LinesLayout &layout;
    const LinesWindow &window;
    LineRaster raster;
    double length = 0.0;

    Pencil(const LinesLayout &shownLayout, const LinesWindow &shownWindow, const QSize &size)
        : layout(shownLayout)
        , window(shownWindow)
        , raster(size.width(), size.height())
        , length((shownLayout.rightDot - shownLayout.leftDot) * shownWindow.pixelRatio)
    {
    }

    void line(std::size_t head, Index query, Index key, double width)
    {
        const auto y = [&](TokenSide side, Index token) {
            return (layout.middle(side, token) + layout.offset(head) - window.top) * window.pixelRatio;
        };
        raster.add(
            QPointF(0.0, y(TokenSide::Queries, query)), QPointF(length, y(TokenSide::Keys, key)), width * layout.scale * window.pixelRatio);
    }
};

QImage blank(const LinesLayout &layout, const LinesWindow &window)
{
    const auto pixels = [&](double length) { return std::max(1, static_cast<int>(std::ceil(length * window.pixelRatio))); };
    QImage image(pixels(layout.rightDot - layout.leftDot), pixels(window.height), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(window.pixelRatio);
    image.fill(Qt::transparent);
    return image;
}

} // namespace

void forEachLine(const HeadLines &head, const LinesPart &part, const Draw &draw)
{
    forEachSpan(head, part, [&](Index query, std::span<const WeightLine> lines) {
        for (const WeightLine &line : lines)
            draw(query, line.key, line.weight);
    });
}

Index lineCount(const std::vector<HeadLines> &lines, const LinesPart &part)
{
    Index count = 0;
    for (const HeadLines &head : lines)
        forEachSpan(head, part, [&](Index, std::span<const WeightLine> some) { count += static_cast<Index>(some.size()); });
    return count;
}

void forEachLitLine(const LineEnds &ends, const std::vector<HeadLines> &lines, std::size_t head, const LinesPart &part, const Draw &draw)
{
    if (ends.lit.side == TokenSide::Queries) {
        const HeadEnds &own = ends.heads[head];
        std::size_t place = 0;
        for (std::size_t query = 0; query < ends.lit.tokens.size(); ++query) {
            for (; place < own.lineEnds[query]; ++place)
                if (part.queries.contains(ends.lit.tokens[query]) && part.keys.contains(own.lines[place].key))
                    draw(ends.lit.tokens[query], own.lines[place].key, own.lines[place].weight);
        }
        return;
    }
    for (const Index key : ends.lit.tokens) {
        const Range only = part.keys.contains(key) ? Range{ key, key + 1 } : Range{};
        forEachLine(lines[head], { part.queries, only, part.queries, only }, draw);
    }
}

namespace {

/// Lines of each sign have a colour of their own where they are differences.
template <typename ForEach, typename Color>
void drawSigns(const LinesScene &scene, std::size_t head, double width, Pencil &pencil, QImage &image, ForEach forEach, Color color)
{
    for (const bool isNegative : { false, true }) {
        if (isNegative && !scene.content.isDifference())
            return;
        forEach([&](Index query, Index key, double weight) {
            if ((weight < 0.0) == isNegative)
                pencil.line(head, query, key, std::abs(weight) * width);
        });
        pencil.raster.blendOver(image, color(scene.content, head, scene.style.theme, isNegative));
    }
}

} // namespace

QImage linesImage(const LinesScene &scene, const std::vector<HeadLines> &lines, const LinesWindow &window)
{
    QImage image = blank(scene.layout, window);
    Pencil pencil(scene.layout, window, image.size());
    const LinesPart part = scene.layout.part(window.top, window.top + window.height);
    for (std::size_t head = 0; head < lines.size(); ++head) {
        const auto each = [&](auto draw) {
            forEachSpan(lines[head], part, [&](Index query, std::span<const WeightLine> some) {
                for (const WeightLine &line : some)
                    draw(query, line.key, line.weight);
            });
        };
        drawSigns(scene, head, lineWidth, pencil, image, each, &lineColor);
    }
    return image;
}

QImage litLinesImage(const LinesScene &scene, const std::vector<HeadLines> &lines, const LinesWindow &window)
{
    QImage image = blank(scene.layout, window);
    if (scene.ends.lit.side == TokenSide::Neither)
        return image;
    Pencil pencil(scene.layout, window, image.size());
    for (std::size_t head = 0; head < scene.ends.heads.size() && head < lines.size(); ++head) {
        const auto each = [&](auto draw) { forEachLitLine(scene.ends, lines, head, scene.layout.part(), draw); };
        drawSigns(scene, head, litLineWidth, pencil, image, each, &litLineColor);
    }
    return image;
}

} // namespace attenscope
