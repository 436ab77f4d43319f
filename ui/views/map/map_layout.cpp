// SPDX-License-Identifier: GPL-3.0-or-later
// Margins from labels, cells from what is left.
#include "views/map/map_layout.h"

#include "views/map/color_scale.h"
#include "views/map/token_ticker.h"

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

// Logical pixels at scale 1.
constexpr double labelGap = 12.0;
constexpr double columnGap = 8.0;
constexpr double mapGap = 28.0;
constexpr double titleHeight = 36.0;
constexpr double panelTitleHeight = 32.0;
/// What it means is written in no more lines than these, and not where that leaves maps of less than this.
constexpr int mostSubtitleLines = 3;
constexpr double leastExplainedMap = 100.0;
constexpr double legendLine = 20.0;
constexpr double legendGap = 14.0;
constexpr double noticeHeight = 36.0;
constexpr double scaleGap = 24.0;
constexpr double scaleWidth = 16.0;
constexpr double scaleLabels = 52.0;
constexpr double horizontalScaleHeight = 44.0;
constexpr double leastLabelSpacing = 14.0;
constexpr double leastExtent = 56.0;
const double sine = std::sqrt(3.0) / 2.0;
constexpr double cosine = 0.5;

double tokenPixelsFor(double cell)
{
    return cell >= 96.0 ? 18.0 : cell >= 48.0 ? 15.0 : cell >= 28.0 ? 13.0 : 12.0;
}

/// What surrounds the maps, scaled.
struct Margins {
    double left = 0.0;
    double right = 0.0;
    double top = 0.0;
    double bottom = 0.0;
    double gap = 0.0;
};

class Builder {
public:
    Builder(const MapContent &content, const LabelExtents &extents, const MapStyle &style)
        : m_content(content)
        , m_extents(extents)
        , m_style(style)
        , m_rows(content.rows())
        , m_cols(content.cols())
        , m_panels(content.panels.size())
    {
    }

    /// Names of both axes for cells of this size.
    void chooseForms(MapLayout &layout) const
    {
        const double least = m_style.px(leastLabelSpacing);
        layout.rows.stride = labelStride(layout.cellHeight, least);
        layout.rows.hasPositions = layout.rows.stride > 5 || m_rows > 1024;
        layout.cols.stride = labelStride(layout.cellWidth, least);
        layout.cols.hasPositions = layout.cols.stride > 5 || m_cols > 1024;
        // Keys without names: a position gains nothing where there is one already.
        const bool areNumbers = m_extents.cols == m_extents.colsWithPosition;
        const double widest = columnWidth(layout) + m_style.px(areNumbers ? 8.0 : 16.0);
        const bool fitsUpright = areNumbers && widest <= layout.cellWidth * static_cast<double>(layout.cols.stride);
        layout.cols.isRotated = layout.cols.stride <= 5 && !m_content.hasDimensions() && !fitsUpright;
        if (!layout.cols.isRotated) {
            layout.cols.stride = labelStride(layout.cellWidth, std::max(least, widest));
        }
    }

    [[nodiscard]] Margins margins(const MapLayout &layout) const
    {
        const bool isComparing = m_panels > 1;
        Margins margins;
        margins.left = m_style.px(m_style.padding);
        margins.right = m_style.px(m_style.padding);
        margins.top = m_style.px(m_style.padding) + (m_style.hasTitle ? m_style.px(titleHeight) : 0.0)
            + (isComparing ? m_style.px(panelTitleHeight) + std::max(0, layout.subtitleLines) * m_style.px(MapStyle::subtitleLine) : 0.0);
        margins.bottom = m_style.px(m_style.padding);
        margins.gap = m_style.px(mapGap);
        double overhang = 0.0;
        if (m_style.hasLabels) {
            margins.left += rowWidth(layout) + m_style.px(labelGap);
            const double height = layout.tokenPixels * 1.2;
            const double width = columnWidth(layout);
            margins.top
                += std::max(m_style.px(columnGap) + (layout.cols.isRotated ? width * sine + height * cosine : height + m_style.px(4.0)),
                    m_style.px(28.0));
            overhang = layout.cols.isRotated ? width * cosine : width / 2.0;
        }
        if (m_style.hasLegend)
            margins.bottom += m_style.px(legendGap + 2.0 * legendLine);
        if (!m_content.notice.isEmpty())
            margins.bottom += m_style.px(noticeHeight);
        if (m_style.hasColorScale && isComparing)
            margins.bottom += m_style.px(horizontalScaleHeight);
        const double title = m_style.hasColorScale ? scaleTitleWidth() : 0.0;
        const double beside = m_style.hasColorScale && !isComparing
            ? m_style.px(scaleGap) + std::max(m_style.px(scaleWidth) + scaleLabelWidth(), title)
            : 0.0;
        if (isComparing && m_style.hasColorScale)
            margins.left = std::max(margins.left, m_style.px(m_style.padding + labelGap) + title);
        margins.right += std::max(beside, overhang);
        if (isComparing)
            margins.gap = std::max(margins.gap, std::min(overhang, m_style.px(60.0)));
        if (isComparing && m_style.hasColorScale) {
            // Half of a label stands out at each end of a scale.
            const double last = widestTick(m_content.panels.back());
            margins.gap = std::max(margins.gap, (widestTick(m_content.panels.front()) + last) / 2.0 + m_style.px(8.0));
            margins.right = std::max(margins.right, last / 2.0 + m_style.px(4.0));
        }
        return margins;
    }

    /// By how much maps of @p width have to stand further apart so that what they mean has room beside their titles, or in @p lines below them.
    /// Nothing: there is no room for it, with @p spare to be added to each gap.
    [[nodiscard]] std::optional<double> gapForSubtitles(int lines, double width, const Margins &margins, double spare) const
    {
        const QFontMetricsF titles(m_style.font(m_style.px(MapStyle::titleFont), true));
        const QFontMetricsF metrics(m_style.font(m_style.px(MapStyle::bodyFont)));
        double gap = 0.0;
        for (std::size_t panel = 0; panel < m_panels; ++panel) {
            const MapPanel &one = m_content.panels[panel];
            if (one.subtitle.isEmpty())
                continue;
            // At the side of the last one is half of what is left.
            const bool isLast = panel + 1 == m_panels;
            const double room = width + (isLast ? margins.right : margins.gap - m_style.px(MapStyle::besideTitle));
            const double most = isLast ? (spare - gap) * static_cast<double>(m_panels - 1) / 2.0 : spare;
            double lacking = 0.0;
            if (lines == 0)
                lacking = titles.horizontalAdvance(one.title) + m_style.px(MapStyle::besideTitle) + metrics.horizontalAdvance(one.subtitle)
                    - room;
            const QStringList wide = lines == 0 ? QStringList() : wrapped(one.subtitle, metrics, room + most);
            for (const QString &line : wide)
                lacking = std::max(lacking, metrics.horizontalAdvance(line) - room);
            if (wide.size() > lines || lacking > most)
                return std::nullopt;
            if (!isLast)
                gap = std::max(gap, lacking);
        }
        return gap;
    }

    /// The rest of the layout from cells, maps' size and margins.
    void place(MapLayout &layout, const Margins &margins, double width, double height) const
    {
        const double count = static_cast<double>(m_panels);
        const double blockWidth = margins.left + margins.right + count * width + (count - 1.0) * margins.gap;
        const double blockHeight = margins.top + margins.bottom + height;
        layout.block = { blockWidth, blockHeight };
        const double x = m_style.snapped(std::max(0.0, (layout.size.width() - blockWidth) / 2.0) + margins.left);
        const double y = m_style.snapped(std::max(0.0, (layout.size.height() - blockHeight) / 2.0) + margins.top);
        layout.maps.clear();
        for (std::size_t panel = 0; panel < m_panels; ++panel)
            layout.maps.emplace_back(m_style.snapped(x + static_cast<double>(panel) * (width + margins.gap)), y, width, height);
        layout.titleTop = y - margins.top + m_style.px(m_style.padding);
        layout.panelTitleTop = layout.titleTop + (m_style.hasTitle ? m_style.px(titleHeight) : 0.0);
        double below = y + height;
        if (m_style.hasLegend) {
            layout.legendTop = below + m_style.px(legendGap);
            below = layout.legendTop + m_style.px(2.0 * legendLine);
        }
        placeScales(layout, below);
        if (m_panels > 1 && m_style.hasColorScale)
            below += m_style.px(horizontalScaleHeight);
        layout.noticeTop = below + m_style.px(4.0);
    }

private:
    [[nodiscard]] double rowWidth(const MapLayout &layout) const
    {
        const double em = layout.rows.hasPositions ? m_extents.rowsWithPosition : m_extents.rows;
        return std::max(em * layout.tokenPixels, m_style.px(m_content.hasDimensions() ? 128.0 : 88.0));
    }

    [[nodiscard]] double scaleTitleWidth() const
    {
        return QFontMetricsF(m_style.font(m_style.px(MapStyle::noteFont))).horizontalAdvance(m_content.scaleTitle);
    }

    [[nodiscard]] double widestTick(const MapPanel &panel) const
    {
        const QFontMetricsF metrics(m_style.font(m_style.px(MapStyle::noteFont)));
        double widest = 0.0;
        for (const ScaleTick &tick : scaleTicks(panel.colors, panel.side == Side::Difference))
            widest = std::max(widest, metrics.horizontalAdvance(tick.text));
        return widest;
    }

    /// Of a vertical scale.
    [[nodiscard]] double scaleLabelWidth() const
    {
        return std::max(m_style.px(scaleLabels), m_style.px(scaleTickRoom) + widestTick(m_content.panels.front()));
    }

    [[nodiscard]] double columnWidth(const MapLayout &layout) const
    {
        return (layout.cols.hasPositions ? m_extents.colsWithPosition : m_extents.cols) * layout.tokenPixels;
    }

    void placeScales(MapLayout &layout, double below) const
    {
        layout.scaleBar = {};
        layout.differenceBar = {};
        if (!m_style.hasColorScale)
            return;
        const QRectF &first = layout.maps.front();
        if (m_panels == 1) {
            const double height
                = std::max(first.height(), std::min(m_style.px(120.0), layout.size.height() - first.top() - m_style.px(m_style.padding)));
            layout.scaleBar
                = { m_style.snapped(first.right() + m_style.px(scaleGap)), first.top(), m_style.snapped(m_style.px(scaleWidth)), height };
            return;
        }
        const QRectF *lastMain = &first;
        for (std::size_t panel = 0; panel < m_panels; ++panel) {
            const QRectF bar(
                layout.maps[panel].left(), m_style.snapped(below + m_style.px(4.0)), layout.maps[panel].width(), m_style.px(12.0));
            if (m_content.panels[panel].side == Side::Difference)
                layout.differenceBar = bar;
            else
                lastMain = &layout.maps[panel];
        }
        layout.scaleBar = { first.left(), m_style.snapped(below + m_style.px(4.0)), lastMain->right() - first.left(), m_style.px(12.0) };
    }

    const MapContent &m_content;
    const LabelExtents &m_extents;
    const MapStyle &m_style;
    Index m_rows;
    Index m_cols;
    std::size_t m_panels;
};

/// Cells of whole device pixels where the loss is small.
double wholeCell(double cell, double pixelRatio)
{
    const double pixels = cell * pixelRatio;
    return pixels >= 12.0 ? std::floor(pixels) / pixelRatio : cell;
}

/// [first, first + length) of @p all cells around @p middle.
std::pair<double, double> centred(double middle, double length, double all)
{
    length = std::min(length, all);
    return { std::clamp(middle - length / 2.0, 0.0, all - length), length };
}

} // namespace

QFont MapStyle::font(double pixels, bool isBold) const
{
    QFont font(fontFamily);
    font.setPixelSize(std::max(1, static_cast<int>(std::lround(pixels))));
    font.setBold(isBold);
    return font;
}

double MapStyle::snapped(double position) const
{
    return std::round(position * pixelRatio) / pixelRatio;
}

QStringList wrapped(const QString &text, const QFontMetricsF &metrics, double room)
{
    QStringList lines;
    for (const QString &word : text.split(u' ', Qt::SkipEmptyParts)) {
        const QString longer = lines.isEmpty() ? word : lines.back() + u' ' + word;
        if (!lines.isEmpty() && metrics.horizontalAdvance(longer) <= room)
            lines.back() = longer;
        else
            lines.push_back(word);
    }
    return lines;
}

double largestCell(Index rows, Index cols)
{
    return std::max(rows, cols) <= 4 ? 128.0 : 56.0;
}

LabelExtents labelExtents(const MapContent &content, const QString &fontFamily)
{
    // Large enough that rounding to pixels does not matter.
    constexpr int measuredPixels = 48;
    constexpr Index mostMeasured = 2000;
    QFont font(fontFamily);
    font.setPixelSize(measuredPixels);
    const QFontMetricsF metrics(font);
    const auto widest = [&](AxisLabel (MapContent::*label)(Index, bool, int) const, Index count, bool withPosition) {
        constexpr int mostCharacters = 12;
        double width = 0.0;
        const Index step = std::max<Index>(1, count / mostMeasured);
        for (Index index = 0; index < count; index += step)
            width = std::max(width, metrics.horizontalAdvance((content.*label)(index, withPosition, mostCharacters).text()));
        if (count > 0)
            width = std::max(width, metrics.horizontalAdvance((content.*label)(count - 1, withPosition, mostCharacters).text()));
        return width / measuredPixels;
    };
    Index unreadable = 0;
    if (const auto *queries = content.queryTokens())
        unreadable += unreadableTokens(*queries, fontFamily);
    // Names that stand on both axes count once.
    if (const auto *keys = content.keyTokens(); keys && *keys != *content.queryTokens())
        unreadable += unreadableTokens(*keys, fontFamily);
    return { widest(&MapContent::rowLabel, content.rows(), false), widest(&MapContent::colLabel, content.cols(), false),
        widest(&MapContent::rowLabel, content.rows(), true), widest(&MapContent::colLabel, content.cols(), true), unreadable };
}

QPointF MapLayout::cellFromPoint(std::size_t panel, QPointF point) const
{
    const QPointF inside = point - maps[panel].topLeft();
    return { shown.x() + inside.x() / cellWidth, shown.y() + inside.y() / cellHeight };
}

QRectF MapLayout::rectFromCells(std::size_t panel, const QRectF &cells) const
{
    return { maps[panel].left() + (cells.x() - shown.x()) * cellWidth, maps[panel].top() + (cells.y() - shown.y()) * cellHeight,
        cells.width() * cellWidth, cells.height() * cellHeight };
}

MapLayout layoutMaps(
    const MapContent &content, const LabelExtents &extents, const MapStyle &style, QSizeF size, const std::optional<QRectF> &visible)
{
    MapLayout layout;
    layout.size = size;
    if (content.panels.empty() || content.rows() == 0 || content.cols() == 0)
        return layout;
    const Builder builder(content, extents, style);
    const auto rows = static_cast<double>(content.rows());
    const auto cols = static_cast<double>(content.cols());
    const auto panels = static_cast<double>(content.panels.size());
    const double cap = style.px(largestCell(content.rows(), content.cols()));
    const QRectF wanted = visible.value_or(QRectF(0.0, 0.0, cols, rows));
    const QSizeF most = style.endsWithVisible ? wanted.size() : QSizeF(cols, rows);

    Margins margins;
    double width = 0.0;
    double height = 0.0;
    double spare = 0.0; // What could be added to each gap.
    const auto settle = [&](int subtitleLines) {
        layout.subtitleLines = subtitleLines;
        layout.cellWidth = layout.cellHeight = cap;
        layout.tokenPixels = style.px(tokenPixelsFor(cap / style.scale));
        // Labels need room, the room left decides on cells, cells on labels: this settles after a round or two.
        for (int round = 0; round < 4; ++round) {
            builder.chooseForms(layout);
            margins = builder.margins(layout);
            const double availableWidth
                = std::max(8.0, (size.width() - margins.left - margins.right - (panels - 1.0) * margins.gap) / panels);
            const double availableHeight = std::max(8.0, size.height() - margins.top - margins.bottom);
            layout.available = { availableWidth, availableHeight };
            const double fitting = std::min({ availableWidth / cols, availableHeight / rows, cap });
            const double zoomed = visible ? std::min(availableWidth / wanted.width(), availableHeight / wanted.height()) : fitting;
            const double least = style.px(leastExtent);
            layout.cellWidth = wholeCell(
                std::max(zoomed, std::min({ style.px(56.0), least / cols, availableWidth / wanted.width() })), style.pixelRatio);
            layout.cellHeight = wholeCell(
                std::max(zoomed, std::min({ style.px(56.0), least / rows, availableHeight / wanted.height() })), style.pixelRatio);
            layout.tokenPixels = style.px(tokenPixelsFor(fitting / style.scale));
            const auto extent = [&](double all, double cell, double available) {
                return all * cell <= available + 1e-9 ? all * cell : std::floor(available * style.pixelRatio) / style.pixelRatio;
            };
            width = extent(most.width(), layout.cellWidth, availableWidth);
            height = extent(most.height(), layout.cellHeight, availableHeight);
            spare = (availableWidth - width) * panels / std::max(1.0, panels - 1.0);
        }
    };
    settle(0);
    if (panels > 1.0) {
        std::optional<double> gap = builder.gapForSubtitles(0, width, margins, spare);
        for (int lines = 1; !gap && lines <= mostSubtitleLines; ++lines) {
            settle(lines);
            gap = builder.gapForSubtitles(lines, width, margins, spare);
        }
        if (!gap || (layout.subtitleLines > 0 && height < style.px(leastExplainedMap))) {
            settle(-1);
            gap = 0.0;
        }
        margins.gap += *gap;
    }
    const auto [left, shownCols] = centred(wanted.center().x(), width / layout.cellWidth, cols);
    const auto [top, shownRows] = centred(wanted.center().y(), height / layout.cellHeight, rows);
    layout.shown = { left, top, shownCols, shownRows };
    builder.place(layout, margins, width, height);
    return layout;
}

MapLayout layoutMaps(
    const MapContent &content, const LabelExtents &extents, const MapStyle &style, int cellPixels, const std::optional<QRectF> &visible)
{
    MapLayout layout;
    if (content.panels.empty())
        return layout;
    const Builder builder(content, extents, style);
    layout.cellWidth = layout.cellHeight = cellPixels;
    layout.tokenPixels = style.px(tokenPixelsFor(cellPixels / style.scale));
    builder.chooseForms(layout);
    const auto panels = static_cast<double>(content.panels.size());
    layout.shown = visible.value_or(QRectF(0.0, 0.0, static_cast<double>(content.cols()), static_cast<double>(content.rows())));
    const double width = layout.shown.width() * cellPixels;
    const double height = layout.shown.height() * cellPixels;
    Margins margins = builder.margins(layout);
    while (content.panels.size() > 1 && layout.subtitleLines >= 0 && !builder.gapForSubtitles(layout.subtitleLines, width, margins, 0.0)) {
        layout.subtitleLines = layout.subtitleLines < mostSubtitleLines ? layout.subtitleLines + 1 : -1;
        margins = builder.margins(layout);
    }
    layout.available = { width, height };
    layout.size = { std::ceil(margins.left + margins.right + panels * width + (panels - 1.0) * margins.gap),
        std::ceil(margins.top + margins.bottom + height) };
    builder.place(layout, margins, width, height);
    return layout;
}

} // namespace attenscope
