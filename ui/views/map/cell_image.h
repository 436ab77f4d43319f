// SPDX-License-Identifier: GPL-3.0-or-later
// The codes of folded cells as an image of device pixels, every kind of cell looking different.
#pragma once

#include "core/matrix.h"
#include "state/theme.h"
#include "views/map/cell_coder.h"

#include <QImage>

#include <functional>
#include <vector>

namespace attenscope {

/// Which kinds of cell other than numbers a picture has: what its legend must name.
struct CellKinds {
    bool hasMasked = false;
    bool hasNan = false;
    bool hasPlusInfinity = false;
    bool hasMinusInfinity = false;
    bool hasAbsent = false;

    CellKinds &operator|=(const CellKinds &other);
    friend bool operator==(const CellKinds &, const CellKinds &) = default;
};

/// What the pixels of one direction show: pixel p shows the texels [first[p], end[p]); none: the gap between cells.
struct PixelSpan {
    std::vector<Index> first;
    std::vector<Index> end;

    [[nodiscard]] Index pixels() const { return static_cast<Index>(first.size()); }
    /// @p pixels from the edges of texels, in pixels from the first one. Where a texel has a pixel or more, pixels belong to the texel whose rounded
    /// edges enclose them and @p gap pixels at its end to none. Where it has less, each texel goes to one pixel, so that none is lost.
    [[nodiscard]] static PixelSpan between(double firstEdge, double texelPixels, Index texels, Index pixels, Index gap);
};

/// How special cells look.
struct CellLook {
    QRgb background = 0xffffffff; ///< Absent cells and gaps; may be transparent.
    QRgb maskedGround = 0xffeceef0;
    QRgb maskedHatch = 0xffc9cdd2;
    int hatchPeriod = 8; ///< Device pixels along a row.
    double pixelScale = 1.0; ///< Device pixels per logical pixel.
};
[[nodiscard]] CellLook cellLook(const Theme &theme, const QColor &background, double pixelScale);

/// The codes of a row of texels; they need to last until the next call only.
using TexelRow = std::function<const CellCode *(Index row)>;

/// Draws @p texelCols texels a row, the rows that @p rows names, to an image of span pixels: @p canvas itself if it has that size, whose memory need
/// not be taken anew then. Says which special kinds it met.
[[nodiscard]] QImage cellImage(const TexelRow &codes, Index texelCols, const PixelSpan &rows, const PixelSpan &cols, const CellCoder &coder,
    const CellLook &look, CellKinds &kinds, QImage canvas = {});
/// Of codes row by row.
[[nodiscard]] QImage cellImage(const std::vector<CellCode> &codes, Index texelCols, const PixelSpan &rows, const PixelSpan &cols,
    const CellCoder &coder, const CellLook &look, CellKinds &kinds);

/// A thin line around the cell of @p pixels in @p image (32 bits a pixel): white cells are seen on a white ground.
void outlineCell(QImage &image, const QRect &pixels, double pixelScale);

/// Marks a special cell of @p pixels in @p image: an outline with a cross for NaN, plus or minus for infinity, scaled to the cell; nothing below
/// 5 pixels.
void stampMark(QImage &image, const QRect &pixels, CellCode code, double pixelScale);

/// stampMark() for the special cells of @p codes, @p texelCols in a row, in the @p image that cellImage() made of them. Infinity has an outline alone
/// where a cell has @p leastWritten pixels: there its sign is written.
void stampMarks(QImage &image, const std::vector<CellCode> &codes, const PixelSpan &rows, const PixelSpan &cols, Index texelCols,
    double pixelScale, double leastWritten);

/// A small picture of a special kind for the legend, @p side logical pixels.
[[nodiscard]] QImage legendSwatch(CellCode code, int side, const CellLook &look);

} // namespace attenscope
