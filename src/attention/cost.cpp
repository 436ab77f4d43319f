// SPDX-License-Identifier: GPL-3.0-or-later
// Costs in closed form.
#include "attention/cost.h"

#include "attention/check_parts.h"
#include "attention/operands.h"
#include "core/memory.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attenscope {

namespace {

std::string text(Index number)
{
    return groupedCount(number);
}

std::uint64_t product(std::initializer_list<Index> factors)
{
    std::uint64_t result = 1;
    for (const Index factor : factors)
        result = saturatingProduct(result, static_cast<std::uint64_t>(factor));
    return result;
}

std::uint64_t sum(std::uint64_t a, std::uint64_t b)
{
    return a > std::numeric_limits<std::uint64_t>::max() - b ? std::numeric_limits<std::uint64_t>::max() : a + b;
}

/// n (n + 1) / 2
std::uint64_t triangle(Index n)
{
    return n <= 0 ? 0 : static_cast<std::uint64_t>(n) * static_cast<std::uint64_t>(n + 1) / 2;
}

std::string triangleText(Index n)
{
    return text(n) + " · " + text(n + 1) + " / 2";
}

Cost cost(std::uint64_t amount, std::string formula, std::string numbers)
{
    return { amount, std::move(formula), std::move(numbers) };
}

Cost allCells(Index n)
{
    return cost(product({ n, n }), "n²", text(n) + "²");
}

Cost causalCells(Index n)
{
    return cost(triangle(n), "n (n + 1) / 2", triangleText(n));
}

Cost windowCells(Index n, Index window)
{
    // Those farther apart than the window, twice a triangle.
    const Index beyond = n - 1 - window;
    if (beyond <= 0)
        return allCells(n);
    return cost(product({ n, n }) - 2 * triangle(beyond), "n² − (n − w) (n − w − 1)",
        text(n) + "² − " + text(n - window) + " · " + text(n - window - 1));
}

Cost causalWindowCells(Index n, Index window)
{
    if (window >= n)
        return causalCells(n);
    return cost(product({ window, n }) - triangle(window - 1), "w n − w (w − 1) / 2",
        text(window) + " · " + text(n) + " − " + text(window) + " · " + text(window - 1) + " / 2");
}

Cost prefixCells(Index n, Index prefix)
{
    const Index within = std::min(prefix, n);
    return cost(triangle(n) + triangle(within - 1), "n (n + 1) / 2 + p (p − 1) / 2",
        triangleText(n) + " + " + text(within) + " · " + text(within - 1) + " / 2");
}

Cost stridedCells(Index n, Index stride)
{
    const Index near = std::min(stride, n - 1);
    const Index far = (n - 1) / stride;
    std::uint64_t amount = product({ near + 1, n }) - triangle(near);
    if (far >= 2)
        amount += product({ far - 1, n }) - static_cast<std::uint64_t>(stride) * (triangle(far) - 1);
    return cost(amount, "Σ over distances b ≤ l and multiples of l of (n − b)",
        text(near + 1 + std::max<Index>(far - 1, 0)) + " distances, l = " + text(stride));
}

Cost fixedCells(Index n, Index stride, Index columns)
{
    const Index blocks = n / stride;
    const Index rest = n % stride;
    const std::uint64_t own = saturatingProduct(static_cast<std::uint64_t>(blocks), triangle(stride)) + triangle(rest);
    const std::uint64_t far = product({ columns, stride }) * triangle(blocks - 1) + product({ columns, rest, blocks });
    return cost(own + far, "blocks of l: ⌊n/l⌋ l (l + 1) / 2 + c for each earlier block",
        text(blocks) + " · " + triangleText(stride) + (rest > 0 ? " + " + triangleText(rest) : "") + " + "
            + groupedCount(static_cast<std::int64_t>(far)));
}

Cost sinkCells(Index n, Index sinks, Index window)
{
    const Cost near = causalWindowCells(n, window);
    const Index beyond = std::max<Index>(n - window, 0);
    const Index kept = std::min(sinks, beyond);
    const std::uint64_t far = product({ kept, beyond }) - triangle(kept - 1);
    if (far == 0)
        return near;
    return cost(near.amount + far, near.formula + " + s (n − w) − s (s − 1) / 2",
        near.numbers + " + " + text(kept) + " · " + text(beyond) + " − " + text(kept) + " · " + text(kept - 1) + " / 2");
}

/// Lengths of the documents among n tokens.
std::vector<Index> documentLengths(const MaskSpec &spec, Index n)
{
    std::vector<Index> lengths;
    Index start = 0;
    for (const Index next : spec.documentStarts) {
        if (next <= start || next >= n)
            continue;
        lengths.push_back(next - start);
        start = next;
    }
    lengths.push_back(n - start);
    return lengths;
}

Cost documentCells(const MaskSpec &spec, Index n)
{
    std::uint64_t amount = 0;
    std::string numbers;
    const std::vector<Index> lengths = documentLengths(spec, n);
    for (const Index length : lengths) {
        amount = sum(amount, triangle(length));
        if (lengths.size() <= 4)
            numbers += (numbers.empty() ? "" : " + ") + triangleText(length);
    }
    if (numbers.empty())
        numbers = groupedCount(static_cast<Index>(lengths.size())) + " documents";
    return cost(amount, "Σ over documents of m (m + 1) / 2", numbers);
}

/// ⌈distance / step⌉ hops, at least one where there is a distance.
Cost hops(Index distance, Index step, const std::string &formula, const std::string &numbers)
{
    return cost(static_cast<std::uint64_t>(distance <= 0 ? 0 : (distance - 1) / step + 1), formula, numbers);
}

} // namespace

CostShape costShape(const AttentionBlock &block, const AttentionSpec &spec)
{
    CostShape shape;
    shape.queries = block.queries;
    shape.keys = block.keys;
    shape.layers = block.layers;
    shape.batch = block.batch;
    shape.heads = headCount(block, spec);
    shape.kvHeads = kvHeadCount(block, spec);
    const Widths widths = widthsOf(block, spec);
    shape.dQ = widths.q;
    shape.dK = widths.k;
    if (const auto *projected = std::get_if<ProjectedData>(&block.data))
        shape.dV = projected->v.empty() ? 0 : projected->v.front().cols();
    else
        shape.dV = std::get<EmbeddedData>(block.data).layers.front().wv.cols() / dataKvHeadCount(block, spec);
    shape.dAtt = std::max<Index>(parametersFor(block, spec).v.rows(), 1);
    return shape;
}

CostShape withLength(CostShape shape, Index n)
{
    shape.queries = shape.keys = n;
    return shape;
}

std::uint64_t visibleCells(const Mask &mask)
{
    if (mask.isFull())
        return product({ mask.queries(), mask.keys() });
    std::uint64_t cells = 0;
    for (Index row = 0; row < mask.queries(); ++row)
        cells += static_cast<std::uint64_t>(mask.visibleCount(row));
    return cells;
}

std::optional<Cost> visibleCells(const MaskSpec &spec, Index n)
{
    switch (spec.rule) {
    case MaskRule::None:
        return allCells(n);
    case MaskRule::Causal:
        return causalCells(n);
    case MaskRule::SlidingWindow:
        return windowCells(n, spec.window);
    case MaskRule::CausalSlidingWindow:
        return causalWindowCells(n, spec.window);
    case MaskRule::PrefixLm:
        return prefixCells(n, spec.prefix);
    case MaskRule::SparseStrided:
        return stridedCells(n, spec.stride);
    case MaskRule::SparseFixed:
        return fixedCells(n, spec.stride, spec.fixedColumns);
    case MaskRule::SinksWindow:
        return sinkCells(n, spec.sinks, spec.window);
    case MaskRule::Document:
        return documentCells(spec, n);
    case MaskRule::BlockSparse:
        break;
    }
    return std::nullopt;
}

Cost multiplyAdds(ScoreFunction score, const CostShape &shape, std::uint64_t cells)
{
    const std::uint64_t heads = product({ shape.layers, shape.batch, shape.heads });
    std::string headsText = text(shape.heads);
    std::string headsName = "H";
    if (shape.layers > 1) {
        headsText = text(shape.layers) + " · " + headsText;
        headsName = "layers · " + headsName;
    }
    if (shape.batch > 1) {
        headsText = text(shape.batch) + " · " + headsText;
        headsName = "batch · " + headsName;
    }
    const std::string cellsText = groupedCount(static_cast<std::int64_t>(std::min<std::uint64_t>(cells, INT64_MAX)));
    const auto perCell = [&](Index width, const char *name) {
        return cost(saturatingProduct(heads, saturatingProduct(cells, static_cast<std::uint64_t>(width + shape.dV))),
            headsName + " · cells · (" + name + " + d_v)",
            headsText + " · " + cellsText + " · (" + text(width) + " + " + text(shape.dV) + ")");
    };
    const auto withParameters = [&](Cost main, std::uint64_t extra, const std::string &formula, const std::string &numbers) {
        main.amount = sum(main.amount, saturatingProduct(heads, extra));
        main.formula += " + " + headsName + " · (" + formula + ")";
        main.numbers += " + " + headsText + " · (" + numbers + ")";
        return main;
    };
    switch (score) {
    case ScoreFunction::ScaledDot:
    case ScoreFunction::Dot:
        return perCell(shape.dK, "d_k");
    case ScoreFunction::General:
        return withParameters(perCell(shape.dK, "d_k"), product({ shape.queries, shape.dQ, shape.dK }), "n d_q d_k",
            text(shape.queries) + " · " + text(shape.dQ) + " · " + text(shape.dK));
    case ScoreFunction::Concat:
    case ScoreFunction::Additive:
        return withParameters(perCell(shape.dAtt, "d_att"),
            sum(product({ shape.queries, shape.dQ, shape.dAtt }), product({ shape.keys, shape.dK, shape.dAtt })), "n (d_q + d_k) d_att",
            text(shape.queries) + " · " + text(shape.dQ) + " · " + text(shape.dAtt) + " + " + text(shape.keys) + " · " + text(shape.dK)
                + " · " + text(shape.dAtt));
    case ScoreFunction::Linear:
        break;
    }
    // S = Σ φ(k) vᵀ over the keys, then φ(q)ᵀS and φ(q)ᵀz for every query.
    const std::uint64_t work = sum(sum(product({ shape.keys, shape.dK, shape.dV }), product({ shape.queries, shape.dK, shape.dV })),
        product({ shape.queries, shape.dK }));
    return cost(saturatingProduct(heads, work), headsName + " · n d_k (2 d_v + 1)",
        headsText + " · (" + text(shape.keys) + " · " + text(shape.dK) + " · " + text(shape.dV) + " + " + text(shape.queries) + " · "
            + text(shape.dK) + " · " + text(shape.dV + 1) + ")");
}

Cost scoreBytes(const AttentionSpec &spec, const CostShape &shape)
{
    const std::string bytes = text(shape.bytesPerNumber);
    const std::string heads = text(shape.heads);
    if (spec.score == ScoreFunction::Linear)
        return cost(saturatingProduct(product({ shape.heads, shape.bytesPerNumber }), product({ shape.dK, shape.dV + 1 })),
            "H · d_k (d_v + 1) · bytes", heads + " · " + text(shape.dK) + " · " + text(shape.dV + 1) + " · " + bytes);
    if (spec.algorithm == Algorithm::Flash) {
        const Index rows = std::min(spec.queryBlock, shape.queries);
        const Index cols = std::min(spec.keyBlock, shape.keys);
        return cost(saturatingProduct(product({ rows, cols + 2 }), static_cast<std::uint64_t>(shape.bytesPerNumber)),
            "B_q (B_k + 2) · bytes", text(rows) + " · " + text(cols + 2) + " · " + bytes);
    }
    return cost(product({ shape.heads, shape.queries, shape.keys, shape.bytesPerNumber }), "H · queries · keys · bytes",
        heads + " · " + text(shape.queries) + " · " + text(shape.keys) + " · " + bytes);
}

Cost cacheBytes(const CostShape &shape, int kvHeads)
{
    const bool hasBatch = shape.batch > 1;
    return cost(product({ shape.layers, kvHeads, shape.dK + shape.dV, shape.keys, shape.batch, shape.bytesPerNumber }),
        std::string("layers · G · (d_k + d_v) · n") + (hasBatch ? " · batch" : "") + " · bytes",
        text(shape.layers) + " · " + text(kvHeads) + " · " + text(shape.dK + shape.dV) + " · " + text(shape.keys)
            + (hasBatch ? " · " + text(shape.batch) : "") + " · " + text(shape.bytesPerNumber));
}

std::optional<Cost> longestPath(const MaskSpec &spec, Index n)
{
    const auto one = [n] { return hops(std::min<Index>(n - 1, 1), 1, "1", "1"); };
    const auto chain = [](Index distance, Index step, const std::string &name) {
        const std::string quotient = text(std::max<Index>(distance, 0)) + " / " + text(step);
        return hops(distance, step, "⌈" + name + "⌉", "⌈" + quotient + "⌉");
    };
    switch (spec.rule) {
    case MaskRule::None:
    case MaskRule::Causal:
    case MaskRule::PrefixLm:
        return one();
    case MaskRule::SlidingWindow:
        return chain(n - 1, spec.window, "(n − 1) / w");
    case MaskRule::CausalSlidingWindow:
        return spec.window == 1 ? cost(0, "no token sees another", "w = 1") : chain(n - 1, spec.window - 1, "(n − 1) / (w − 1)");
    case MaskRule::SparseStrided:
        return spec.stride == 1 || n <= spec.stride + 1 ? one() : cost(2, "2", "2");
    case MaskRule::SparseFixed:
        // To the own block's last columns, and from there.
        return n <= spec.stride || spec.fixedColumns == spec.stride ? one() : cost(2, "2", "2");
    case MaskRule::SinksWindow: {
        if (spec.window == 1 || n <= spec.sinks + 1)
            return spec.sinks == 0 && spec.window == 1 ? cost(0, "no token sees another", "w = 1, s = 0") : one();
        return chain(n - 1 - spec.sinks, spec.window - 1, "(n − 1 − s) / (w − 1)");
    }
    case MaskRule::Document: {
        const std::vector<Index> lengths = documentLengths(spec, n);
        return *std::max_element(lengths.begin(), lengths.end()) > 1 ? one() : cost(0, "no token sees another", "documents of 1");
    }
    case MaskRule::BlockSparse:
        break;
    }
    return std::nullopt;
}

Cost recurrentPath(Index n)
{
    return cost(static_cast<std::uint64_t>(n), "n", text(n));
}

std::optional<int> groupedHeads(int heads, int wanted)
{
    if (wanted > 1 && wanted < heads && heads % wanted == 0)
        return wanted;
    std::optional<int> best;
    const double middle = std::sqrt(static_cast<double>(heads));
    for (int groups = 2; groups < heads; ++groups)
        if (heads % groups == 0 && (!best || std::abs(groups - middle) < std::abs(*best - middle)))
            best = groups;
    return best;
}

} // namespace attenscope
