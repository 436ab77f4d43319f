// SPDX-License-Identifier: GPL-3.0-or-later
// What the stages are called, on buttons, in files and on the command line.
#pragma once

#include "attention/explain.h"

#include <QString>

#include <array>
#include <optional>

namespace attenscope {

/// Every stage in the order of the computation.
inline constexpr std::array allStages{ Stage::Scores, Stage::Scaled, Stage::Capped, Stage::Biased, Stage::Tempered, Stage::Masked,
    Stage::Weights, Stage::ValueWeighted, Stage::Output };

/// "Weights × ‖v‖": for buttons and titles. With @p hasOutputProjection values are measured behind it: "Weights × ‖v W_O‖".
[[nodiscard]] QString stageTitle(Stage stage, bool hasOutputProjection = false);
/// "weights-x-values": for options and file contents; ASCII, lower case.
[[nodiscard]] QString stageKey(Stage stage);
[[nodiscard]] std::optional<Stage> stageFromKey(const QString &key);

} // namespace attenscope
