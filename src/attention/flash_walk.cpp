// SPDX-License-Identifier: GPL-3.0-or-later
// The tiles of flash attention in order, and one row's arithmetic in one of them.
#include "attention/flash_walk.h"

#include "attention/cell.h"
#include "attention/flash_block.h"
#include "core/memory.h"
#include "core/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attenscope {

namespace {

/// State of a row after key block @p block, or before all of them.
struct RowState {
    double m = -cell::infinity;
    double l = 0.0;
    Vector acc;
};

RowState stateAfter(const FlashWalk &walk, Index block, Index row)
{
    RowState state;
    if (block < 0) {
        state.acc = Vector::Zero(walk.operands->v.cols());
        return state;
    }
    const FlashState &all = walk.states.blocks[static_cast<std::size_t>(block)];
    const Index place = row - walk.rows.first;
    return { all.m(place), all.l(place), all.acc.row(place).transpose() };
}

/// What the row of @p kernel does with @p keys.
FlashRow rowBetween(RowKernel &kernel, const Range &keys, const RowState &before, const RowState &after)
{
    FlashRow result{ before.m, -cell::infinity, after.m, 1.0, before.l, 0.0, after.l, before.acc, after.acc };
    std::vector<double> scores;
    for (const Range &visible : kernel.visible()) {
        const Range both{ std::max(visible.first, keys.first), std::min(visible.end, keys.end) };
        if (both.size() == 0)
            continue;
        const auto first = scores.size();
        scores.resize(first + static_cast<std::size_t>(both.size()));
        kernel.compute(Stage::Tempered, both.first, std::span(scores).subspan(first));
    }
    if (scores.empty())
        return result;
    for (const double score : scores)
        result.tileMax = score > result.tileMax || std::isnan(score) ? score : result.tileMax;
    for (const double score : scores)
        result.tileSum += std::exp(score - after.m);
    result.correction = before.m == -cell::infinity ? 0.0 : std::exp(before.m - after.m);
    return result;
}

void findTiles(FlashWalk &walk)
{
    const HeadOperands &operands = *walk.operands;
    const Index queries = operands.scoreQ.rows();
    const Index keys = operands.scoreK.rows();
    const Index rowsOfBlock = std::min(operands.spec.queryBlock, queries);
    const Index keysOfBlock = std::min(operands.spec.keyBlock, keys);
    const Index firstBlock = walk.rows.first / rowsOfBlock;
    walk.queryBlocks = (walk.rows.end + rowsOfBlock - 1) / rowsOfBlock - firstBlock;
    walk.keyBlocks = (keys + keysOfBlock - 1) / keysOfBlock;
    std::vector<Range> visible;
    for (Index queryBlock = firstBlock; queryBlock < firstBlock + walk.queryBlocks; ++queryBlock) {
        const Range rows{ queryBlock * rowsOfBlock, std::min(queries, (queryBlock + 1) * rowsOfBlock) };
        std::vector<bool> isVisited(static_cast<std::size_t>(walk.keyBlocks), false);
        for (Index row = rows.first; row < rows.end; ++row) {
            operands.mask.visible(row, visible);
            for (const Range &range : visible) {
                for (Index block = range.first / keysOfBlock; block <= (range.end - 1) / keysOfBlock; ++block)
                    isVisited[static_cast<std::size_t>(block)] = true;
            }
        }
        for (Index block = 0; block < walk.keyBlocks; ++block) {
            if (isVisited[static_cast<std::size_t>(block)])
                walk.tiles.push_back({ queryBlock, block, rows, { block * keysOfBlock, std::min(keys, (block + 1) * keysOfBlock) } });
        }
    }
}

Result<void> compare(FlashWalk &walk, const Run &run)
{
    const HeadOperands &operands = *walk.operands;
    if (operands.v.isEmpty())
        return {};
    const Range &rows = walk.rows;
    const auto numbers = saturatingProduct(static_cast<std::uint64_t>(rows.size()), static_cast<std::uint64_t>(operands.v.cols()));
    if (Result<void> fits = checkMemory(saturatingProduct(numbers, sizeof(double)), "The exact output beside that of flash attention");
        !fits)
        return fits.error();
    walk.exact.resize(rows.size(), operands.v.cols());
    DoneCount done(run, rows.size());
    parallelFor(rows.size(), [&](Index row) {
        if (run.stopped())
            return;
        explainRow(operands, Stage::Output, rows.first + row, 0,
            { walk.exact.data() + row * walk.exact.cols(), static_cast<std::size_t>(walk.exact.cols()) });
        done.add();
    });
    if (run.stopped())
        return Error::cancelled();
    for (Index row = 0; row < walk.exact.rows(); ++row) {
        for (Index col = 0; col < walk.exact.cols(); ++col) {
            const double difference = std::abs(walk.states.output(row, col) - walk.exact(row, col));
            if (difference > walk.largestDifference) {
                walk.largestDifference = difference;
                walk.differentRow = rows.first + row;
                walk.differentCol = col;
            }
        }
    }
    return {};
}

} // namespace

Range flashRows(const HeadOperands &operands, Index row)
{
    constexpr std::uint64_t mostBytes = std::uint64_t{ 256 } << 20U;
    const Index queries = operands.scoreQ.rows();
    const Index block = std::min(operands.spec.queryBlock, queries);
    Index rows = queries;
    // The states of so many queries take in proportion.
    if (flashBytes(operands, queries) > mostBytes)
        rows = std::max<Index>(static_cast<Index>(mostBytes / flashBytes(operands, 1)) / block, 1) * block;
    const Index first = row / rows * rows;
    return { first, std::min(queries, first + rows) };
}

Result<FlashWalk> explainFlashWalk(const std::shared_ptr<const HeadOperands> &operands, const Range &rows, const Run &run)
{
    // The exact output takes about as long as the walk.
    Result<FlashExplanation> states = explainFlash(*operands, rows, run.part(0, 2));
    if (!states)
        return states.error();
    FlashWalk walk;
    walk.operands = operands;
    walk.rows = rows;
    walk.states = std::move(states).value();
    findTiles(walk);
    if (Result<void> done = compare(walk, run.part(1, 2)); !done)
        return done.error();
    return walk;
}

FlashRow flashRow(const FlashWalk &walk, std::size_t tile, Index row)
{
    const FlashTile &place = walk.tiles[tile];
    RowKernel kernel(*walk.operands);
    kernel.start(row);
    return rowBetween(kernel, place.keys, stateAfter(walk, place.keyBlock - 1, row), stateAfter(walk, place.keyBlock, row));
}

FlashRow flashRow(const HeadOperands &operands, Index row, Index key)
{
    const Index keys = operands.scoreK.rows();
    const Index size = std::min(operands.spec.keyBlock, keys);
    RowKernel kernel(operands);
    kernel.start(row);
    RowState before;
    RowState after;
    after.acc = Vector::Zero(operands.v.cols());
    Range block{ 0, 0 };
    while (block.end <= key) {
        before = after;
        block = { block.end, std::min(keys, block.end + size) };
        addFlashBlock(kernel, operands, block, after.m, after.l, { after.acc.data(), static_cast<std::size_t>(after.acc.size()) });
    }
    return rowBetween(kernel, block, before, after);
}

Matrix flashWeights(const FlashWalk &walk, std::size_t tile)
{
    const FlashTile &place = walk.tiles[tile];
    const FlashState &state = walk.states.blocks[static_cast<std::size_t>(place.keyBlock)];
    const Index first = walk.rows.first;
    Matrix weights = Matrix::Constant(place.rows.size(), place.keys.end, cell::masked<double>());
    RowKernel kernel(*walk.operands);
    for (Index row = place.rows.first; row < place.rows.end; ++row) {
        kernel.start(row);
        const std::span<double> cells(weights.data() + (row - place.rows.first) * weights.cols(), static_cast<std::size_t>(weights.cols()));
        for (const Range &visible : kernel.visible()) {
            const Range both{ visible.first, std::min(visible.end, place.keys.end) };
            if (both.size() == 0)
                continue;
            const auto part = cells.subspan(static_cast<std::size_t>(both.first), static_cast<std::size_t>(both.size()));
            kernel.compute(Stage::Tempered, both.first, part);
            for (double &number : part)
                number = std::exp(number - state.m(row - first)) / state.l(row - first);
        }
    }
    return weights;
}

} // namespace attenscope
