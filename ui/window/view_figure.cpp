// SPDX-License-Identifier: GPL-3.0-or-later
// Asks the table of views for pictures.
#include "window/view_figure.h"

#include "views/heads/head_figures.h"
#include "views/map/map_figure.h"
#include "views/patches/patches_view.h"
#include "views/zoom_note.h"
#include "window/view_stack.h"

#include <QFileInfo>

#include <algorithm>

namespace attenscope {

namespace {

PictureOf pictureOf(const Document &document, FigureSubject subject)
{
    if (subject == FigureSubject::Grid)
        return &gridPicture;
    if (subject == FigureSubject::Table)
        return &tablePicture;
    if (subject == FigureSubject::Patches)
        return &patchesPicture;
    const ShownView shown = document.session().view.shown;
    const auto rows = viewRows();
    return std::find_if(rows.begin(), rows.end(), [shown](const ViewRow &row) { return row.shown == shown; })->picture;
}

} // namespace

std::optional<CellRect> regionInView(const Document &document, const Selection &selection)
{
    const MapFieldPtr field = document.field();
    const ViewState &view = document.session().view;
    const bool showsHeads
        = view.shown == ShownView::Layers && (view.layersShown == LayersShown::Similarity || view.layersShown == LayersShown::Embedding);
    if (showsHeads || !field || field->columns() == Columns::Dimensions || !selection.inView())
        return std::nullopt;
    const CellRect region = cellsInSight(selection.inView(), field->rows(), field->cols());
    const bool isAll = region.rows.size() == field->rows() && region.cols.size() == field->cols();
    return isAll || field->rows() == 0 || field->cols() == 0 ? std::nullopt : std::optional(region);
}

QString headPath(const QString &path, const HeadRef &head, int layers, int heads)
{
    const auto padded = [](int number, int count) {
        return QString::number(number).rightJustified(QString::number(std::max(0, count - 1)).size(), QLatin1Char('0'));
    };
    const QFileInfo file(path);
    return QStringLiteral("%1/%2-%3-%4.%5")
        .arg(file.path(), file.completeBaseName(), padded(head.layer, layers), padded(head.head, heads), file.suffix());
}

bool isMapShown(const Document &document, FigureSubject subject)
{
    return !pictureOf(document, subject);
}

Result<Figure> viewFigure(const Document &document, const Selection &selection, const FigureOptions &options, FigureSubject subject)
{
    const PictureOf make = pictureOf(document, subject);
    if (!make)
        return mapFigure(document, selection, options);
    const Result<Picture> picture = make(document, selection);
    if (!picture)
        return picture.error();
    return pictureFigure(*picture, options);
}

} // namespace attenscope
