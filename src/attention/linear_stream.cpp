// SPDX-License-Identifier: GPL-3.0-or-later
// Linear attention in time in proportion to the keys.
#include "attention/linear_stream.h"

#include "attention/kernels/matrix_product.h"
#include "attention/row_kernel.h"
#include "core/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attenscope {

namespace {

/// Rows that start from a state of their own, so that they need not wait for those before them.
constexpr Index chunkRows = 1024;

/// Sums over the first keys.
struct State {
    Matrix s; ///< d x d_v.
    Vector z; ///< d.

    State(Index d, Index valueCols)
        : s(Matrix::Zero(d, valueCols))
        , z(Vector::Zero(d))
    {
    }

    /// Adds some keys, a block at a time. False if stopped.
    bool add(const HeadOperands &operands, Range keys, const Run &run)
    {
        constexpr Index block = 256;
        for (Index first = keys.first; first < keys.end; first += block) {
            if (run.stopped())
                return false;
            const Range part{ first, std::min(keys.end, first + block) };
            const Matrix features = operands.scoreK.rowRange(part);
            z += features.colwise().sum().transpose();
            if (s.cols() > 0)
                s += matrixProduct(features.transpose(), operands.v.rowRange(part));
        }
        return true;
    }
};

void finishRow(const HeadOperands &operands, Index row, Index slot, const State &state, StreamResult &result)
{
    Eigen::RowVectorXd query(operands.scoreQ.cols());
    operands.scoreQ.readRow(row, 0, std::span(query.data(), static_cast<std::size_t>(query.size())));
    const double sum = query.dot(state.z) + (operands.spec.normalization == Normalization::Softmax1 ? 1.0 : 0.0);
    const bool isNumber = std::isfinite(sum);
    result.logSumExp(slot) = isNumber ? static_cast<float>(std::log(sum)) : std::numeric_limits<float>::quiet_NaN();
    if (result.output.size() == 0)
        return;
    if (!isNumber)
        result.output.row(slot).setConstant(std::numeric_limits<float>::quiet_NaN());
    else if (sum == 0.0)
        result.output.row(slot).setZero();
    else
        result.output.row(slot) = ((query * state.s) / sum).cast<float>();
}

} // namespace

std::optional<std::vector<Index>> prefixEnds(const HeadOperands &operands, Range rows)
{
    const AttentionSpec &spec = operands.spec;
    if (spec.score != ScoreFunction::Linear)
        return std::nullopt;
    for (const Stage step : { Stage::Capped, Stage::Biased, Stage::Tempered })
        if (hasStep(spec, step))
            return std::nullopt;
    if (hasStep(spec, Stage::Scaled) && operands.scale != 1.0)
        return std::nullopt;
    std::vector<Index> ends;
    ends.reserve(static_cast<std::size_t>(rows.size()));
    std::vector<Range> visible;
    for (Index row = rows.first; row < rows.end; ++row) {
        operands.mask.visible(row, visible);
        const Index end = visible.empty() ? 0 : visible.back().end;
        if (visible.size() > 1 || (end > 0 && visible.front().first > 0) || (!ends.empty() && end < ends.back()))
            return std::nullopt;
        ends.push_back(end);
    }
    return ends;
}

bool streamLinear(const HeadOperands &operands, Range rows, const std::vector<Index> &ends, const Run &run, StreamResult &result)
{
    const Index chunks = (rows.size() + chunkRows - 1) / chunkRows;
    const auto endOf = [&ends](Index slot) { return ends[static_cast<std::size_t>(slot)]; };
    // What each chunk adds to the state with which the chunk before it starts, then those states.
    std::vector<State> starts(static_cast<std::size_t>(chunks), State(operands.scoreK.cols(), result.output.cols()));
    const auto start = [&starts](Index chunk) -> State & { return starts[static_cast<std::size_t>(chunk)]; };
    parallelFor(chunks, [&](Index chunk) {
        const Index from = chunk == 0 ? 0 : endOf((chunk - 1) * chunkRows);
        static_cast<void>(start(chunk).add(operands, { from, endOf(chunk * chunkRows) }, run));
    });
    for (Index chunk = 1; chunk < chunks; ++chunk) {
        start(chunk).s += start(chunk - 1).s;
        start(chunk).z += start(chunk - 1).z;
    }
    parallelFor(chunks, [&](Index chunk) {
        State &state = start(chunk);
        Index seen = endOf(chunk * chunkRows);
        for (Index slot = chunk * chunkRows; slot < std::min(rows.size(), (chunk + 1) * chunkRows); ++slot) {
            if (run.stopped() || !state.add(operands, { seen, endOf(slot) }, run))
                return;
            seen = endOf(slot);
            if (seen > 0) {
                finishRow(operands, rows.first + slot, slot, state, result);
                continue;
            }
            result.logSumExp(slot) = -std::numeric_limits<float>::infinity();
            if (result.output.size() > 0)
                result.output.row(slot).setZero();
        }
    });
    if (!run.stopped())
        run.report(1.0);
    return !run.stopped();
}

} // namespace attenscope
