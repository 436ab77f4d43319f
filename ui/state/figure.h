// SPDX-License-Identifier: GPL-3.0-or-later
// Figure: a picture of anything at its size, and how it becomes a PNG, SVG or PDF file.
#pragma once

#include "attention/field.h"
#include "core/result.h"
#include "core/run.h"

#include <QColor>
#include <QImage>
#include <QSize>
#include <QSizeF>
#include <QString>
#include <QStringList>

#include <functional>
#include <optional>

class QPaintDevice;

namespace attenscope {

enum class FigureBackground { White, Dark, Transparent };

/// How large and on what ground. Exactly one way of sizing is used: cellPixels if set, else millimetres if set, else pixels.
struct FigureOptions {
    QSize pixels{ 1400, 0 }; ///< Height 0: as much as the view needs at this width. On paper 96 of them are an inch.
    std::optional<QSizeF> millimetres;
    double dpi = 300.0; ///< With millimetres; also written into PNG files.
    std::optional<int> cellPixels; ///< Of maps only: pixels per cell, 1 to 512; the rest is added around.
    std::optional<CellRect> region; ///< Of maps only: the cells that are drawn; unset: those in view, with cellPixels all.
    FigureBackground background = FigureBackground::White;
    bool hasTitle = true; ///< Name, view, head, mechanism.
    bool hasLabels = true; ///< Of maps only: token labels and axis titles.
    bool hasColorScale = true; ///< Of maps only.
    bool hasCaption = true; ///< "untrained, random weights", fold, what was left out.
    bool hasPick = true; ///< Of maps only: the picked cell's frame.

    /// Pixels that the options ask for; height 0: to be found.
    [[nodiscard]] QSize size() const;
};

/// Ready to be drawn. draw() is called with a device on which one of @p pixels is a unit, on the thread of whoever asks for it: that of maps only on the
/// window's.
struct Figure {
    QSize pixels;
    double dotsPerInch = 96.0; ///< For PNG.
    double paperDpi = 96.0; ///< Pixels per inch in SVG and PDF.
    QString title;
    QColor ground = Qt::white; ///< May be transparent.
    QStringList notes; ///< What is to be known before it is written: tokens that no font can draw. Whole sentences.
    std::function<void(QPaintDevice &)> draw; ///< Everything, with the ground.
};

/// Why the picture at @p path could not be saved: @p reason, without a full stop.
[[nodiscard]] Error notSaved(const QString &path, const QString &reason);

enum class FigureFormat { Png, Svg, Pdf };
/// By the extension; unset: none of them.
[[nodiscard]] std::optional<FigureFormat> figureFormatOf(const QString &path);

/// Why a picture of @p size pixels cannot be drawn (too large, said with the size; no fonts), or nothing.
Result<void> checkFigure(QSize size);
/// Sentences that say that it is large and takes long, and its notes.
[[nodiscard]] QStringList figureNotes(const Figure &figure);
/// Draws it. Errors: as checkFigure(), not enough memory.
Result<QImage> figureImage(const Figure &figure);
/// Draws it and writes it atomically in the format of @p path's extension. In SVG and PDF letters are text and maps lossless images. Stopped: as
/// writePicture(). Errors: the same, not writable.
Result<void> writeFigure(const QString &path, const Figure &figure, const Run &run = {});
/// Writes @p image as PNG, atomically. May be called on any thread. Stopped: an error that is cancelled, and no file.
Result<void> writePicture(const QString &path, const QImage &image, const Run &run = {});

} // namespace attenscope
