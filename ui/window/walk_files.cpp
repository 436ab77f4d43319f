// SPDX-License-Identifier: GPL-3.0-or-later
// The states of a walk as PNG, SVG, PDF and APNG.
#include "window/walk_files.h"

#include "core/memory.h"
#include "core/text.h"
#include "window/apng.h"

#include <QFileInfo>
#include <QGuiApplication>
#include <QImageWriter>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

#include <algorithm>
#include <array>

namespace attenscope {

namespace {

constexpr int mostPixels = 16384;
constexpr int dotsPerInch = 96;
constexpr double pointsPerInch = 72.0;

StepStyle styleOf(const WalkPicture &picture, const WalkFileOptions &options)
{
    StepStyle style;
    style.theme = options.ground == WalkGround::Dark ? Theme::dark() : Theme::light();
    style.font = QGuiApplication::font();
    style.font.setPixelSize(options.isForProjector ? 20 : 13);
    return fittedStyle(picture, style, QSizeF(options.pixels));
}

void paint(QPainter &painter, const WalkPicture &picture, const WalkState &state, const StepStyle &style, const WalkFileOptions &options)
{
    if (options.ground != WalkGround::Transparent)
        painter.fillRect(QRectF(QPointF(), QSizeF(options.pixels)), style.theme.view);
    paintWalk(painter, picture, state, style, QSizeF(options.pixels));
}

Error failed(const QString &path, const QString &reason)
{
    return { "The picture could not be saved.", reason.toStdString() + ".", "Choose another place.", path.toStdString() };
}

QImage imageOf(const WalkPicture &picture, const WalkState &state, const StepStyle &style, const WalkFileOptions &options)
{
    QImage image(options.pixels, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    paint(painter, picture, state, style, options);
    return image;
}

Result<void> writeState(QIODevice &device, const QString &extension, const WalkPicture &picture, const WalkState &state,
    const StepStyle &style, const WalkFileOptions &options, const QString &path)
{
    if (extension == QLatin1String("svg")) {
        QSvgGenerator svg;
        svg.setOutputDevice(&device);
        svg.setResolution(dotsPerInch);
        svg.setSize(options.pixels);
        svg.setViewBox(QRect(QPoint(), options.pixels));
        svg.setTitle(picture.title);
        QPainter painter(&svg);
        paint(painter, picture, state, style, options);
        return {};
    }
    if (extension == QLatin1String("pdf")) {
        QPdfWriter pdf(&device);
        pdf.setResolution(dotsPerInch);
        pdf.setPageMargins({});
        pdf.setPageSize(QPageSize(QSizeF(options.pixels) * (pointsPerInch / dotsPerInch), QPageSize::Point));
        pdf.setTitle(picture.title);
        QPainter painter(&pdf);
        painter.setRenderHint(QPainter::LosslessImageRendering);
        paint(painter, picture, state, style, options);
        return {};
    }
    QImageWriter writer(&device, "png");
    if (!writer.write(imageOf(picture, state, style, options)))
        return failed(path, writer.errorString());
    return {};
}

Result<void> saveState(
    const QString &path, const WalkPicture &picture, const WalkState &state, const StepStyle &style, const WalkFileOptions &options)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return failed(path, file.errorString());
    if (Result<void> done = writeState(file, QFileInfo(path).suffix().toLower(), picture, state, style, options, path); !done)
        return done;
    if (!file.commit())
        return failed(path, file.errorString());
    return {};
}

} // namespace

Result<void> checkWalkFile(const WalkFileOptions &options)
{
    const QSize size = options.pixels;
    if (size.width() < 320 || size.height() < 240 || size.width() > mostPixels || size.height() > mostPixels) {
        return Error{ "The picture would be too small or too large.",
            "It would have " + groupedCount(size.width()) + " × " + groupedCount(size.height()) + " pixels.",
            "Choose 320 × 240 to " + groupedCount(mostPixels) + " × " + groupedCount(mostPixels) + ".", {} };
    }
    return checkMemory(8 * static_cast<std::uint64_t>(size.width()) * static_cast<std::uint64_t>(size.height()), "A picture of the walk");
}

std::vector<WalkState> walkStates(const WalkPicture &picture, const WalkFileOptions &options)
{
    return walkStates(picture, styleOf(picture, options), QSizeF(options.pixels));
}

QImage walkImage(const WalkPicture &picture, const WalkState &state, const WalkFileOptions &options)
{
    return imageOf(picture, state, styleOf(picture, options), options);
}

Result<void> saveWalkState(const QString &path, const WalkPicture &picture, const WalkState &state, const WalkFileOptions &options)
{
    if (Result<void> fits = checkWalkFile(options); !fits)
        return fits;
    return saveState(path, picture, state, styleOf(picture, options), options);
}

Result<QStringList> saveWalkSeries(const QString &path, const WalkPicture &picture, const WalkFileOptions &options, const Run &run)
{
    if (Result<void> fits = checkWalkFile(options); !fits)
        return fits.error();
    const StepStyle style = styleOf(picture, options);
    const std::vector<WalkState> states = walkStates(picture, style, QSizeF(options.pixels));
    const QFileInfo place(path);
    const int digits = std::max(2, static_cast<int>(QString::number(states.size()).size()));
    QStringList paths;
    for (const WalkState &state : states) {
        if (run.stopped())
            return Error::cancelled();
        const QString number = QString::number(paths.size() + 1).rightJustified(digits, QLatin1Char('0'));
        const QString one = QStringLiteral("%1/%2-%3.%4").arg(place.path(), place.completeBaseName(), number, place.suffix());
        if (Result<void> saved = saveState(one, picture, state, style, options); !saved)
            return saved.error();
        paths << one;
        run.report(static_cast<double>(paths.size()) / static_cast<double>(states.size()));
    }
    return paths;
}

Result<void> saveWalkAnimation(const QString &path, const WalkPicture &picture, const WalkFileOptions &options, const Run &run)
{
    WalkFileOptions opaque = options;
    if (opaque.ground == WalkGround::Transparent)
        opaque.ground = WalkGround::White;
    if (Result<void> fits = checkWalkFile(opaque); !fits)
        return fits;
    const StepStyle style = styleOf(picture, opaque);
    const std::vector<WalkState> states = walkStates(picture, style, QSizeF(opaque.pixels));
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return failed(path, file.errorString());
    ApngWriter writer(file, static_cast<int>(states.size()), opaque.secondsPerState);
    for (std::size_t at = 0; at < states.size(); ++at) {
        if (run.stopped())
            return Error::cancelled();
        if (Result<void> added = writer.add(imageOf(picture, states[at], style, opaque)); !added)
            return added.error().at(path.toStdString());
        run.report(static_cast<double>(at + 1) / static_cast<double>(states.size()));
    }
    if (Result<void> done = writer.finish(); !done)
        return done.error().at(path.toStdString());
    if (!file.commit())
        return failed(path, file.errorString());
    return {};
}

} // namespace attenscope
