// SPDX-License-Identifier: GPL-3.0-or-later
// Reading rows once and stacking them.
#include "views/steps/finished_blocks.h"

#include <algorithm>

namespace attenscope {

namespace {

/// @p top with @p bottom, as wide, below it; either may be null.
QImage stacked(const QImage &top, const QImage &bottom)
{
    if (top.isNull() || bottom.isNull())
        return top.isNull() ? bottom : top;
    QImage both = top.copy(0, 0, top.width(), top.height() + bottom.height());
    for (int row = 0; row < bottom.height(); ++row)
        std::copy_n(bottom.constScanLine(row), bottom.bytesPerLine(), both.scanLine(top.height() + row));
    return both;
}

} // namespace

QImage texelsOf(const MapField &field, const CellRect &cells, int level, const ColorMap &colors)
{
    MatrixF numbers;
    if (cells.rows.size() == 0 || cells.cols.size() == 0 || !field.read(cells, level, Fold::Max, numbers))
        return {};
    QImage image(static_cast<int>(numbers.cols()), static_cast<int>(numbers.rows()), QImage::Format_ARGB32);
    for (Index row = 0; row < numbers.rows(); ++row) {
        auto *line = reinterpret_cast<QRgb *>(image.scanLine(static_cast<int>(row)));
        for (Index col = 0; col < numbers.cols(); ++col) {
            const float number = numbers(row, col);
            const cell::Kind kind = cell::kind(number);
            // Masked cells let the hatch below show through.
            line[col] = kind == cell::Kind::Number ? (colors.color(number) | 0xff000000U) : kind == cell::Kind::Nan ? 0xffffffffU : 0U;
        }
    }
    return image;
}

QImage FinishedBlocks::image(const MapField &field, const Range &rows, int level, const ColorMap &colors)
{
    const std::lock_guard lock(m_mutex);
    const auto read = [&](Index first, Index end) { return texelsOf(field, { { first, end }, { 0, field.cols() } }, level, colors); };
    const auto firstRowOf = [&](Index texel) { return rows.first + (texel << level); };
    const Index full = rows.size() >> level;
    if (m_kept.height() < full)
        m_kept = stacked(m_kept, read(firstRowOf(m_kept.height()), firstRowOf(full)));
    const QImage whole = full > 0 ? m_kept.copy(0, 0, m_kept.width(), static_cast<int>(full)) : QImage();
    return stacked(whole, read(firstRowOf(full), rows.end));
}

} // namespace attenscope
