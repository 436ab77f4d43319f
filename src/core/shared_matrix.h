// SPDX-License-Identifier: GPL-3.0-or-later
// SharedMatrix: a matrix as a value that is cheap to copy, to compare and to change a little, in memory or on a mapped tensor.
#pragma once

#include "core/tensor.h"

#include <memory>
#include <span>
#include <vector>

namespace attenscope {

/// Immutable rows x cols numbers. In memory it is blocks of rows that copies share: an edit of one cell copies one block, and
/// comparing looks at identity first. Or it is a 2-D Tensor that is read on demand (a mapped file). 0 x 0 means "not there".
class SharedMatrix {
public:
    static constexpr Index blockRows = 64;

    SharedMatrix() = default;
    explicit SharedMatrix(const Matrix &matrix);
    /// A view of a tensor with two axes; nothing is copied.
    explicit SharedMatrix(Tensor tensor);

    [[nodiscard]] Index rows() const { return m_rows; }
    [[nodiscard]] Index cols() const { return m_cols; }
    [[nodiscard]] bool isEmpty() const { return m_rows == 0 && m_cols == 0; }

    [[nodiscard]] double at(Index row, Index col) const;
    /// Row @p row from column @p firstCol on, out.size() numbers: then those of the rows after it. In the float version rounded once.
    void readRow(Index row, Index firstCol, std::span<double> out) const;
    void readRow(Index row, Index firstCol, std::span<float> out) const;
    [[nodiscard]] Matrix toMatrix() const;
    [[nodiscard]] MatrixF toMatrixF() const;
    /// Rows [range), all columns.
    [[nodiscard]] Matrix rowRange(Range range) const;
    /// Bytes that all cells take as double.
    [[nodiscard]] std::uint64_t bytes() const;

    /// Whether reading needs no disk.
    [[nodiscard]] bool isInMemory() const;
    /// What went wrong while a mapped file was read, if something did.
    [[nodiscard]] std::optional<Error> readError() const;

    [[nodiscard]] SharedMatrix withCell(Index row, Index col, double number) const;
    /// @p values replace the cells from (row, col) on; what hangs over the edges makes the matrix larger, new cells are 0.
    [[nodiscard]] SharedMatrix withPasted(Index row, Index col, const Matrix &values) const;
    [[nodiscard]] SharedMatrix withRowsInserted(Index before, Index count) const;
    [[nodiscard]] SharedMatrix withColsInserted(Index before, Index count) const;
    [[nodiscard]] SharedMatrix withRowsRemoved(Index first, Index count) const;
    [[nodiscard]] SharedMatrix withColsRemoved(Index first, Index count) const;
    [[nodiscard]] SharedMatrix withRowMoved(Index from, Index to) const;
    [[nodiscard]] SharedMatrix withColMoved(Index from, Index to) const;

    /// Same shape and the same numbers, bit by bit (NaN equals itself); shared blocks are not looked at.
    friend bool operator==(const SharedMatrix &a, const SharedMatrix &b);

private:
    using Block = std::shared_ptr<const std::vector<double>>;

    Index m_rows = 0;
    Index m_cols = 0;
    std::vector<Block> m_blocks; ///< Of blockRows rows, the last one shorter; empty for a view.
    Tensor m_view;
};

} // namespace attenscope
