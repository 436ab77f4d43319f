// SPDX-License-Identifier: GPL-3.0-or-later
// Row blocks, copy on write.
#include "core/shared_matrix.h"

#include <algorithm>
#include <cstring>

namespace attenscope {

namespace {

/// Numbers from @p place of @p block on.
template <typename Iterator, typename Number>
void readBlocks(Iterator block, Index place, std::span<Number> out)
{
    for (; !out.empty(); ++block, place = 0) {
        const std::size_t count = std::min(out.size(), (*block)->size() - static_cast<std::size_t>(place));
        const auto first = (*block)->begin() + place;
        std::transform(first, first + static_cast<Index>(count), out.begin(), [](double number) { return static_cast<Number>(number); });
        out = out.subspan(count);
    }
}

} // namespace

SharedMatrix::SharedMatrix(const Matrix &matrix)
    : m_rows(matrix.rows())
    , m_cols(matrix.cols())
{
    for (Index first = 0; first < m_rows; first += blockRows) {
        const Index count = std::min(blockRows, m_rows - first);
        const double *start = matrix.data() + first * m_cols;
        m_blocks.push_back(std::make_shared<const std::vector<double>>(start, start + count * m_cols));
    }
}

SharedMatrix::SharedMatrix(Tensor tensor)
    : m_rows(tensor.shape().front())
    , m_cols(tensor.shape().back())
    , m_view(std::move(tensor))
{
    assert(m_view.axes() == 2);
}

double SharedMatrix::at(Index row, Index col) const
{
    double number = 0.0;
    readRow(row, col, std::span(&number, 1));
    return number;
}

void SharedMatrix::readRow(Index row, Index firstCol, std::span<double> out) const
{
    assert(row >= 0 && row < m_rows && firstCol >= 0 && row * m_cols + firstCol + static_cast<Index>(out.size()) <= m_rows * m_cols);
    if (m_blocks.empty())
        m_view.readRow(row, firstCol, out);
    else
        readBlocks(m_blocks.begin() + row / blockRows, (row % blockRows) * m_cols + firstCol, out);
}

void SharedMatrix::readRow(Index row, Index firstCol, std::span<float> out) const
{
    assert(row >= 0 && row < m_rows && firstCol >= 0 && row * m_cols + firstCol + static_cast<Index>(out.size()) <= m_rows * m_cols);
    if (m_blocks.empty())
        m_view.readRow(row, firstCol, out);
    else
        readBlocks(m_blocks.begin() + row / blockRows, (row % blockRows) * m_cols + firstCol, out);
}

Matrix SharedMatrix::toMatrix() const
{
    return rowRange({ 0, m_rows });
}

MatrixF SharedMatrix::toMatrixF() const
{
    MatrixF matrix(m_rows, m_cols);
    for (Index row = 0; row < m_rows; ++row)
        readRow(row, 0, std::span(matrix.data() + row * m_cols, static_cast<std::size_t>(m_cols)));
    return matrix;
}

Matrix SharedMatrix::rowRange(Range range) const
{
    Matrix matrix(range.size(), m_cols);
    if (matrix.size() > 0)
        readRow(range.first, 0, std::span(matrix.data(), static_cast<std::size_t>(matrix.size())));
    return matrix;
}

std::uint64_t SharedMatrix::bytes() const
{
    return static_cast<std::uint64_t>(m_rows) * static_cast<std::uint64_t>(m_cols) * sizeof(double);
}

bool SharedMatrix::isInMemory() const
{
    return !m_view.source() || m_view.source()->isInMemory();
}

std::optional<Error> SharedMatrix::readError() const
{
    return m_view.source() ? m_view.source()->error() : std::nullopt;
}

SharedMatrix SharedMatrix::withCell(Index row, Index col, double number) const
{
    if (m_blocks.empty()) {
        Matrix matrix = toMatrix();
        matrix(row, col) = number;
        return SharedMatrix(matrix);
    }
    SharedMatrix changed = *this;
    Block &block = changed.m_blocks[static_cast<std::size_t>(row / blockRows)];
    auto copy = std::make_shared<std::vector<double>>(*block);
    (*copy)[static_cast<std::size_t>((row % blockRows) * m_cols + col)] = number;
    block = std::move(copy);
    return changed;
}

SharedMatrix SharedMatrix::withPasted(Index row, Index col, const Matrix &values) const
{
    Matrix matrix = Matrix::Zero(std::max(m_rows, row + values.rows()), std::max(m_cols, col + values.cols()));
    matrix.topLeftCorner(m_rows, m_cols) = toMatrix();
    matrix.block(row, col, values.rows(), values.cols()) = values;
    return SharedMatrix(matrix);
}

SharedMatrix SharedMatrix::withRowsInserted(Index before, Index count) const
{
    const Matrix old = toMatrix();
    Matrix matrix = Matrix::Zero(m_rows + count, m_cols);
    matrix.topRows(before) = old.topRows(before);
    matrix.bottomRows(m_rows - before) = old.bottomRows(m_rows - before);
    return SharedMatrix(matrix);
}

SharedMatrix SharedMatrix::withColsInserted(Index before, Index count) const
{
    const Matrix old = toMatrix();
    Matrix matrix = Matrix::Zero(m_rows, m_cols + count);
    matrix.leftCols(before) = old.leftCols(before);
    matrix.rightCols(m_cols - before) = old.rightCols(m_cols - before);
    return SharedMatrix(matrix);
}

SharedMatrix SharedMatrix::withRowsRemoved(Index first, Index count) const
{
    const Matrix old = toMatrix();
    Matrix matrix(m_rows - count, m_cols);
    matrix.topRows(first) = old.topRows(first);
    matrix.bottomRows(m_rows - first - count) = old.bottomRows(m_rows - first - count);
    return SharedMatrix(matrix);
}

SharedMatrix SharedMatrix::withColsRemoved(Index first, Index count) const
{
    const Matrix old = toMatrix();
    Matrix matrix(m_rows, m_cols - count);
    matrix.leftCols(first) = old.leftCols(first);
    matrix.rightCols(m_cols - first - count) = old.rightCols(m_cols - first - count);
    return SharedMatrix(matrix);
}

SharedMatrix SharedMatrix::withRowMoved(Index from, Index to) const
{
    Matrix matrix = toMatrix();
    const Eigen::RowVectorXd moved = matrix.row(from);
    for (Index row = from; row < to; ++row)
        matrix.row(row) = matrix.row(row + 1).eval();
    for (Index row = from; row > to; --row)
        matrix.row(row) = matrix.row(row - 1).eval();
    matrix.row(to) = moved;
    return SharedMatrix(matrix);
}

SharedMatrix SharedMatrix::withColMoved(Index from, Index to) const
{
    Matrix matrix = toMatrix();
    const Vector moved = matrix.col(from);
    for (Index col = from; col < to; ++col)
        matrix.col(col) = matrix.col(col + 1).eval();
    for (Index col = from; col > to; --col)
        matrix.col(col) = matrix.col(col - 1).eval();
    matrix.col(to) = moved;
    return SharedMatrix(matrix);
}

bool operator==(const SharedMatrix &a, const SharedMatrix &b)
{
    if (a.m_rows != b.m_rows || a.m_cols != b.m_cols)
        return false;
    if (a.m_rows == 0 || a.m_cols == 0)
        return true;
    if (a.m_blocks.empty() && b.m_blocks.empty())
        return a.m_view == b.m_view;
    if (a.m_blocks.size() == b.m_blocks.size())
        return std::equal(a.m_blocks.begin(), a.m_blocks.end(), b.m_blocks.begin(), [](const auto &first, const auto &second) {
            return first == second || std::memcmp(first->data(), second->data(), first->size() * sizeof(double)) == 0;
        });
    const Matrix first = a.toMatrix();
    const Matrix second = b.toMatrix();
    return std::memcmp(first.data(), second.data(), static_cast<std::size_t>(first.size()) * sizeof(double)) == 0;
}

} // namespace attenscope
