// SPDX-License-Identifier: GPL-3.0-or-later
// Which numbers share a colour, and how a cell finds its own without a logarithm.
#include "views/map/cell_coder.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace attenscope {

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
{
    // Legends make one with every picture.
    static const CellCoder usual(ColorMap(), Fold::Max);
    *this = usual;
}

CellCoder::CellCoder(const ColorMap &colors, Fold fold)
    : m_edges(edgesOf(colors))
    , m_buckets(std::make_shared<const std::vector<Bucket>>(bucketsOf(m_edges)))
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
    const Bucket bucket = (*m_buckets)[bucketOf(cell)];
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

} // namespace attenscope
