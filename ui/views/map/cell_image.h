// SPDX-License-Identifier: GPL-3.0-or-later
// CellImage: folded cells of a map as an image of device pixels, every kind of cell looking different.
#pragma once

#include "attention/cell.h"
#include "core/matrix.h"
#include "state/color_map.h"
#include "state/theme.h"

#include <QImage>

#include <array>
#include <cstdint>
#include <vector>

namespace attenscope {

/// A cell ready to be folded: of several codes the largest is the one that is seen. Absent, masked, numbers, infinity, NaN, in this order.
using CellCode = std::uint16_t;

namespace code {
inline constexpr CellCode absent = 0;
inline constexpr CellCode masked = 1;
inline constexpr CellCode firstNumber = 2;
inline constexpr CellCode endNumber = 258;
inline constexpr CellCode minusInfinity = 258;
inline constexpr CellCode plusInfinity = 259;
inline constexpr CellCode nan = 260;
inline constexpr CellCode count = 261;
} // namespace code

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

/// Cells to codes and codes to colours, for one colour map and one way of folding. Immutable value.
class CellCoder {
public:
    CellCoder();
    CellCoder(const ColorMap &colors, Fold fold);

    [[nodiscard]] CellCode code(float cell) const;
    /// The colour of a number's code.
    [[nodiscard]] QRgb color(CellCode code) const { return m_colors[code]; }
    /// Codes of @p cells, row by row, into @p out with @p stride codes a row.
    void encode(const MatrixF &cells, CellCode *out, std::size_t stride) const;

private:
    static constexpr int entryCount = 256; ///< Of the colour table.
    static constexpr std::uint32_t bucketCount = 1U << 16U;
    /// The smallest number of each entry, so that no cell takes a logarithm.
    using Edges = std::array<float, entryCount>;
    /// Floats that share their upper 16 bits: where there is no edge between them, which is nearly everywhere, these say the entry.
    struct Bucket {
        std::uint8_t first = 0; ///< Entry of the smallest.
        std::uint8_t last = 0;
    };

    [[nodiscard]] static Edges edgesOf(const ColorMap &colors);
    [[nodiscard]] static std::vector<Bucket> bucketsOf(const Edges &edges);
    [[nodiscard]] static std::uint32_t bucketOf(float number);

    Edges m_edges;
    std::vector<Bucket> m_buckets;
    std::array<CellCode, entryCount> m_codes{}; ///< Of entries.
    std::array<QRgb, code::count> m_colors{};
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

/// Draws the codes of @p rows x @p cols texels (row by row, @p codes.size() = rows · cols) to an image of span pixels. Says which special kinds it met.
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
