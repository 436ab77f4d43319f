// SPDX-License-Identifier: GPL-3.0-or-later
// Cutting a matrix product into panels for the kernel.
#include "attention/kernels/matrix_product.h"

#include "attention/kernels/kernels.h"
#include "core/parallel.h"

#include <algorithm>

namespace attenscope {

Matrix matrixProduct(const Matrix &left, const Matrix &right)
{
    constexpr Index rowsPerTask = 96;
    const Kernels &own = kernels();
    const Index depth = left.cols();
    Matrix result(left.rows(), right.cols());
    // Columns that do not fill a panel are computed in a panel that zeros fill.
    const Index whole = right.cols() / own.panel * own.panel;
    const Index rest = right.cols() - whole;
    Matrix padded = Matrix::Zero(depth, rest > 0 ? own.panel : 0);
    padded.leftCols(rest) = right.rightCols(rest);
    parallelFor((left.rows() + rowsPerTask - 1) / rowsPerTask, [&](Index task) {
        const Index first = task * rowsPerTask;
        const Index rows = std::min(rowsPerTask, left.rows() - first);
        const double *from = left.data() + first * depth;
        own.matrixProduct(from, depth, right.data(), right.cols(), rows, depth, whole, result.data() + first * right.cols(), right.cols());
        if (rest == 0)
            return;
        Matrix last(rows, own.panel);
        own.matrixProduct(from, depth, padded.data(), own.panel, rows, depth, own.panel, last.data(), own.panel);
        result.block(first, whole, rows, rest) = last.leftCols(rest);
    });
    return result;
}

} // namespace attenscope
