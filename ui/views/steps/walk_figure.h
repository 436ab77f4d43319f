// SPDX-License-Identifier: GPL-3.0-or-later
// WalkPicture: a walk as a value that is painted state by state, for figures, series and animations.
#pragma once

#include "state/document.h"
#include "views/steps/flash_scene.h"
#include "views/steps/steps_scene.h"

#include <QString>

#include <memory>
#include <optional>
#include <vector>

class QPainter;

namespace attenscope {

/// A state of either walk.
struct WalkState {
    StepPosition position; ///< Of a row's walk.
    std::size_t flash = 0; ///< Of the walk of flash attention.

    friend bool operator==(const WalkState &, const WalkState &) = default;
};

/// Exactly one of steps and flash is set. Immutable and safe to paint on any thread.
struct WalkPicture {
    std::shared_ptr<const StepContent> steps;
    StepFolds folds; ///< How much more than fits is shown.
    std::shared_ptr<const FlashContent> flash;
    Index row = 0; ///< Marked in the walk of flash attention.
    WalkState state; ///< The one that was shown.
    QString title; ///< "Worked example — scaled dot product, unmasked, query the"
};

/// What a picture of @p document's walk is called.
[[nodiscard]] QString walkTitle(const Document &document, const WalkPicture &picture);
/// @p style with the largest letters with which the largest page still fits a sheet of @p size; those of @p style at least.
[[nodiscard]] StepStyle fittedStyle(const WalkPicture &picture, const StepStyle &style, QSizeF size);
/// All states in order; those that folding passes over in a picture of this size are not among them.
[[nodiscard]] std::vector<WalkState> walkStates(const WalkPicture &picture, const StepStyle &style, QSizeF size);
/// Paints title, list of steps and page of @p state into (0, 0, size). Larger pages are scaled down to fit.
void paintWalk(QPainter &painter, const WalkPicture &picture, const WalkState &state, const StepStyle &style, QSizeF size);
/// "Step 2 of 9, key 3 of 3", "Tile 13 of 21": for captions and messages.
[[nodiscard]] QString walkStateText(const WalkPicture &picture, const WalkState &state);

} // namespace attenscope
