// SPDX-License-Identifier: GPL-3.0-or-later
// The loops between folded cells and device pixels.
#include "views/map/cell_image.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <utility>

namespace attenscope {

CellKinds &CellKinds::operator|=(const CellKinds &other)
{
    hasMasked |= other.hasMasked;
    hasNan |= other.hasNan;
    hasPlusInfinity |= other.hasPlusInfinity;
    hasMinusInfinity |= other.hasMinusInfinity;
    hasAbsent |= other.hasAbsent;
    return *this;
}

PixelSpan PixelSpan::between(double firstEdge, double texelPixels, Index texels, Index pixels, Index gap)
{
    PixelSpan span;
    span.first.assign(static_cast<std::size_t>(pixels), 0);
    span.end.assign(static_cast<std::size_t>(pixels), 0);
    // Edges that are whole pixels up to rounding errors stay on them.
    const auto pixelAt = [](double edge) { return static_cast<Index>(std::floor(edge + 1e-6)); };
    const auto edgeOf = [&](Index texel) { return firstEdge + static_cast<double>(texel) * texelPixels; };
    for (Index texel = 0; texel < texels; ++texel) {
        const double edge = edgeOf(texel);
        Index from = 0;
        Index to = 0;
        if (texelPixels >= 1.0) {
            from = std::lround(edge);
            to = std::lround(edgeOf(texel + 1)) - gap;
        } else {
            from = pixelAt(edge + texelPixels / 2.0);
            // A texel cut by the edge of the picture is still seen.
            if (from < 0 && edge + texelPixels > 0.0)
                from = 0;
            if (from >= pixels && edge < static_cast<double>(pixels))
                from = pixels - 1;
            to = from + 1;
        }
        for (Index pixel = std::max<Index>(0, from); pixel < std::min(to, pixels); ++pixel) {
            auto &first = span.first[static_cast<std::size_t>(pixel)];
            auto &end = span.end[static_cast<std::size_t>(pixel)];
            if (first == end)
                first = texel;
            end = texel + 1;
        }
    }
    return span;
}

CellLook cellLook(const Theme &theme, const QColor &background, double pixelScale)
{
    CellLook look;
    look.background = qPremultiply(background.rgba());
    look.maskedGround = theme.maskedGround.rgb();
    look.maskedHatch = theme.maskedHatch.rgb();
    // Lines are 6 apart across, so √2 times that along a row.
    look.hatchPeriod = std::max(2, static_cast<int>(std::lround(6.0 * std::sqrt(2.0) * pixelScale)));
    look.pixelScale = pixelScale;
    return look;
}

namespace {

constexpr QRgb white = 0xffffffffU;
constexpr QRgb black = 0xff000000U;
/// Seen on white and on dark.
constexpr QRgb outline = 0xff7a828bU;

/// The colours along a line across the hatch: position (x + y) mod period.
std::vector<QRgb> hatchColors(const CellLook &look)
{
    // A stroke of one logical pixel at 45° is √2 pixels wide along a row.
    const double width = std::sqrt(2.0) * std::max(1.0, look.pixelScale);
    const double middle = look.hatchPeriod / 2.0;
    std::vector<QRgb> colors;
    for (int position = 0; position < look.hatchPeriod; ++position) {
        const double covered = std::clamp(width / 2.0 + 0.5 - std::abs(position + 0.5 - middle), 0.0, 1.0);
        const auto mixed = [covered](int ground, int hatch) { return static_cast<int>(std::lround(ground + covered * (hatch - ground))); };
        colors.push_back(qRgb(mixed(qRed(look.maskedGround), qRed(look.maskedHatch)),
            mixed(qGreen(look.maskedGround), qGreen(look.maskedHatch)), mixed(qBlue(look.maskedGround), qBlue(look.maskedHatch))));
    }
    return colors;
}

/// Patterns that stay different where a cell is a pixel or two: NaN a chequerboard, +∞ columns, −∞ rows.
QRgb smallMark(CellCode code, Index x, Index y)
{
    const bool isDark = code == code::nan ? ((x + y) & 1) != 0 : code == code::plusInfinity ? (x & 1) != 0 : (y & 1) != 0;
    return isDark ? black : white;
}

/// Beyond all codes: pixels between cells.
constexpr CellCode gap = code::count;

/// Folds texels across to a line of pixels.
class LineFold {
public:
    LineFold(const PixelSpan &cols, Index texelCols)
        : m_cols(cols)
        , m_texels(static_cast<std::size_t>(texelCols + 1), gap)
        , m_pixels(static_cast<std::size_t>(cols.pixels()))
    {
        // Between levels a pixel has three texels at most: reading always three, some twice, needs no loop that is guessed wrong.
        for (std::size_t x = 0; x < m_pixels.size(); ++x) {
            const Index first = cols.first[x];
            const Index end = cols.end[x];
            m_isNarrow = m_isNarrow && end - first <= 3;
            const auto at = [&](Index texel) { return static_cast<std::uint32_t>(end > first ? std::min(texel, end - 1) : texelCols); };
            m_reach.push_back({ at(first), at(first + 1), at(first + 2) });
        }
    }

    /// The largest of each column of the texels' rows.
    void readTexels(const TexelRow &codes, Index first, Index end)
    {
        const auto count = m_texels.size() - 1;
        if (first == end) {
            std::fill(m_texels.begin(), m_texels.end(), gap);
            return;
        }
        std::copy_n(codes(first), count, m_texels.begin());
        for (Index row = first + 1; row < end; ++row) {
            const CellCode *next = codes(row);
            for (std::size_t col = 0; col < count; ++col)
                m_texels[col] = std::max(m_texels[col], next[col]);
        }
    }

    /// The largest code of each pixel, and which codes there are.
    const std::vector<CellCode> &pixels(std::array<bool, code::count + 1> &isMet)
    {
        const CellCode *texels = m_texels.data();
        for (std::size_t x = 0; x < m_pixels.size(); ++x) {
            const Reach &reach = m_reach[x];
            CellCode largest = std::max({ texels[reach.first], texels[reach.second], texels[reach.third] });
            if (!m_isNarrow)
                largest = std::max(largest, largestOf(m_cols.first[x], m_cols.end[x]));
            m_pixels[x] = largest;
            isMet[largest] = true;
        }
        return m_pixels;
    }

private:
    struct Reach {
        std::uint32_t first;
        std::uint32_t second;
        std::uint32_t third;
    };

    [[nodiscard]] CellCode largestOf(Index first, Index end) const
    {
        return first < end ? *std::max_element(m_texels.begin() + first, m_texels.begin() + end) : CellCode{ 0 };
    }

    const PixelSpan &m_cols;
    std::vector<CellCode> m_texels; ///< And behind them what a gap shows.
    std::vector<CellCode> m_pixels;
    std::vector<Reach> m_reach;
    bool m_isNarrow = true;
};

/// Whether a cell of these pixels is too small for a mark.
bool needsPatterns(const PixelSpan &cols)
{
    Index widest = 0;
    Index run = 0;
    for (std::size_t x = 0; x < cols.first.size(); ++x) {
        run = x > 0 && cols.first[x] == cols.first[x - 1] && cols.end[x] == cols.end[x - 1] ? run + 1 : 1;
        widest = std::max(widest, run);
    }
    return widest < 5;
}

} // namespace

QImage cellImage(const std::vector<CellCode> &codes, Index texelCols, const PixelSpan &rows, const PixelSpan &cols, const CellCoder &coder,
    const CellLook &look, CellKinds &kinds)
{
    return cellImage([&](Index row) { return codes.data() + row * texelCols; }, texelCols, rows, cols, coder, look, kinds);
}

QImage cellImage(const TexelRow &codes, Index texelCols, const PixelSpan &rows, const PixelSpan &cols, const CellCoder &coder,
    const CellLook &look, CellKinds &kinds, QImage canvas)
{
    const Index height = rows.pixels();
    const Index width = cols.pixels();
    const QSize size(static_cast<int>(width), static_cast<int>(height));
    QImage image = canvas.size() == size && canvas.format() == QImage::Format_ARGB32_Premultiplied
        ? std::move(canvas)
        : QImage(size, QImage::Format_ARGB32_Premultiplied);
    if (image.isNull())
        return image;
    // Line y of the hatch starts at position y mod period of this.
    std::vector<QRgb> hatch = hatchColors(look);
    const auto period = static_cast<Index>(hatch.size());
    hatch.resize(static_cast<std::size_t>(width + period));
    for (std::size_t x = static_cast<std::size_t>(period); x < hatch.size(); ++x)
        hatch[x] = hatch[x - static_cast<std::size_t>(period)];
    std::array<QRgb, code::count + 1> colors{};
    for (CellCode cell = code::firstNumber; cell < code::endNumber; ++cell)
        colors[cell] = coder.color(cell);
    colors[code::absent] = colors[gap] = look.background;
    // Marks are stamped on white where cells are large enough; below that patterns tell the kinds apart.
    colors[code::nan] = colors[code::plusInfinity] = colors[code::minusInfinity] = white;
    const bool hasPatterns = needsPatterns(cols);
    LineFold fold(cols, texelCols);
    std::array<bool, code::count + 1> isMet{}; // by any line
    std::array<bool, code::count + 1> isMetByLine{};
    const auto isSpecial = [](const std::array<bool, code::count + 1> &met) {
        return met[code::nan] || met[code::plusInfinity] || met[code::minusInfinity];
    };
    const std::vector<CellCode> *line = nullptr;
    for (Index y = 0; y < height; ++y) {
        const auto at = static_cast<std::size_t>(y);
        const bool isSame = line && rows.first[at] == rows.first[at - 1] && rows.end[at] == rows.end[at - 1];
        if (!isSame) {
            isMetByLine.fill(false);
            fold.readTexels(codes, rows.first[at], rows.end[at]);
            line = &fold.pixels(isMetByLine);
            std::transform(isMet.begin(), isMet.end(), isMetByLine.begin(), isMet.begin(), std::logical_or<>());
        }
        auto *pixels = reinterpret_cast<QRgb *>(image.scanLine(static_cast<int>(y)));
        const bool hasMarks = hasPatterns && isSpecial(isMetByLine);
        if (isSame && !hasMarks && !isMetByLine[code::masked]) {
            std::copy_n(reinterpret_cast<const QRgb *>(image.constScanLine(static_cast<int>(y) - 1)), width, pixels);
            continue;
        }
        const QRgb *hatchLine = hatch.data() + y % period;
        const CellCode *cells = line->data();
        for (Index x = 0; x < width; ++x)
            pixels[x] = cells[x] == code::masked ? hatchLine[x] : colors[cells[x]];
        for (Index x = 0; hasMarks && x < width; ++x)
            if (cells[x] >= code::endNumber && cells[x] != gap)
                pixels[x] = smallMark(cells[x], x, y);
    }
    kinds |= { isMet[code::masked], isMet[code::nan], isMet[code::plusInfinity], isMet[code::minusInfinity], isMet[code::absent] };
    return image;
}

void outlineCell(QImage &image, const QRect &pixels, double pixelScale)
{
    const int width = std::max(1, static_cast<int>(std::lround(pixelScale)));
    const QRect visible = image.rect() & pixels;
    for (int y = visible.top(); y <= visible.bottom(); ++y) {
        auto *line = reinterpret_cast<QRgb *>(image.scanLine(y));
        const bool isEdge = y < pixels.top() + width || y > pixels.bottom() - width;
        for (int x = visible.left(); x <= visible.right(); ++x) {
            if (isEdge || x < pixels.left() + width || x > pixels.right() - width)
                line[x] = outline;
        }
    }
}

void stampMark(QImage &image, const QRect &pixels, CellCode code, double pixelScale)
{
    const int side = std::min(pixels.width(), pixels.height());
    if (side < 5)
        return;
    const int stroke = std::max(1, static_cast<int>(std::lround((side >= 16 ? 1.5 : 1.0) * pixelScale)));
    const int reach = std::min(side / 2 - 1, std::max(2, side / 4));
    const QPoint middle = pixels.center();
    const QRect inside = image.rect() & pixels;
    const auto dot = [&](int x, int y) {
        for (int wide = 0; wide < stroke; ++wide) {
            if (inside.contains(x + wide, y))
                image.setPixel(x + wide, y, black);
        }
    };
    const auto dash = [&](int x, int y) {
        for (int high = 0; high < stroke; ++high) {
            if (inside.contains(x, y + high))
                image.setPixel(x, y + high, black);
        }
    };
    outlineCell(image, pixels, pixelScale);
    for (int step = -reach; step <= reach; ++step) {
        if (code == code::nan) {
            dot(middle.x() + step, middle.y() + step);
            dot(middle.x() + step, middle.y() - step);
            continue;
        }
        dash(middle.x() + step, middle.y());
        if (code == code::plusInfinity)
            dot(middle.x(), middle.y() + step);
    }
}

void stampMarks(QImage &image, const std::vector<CellCode> &codes, const PixelSpan &rows, const PixelSpan &cols, Index texelCols,
    double pixelScale, double leastWritten)
{
    // Pixels of each texel; those that share a pixel have none to spare for a mark.
    const auto extents = [](const PixelSpan &span, std::size_t count) {
        std::vector<std::pair<int, int>> found(count, { 0, 0 });
        for (Index pixel = 0; pixel < span.pixels(); ++pixel) {
            if (span.end[static_cast<std::size_t>(pixel)] - span.first[static_cast<std::size_t>(pixel)] != 1)
                continue;
            auto &[first, length] = found[static_cast<std::size_t>(span.first[static_cast<std::size_t>(pixel)])];
            if (length == 0)
                first = static_cast<int>(pixel);
            ++length;
        }
        return found;
    };
    const auto colPixels = extents(cols, static_cast<std::size_t>(texelCols));
    const auto rowPixels = extents(rows, colPixels.empty() ? 0 : codes.size() / colPixels.size());
    for (std::size_t row = 0; row < rowPixels.size(); ++row) {
        if (rowPixels[row].second < 5)
            continue;
        for (std::size_t col = 0; col < colPixels.size(); ++col) {
            const CellCode cell = codes[row * colPixels.size() + col];
            if (cell < code::endNumber || colPixels[col].second < 5)
                continue;
            const QRect pixels(colPixels[col].first, rowPixels[row].first, colPixels[col].second, rowPixels[row].second);
            if (cell != code::nan && std::min(pixels.width(), pixels.height()) >= leastWritten)
                outlineCell(image, pixels, pixelScale);
            else
                stampMark(image, pixels, cell, pixelScale);
        }
    }
}

QImage legendSwatch(CellCode code, int side, const CellLook &look)
{
    const auto pixels = static_cast<Index>(std::lround(side * look.pixelScale));
    const PixelSpan span = PixelSpan::between(0.0, static_cast<double>(pixels), 1, pixels, 0);
    CellKinds kinds;
    QImage image = cellImage({ code }, 1, span, span, CellCoder(), look, kinds);
    if (code != code::masked && code != code::absent)
        stampMark(image, image.rect(), code, look.pixelScale);
    image.setDevicePixelRatio(look.pixelScale);
    return image;
}

} // namespace attenscope
