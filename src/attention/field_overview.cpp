// SPDX-License-Identifier: GPL-3.0-or-later
// Overviews of maps that are made of others.
#include "attention/field_overview.h"

#include "attention/fold.h"
#include "attention/stream.h"
#include "core/memory.h"

#include <algorithm>
#include <bit>

namespace attenscope {

namespace {

constexpr Index mostCells = 1024; // on a side

CellRect allOf(const MapField &field)
{
    return { { 0, field.rows() }, { 0, field.cols() } };
}

} // namespace

std::optional<FieldOverview> overviewOfParts(const std::vector<MapFieldPtr> &parts, const CombineFields &combine)
{
    int level = 0;
    for (const MapFieldPtr &part : parts) {
        const std::optional<int> atHand = part->levelAtHand(part->fold());
        if (!atHand)
            return std::nullopt;
        level = std::max(level, *atHand);
    }
    std::vector<MapFieldPtr> folded;
    for (const MapFieldPtr &part : parts) {
        MatrixF cells;
        if (!part->read(allOf(*part), level, part->fold(), cells))
            return std::nullopt;
        folded.push_back(matrixField(cells.unaryExpr(&cell::toDouble)));
    }
    const MapFieldPtr combined = combine(folded);
    auto cells = std::make_shared<MatrixF>();
    if (!combined->read(allOf(*combined), 0, combined->fold(), *cells))
        return std::nullopt;
    return FieldOverview{ std::move(cells), Index{ 1 } << level };
}

Result<FieldOverview> readOverview(const MapField &field, const Run &run)
{
    constexpr Index blocksAtOnce = 16;
    const Index pool = overviewPool(field.rows(), field.cols(), mostCells);
    const int level = std::countr_zero(static_cast<std::uint64_t>(pool));
    const auto blocks = [pool](Index cells) { return (cells + pool - 1) / pool; };
    const auto count = static_cast<std::uint64_t>(blocks(field.rows()) * blocks(field.cols()));
    if (Result<void> fits = checkMemory(saturatingProduct(count, 2 * sizeof(float)), "The overview of a map"); !fits)
        return fits.error();
    auto cells = std::make_shared<MatrixF>(blocks(field.rows()), blocks(field.cols()));
    const Run quiet{ run.stop, {} };
    const auto tiles = field.tiles(allOf(field), quiet);
    const auto read = [&](const CellRect &part, MatrixF &out) {
        return tiles ? foldTiles(*tiles, part, level, field.fold(), out, quiet) : field.read(part, level, field.fold(), out, quiet);
    };
    MatrixF stripe;
    for (Index first = 0; first < field.rows(); first += blocksAtOnce * pool) {
        const CellRect part{ { first, std::min(field.rows(), first + blocksAtOnce * pool) }, { 0, field.cols() } };
        if (!read(part, stripe) || run.stopped())
            return Error::cancelled();
        cells->middleRows(first / pool, stripe.rows()) = stripe;
        run.report(static_cast<double>(part.rows.end) / static_cast<double>(field.rows()));
    }
    return FieldOverview{ std::move(cells), pool };
}

} // namespace attenscope
