// SPDX-License-Identifier: GPL-3.0-or-later
// FinishedBlocks: the map of the query blocks that flash attention is done with, as a picture that grows.
#pragma once

#include "attention/field.h"
#include "state/color_map.h"

#include <QImage>

#include <mutex>

namespace attenscope {

/// @p cells of @p field, a texel for 2^level of them, folded by their maximum; masked cells are transparent. Null where there are none.
[[nodiscard]] QImage texelsOf(const MapField &field, const CellRect &cells, int level, const ColorMap &colors);

/// The first rows of one map at one level. What has been read of them is kept, so that a walk on reads no row twice. On any thread.
class FinishedBlocks {
public:
    /// Rows @p rows and all columns, as texelsOf() has them; always of the same field, first row, level and colours.
    [[nodiscard]] QImage image(const MapField &field, const Range &rows, int level, const ColorMap &colors);

private:
    std::mutex m_mutex;
    QImage m_kept; ///< As many texels down as are full: the next one may fold rows that are not finished yet.
};

} // namespace attenscope
