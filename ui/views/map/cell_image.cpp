// SPDX-License-Identifier: GPL-3.0-or-later
// The loops between folded cells and device pixels.
#include "views/map/cell_image.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

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

namespace {

/// Entry of the colour table; what ColorMap::color() uses.
int exactEntry(const ColorMap &colors, float number)
{
    return std::min(255, static_cast<int>(colors.position(number) * 256.0));
}

/// Floats in the order of their numbers; 0 is 0.
float floatAt(std::int64_t order)
{
    const auto magnitude = std::bit_cast<float>(static_cast<std::uint32_t>(std::abs(order)));
    return order < 0 ? -magnitude : magnitude;
}

/// Magnitude first, so that the largest code of a difference is the one farthest from zero.
CellCode differenceCode(int entry)
{
    const int magnitude = entry >= 128 ? entry - 128 : 127 - entry;
    return static_cast<CellCode>(code::firstNumber + 2 * magnitude + (entry >= 128 ? 1 : 0));
}

/// Of what is no finite number.
CellCode specialCode(float cell)
{
    switch (cell::kind(cell)) {
    case cell::Kind::Absent:
        return code::absent;
    case cell::Kind::Masked:
        return code::masked;
    case cell::Kind::Nan:
        return code::nan;
    case cell::Kind::Number:
        break;
    }
    return cell > 0.0F ? code::plusInfinity : code::minusInfinity;
}

} // namespace

CellCoder::CellCoder()
    : CellCoder(ColorMap(), Fold::Max)
{
}

CellCoder::CellCoder(const ColorMap &colors, Fold fold)
    : m_edges(edgesOf(colors))
    , m_buckets(bucketsOf(m_edges))
{
    const auto table = colors.table();
    for (std::size_t entry = 0; entry < entryCount; ++entry) {
        const auto number = static_cast<int>(entry);
        m_codes[entry] = fold == Fold::MaxMagnitude ? differenceCode(number) : static_cast<CellCode>(code::firstNumber + number);
        m_colors[m_codes[entry]] = table[entry] | 0xff000000U;
    }
}

CellCoder::Edges CellCoder::edgesOf(const ColorMap &colors)
{
    constexpr std::int64_t infinity = std::bit_cast<std::int32_t>(std::numeric_limits<float>::infinity());
    Edges edges{};
    edges[0] = -std::numeric_limits<float>::infinity();
    std::int64_t least = -infinity;
    for (int entry = 1; entry < entryCount; ++entry) {
        std::int64_t most = infinity;
        while (least < most) {
            const std::int64_t middle = least + (most - least) / 2;
            if (exactEntry(colors, floatAt(middle)) >= entry)
                most = middle;
            else
                least = middle + 1;
        }
        edges[static_cast<std::size_t>(entry)] = floatAt(least);
    }
    return edges;
}

std::vector<CellCoder::Bucket> CellCoder::bucketsOf(const Edges &edges)
{
    constexpr std::uint32_t half = bucketCount / 2; // of either sign
    // In the order of numbers: from the negative ones of largest magnitude.
    const auto orderOf = [](float number) {
        const std::uint32_t bucket = bucketOf(number);
        return bucket < half ? half + bucket : bucketCount - 1 - bucket;
    };
    std::vector<Bucket> buckets(bucketCount);
    std::size_t entry = 0;
    for (std::uint32_t order = 0; order < bucketCount; ++order) {
        Bucket &bucket = buckets[order < half ? bucketCount - 1 - order : order - half];
        bucket.first = static_cast<std::uint8_t>(entry);
        while (entry + 1 < entryCount && orderOf(edges[entry + 1]) <= order)
            ++entry;
        bucket.last = static_cast<std::uint8_t>(entry);
    }
    return buckets;
}

std::uint32_t CellCoder::bucketOf(float number)
{
    return std::bit_cast<std::uint32_t>(number) >> 16U;
}

CellCode CellCoder::code(float cell) const
{
    if (!std::isfinite(cell))
        return specialCode(cell);
    const Bucket bucket = m_buckets[bucketOf(cell)];
    if (bucket.first == bucket.last)
        return m_codes[bucket.first];
    const auto begin = m_edges.begin();
    return m_codes[static_cast<std::size_t>(std::upper_bound(begin + bucket.first + 1, begin + bucket.last + 1, cell) - begin - 1)];
}

void CellCoder::encode(const MatrixF &cells, CellCode *out, std::size_t stride) const
{
    for (Index row = 0; row < cells.rows(); ++row) {
        CellCode *line = out + static_cast<std::size_t>(row) * stride;
        const float *numbers = cells.data() + row * cells.cols();
        for (Index col = 0; col < cells.cols(); ++col)
            line[col] = code(numbers[col]);
    }
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

} // namespace

QImage cellImage(const std::vector<CellCode> &codes, Index texelCols, const PixelSpan &rows, const PixelSpan &cols, const CellCoder &coder,
    const CellLook &look, CellKinds &kinds)
{
    const Index height = rows.pixels();
    const Index width = cols.pixels();
    QImage image(static_cast<int>(width), static_cast<int>(height), QImage::Format_ARGB32_Premultiplied);
    if (image.isNull())
        return image;
    // Line y of the hatch starts at position y mod period of this.
    std::vector<QRgb> hatch = hatchColors(look);
    const auto period = static_cast<Index>(hatch.size());
    hatch.resize(static_cast<std::size_t>(width + period));
    for (std::size_t x = static_cast<std::size_t>(period); x < hatch.size(); ++x)
        hatch[x] = hatch[x - static_cast<std::size_t>(period)];
    // Marks are stamped on white where cells are large enough; below that patterns tell the kinds apart.
    Index widest = 0;
    for (Index x = 0, run = 0; x < width; ++x) {
        const auto at = static_cast<std::size_t>(x);
        run = x > 0 && cols.first[at] == cols.first[at - 1] && cols.end[at] == cols.end[at - 1] ? run + 1 : 1;
        widest = std::max(widest, run);
    }
    const bool hasPatterns = widest < 5;
    std::array<bool, code::count> isMet{};
    std::vector<CellCode> folded(static_cast<std::size_t>(texelCols));
    std::vector<CellCode> line(static_cast<std::size_t>(width));
    Index lineFirst = -1;
    Index lineEnd = -1;
    for (Index y = 0; y < height; ++y) {
        const Index first = rows.first[static_cast<std::size_t>(y)];
        const Index end = rows.end[static_cast<std::size_t>(y)];
        if (first != lineFirst || end != lineEnd) {
            lineFirst = first;
            lineEnd = end;
            const CellCode *source = codes.data() + first * texelCols;
            if (end - first > 1) {
                std::copy_n(source, texelCols, folded.begin());
                for (Index row = first + 1; row < end; ++row) {
                    const CellCode *next = codes.data() + row * texelCols;
                    for (Index col = 0; col < texelCols; ++col)
                        folded[static_cast<std::size_t>(col)] = std::max(folded[static_cast<std::size_t>(col)], next[col]);
                }
                source = folded.data();
            }
            for (Index x = 0; x < width; ++x) {
                CellCode largest = code::absent;
                if (end > first) {
                    for (Index col = cols.first[static_cast<std::size_t>(x)]; col < cols.end[static_cast<std::size_t>(x)]; ++col)
                        largest = std::max(largest, source[col]);
                }
                line[static_cast<std::size_t>(x)] = largest;
                // A gap is no absent cell.
                if (end > first && cols.end[static_cast<std::size_t>(x)] > cols.first[static_cast<std::size_t>(x)])
                    isMet[largest] = true;
            }
        }
        auto *pixels = reinterpret_cast<QRgb *>(image.scanLine(static_cast<int>(y)));
        const QRgb *hatchLine = hatch.data() + y % period;
        for (Index x = 0; x < width; ++x) {
            const CellCode cell = line[static_cast<std::size_t>(x)];
            if (cell >= code::firstNumber && cell < code::endNumber)
                pixels[x] = coder.color(cell);
            else if (cell == code::absent)
                pixels[x] = look.background;
            else if (cell == code::masked)
                pixels[x] = hatchLine[x];
            else
                pixels[x] = hasPatterns ? smallMark(cell, x, y) : white;
        }
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
