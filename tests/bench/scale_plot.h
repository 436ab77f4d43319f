// SPDX-License-Identifier: GPL-3.0-or-later
// What bench_scale measures of one length, and its plot.
#pragma once

#include "core/matrix.h"

#include <optional>
#include <string>
#include <vector>

namespace attenscope::bench {

/// Seconds and megabytes; 0: not measured.
struct ScalePoint {
    Index n = 0;
    double full = 0.0; ///< The pass, all threads.
    double overview = 0.0; ///< The pass with an overview of at most 1024 x 1024 cells.
    double causal = 0.0;
    double causalOverview = 0.0;
    double oneThread = 0.0; ///< The full pass.
    double tile = 0.0; ///< 1024 x 768 cells at full resolution.
    double frame = 0.0; ///< Median of a pan and a zoom, the longer.
    double memory = 0.0; ///< Beyond the input.
    double picture = 0.0; ///< From opening to the first picture.
    double program = 0.0; ///< Peak of the process that shows the map.
};

[[nodiscard]] std::string toText(const ScalePoint &point);
[[nodiscard]] std::optional<ScalePoint> fromText(const std::string &text);
/// An SVG: time at the left, memory at the right, both against the tokens, logarithmic. Whether it could be written.
bool writeScalePlot(const std::string &path, const std::vector<ScalePoint> &points);

} // namespace attenscope::bench
