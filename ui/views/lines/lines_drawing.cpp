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
void forEachSpan(const HeadLines &head, Range inView, Use use)
{
    for (std::size_t place = 0; place < head.rows.size(); ++place) {
        if (!head.rows[place])
            continue;
        const auto query = static_cast<Index>(place);
        if (inView.contains(query))
            use(query, std::span<const WeightLine>(head.rows[place]->lines));
        else
            use(query, linesTo(*head.rows[place], inView));
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
        const auto y = [&](Index token) { return (layout.middle(token) + layout.offset(head) - window.top) * window.pixelRatio; };
        raster.add(QPointF(0.0, y(query)), QPointF(length, y(key)), width * layout.scale * window.pixelRatio);
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

void forEachLine(const HeadLines &head, Range inView, const Draw &draw)
{
    forEachSpan(head, inView, [&](Index query, std::span<const WeightLine> lines) {
        for (const WeightLine &line : lines)
            draw(query, line.key, line.weight);
    });
}

Index lineCount(const std::vector<HeadLines> &lines, Range inView)
{
    Index count = 0;
    for (const HeadLines &head : lines)
        forEachSpan(head, inView, [&](Index, std::span<const WeightLine> some) { count += static_cast<Index>(some.size()); });
    return count;
}

void forEachLitLine(const LineEnds &ends, const std::vector<HeadLines> &lines, std::size_t head, const Draw &draw)
{
    if (ends.lit.side == TokenSide::Queries) {
        const HeadEnds &own = ends.heads[head];
        std::size_t place = 0;
        for (std::size_t query = 0; query < ends.lit.tokens.size(); ++query) {
            for (; place < own.lineEnds[query]; ++place)
                draw(ends.lit.tokens[query], own.lines[place].key, own.lines[place].weight);
        }
        return;
    }
    for (const Index key : ends.lit.tokens) {
        for (std::size_t place = 0; place < lines[head].rows.size(); ++place) {
            if (!lines[head].rows[place])
                continue;
            for (const WeightLine &line : linesTo(*lines[head].rows[place], { key, key + 1 }))
                draw(static_cast<Index>(place), line.key, line.weight);
        }
    }
}

QImage linesImage(const LinesScene &scene, const std::vector<HeadLines> &lines, const LinesWindow &window)
{
    QImage image = blank(scene.layout, window);
    Pencil pencil(scene.layout, window, image.size());
    const Range inView = scene.layout.tokens(window.top, window.top + window.height);
    for (std::size_t head = 0; head < lines.size(); ++head) {
        forEachSpan(lines[head], inView, [&](Index query, std::span<const WeightLine> some) {
            for (const WeightLine &line : some)
                pencil.line(head, query, line.key, line.weight * lineWidth);
        });
        pencil.raster.blendOver(image, lineColor(scene.content, head, scene.style.theme));
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
        forEachLitLine(
            scene.ends, lines, head, [&](Index query, Index key, double weight) { pencil.line(head, query, key, weight * litLineWidth); });
        pencil.raster.blendOver(image, litLineColor(scene.content, head, scene.style.theme));
    }
    return image;
}

} // namespace attenscope
