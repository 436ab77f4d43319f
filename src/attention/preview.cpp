// SPDX-License-Identifier: GPL-3.0-or-later
// Softmax of the scores of averaged queries and keys.
#include "attention/preview.h"

#include "attention/cell.h"
#include "attention/score_blocks.h"
#include "core/memory.h"
#include "core/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace attenscope {

namespace {

Range blockOf(Index block, Index pool, Index count)
{
    return { block * pool, std::min(count, (block + 1) * pool) };
}

Index middleOf(const Range &range)
{
    return range.first + range.size() / 2;
}

Index blocksOf(Index count, Index pool)
{
    return (count + pool - 1) / pool;
}

/// A row per block.
SharedMatrix means(const SharedMatrix &rows, Index pool)
{
    Matrix result = Matrix::Zero(blocksOf(rows.rows(), pool), rows.cols());
    parallelFor(result.rows(), [&](Index block) {
        const Range range = blockOf(block, pool, rows.rows());
        const Index taken = std::min(range.size(), mostPreviewRows);
        Vector row(rows.cols());
        for (Index place = 0; place < taken; ++place) {
            rows.readRow(range.first + place * range.size() / taken, 0, std::span(row.data(), static_cast<std::size_t>(row.size())));
            result.row(block) += row.transpose();
        }
        result.row(block) /= static_cast<double>(taken);
    });
    return SharedMatrix(result);
}

SharedMatrix middles(const SharedMatrix &cells, Index pool)
{
    Matrix result(blocksOf(cells.rows(), pool), blocksOf(cells.cols(), pool));
    for (Index row = 0; row < result.rows(); ++row)
        for (Index col = 0; col < result.cols(); ++col)
            result(row, col) = cells.at(middleOf(blockOf(row, pool, cells.rows())), middleOf(blockOf(col, pool, cells.cols())));
    return SharedMatrix(result);
}

/// The head that has a query and a key for each block, without a mask.
HeadOperands pooled(const HeadOperands &operands, Index pool)
{
    HeadOperands result;
    result.spec = operands.spec;
    result.scoreQ = means(operands.scoreQ, pool);
    result.scoreK = means(operands.scoreK, pool);
    if (!operands.spec.bias.isEmpty())
        result.spec.bias = middles(operands.spec.bias, pool);
    result.mask = Mask(result.scoreQ.rows(), result.scoreK.rows());
    result.scale = operands.scale;
    result.alibiSlope = operands.alibiSlope * static_cast<double>(pool);
    result.alibiOffset = operands.alibiOffset / pool;
    return result;
}

/// How many keys of each block are among @p visible.
std::vector<Index> countsIn(const std::vector<Range> &visible, Index pool, Index blocks)
{
    std::vector<Index> counts(static_cast<std::size_t>(blocks), 0);
    for (const Range &keys : visible) {
        for (Index block = keys.first / pool; block * pool < keys.end; ++block)
            counts[static_cast<std::size_t>(block)] += std::min(keys.end, (block + 1) * pool) - std::max(keys.first, block * pool);
    }
    return counts;
}

/// Scores of one block of queries become weights.
void normalize(const std::vector<Index> &counts, bool hasOne, std::span<float> cells)
{
    double largest = hasOne ? 0.0 : -std::numeric_limits<double>::infinity();
    for (std::size_t block = 0; block < cells.size(); ++block) {
        // NaN stays once it is there.
        if (counts[block] > 0 && !(cells[block] <= largest))
            largest = std::isnan(largest) ? largest : static_cast<double>(cells[block]);
    }
    const bool isEmpty = largest == -std::numeric_limits<double>::infinity();
    double sum = hasOne ? std::exp(-largest) : 0.0;
    for (std::size_t block = 0; block < cells.size(); ++block) {
        if (counts[block] > 0)
            sum += static_cast<double>(counts[block]) * std::exp(static_cast<double>(cells[block]) - largest);
    }
    for (std::size_t block = 0; block < cells.size(); ++block) {
        if (counts[block] == 0)
            cells[block] = cell::masked<float>();
        else
            cells[block] = isEmpty ? 0.0F : static_cast<float>(std::exp(static_cast<double>(cells[block]) - largest) / sum);
    }
}

} // namespace

Result<Preview> previewWeights(const HeadOperands &operands, Index pool, const Run &run)
{
    const Index rows = blocksOf(operands.scoreQ.rows(), pool);
    const Index cols = blocksOf(operands.scoreK.rows(), pool);
    const auto cells = saturatingProduct(static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(cols));
    if (Result<void> fits = checkMemory(saturatingProduct(cells, sizeof(float)), "The preview of a head"); !fits)
        return fits.error();
    const HeadOperands averaged = pooled(operands, pool);
    const ScoreBlocks scores(averaged, { 0, cols }, Stage::Tempered);
    const bool hasOne = operands.spec.normalization == Normalization::Softmax1;
    Preview preview{ MatrixF(rows, cols), pool };
    parallelFor(blocksOf(rows, scores.width()), [&](Index task) {
        const Range tile = blockOf(task, scores.width(), rows);
        ScoreBlocks::Tile queries;
        scores.pack(tile, queries);
        MatrixF block(scores.keyBlock(), scores.width());
        for (Index first = 0; first < cols && !run.stopped(); first += scores.keyBlock()) {
            const Range keys{ first, std::min(cols, first + scores.keyBlock()) };
            scores.compute(queries, keys, scores.vectorsOf(tile.size()), block.data());
            preview.cells.block(tile.first, first, tile.size(), keys.size()) = block.topLeftCorner(keys.size(), tile.size()).transpose();
        }
        std::vector<Range> visible;
        for (Index row = tile.first; row < tile.end && !run.stopped(); ++row) {
            operands.mask.visible(middleOf(blockOf(row, pool, operands.scoreQ.rows())), visible);
            normalize(countsIn(visible, pool, cols), hasOne, std::span(preview.cells.data() + row * cols, static_cast<std::size_t>(cols)));
        }
    });
    if (run.stopped())
        return Error::cancelled();
    return preview;
}

Preview reducedPreview(const Preview &weights, const ReducedData &data, Index pool)
{
    const auto rows = static_cast<Index>(data.queries.size());
    const auto cols = static_cast<Index>(data.keys.size());
    Preview preview{ MatrixF(blocksOf(rows, pool), blocksOf(cols, pool)), pool };
    const auto middleIn = [pool](const std::vector<Range> &groups, Index block) -> const Range & {
        return groups[static_cast<std::size_t>(middleOf(blockOf(block, pool, static_cast<Index>(groups.size()))))];
    };
    for (Index row = 0; row < preview.cells.rows(); ++row) {
        const Index from = middleOf(middleIn(data.queries, row)) / weights.pool;
        double left = 0.0;
        for (Index col = 0; col < preview.cells.cols(); ++col) {
            const Range &keys = middleIn(data.keys, col);
            float &cell = preview.cells(row, col);
            cell = weights.cells(from, middleOf(keys) / weights.pool);
            if (cell::kind(cell) != cell::Kind::Number)
                continue;
            cell *= static_cast<float>(keys.size());
            left += static_cast<double>(cell) * static_cast<double>(blockOf(col, pool, cols).size());
        }
        if (!data.renormalizes || !(left > 0.0))
            continue;
        for (float &cell : preview.cells.row(row)) {
            if (cell::kind(cell) == cell::Kind::Number)
                cell = static_cast<float>(cell / left);
        }
    }
    return preview;
}

} // namespace attenscope
