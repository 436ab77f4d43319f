// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes, and pictures as files.
#include "state/figure.h"

#include "core/memory.h"
#include "core/text.h"
#include "state/svg_fonts.h"

#include <QBuffer>
#include <QFileInfo>
#include <QFontDatabase>
#include <QImageWriter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

#include <array>
#include <cmath>

namespace attenscope {

namespace {

constexpr double millimetresPerInch = 25.4;
constexpr double pointsPerInch = 72.0;
/// QPainter draws nothing beyond.
constexpr int mostPixels = 32767;
/// Measured on one core of a laptop, drawing and compressing.
constexpr double pixelsPerSecond = 1e7;
constexpr double largePixels = 5e7;

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

void drawSvg(QIODevice &device, const Figure &figure)
{
    QBuffer buffer;
    QSvgGenerator svg;
    svg.setOutputDevice(&buffer);
    svg.setResolution(static_cast<int>(std::lround(figure.paperDpi)));
    svg.setSize(figure.pixels);
    svg.setViewBox(QRect(QPoint(), figure.pixels));
    svg.setTitle(figure.title);
    figure.draw(svg);
    device.write(withEmbeddedFonts(buffer.data()));
}

void drawPdf(QIODevice &device, const Figure &figure)
{
    QPdfWriter pdf(&device);
    pdf.setResolution(static_cast<int>(std::lround(figure.paperDpi)));
    pdf.setPageMargins({});
    pdf.setPageSize(QPageSize(QSizeF(figure.pixels) * (pointsPerInch / figure.paperDpi), QPageSize::Point, {}, QPageSize::ExactMatch));
    pdf.setTitle(figure.title);
    figure.draw(pdf);
}

} // namespace

Error notSaved(const QString &path, const QString &reason)
{
    return { "The picture could not be saved.", reason.toStdString() + ".", "Choose another place.", path.toStdString() };
}

QSize FigureOptions::size() const
{
    if (!millimetres)
        return pixels;
    const auto dots
        = [this](double length) { return static_cast<int>(std::clamp(std::round(length / millimetresPerInch * dpi), 0.0, 1e9)); };
    return { dots(millimetres->width()), dots(millimetres->height()) };
}

std::optional<FigureFormat> figureFormatOf(const QString &path)
{
    const QString extension = QFileInfo(path).suffix().toLower();
    if (extension == QLatin1String("png"))
        return FigureFormat::Png;
    if (extension == QLatin1String("svg"))
        return FigureFormat::Svg;
    if (extension == QLatin1String("pdf"))
        return FigureFormat::Pdf;
    return std::nullopt;
}

Result<void> checkFigure(QSize size)
{
    if (!hasFonts()) {
        return Error{ "No fonts are installed.", "Every label of the picture would be an empty box.",
            "Install a font, for example the package fonts-dejavu-core.", "" };
    }
    if (size.width() < 1 || size.height() < 1)
        return Error{ "The picture would have no pixels.", "", "Make it larger.", "" };
    const std::array<Index, 2> shape{ size.width(), size.height() };
    if (size.width() > mostPixels || size.height() > mostPixels) {
        return Error{ "The picture would be too large to draw.",
            "It would have " + groupedCount(size.width()) + " × " + groupedCount(size.height()) + " pixels; at most "
                + groupedCount(mostPixels) + " on a side can be drawn.",
            "Choose fewer pixels per cell, a smaller size, or a region.", "" };
    }
    // The picture, and what it shows in it once more while it is drawn.
    return checkMemory(2 * 4 * static_cast<std::uint64_t>(size.width()) * static_cast<std::uint64_t>(size.height()),
        "Drawing a picture of " + shapeText(shape) + " pixels");
}

QStringList figureNotes(const Figure &figure)
{
    QStringList notes;
    const double pixels = static_cast<double>(figure.pixels.width()) * figure.pixels.height();
    if (pixels >= largePixels)
        notes << QObject::tr("The picture has %1 × %2 pixels; drawing and writing it takes about %3 s.")
                     .arg(QString::fromStdString(groupedCount(figure.pixels.width())),
                         QString::fromStdString(groupedCount(figure.pixels.height())))
                     .arg(std::ceil(pixels / pixelsPerSecond));
    return notes + figure.notes;
}

Result<QImage> figureImage(const Figure &figure)
{
    if (const auto possible = checkFigure(figure.pixels); !possible)
        return possible.error();
    QImage image(figure.pixels, figure.ground.alpha() == 255 ? QImage::Format_RGB32 : QImage::Format_ARGB32_Premultiplied);
    if (image.isNull())
        return Error{ "There is not enough memory for the picture.", "", "Make it smaller.", "" };
    image.fill(figure.ground);
    figure.draw(image);
    const int dotsPerMetre = static_cast<int>(std::lround(figure.dotsPerInch * 1000.0 / millimetresPerInch));
    image.setDotsPerMeterX(dotsPerMetre);
    image.setDotsPerMeterY(dotsPerMetre);
    return image;
}

Result<void> writeFigure(const QString &path, const Figure &figure, const Run &run)
{
    const FigureFormat format = figureFormatOf(path).value_or(FigureFormat::Png);
    if (format == FigureFormat::Png) {
        const auto image = figureImage(figure);
        return image ? writePicture(path, *image, run) : Result<void>(image.error().at(path.toStdString()));
    }
    if (const auto possible = checkFigure(figure.pixels); !possible)
        return possible.error().at(path.toStdString());
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return notSaved(path, file.errorString());
    if (format == FigureFormat::Svg)
        drawSvg(file, figure);
    else
        drawPdf(file, figure);
    if (file.error() != QFileDevice::NoError || !file.commit())
        return notSaved(path, file.errorString());
    return {};
}

Result<void> writePicture(const QString &path, const QImage &image, const Run &run)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return notSaved(path, file.errorString());
    StoppableDevice device(file, run);
    QImageWriter writer(&device, "png");
    const bool isWritten = writer.write(image);
    if (run.stopped())
        return Error::cancelled();
    if (!isWritten)
        return notSaved(path, file.error() == QFileDevice::NoError ? writer.errorString() : file.errorString());
    if (!file.commit())
        return notSaved(path, file.errorString());
    return {};
}

} // namespace attenscope
