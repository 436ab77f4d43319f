// SPDX-License-Identifier: GPL-3.0-or-later
// CellCoder: what kind of cell, or which colour of a map, as one number that is ready to be folded.
#pragma once

#include "attention/cell.h"
#include "core/matrix.h"
#include "state/color_map.h"

#include <array>
#include <cstdint>
#include <memory>
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

    Edges m_edges{};
    std::shared_ptr<const std::vector<Bucket>> m_buckets; ///< Of all floats; copies of a coder share them.
    std::array<CellCode, entryCount> m_codes{}; ///< Of entries.
    std::array<QRgb, code::count> m_colors{};
};

} // namespace attenscope
