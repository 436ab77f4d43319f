// SPDX-License-Identifier: GPL-3.0-or-later
// Figure: the shown maps as a picture file or for the clipboard, drawn without the window.
#pragma once

#include "core/result.h"
#include "core/run.h"
#include "state/document.h"
#include "state/selection.h"

#include <QImage>
#include <QSizeF>
#include <QString>

#include <optional>

namespace attenscope {

enum class FigureBackground { White, Dark, Transparent };

/// How large and on what ground. Exactly one way of sizing is used: cellPixels if set, else millimetres if set, else pixels.
struct FigureOptions {
    QSize pixels{ 1400, 0 }; ///< Height 0: as much as the maps need at this width, at most 1,000.
    std::optional<QSizeF> millimetres;
    double dpi = 300.0; ///< With millimetres; also written into the file.
    std::optional<int> cellPixels; ///< Pixels per cell, 1 to 512; the rest is added around.
    FigureBackground background = FigureBackground::White;
    bool hasTitle = true; ///< Name, stage, head, mechanism.
    bool hasLabels = true; ///< Token labels and axis titles.
    bool hasColorScale = true;
    bool hasCaption = true; ///< "untrained, random weights", fold, what was left out.
    bool hasPick = true; ///< The picked cell's frame.
};

/// The size in pixels that the figure will have.
[[nodiscard]] QSize figureSize(const Document &document, const FigureOptions &options);
/// Why a figure of this size cannot be drawn (too large, said with the size), or nothing.
Result<void> checkFigure(const Document &document, const FigureOptions &options);
/// Draws what Document shows (comparing: all maps that are on). Cells are sharp: each takes a whole number of pixels where there is room. Computes tiles in
/// this call. Errors: too large, no fonts installed, nothing to show yet.
Result<QImage> renderFigure(const Document &document, const Selection &selection, const FigureOptions &options);
/// What is to be said about the figure: that it is large and takes long, that no font can draw some tokens. Whole sentences.
[[nodiscard]] QStringList figureNotes(const Document &document, const FigureOptions &options);
/// Writes @p image as PNG, atomically. May be called on any thread. Stopped: an error that is cancelled, and no file.
Result<void> writePicture(const QString &path, const QImage &image, const Run &run = {});
/// renderFigure() to a PNG with its resolution set.
Result<void> saveFigure(const QString &path, const Document &document, const Selection &selection, const FigureOptions &options);

} // namespace attenscope
