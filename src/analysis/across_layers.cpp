// SPDX-License-Identifier: GPL-3.0-or-later
// Rollout, flow and divergences of the heads that a result has, layer by layer.
#include "analysis/across_layers.h"

#include "core/memory.h"
#include "core/parallel.h"
#include "core/text.h"

#include <array>
#include <cmath>
#include <limits>

namespace attenscope {

namespace {

// Measured on one core of a laptop, in operations a second.
constexpr double edgesPerSecond = 1e8;
constexpr double multiplicationsPerSecond = 1e9;
constexpr double logarithmsPerSecond = 1.5e8;
constexpr double cellsPerSecond = 5e7;

/// The maps of the heads @p refs, from what is ready where it is.
Result<std::vector<MapFieldPtr>> weightsOf(const LayerStack &stack, const std::vector<HeadRef> &refs, const Run &run)
{
    std::vector<MapFieldPtr> fields;
    for (const HeadRef &ref : refs) {
        MapFieldPtr field;
        if (const auto head = stack.result->find(ref))
            field = head->field(Stage::Weights);
        if (!field) {
            Result<MapFieldPtr> made = headField(*stack.result->input, stack.result->spec, ref, Stage::Weights, run);
            if (!made)
                return made.error();
            field = *made;
        }
        fields.push_back(std::move(field));
    }
    return fields;
}

Result<Matrix> layerOf(const LayerStack &stack, int layer, const Run &run)
{
    std::vector<HeadRef> refs;
    for (int head = 0; head < stack.heads(); ++head)
        refs.push_back({ stack.block, layer, head, stack.element });
    const auto fields = weightsOf(stack, refs, run);
    return fields ? residualAttention(*fields, residualShare, run) : Result<Matrix>(fields.error());
}

Result<void> checkSquares(const LayerStack &stack, int count, const char *purpose)
{
    const auto n = static_cast<std::uint64_t>(stack.attentionBlock().queries);
    const auto cells = saturatingProduct(saturatingProduct(n, n), static_cast<std::uint64_t>(count));
    return checkMemory(saturatingProduct(cells, sizeof(double)), purpose);
}

/// Reading every cell of every head.
double readingSeconds(const LayerStack &stack)
{
    const AttentionBlock &shown = stack.attentionBlock();
    // For a part whole rows are read.
    const auto *reduced = std::get_if<ReducedData>(&shown.data);
    const AttentionBlock &block = reduced ? reduced->whole->blocks[static_cast<std::size_t>(stack.block)] : shown;
    double perCell = 1.0;
    if (const auto *data = std::get_if<ProjectedData>(&block.data))
        perCell += static_cast<double>(data->q.front().cols()) / 16.0;
    else if (const auto *embedded = std::get_if<EmbeddedData>(&block.data))
        perCell += static_cast<double>(embedded->x.front().cols()) / (16.0 * stack.heads());
    const double cells = static_cast<double>(shown.queries) * static_cast<double>(block.keys) * stack.heads() * (stack.lastLayer + 1);
    return perCell * cells / cellsPerSecond / threadCount();
}

/// Whether a row of the last of @p layers goes back, over any way, to a row that is NaN.
std::vector<bool> rowsFromNan(const std::vector<Matrix> &layers)
{
    const Index n = layers.front().rows();
    std::vector<bool> below(static_cast<std::size_t>(n), false);
    for (const Matrix &layer : layers) {
        std::vector<bool> here(below.size());
        for (Index row = 0; row < n; ++row) {
            for (Index col = 0; col < n && !here[static_cast<std::size_t>(row)]; ++col) {
                const double weight = layer(row, col);
                here[static_cast<std::size_t>(row)] = std::isnan(weight) || (weight != 0.0 && below[static_cast<std::size_t>(col)]);
            }
        }
        below = std::move(here);
    }
    return below;
}

} // namespace

std::vector<HeadRef> LayerStack::allHeads() const
{
    std::vector<HeadRef> refs;
    for (int layer = 0; layer <= lastLayer; ++layer)
        for (int head = 0; head < heads(); ++head)
            refs.push_back({ block, layer, head, element });
    return refs;
}

Result<void> checkRolloutMemory(const LayerStack &stack)
{
    // A layer, the rollout of those below, and their product.
    return checkSquares(stack, stack.lastLayer == 0 ? 1 : 3, "Attention rollout");
}

Result<void> checkFlowMemory(const LayerStack &stack)
{
    return checkSquares(stack, stack.lastLayer + 2, "Attention flow, with every layer as a matrix,");
}

Result<Matrix> stackRollout(const LayerStack &stack, const Run &run)
{
    if (Result<void> fits = checkRolloutMemory(stack); !fits)
        return fits.error();
    const int layers = stack.lastLayer + 1;
    Matrix below;
    for (int layer = 0; layer < layers; ++layer) {
        const Run part = run.part(layer, layers);
        Result<Matrix> next = layerOf(stack, layer, layer > 0 ? part.part(0, 2) : part);
        if (next && layer > 0)
            next = rollout(*next, below, part.part(1, 2));
        if (!next)
            return next.error();
        below = std::move(next).value();
        part.report(1.0);
    }
    return below;
}

Result<Matrix> stackFlow(const LayerStack &stack, const Run &run)
{
    if (Result<void> fits = checkFlowMemory(stack); !fits)
        return fits.error();
    const int layers = stack.lastLayer + 1;
    std::vector<Matrix> capacities;
    for (int layer = 0; layer < layers; ++layer) {
        Result<Matrix> next = layerOf(stack, layer, { run.stop, {} });
        if (!next)
            return next.error();
        capacities.push_back(std::move(next).value());
    }
    Result<Matrix> flow = attentionFlow(capacities, { 0, stack.attentionBlock().queries }, run);
    if (!flow)
        return flow;
    const std::vector<bool> isNan = rowsFromNan(capacities);
    for (Index row = 0; row < flow->rows(); ++row)
        if (isNan[static_cast<std::size_t>(row)])
            flow->row(row).setConstant(std::numeric_limits<double>::quiet_NaN());
    return flow;
}

Result<HeadDivergences> stackDivergences(const LayerStack &stack, const Run &run)
{
    const auto fields = weightsOf(stack, stack.allHeads(), run);
    return fields ? headDivergences(*fields, run) : Result<HeadDivergences>(fields.error());
}

double rolloutSeconds(const LayerStack &stack)
{
    const auto n = static_cast<double>(stack.attentionBlock().queries);
    return readingSeconds(stack) + stack.lastLayer * n * n * n / multiplicationsPerSecond / threadCount();
}

double flowSeconds(const LayerStack &stack)
{
    const Index n = stack.attentionBlock().queries;
    return readingSeconds(stack) + static_cast<double>(n) * flowCost(stack.lastLayer + 1, n) / edgesPerSecond / threadCount();
}

double divergenceSeconds(const LayerStack &stack)
{
    const AttentionBlock &block = stack.attentionBlock();
    const double heads = static_cast<double>(stack.heads()) * (stack.lastLayer + 1);
    const double cells = static_cast<double>(block.queries) * static_cast<double>(block.keys);
    return readingSeconds(stack) + heads * heads / 2.0 * cells / logarithmsPerSecond / threadCount();
}

std::optional<Error> whyNoRollout(const LayerStack &stack)
{
    const AttentionBlock &block = stack.attentionBlock();
    if (block.role == BlockRole::Cross || block.queries != block.keys)
        return Error{ "Rollout and flow need self-attention, where a layer leads to the next.",
            "This block is " + shapeText(std::array{ block.queries, block.keys })
                + (block.role == BlockRole::Cross ? ", cross-attention." : "."),
            "Choose a block of self-attention, or head similarity.", "" };
    return std::nullopt;
}

std::optional<Error> whyNoDivergences(const LayerStack &stack)
{
    if (stack.heads() * (stack.lastLayer + 1) < 2)
        return Error{ "One head: there is no other to compare it with.", "", "Choose rollout or flow, or show the map.", "" };
    return std::nullopt;
}

} // namespace attenscope
