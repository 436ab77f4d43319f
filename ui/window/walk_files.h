// SPDX-License-Identifier: GPL-3.0-or-later
// Writing walks to files: one state, all states numbered, or an animation.
#pragma once

#include "core/result.h"
#include "core/run.h"
#include "state/figure.h"
#include "views/steps/walk_figure.h"

#include <QImage>
#include <QSize>
#include <QStringList>

namespace attenscope {

/// How a state is drawn. Letters for the window or for a projector.
struct WalkFileOptions {
    QSize pixels{ 1400, 900 };
    FigureBackground background = FigureBackground::White; ///< Animations have no transparent ground; it is white there.
    bool isForProjector = false;
    double secondsPerState = 1.0;
};

/// Why pictures of this size cannot be drawn, or nothing.
Result<void> checkWalkFile(const WalkFileOptions &options);
/// The states of @p picture as they are drawn with @p options.
[[nodiscard]] std::vector<WalkState> walkStates(const WalkPicture &picture, const WalkFileOptions &options);
/// One state as a picture.
Result<QImage> walkImage(const WalkPicture &picture, const WalkState &state, const WalkFileOptions &options);
/// One state to @p path as .png, .svg or .pdf, written atomically. Errors: too large, not writable.
Result<void> saveWalkState(const QString &path, const WalkPicture &picture, const WalkState &state, const WalkFileOptions &options);
/// All states beside @p path: "walk.png" becomes "walk-01.png", … with as many digits as are needed. Files that exist are replaced.
/// Errors: the same, cancelled; what was written stays. Returns the paths.
Result<QStringList> saveWalkSeries(const QString &path, const WalkPicture &picture, const WalkFileOptions &options, const Run &run = {});
/// All states as an animated PNG, written atomically. Errors: the same.
Result<void> saveWalkAnimation(const QString &path, const WalkPicture &picture, const WalkFileOptions &options, const Run &run = {});

} // namespace attenscope
