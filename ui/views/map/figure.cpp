// SPDX-License-Identifier: GPL-3.0-or-later
// Draws maps off screen with the same code as the window, and writes them as PNG.
#include "views/map/figure.h"

#include "core/memory.h"
#include "core/text.h"
#include "views/map/map_plot.h"
#include "views/map/map_range.h"
#include "views/map/token_ticker.h"

#include <QFontDatabase>
#include <QGuiApplication>
#include <QImageWriter>
#include <QSaveFile>

#include <algorithm>
#include <array>
#include <cmath>

namespace attenscope {

namespace {

/// At this resolution letters have as many pixels as on the screen: notes of 7 points in print.
constexpr double screenDpi = 120.0;
constexpr double millimetresPerInch = 25.4;
/// QPainter draws nothing beyond.
constexpr int mostPixels = 32767;
/// Measured on one core of a laptop, drawing and compressing.
constexpr double pixelsPerSecond = 1e7;
constexpr double largePixels = 5e7;

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
    return style;
}

QSize sizeInPixels(const FigureOptions &options)
{
    if (!options.millimetres)
        return options.pixels;
    const auto pixels = [&](double millimetres) {
        const double exact = std::round(millimetres / millimetresPerInch * options.dpi);
        return static_cast<int>(std::clamp(exact, 0.0, 1e9));
    };
    return { pixels(options.millimetres->width()), pixels(options.millimetres->height()) };
}

/// Letters as large as on the screen where cells are as large as there; larger ones with larger cells, and in pictures that are too large to be looked at
/// but as a whole.
double cellScale(const MapContent &content, int cellPixels)
{
    constexpr double lookedAt = 1600.0;
    const auto side
        = static_cast<double>(std::max(content.rows(), content.cols() * static_cast<Index>(content.panels.size()))) * cellPixels;
    return std::max({ 1.0, cellPixels / largestCell(content.rows(), content.cols()), side / lookedAt });
}

/// Letters of their usual size, larger where the maps have room to grow, smaller where hardly anything would be left for them.
double sizeScale(const MapContent &content, const LabelExtents &extents, MapStyle style, QSize size, double usual)
{
    constexpr double leastShare = 0.5;
    constexpr double smallest = 0.3;
    style.scale = 1.0;
    const QSizeF natural = layoutMaps(content, extents, style, static_cast<int>(largestCell(content.rows(), content.cols()))).size;
    const double filling = std::min(size.width() / natural.width(), size.height() / natural.height());
    if (filling >= usual)
        return filling;
    style.scale = usual;
    while (style.scale > smallest) {
        const MapLayout layout = layoutMaps(content, extents, style, QSizeF(size), std::nullopt);
        const double widths = layout.available.width() * static_cast<double>(content.panels.size());
        if (widths >= leastShare * size.width() && layout.available.height() >= leastShare * size.height())
            break;
        style.scale *= 0.9;
    }
    return style.scale;
}

/// The height that leaves no room above and below maps that are as large as @p width lets them be.
int fittingHeight(const MapContent &content, const LabelExtents &extents, MapStyle style, int width)
{
    constexpr int most = 1000;
    style.scale = sizeScale(content, extents, style, QSize(width, most), 1.0);
    const MapLayout layout = layoutMaps(content, extents, style, QSizeF(width, most), std::nullopt);
    return std::clamp(static_cast<int>(std::ceil(layout.block.height())), 1, most);
}

QSize figureSize(const MapContent &content, const FigureOptions &options)
{
    if (!options.cellPixels) {
        QSize size = sizeInPixels(options);
        if (size.height() == 0 && !options.millimetres) {
            const MapStyle style = figureStyle(options);
            size.setHeight(fittingHeight(content, labelExtents(content, style.fontFamily), style, size.width()));
        }
        return size;
    }
    MapStyle style = figureStyle(options);
    style.scale = cellScale(content, *options.cellPixels);
    const QSizeF size = layoutMaps(content, labelExtents(content, style.fontFamily), style, *options.cellPixels).size;
    const auto bounded = [](double length) { return static_cast<int>(std::min(length, 1e9)); };
    return { bounded(size.width()), bounded(size.height()) };
}

Result<void> checkSize(QSize size)
{
    if (size.width() < 1 || size.height() < 1)
        return Error{ "The picture would have no pixels.", "", "Make it larger.", "" };
    const std::array<Index, 2> shape{ size.width(), size.height() };
    if (size.width() > mostPixels || size.height() > mostPixels) {
        return Error{ "The picture would be too large to draw.",
            "It would have " + groupedCount(size.width()) + " × " + groupedCount(size.height()) + " pixels; at most "
                + groupedCount(mostPixels) + " on a side can be drawn.",
            "Choose fewer pixels per cell, or a smaller size.", "" };
    }
    // The picture, and the map in it once more while it is drawn.
    return checkMemory(2 * 4 * static_cast<std::uint64_t>(size.width()) * static_cast<std::uint64_t>(size.height()),
        "Drawing a picture of " + shapeText(shape) + " pixels");
}

Error nothingToShow(const Document &document)
{
    if (!document.hasPicture())
        return { "There is no map to draw.", "The input does not fit.", "Correct it first.", "" };
    return { "There is no map to draw yet.", "It is still being computed.", "Wait until it is shown.", "" };
}

/// Passes on what is written until it is stopped, and fails then: encoders cannot be stopped otherwise.
class StoppableDevice : public QIODevice {
public:
    StoppableDevice(QIODevice &target, const Run &run)
        : m_target(target)
        , m_run(run)
    {
        open(QIODevice::WriteOnly | QIODevice::Unbuffered);
    }

    [[nodiscard]] bool isSequential() const override { return true; }

protected:
    qint64 readData(char *, qint64) override { return -1; }
    qint64 writeData(const char *bytes, qint64 count) override { return m_run.stopped() ? -1 : m_target.write(bytes, count); }

private:
    QIODevice &m_target;
    const Run &m_run;
};

/// Without any font installed Qt still lists these names.
bool hasFonts()
{
    QStringList families = QFontDatabase::families();
    for (const char *alias : { "Monospace", "Sans Serif", "Serif" })
        families.removeAll(QLatin1String(alias));
    return !families.isEmpty();
}

} // namespace

QSize figureSize(const Document &document, const FigureOptions &options)
{
    const auto content = figureContent(document);
    return content ? figureSize(*content, options) : QSize();
}

Result<void> checkFigure(const Document &document, const FigureOptions &options)
{
    const auto content = figureContent(document);
    if (!content)
        return nothingToShow(document);
    return checkSize(figureSize(*content, options));
}

QStringList figureNotes(const Document &document, const FigureOptions &options)
{
    QStringList notes;
    const auto content = figureContent(document);
    if (!content)
        return notes;
    const QSize size = figureSize(*content, options);
    const double pixels = static_cast<double>(size.width()) * size.height();
    if (pixels >= largePixels)
        notes << QObject::tr("The picture has %1 × %2 pixels; drawing and writing it takes about %3 s.")
                     .arg(QString::fromStdString(groupedCount(size.width())), QString::fromStdString(groupedCount(size.height())))
                     .arg(std::ceil(pixels / pixelsPerSecond));
    const Index unreadable = options.hasLabels ? labelExtents(*content, figureStyle(options).fontFamily).unreadable : 0;
    if (unreadable > 0)
        notes << unreadableText(unreadable) + u'.';
    return notes;
}

Result<QImage> renderFigure(const Document &document, const Selection &selection, const FigureOptions &options)
{
    if (!hasFonts()) {
        return Error{ "No fonts are installed.", "Every label of the picture would be an empty box.",
            "Install a font, for example the package fonts-dejavu-core.", "" };
    }
    const auto content = figureContent(document);
    if (!content)
        return nothingToShow(document);
    const QSize size = figureSize(*content, options);
    if (const auto checked = checkSize(size); !checked)
        return checked.error();
    MapStyle style = figureStyle(options);
    MapPlot plot(nullptr);
    plot.setContent(*content);
    plot.setMarks(std::nullopt, selection.picked());
    QImage image;
    if (options.cellPixels) {
        style.scale = cellScale(*content, *options.cellPixels);
        image = plot.image(style, *options.cellPixels);
    } else {
        const double usual = options.millimetres ? options.dpi / screenDpi : 1.0;
        style.scale = sizeScale(*content, labelExtents(*content, style.fontFamily), style, size, usual);
        if (!content->hasDimensions())
            plot.setVisibleCells(selection.visible());
        image = plot.image(style, size);
    }
    if (image.isNull())
        return Error{ "There is not enough memory for the picture.", "", "Make it smaller.", "" };
    const int dotsPerMetre = static_cast<int>(std::lround(options.dpi * 1000.0 / millimetresPerInch));
    image.setDotsPerMeterX(dotsPerMetre);
    image.setDotsPerMeterY(dotsPerMetre);
    return image;
}

Result<void> saveFigure(const QString &path, const Document &document, const Selection &selection, const FigureOptions &options)
{
    const auto image = renderFigure(document, selection, options);
    return image ? writePicture(path, *image) : Result<void>(image.error().at(path.toStdString()));
}

Result<void> writePicture(const QString &path, const QImage &image, const Run &run)
{
    QSaveFile file(path);
    const auto failed = [&](const QString &reason) {
        return Error{ "The picture could not be saved.", reason.toStdString() + ".", "Choose another place.", path.toStdString() };
    };
    if (!file.open(QIODevice::WriteOnly))
        return failed(file.errorString());
    StoppableDevice device(file, run);
    QImageWriter writer(&device, "png");
    const bool isWritten = writer.write(image);
    if (run.stopped())
        return Error::cancelled();
    if (!isWritten)
        return failed(file.error() == QFileDevice::NoError ? writer.errorString() : file.errorString());
    if (!file.commit())
        return failed(file.errorString());
    return {};
}

} // namespace attenscope
