// SPDX-License-Identifier: GPL-3.0-or-later
// CellTiles: the cells of a map in passing, block by block as the kernels compute them, so that what is made of them never leaves the cache.
#pragma once

#include "attention/kernels/kernels.h"
#include "core/run.h"

#include <memory>

namespace attenscope {

/// Cells of a rectangle of a map before they are folded: a tile of rows (at most width()) against a block of columns (at most blockCols()), turned:
/// cell (row, col) is at [col - first column][row - first row], width() numbers for each column; places after the last row hold anything.
/// Thread-safe; the rows of a tile are read by one thread.
class CellTiles {
public:
    enum class Kinds {
        Hidden, ///< All cells are masked; nothing has been written.
        Numbers, ///< All cells are finite numbers.
        Mixed, ///< Anything.
    };

    /// The rows of one tile.
    class Rows {
    public:
        Rows() = default;
        Rows(const Rows &) = delete;
        Rows &operator=(const Rows &) = delete;
        virtual ~Rows() = default;
        virtual Kinds read(const Range &cols, float *block) = 0;
    };

    CellTiles() = default;
    CellTiles(const CellTiles &) = delete;
    CellTiles &operator=(const CellTiles &) = delete;
    virtual ~CellTiles() = default;
    /// Null if stopped; refers to the tiles and to @p run.
    [[nodiscard]] virtual std::unique_ptr<Rows> rows(const Range &rows, const Run &run) const = 0;

    [[nodiscard]] static Index width() { return kernels().width; }
    [[nodiscard]] static Index blockCols() { return kernels().keyBlock; }
    [[nodiscard]] static std::size_t blockSize() { return static_cast<std::size_t>(width() * blockCols()); }
    /// Numbers where all of @p block of @p cols columns are finite, else Mixed.
    [[nodiscard]] static Kinds kindsOf(const float *block, Index cols);
};

} // namespace attenscope
