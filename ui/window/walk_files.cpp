// SPDX-License-Identifier: GPL-3.0-or-later
// The states of a walk as PNG, SVG, PDF and APNG.
#include "window/walk_files.h"

#include "core/memory.h"
#include "core/text.h"
#include "window/apng.h"

#include <QFileInfo>
#include <QGuiApplication>
#include <QPainter>
#include <QSaveFile>

#include <algorithm>
#include <array>

namespace attenscope {

namespace {

constexpr int mostPixels = 16384;

StepStyle styleOf(const WalkPicture &picture, const WalkFileOptions &options)
{
    StepStyle style;
    style.theme = options.background == FigureBackground::Dark ? Theme::dark() : Theme::light();
    style.font = QGuiApplication::font();
    style.font.setPixelSize(options.isForProjector ? 20 : 13);
    return fittedStyle(picture, style, QSizeF(options.pixels));
}

Figure figureOf(const WalkPicture &picture, const WalkState &state, const StepStyle &style, const WalkFileOptions &options)
{
    Figure figure;
    figure.pixels = options.pixels;
    figure.title = picture.title;
    figure.ground = options.background == FigureBackground::Transparent ? QColor(Qt::transparent) : style.theme.view;
    figure.draw = [&picture, state, style, size = QSizeF(options.pixels), ground = figure.ground](QPaintDevice &device) {
        QPainter painter(&device);
        painter.setRenderHint(QPainter::LosslessImageRendering);
        if (ground.alpha() > 0)
            painter.fillRect(QRectF(QPointF(), size), ground);
        paintWalk(painter, picture, state, style, size);
    };
    return figure;
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

Result<QImage> walkImage(const WalkPicture &picture, const WalkState &state, const WalkFileOptions &options)
{
    return figureImage(figureOf(picture, state, styleOf(picture, options), options));
}

Result<void> saveWalkState(const QString &path, const WalkPicture &picture, const WalkState &state, const WalkFileOptions &options)
{
    if (Result<void> fits = checkWalkFile(options); !fits)
        return fits;
    return writeFigure(path, figureOf(picture, state, styleOf(picture, options), options));
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
        if (Result<void> saved = writeFigure(one, figureOf(picture, state, style, options), run); !saved)
            return saved.error();
        paths << one;
        run.report(static_cast<double>(paths.size()) / static_cast<double>(states.size()));
    }
    return paths;
}

Result<void> saveWalkAnimation(const QString &path, const WalkPicture &picture, const WalkFileOptions &options, const Run &run)
{
    WalkFileOptions opaque = options;
    if (opaque.background == FigureBackground::Transparent)
        opaque.background = FigureBackground::White;
    if (Result<void> fits = checkWalkFile(opaque); !fits)
        return fits;
    const StepStyle style = styleOf(picture, opaque);
    const std::vector<WalkState> states = walkStates(picture, style, QSizeF(opaque.pixels));
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return notSaved(path, file.errorString());
    ApngWriter writer(file, static_cast<int>(states.size()), opaque.secondsPerState);
    for (std::size_t at = 0; at < states.size(); ++at) {
        if (run.stopped())
            return Error::cancelled();
        const Result<QImage> image = figureImage(figureOf(picture, states[at], style, opaque));
        if (!image)
            return image.error().at(path.toStdString());
        if (Result<void> added = writer.add(*image); !added)
            return added.error().at(path.toStdString());
        run.report(static_cast<double>(at + 1) / static_cast<double>(states.size()));
    }
    if (Result<void> done = writer.finish(); !done)
        return done.error().at(path.toStdString());
    if (!file.commit())
        return notSaved(path, file.errorString());
    return {};
}

} // namespace attenscope
