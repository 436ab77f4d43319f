// SPDX-License-Identifier: GPL-3.0-or-later
// The shown view as a figure.
#pragma once

#include "state/document.h"
#include "state/figure.h"
#include "state/selection.h"

namespace attenscope {

/// What a figure is of: the shown view, the thumbnails of all heads on one sheet, the head table, or the patches of an image.
enum class FigureSubject { View, Grid, Table, Patches };

/// Of the view that session().view.shown names. Of the steps the map is drawn: their walk has figures of its own (walk_files.h). Errors: nothing to show, or
/// not yet.
Result<Figure> viewFigure(
    const Document &document, const Selection &selection, const FigureOptions &options, FigureSubject subject = FigureSubject::View);
/// The whole cells of the shown map that are in view, in part at least; unset where all of them are, and where no map by keys
/// is shown.
[[nodiscard]] std::optional<CellRect> regionInView(const Document &document, const Selection &selection);
/// A file of a series over all heads: "figure-03-7.png" of "figure.png" for layer 3, head 7, with as many digits as @p layers and @p heads need.
[[nodiscard]] QString headPath(const QString &path, const HeadRef &head, int layers, int heads);
/// Whether the shown view is drawn by cells, with labels and a colour scale.
[[nodiscard]] bool isMapShown(const Document &document, FigureSubject subject = FigureSubject::View);

} // namespace attenscope
