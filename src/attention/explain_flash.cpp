// SPDX-License-Identifier: GPL-3.0-or-later
// The walk of flash attention over key blocks, every state kept.
#include "attention/explain.h"

#include "attention/cell.h"
#include "attention/flash_block.h"
#include "core/memory.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attenscope {

namespace {

bool touches(const std::vector<Range> &visible, const Range &keys)
{
    return std::any_of(
        visible.begin(), visible.end(), [&keys](const Range &range) { return range.first < keys.end && range.end > keys.first; });
}

} // namespace

void addFlashBlock(RowKernel &kernel, const HeadOperands &operands, const Range &keys, double &m, double &l, std::span<double> acc)
{
    std::vector<double> scores(static_cast<std::size_t>(keys.size()));
    double max = m;
    for (const Range &visible : kernel.visible()) {
        const Range both{ std::max(visible.first, keys.first), std::min(visible.end, keys.end) };
        if (both.size() == 0)
            continue;
        const auto part
            = std::span(scores).subspan(static_cast<std::size_t>(both.first - keys.first), static_cast<std::size_t>(both.size()));
        kernel.compute(Stage::Tempered, both.first, part);
        for (double &score : part) {
            // A score of +inf has no softmax either.
            score = score == cell::infinity ? std::numeric_limits<double>::quiet_NaN() : score;
            max = score > max || std::isnan(score) ? score : max;
        }
    }
    if (max == -cell::infinity)
        return;
    const double correction = m == -cell::infinity ? 0.0 : std::exp(m - max);
    m = max;
    l *= correction;
    for (double &number : acc)
        number *= correction;
    std::vector<double> value(acc.size());
    for (const Range &visible : kernel.visible()) {
        for (Index key = std::max(visible.first, keys.first); key < std::min(visible.end, keys.end); ++key) {
            const double term = std::exp(scores[static_cast<std::size_t>(key - keys.first)] - max);
            l += term;
            if (value.empty())
                continue;
            operands.v.readRow(key, 0, std::span(value));
            for (std::size_t col = 0; col < value.size(); ++col)
                acc[col] += term * value[col];
        }
    }
}

Result<FlashExplanation> explainFlash(const HeadOperands &operands, const Run &run)
{
    const Index queries = operands.scoreQ.rows();
    const Index keys = operands.scoreK.rows();
    const Index keyBlock = std::min(operands.spec.keyBlock, keys);
    const Index queryBlock = std::min(operands.spec.queryBlock, queries);
    const Index blocks = (keys + keyBlock - 1) / keyBlock;
    const auto numbers
        = saturatingProduct(static_cast<std::uint64_t>(blocks + 1), static_cast<std::uint64_t>(queries * (operands.v.cols() + 2)));
    if (Result<void> fits = checkMemory(saturatingProduct(numbers, sizeof(double)), "Keeping every state of flash attention"); !fits)
        return fits.error();
    FlashExplanation result;
    FlashState state{ Vector::Constant(queries, -cell::infinity), Vector::Zero(queries), Matrix::Zero(queries, operands.v.cols()) };
    RowKernel kernel(operands);
    for (Index block = 0; block < blocks; ++block) {
        const Range blockKeys{ block * keyBlock, std::min(keys, (block + 1) * keyBlock) };
        for (Index first = 0; first < queries; first += queryBlock) {
            if (run.stopped())
                return Error::cancelled();
            bool isVisited = false;
            for (Index row = first; row < std::min(queries, first + queryBlock); ++row) {
                kernel.start(row);
                if (!touches(kernel.visible(), blockKeys))
                    continue;
                isVisited = true;
                const std::span<double> acc(state.acc.data() + row * state.acc.cols(), static_cast<std::size_t>(state.acc.cols()));
                addFlashBlock(kernel, operands, blockKeys, state.m(row), state.l(row), acc);
            }
            ++(isVisited ? result.visitedTiles : result.skippedTiles);
        }
        result.blocks.push_back(state);
    }
    result.output = Matrix::Zero(operands.v.isEmpty() ? 0 : queries, operands.v.cols());
    result.logSumExp = Vector::Constant(queries, -cell::infinity);
    const bool hasOne = operands.spec.normalization == Normalization::Softmax1;
    for (Index row = 0; row < queries; ++row) {
        if (state.m(row) == -cell::infinity)
            continue;
        // log(l · exp(m) + 1) without leaving the range of the exponential.
        const double reference = hasOne ? std::max(state.m(row), 0.0) : state.m(row);
        const double sum = state.l(row) * std::exp(state.m(row) - reference) + (hasOne ? std::exp(-reference) : 0.0);
        result.logSumExp(row) = reference + std::log(sum);
        if (result.output.size() > 0)
            result.output.row(row) = state.acc.row(row) * (std::exp(state.m(row) - reference) / sum);
    }
    return result;
}

} // namespace attenscope
