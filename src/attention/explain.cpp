// SPDX-License-Identifier: GPL-3.0-or-later
// explain: every stage of some rows, or one stage of one row, in double precision.
#include "attention/explain.h"

#include "attention/cell.h"
#include "attention/row_kernel.h"
#include "core/memory.h"
#include "core/parallel.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace attenscope {

namespace {

constexpr Index rowsPerTask = 16;

std::span<double> rowOf(Matrix &matrix, Index row)
{
    return { matrix.data() + row * matrix.cols(), static_cast<std::size_t>(matrix.cols()) };
}

void explainOneRow(RowKernel &kernel, const AttentionSpec &spec, Index row, Explanation &result)
{
    const Index place = row - result.rows.first;
    kernel.start(row);
    std::span<double> last = rowOf(result.scores, place);
    kernel.scores(0, last);
    const auto step = [&](Stage stage, Matrix &matrix) {
        if (!hasStep(spec, stage))
            return;
        const std::span<double> cells = rowOf(matrix, place);
        std::copy(last.begin(), last.end(), cells.begin());
        kernel.apply(stage, 0, cells);
        last = cells;
    };
    step(Stage::Scaled, result.scaled);
    step(Stage::Capped, result.capped);
    step(Stage::Biased, result.biased);
    step(Stage::Tempered, result.tempered);
    const std::span<double> masked = rowOf(result.masked, place);
    std::copy(last.begin(), last.end(), masked.begin());
    kernel.forEachHidden({ 0, result.masked.cols() },
        [&](Index first, Index end) { std::fill(masked.begin() + first, masked.begin() + end, -cell::infinity); });
    const std::span<double> weights = rowOf(result.weights, place);
    std::copy(last.begin(), last.end(), weights.begin());
    const RowKernel::Normalizer normalizer = kernel.normalize(weights);
    result.rowMax(place) = normalizer.max;
    result.rowSum(place) = normalizer.sum;
    result.logSumExp(place) = normalizer.logSumExp;
    result.entropy(place) = entropyOf(weights);
    if (result.output.size() > 0)
        kernel.output(weights, rowOf(result.output, place));
}

} // namespace

Result<Explanation> explain(const HeadOperands &operands, Range rows, const Run &run)
{
    const Index keys = operands.scoreK.rows();
    const Index count = rows.size();
    const std::uint64_t cells = saturatingProduct(static_cast<std::uint64_t>(count), static_cast<std::uint64_t>(keys));
    if (Result<void> fits = checkMemory(saturatingProduct(cells, 10 * sizeof(double)), "Every stage of these rows"); !fits)
        return fits.error();
    Explanation result;
    result.rows = rows;
    const auto sized = [&](Stage stage, Matrix &matrix) {
        if (hasStep(operands.spec, stage))
            matrix.resize(count, keys);
    };
    sized(Stage::Scores, result.scores);
    sized(Stage::Scaled, result.scaled);
    sized(Stage::Capped, result.capped);
    sized(Stage::Biased, result.biased);
    sized(Stage::Tempered, result.tempered);
    sized(Stage::Masked, result.masked);
    sized(Stage::Weights, result.weights);
    for (Vector *vector : { &result.rowMax, &result.rowSum, &result.logSumExp, &result.entropy })
        vector->resize(count);
    if (!operands.v.isEmpty())
        result.output.resize(count, operands.v.cols());
    parallelFor((count + rowsPerTask - 1) / rowsPerTask, [&](Index task) {
        RowKernel kernel(operands);
        const Index end = std::min(rows.end, rows.first + (task + 1) * rowsPerTask);
        for (Index row = rows.first + task * rowsPerTask; row < end && !run.stopped(); ++row)
            explainOneRow(kernel, operands.spec, row, result);
    });
    if (run.stopped())
        return Error::cancelled();
    return result;
}

void explainRow(const HeadOperands &operands, Stage stage, Index row, Index firstCol, std::span<double> out)
{
    RowKernel kernel(operands);
    kernel.start(row);
    const Range cols{ firstCol, firstCol + static_cast<Index>(out.size()) };
    if (stage <= Stage::Masked) {
        kernel.compute(stage, firstCol, out);
    } else {
        std::vector<double> weights(static_cast<std::size_t>(operands.scoreK.rows()));
        kernel.weights(weights);
        if (stage == Stage::Output) {
            std::vector<double> output(static_cast<std::size_t>(operands.v.cols()));
            kernel.output(weights, output);
            std::copy_n(output.begin() + firstCol, out.size(), out.begin());
            return;
        }
        std::copy_n(weights.begin() + firstCol, out.size(), out.begin());
        if (stage == Stage::ValueWeighted) {
            std::vector<double> norms(out.size());
            valueNorms(operands, firstCol, norms);
            std::transform(out.begin(), out.end(), norms.begin(), out.begin(), std::multiplies<>());
        }
    }
    if (stage < Stage::Masked)
        return;
    kernel.forEachHidden(cols, [&](Index first, Index end) {
        std::fill(out.begin() + (first - firstCol), out.begin() + (end - firstCol), cell::masked<double>());
    });
}

LayerExplanation explainLayer(const AttentionBlock &block, int layer, const std::vector<Matrix> &headOutputs)
{
    LayerExplanation result;
    if (headOutputs.empty())
        return result;
    Index cols = 0;
    for (const Matrix &output : headOutputs)
        cols += output.cols();
    result.concat.resize(headOutputs.front().rows(), cols);
    Index first = 0;
    for (const Matrix &output : headOutputs) {
        result.concat.middleCols(first, output.cols()) = output;
        first += output.cols();
    }
    const Projections &projections = std::get<EmbeddedData>(block.data).layers[static_cast<std::size_t>(layer)];
    if (projections.wo.isEmpty())
        return result;
    result.output = result.concat * projections.wo.toMatrix();
    if (!projections.bo.isEmpty())
        result.output.rowwise() += projections.bo.toMatrix().row(0);
    return result;
}

LinearState linearState(const HeadOperands &operands, Index keys)
{
    const Matrix features = operands.scoreK.rowRange({ 0, keys });
    return { features.transpose() * operands.v.rowRange({ 0, keys }), features.colwise().sum().transpose() };
}

Vector softmax(const Vector &scores, double *logSumExp)
{
    const double max = scores.size() == 0 ? -cell::infinity : scores.maxCoeff<Eigen::PropagateNaN>();
    if (logSumExp)
        *logSumExp = -cell::infinity;
    if (max == -cell::infinity)
        return Vector::Zero(scores.size());
    Vector weights = scores.unaryExpr([max](double score) { return std::exp(score - max); });
    const double sum = weights.sum();
    if (logSumExp)
        *logSumExp = max + std::log(sum);
    return weights / sum;
}

double kvCacheElements(double layers, double kvHeads, double dHead, double n, double batch)
{
    return 2.0 * layers * kvHeads * dHead * n * batch;
}

} // namespace attenscope
