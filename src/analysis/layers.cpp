// SPDX-License-Identifier: GPL-3.0-or-later
// Layers as steps with a residual connection, and their product.
#include "analysis/layers.h"

#include "core/memory.h"
#include "core/parallel.h"
#include "core/text.h"

#include <array>
#include <cmath>
#include <limits>

namespace attenscope {

namespace {

constexpr Index rowsPerTask = 16;

Result<void> checkSquares(Index n, std::uint64_t count, const char *purpose)
{
    const std::uint64_t cells = saturatingProduct(static_cast<std::uint64_t>(n), static_cast<std::uint64_t>(n));
    return checkMemory(saturatingProduct(cells, count * sizeof(double)), purpose);
}

/// Calls @p body for every row, in parallel. False if stopped.
template <typename Body>
bool forEachRow(Index rows, const Run &run, const Body &body)
{
    DoneCount done(run, rows);
    parallelFor((rows + rowsPerTask - 1) / rowsPerTask, [&](Index task) {
        for (Index row = task * rowsPerTask; row < std::min(rows, (task + 1) * rowsPerTask) && !run.stopped(); ++row) {
            body(row);
            done.add();
        }
    });
    return !run.stopped();
}

} // namespace

Matrix rowsNormalized(Matrix matrix)
{
    for (Index row = 0; row < matrix.rows(); ++row)
        if (const double sum = matrix.row(row).sum(); !std::isfinite(sum))
            matrix.row(row).setConstant(std::numeric_limits<double>::quiet_NaN());
        else if (sum != 0.0)
            matrix.row(row) /= sum;
    return matrix;
}

Result<Matrix> residualAttention(const std::vector<MapFieldPtr> &heads, double residual, const Run &run)
{
    const MapFieldPtr mean = headsField(heads, HeadsCombination::Mean);
    const Index n = mean->rows();
    if (n != mean->cols()) {
        Error error;
        error.what = "There are not as many queries as keys.";
        error.where = "The heads are " + shapeText(std::array{ n, mean->cols() }) + ".";
        error.remedy = "Choose self-attention: only there a layer leads to the next.";
        return error;
    }
    if (Result<void> fits = checkSquares(n, 1, "A layer as one matrix"); !fits)
        return fits.error();
    Matrix layer(n, n);
    const bool isFinished = forEachRow(n, run, [&](Index row) {
        mean->row(row, 0, { layer.data() + row * n, static_cast<std::size_t>(n) });
        for (double &cell : layer.row(row))
            cell = cell::isHidden(cell) ? 0.0 : (1.0 - residual) * cell;
        layer(row, row) += residual;
    });
    if (!isFinished)
        return Error::cancelled();
    return rowsNormalized(std::move(layer));
}

Result<Matrix> rollout(const Matrix &layer, const Matrix &below, const Run &run)
{
    if (Result<void> fits = checkSquares(layer.rows(), 1, "The rollout of a layer"); !fits)
        return fits.error();
    Matrix product = Matrix::Zero(layer.rows(), below.cols());
    const bool isFinished = forEachRow(layer.rows(), run, [&](Index row) {
        for (Index middle = 0; middle < below.rows(); ++middle)
            // Half of the cells under a causal mask; NaN is not 0.
            if (layer(row, middle) != 0.0)
                product.row(row) += layer(row, middle) * below.row(middle);
    });
    if (!isFinished)
        return Error::cancelled();
    return product;
}

} // namespace attenscope
