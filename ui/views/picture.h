// SPDX-License-Identifier: GPL-3.0-or-later
// Picture: what a view shows, as a value that can be painted at any size and on any ground.
#pragma once

#include "state/document.h"
#include "state/figure.h"
#include "state/theme.h"

#include <QSizeF>
#include <QString>
#include <QStringList>

#include <functional>

class QPainter;

namespace attenscope {

/// Immutable and safe to paint on any thread. The title and the notes are painted by whoever makes a figure of it, above and below.
struct Picture {
    QString title; ///< "Example sentence — lines, layer 0, head 3, causal".
    QStringList notes; ///< What must be known: "6 lines hidden, 1.20 % of the weight", "untrained, random weights".
    QSizeF size; ///< Logical pixels, with letters as large as in the window.
    /// Paints into (0, 0, size) with the painter's font (13 pixels) and the colours of the theme; no ground.
    std::function<void(QPainter &, const Theme &)> paint;
};

/// @p picture with its title above and its notes below, as @p options say. Letters grow with it; where both lengths are given it is fitted into the
/// middle. At a height of 0 very long pictures are made narrower than asked for, so that they can be drawn.
[[nodiscard]] Figure pictureFigure(const Picture &picture, const FigureOptions &options);

/// Why there is no picture of @p document yet, and what to do.
[[nodiscard]] Error nothingToDraw(const Document &document);

} // namespace attenscope
