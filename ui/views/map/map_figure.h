// SPDX-License-Identifier: GPL-3.0-or-later
// The shown maps as a figure, drawn without the window.
#pragma once

#include "state/document.h"
#include "state/figure.h"
#include "state/selection.h"

namespace attenscope {

/// What Document shows (comparing: all maps that are on). Cells are sharp: each takes a whole number of pixels where there is room. Computes tiles while it is
/// drawn. Does not outlive @p document. Errors: nothing to show yet.
Result<Figure> mapFigure(const Document &document, const Selection &selection, const FigureOptions &options);

} // namespace attenscope
