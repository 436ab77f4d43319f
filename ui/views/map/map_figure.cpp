// SPDX-License-Identifier: GPL-3.0-or-later
// Draws maps off screen with the same code as the window.
#include "views/map/map_figure.h"

#include "core/text.h"
#include "views/map/map_plot.h"
#include "views/map/map_range.h"
#include "views/map/token_ticker.h"

#include <QGuiApplication>

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

/// At this resolution letters have as many pixels as on the screen: notes of 7 points in print.
constexpr double screenDpi = 120.0;
std::optional<MapContent> figureContent(const Document &document)
{
    auto content = mapContent(document, [](const std::vector<MapFieldPtr> &fields) { return std::optional(measureRange(fields)); });
    // What the picture waits for is said on the screen only.
    if (content)
        content->notice.clear();
    return content;
}

MapStyle figureStyle(const FigureOptions &options)
{
    MapStyle style;
    style.theme = options.background == FigureBackground::Dark ? Theme::dark() : Theme::light();
    style.background = options.background == FigureBackground::Transparent ? QColor(Qt::transparent) : style.theme.view;
    style.fontFamily = QGuiApplication::font().family();
    style.hasTitle = options.hasTitle;
    style.hasLabels = options.hasLabels;
    style.hasColorScale = options.hasColorScale;
    style.hasLegend = options.hasCaption;
    style.hasPick = options.hasPick;
    style.endsWithVisible = options.region.has_value();
    return style;
}

/// Letters as large as on the screen where cells are as large as there; larger ones with larger cells, and in pictures that are too large to be looked at
/// but as a whole.
double cellScale(const MapContent &content, const std::optional<QRectF> &visible, int cellPixels)
{
    constexpr double lookedAt = 1600.0;
    const QSizeF cells = visible ? visible->size() : QSizeF(static_cast<double>(content.cols()), static_cast<double>(content.rows()));
    const double side = std::max(cells.height(), cells.width() * static_cast<double>(content.panels.size())) * cellPixels;
    return std::max({ 1.0, cellPixels / largestCell(content.rows(), content.cols()), side / lookedAt });
}

/// Letters of their usual size, larger where the maps have room to grow, smaller where hardly anything would be left for them.
double sizeScale(
    const MapContent &content, const LabelExtents &extents, MapStyle style, const std::optional<QRectF> &visible, QSize size, double usual)
{
    constexpr double leastShare = 0.5;
    constexpr double smallest = 0.3;
    style.scale = 1.0;
    const QSizeF natural = layoutMaps(content, extents, style, static_cast<int>(largestCell(content.rows(), content.cols())), visible).size;
    const double filling = std::min(size.width() / natural.width(), size.height() / natural.height());
    if (filling >= usual)
        return filling;
    style.scale = usual;
    while (style.scale > smallest) {
        const MapLayout layout = layoutMaps(content, extents, style, QSizeF(size), visible);
        const double widths = layout.available.width() * static_cast<double>(content.panels.size());
        if (widths >= leastShare * size.width() && layout.available.height() >= leastShare * size.height())
            break;
        style.scale *= 0.9;
    }
    return style.scale;
}

/// The height that leaves no room above and below maps that are as large as @p width lets them be.
int fittingHeight(const MapContent &content, const LabelExtents &extents, MapStyle style, const std::optional<QRectF> &visible, int width)
{
    constexpr int most = 1000;
    style.scale = sizeScale(content, extents, style, visible, QSize(width, most), 1.0);
    const MapLayout layout = layoutMaps(content, extents, style, QSizeF(width, most), visible);
    return std::clamp(static_cast<int>(std::ceil(layout.block.height())), 1, most);
}

QSize figureSize(const MapContent &content, const LabelExtents &extents, const std::optional<QRectF> &visible, const FigureOptions &options)
{
    if (!options.cellPixels) {
        QSize size = options.size();
        if (size.height() == 0 && !options.millimetres) {
            size.setHeight(fittingHeight(content, extents, figureStyle(options), visible, size.width()));
        }
        return size;
    }
    MapStyle style = figureStyle(options);
    style.scale = cellScale(content, visible, *options.cellPixels);
    const QSizeF size = layoutMaps(content, extents, style, *options.cellPixels, visible).size;
    const auto bounded = [](double length) { return static_cast<int>(std::min(length, 1e9)); };
    return { bounded(size.width()), bounded(size.height()) };
}

CellRect allCells(const MapContent &content)
{
    return { { 0, content.rows() }, { 0, content.cols() } };
}

/// What is drawn of the maps; unset: all.
std::optional<QRectF> visibleCells(const MapContent &content, const Selection &selection, const FigureOptions &options)
{
    if (!options.region)
        return options.cellPixels || content.hasDimensions() ? std::nullopt : selection.visible();
    if (*options.region == allCells(content))
        return std::nullopt;
    const auto &[rows, cols] = *options.region;
    return QRectF(static_cast<double>(cols.first), static_cast<double>(rows.first), static_cast<double>(cols.size()),
        static_cast<double>(rows.size()));
}

/// A part of the maps says which part it is.
void noteRegion(const std::optional<CellRect> &region, MapContent &content)
{
    if (!region || *region == allCells(content))
        return;
    const auto words
        = [](const QString &what, Index first, Index last) { return QStringLiteral("%1 %2–%3").arg(what).arg(first).arg(last); };
    const QString rows = words(QObject::tr("queries"), content.rowPosition(region->rows.first), content.rowPosition(region->rows.end - 1));
    const QString cols = words(content.hasDimensions() ? QObject::tr("dimensions") : QObject::tr("keys"),
        content.colPosition(region->cols.first), content.colPosition(region->cols.end - 1));
    const QString all
        = QObject::tr("of %1 × %2")
              .arg(QString::fromStdString(groupedCount(content.rows())), QString::fromStdString(groupedCount(content.cols())));
    const QString note = rows + QStringLiteral(", ") + cols + u' ' + all;
    content.origin = content.origin.isEmpty() ? note : note + QStringLiteral("  ·  ") + content.origin;
}

Error nothingToShow(const Document &document)
{
    if (!document.hasPicture())
        return { "There is no map to draw.", "The input does not fit.", "Correct it first.", "" };
    return { "There is no map to draw yet.", "It is still being computed.", "Wait until it is shown.", "" };
}

} // namespace

Result<Figure> mapFigure(const Document &document, const Selection &selection, const FigureOptions &options)
{
    auto content = figureContent(document);
    if (!content)
        return nothingToShow(document);
    const auto visible = visibleCells(*content, selection, options);
    noteRegion(options.region, *content);
    MapStyle style = figureStyle(options);
    const LabelExtents extents = labelExtents(*content, style.fontFamily);
    // What is in view is no smaller than the maps as a whole: there is room for what is around it.
    const auto fitted = options.region ? visible : std::nullopt;
    Figure figure;
    figure.pixels = figureSize(*content, extents, fitted, options);
    figure.dotsPerInch = options.dpi;
    if (options.millimetres)
        figure.paperDpi = options.dpi;
    figure.title = content->title;
    figure.ground = style.background;
    if (options.hasLabels && extents.unreadable > 0)
        figure.notes << unreadableText(extents.unreadable) + u'.';
    if (options.cellPixels)
        style.scale = cellScale(*content, visible, *options.cellPixels);
    else
        style.scale = sizeScale(*content, extents, style, fitted, figure.pixels, options.millimetres ? options.dpi / screenDpi : 1.0);
    figure.draw = [content = *content, style, visible, picked = selection.picked(), size = figure.pixels, cellPixels = options.cellPixels](
                      QPaintDevice &device) {
        MapPlot plot(nullptr);
        plot.setContent(content);
        plot.setMarks(std::nullopt, picked);
        plot.setVisibleCells(visible);
        plot.drawOn(device, style, size, cellPixels);
    };
    return figure;
}

} // namespace attenscope
