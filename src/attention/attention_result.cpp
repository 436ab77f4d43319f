// SPDX-License-Identifier: GPL-3.0-or-later
// Computing or reading one head, and the fields on what came out.
#include "attention/attention_result.h"

#include "attention/fold.h"
#include "attention/row_kernel.h"
#include "core/memory.h"

#include <algorithm>
#include <bit>
#include <map>
#include <mutex>

namespace attenscope {

namespace {

/// What stream() keeps, of weights that are there already, and their summary: every row is read once.
Result<StreamResult> readWeights(
    const MapField &weights, const Sequence &sequence, const StreamOptions &options, const Run &run, HeadSummary &summary)
{
    constexpr Index rowsAtOnce = 16;
    const CellRect all{ { 0, weights.rows() }, { 0, weights.cols() } };
    StreamResult result;
    result.entropy.resize(weights.rows());
    result.largest.resize(weights.rows());
    if (options.overviewSize > 0)
        result.pool = overviewPool(weights.rows(), weights.cols(), options.overviewSize);
    const int level = std::countr_zero(static_cast<std::uint64_t>(result.pool));
    const auto cells = static_cast<std::uint64_t>((weights.rows() / result.pool + 1) * (weights.cols() / result.pool + 1));
    if (Result<void> fits = checkMemory(saturatingProduct(cells, sizeof(float)), "The overview of a head"); !fits)
        return fits.error();
    const CellRect pooled = options.overviewSize > 0 ? all : CellRect{ all.rows, {} };
    FoldedMap overview(pooled, level, Fold::Max, result.overview);
    // Added up in the order of the rows, so that the sum is the same on any number of threads.
    std::map<Index, HeadSums> sums;
    std::mutex addingSums;
    DoneCount done(run, weights.rows());
    const bool isFinished = forEachStripe(all, level, rowsAtOnce, run, [&](const Range &rows) {
        std::vector<double> exact(static_cast<std::size_t>(weights.cols()));
        std::vector<float> colors(exact.size());
        HeadSums part(sequence);
        for (Index row = rows.first; row < rows.end; ++row) {
            weights.row(row, 0, exact);
            const HeadSums::RowFacts facts = part.addRow(row, exact);
            result.entropy(row) = static_cast<float>(facts.entropy);
            result.largest(row) = static_cast<float>(facts.largest);
            if (pooled.cols.size() == 0)
                continue;
            std::transform(exact.begin(), exact.end(), colors.begin(), &cell::toFloat);
            overview.add(row, 0, colors);
        }
        {
            const std::lock_guard lock(addingSums);
            sums.emplace(rows.first, HeadSums(sequence)).first->second.add(part);
        }
        done.add(rows.size());
    });
    if (!isFinished)
        return Error::cancelled();
    HeadSums whole(sequence);
    for (const auto &[row, part] : sums)
        whole.add(part);
    summary = whole.means();
    return result;
}

/// The first failure of reading a mapped file that the head came from.
std::optional<Error> readError(const AttentionBlock &block, const HeadRef &ref)
{
    if (const auto *reduced = std::get_if<ReducedData>(&block.data))
        return readError(reduced->whole->blocks[static_cast<std::size_t>(ref.block)], ref);
    std::vector<const SharedMatrix *> sources;
    const auto place
        = [&](int heads, int head) { return static_cast<std::size_t>((ref.layer * block.batch + ref.element) * heads + head); };
    if (const auto *projected = std::get_if<ProjectedData>(&block.data)) {
        for (const auto *group : { &projected->q, &projected->k, &projected->v })
            for (const SharedMatrix &matrix : *group)
                sources.push_back(&matrix);
    } else if (const auto *embedded = std::get_if<EmbeddedData>(&block.data)) {
        const Projections &layer = embedded->layers[static_cast<std::size_t>(ref.layer)];
        sources = { &embedded->x[place(1, 0)], &layer.wq, &layer.wk, &layer.wv, &layer.wo };
        if (!embedded->y.empty())
            sources.push_back(&embedded->y[place(1, 0)]);
    } else {
        sources = { &std::get<RecordedData>(block.data).weights[place(block.heads, ref.head)] };
    }
    for (const SharedMatrix *source : sources)
        if (std::optional<Error> error = source->readError())
            return error;
    return std::nullopt;
}

const HeadRef &refOf(const std::shared_ptr<const HeadResult> &head)
{
    return head->ref;
}

const HeadRef &refOf(const std::pair<HeadRef, HeadSummary> &summary)
{
    return summary.first;
}

/// Where @p ref is in an ascending list, or would be.
template <typename List>
auto placeOf(List &list, const HeadRef &ref)
{
    return std::lower_bound(list.begin(), list.end(), ref, [](const auto &one, const HeadRef &wanted) { return refOf(one) < wanted; });
}

} // namespace

MapFieldPtr HeadResult::field(Stage stage) const
{
    const std::shared_ptr<const HeadResult> self = weak_from_this().lock();
    const auto prepared = [&](MapFieldPtr exact, const MatrixF &cells, Index pool) {
        if (!self || cells.size() == 0)
            return exact;
        return preparedField(std::move(exact), std::shared_ptr<const MatrixF>(self, &cells), pool);
    };
    if (!operands)
        return recorded && stage == Stage::Weights ? prepared(recorded, stream.overview, stream.pool) : nullptr;
    if (stage >= Stage::ValueWeighted ? operands->v.isEmpty() : !hasStep(operands->spec, stage))
        return nullptr;
    MapFieldPtr exact = computedField(operands, stage, stage == Stage::Output ? VectorF() : stream.logSumExp);
    if (stage == Stage::Weights)
        return prepared(std::move(exact), stream.overview, stream.pool);
    return stage == Stage::Output ? prepared(std::move(exact), stream.output, 1) : exact;
}

void AttentionResult::add(std::shared_ptr<const HeadResult> head)
{
    const auto place = placeOf(heads, head->ref);
    heads.insert(place, std::move(head));
}

void AttentionResult::add(const HeadRef &ref, const HeadSummary &summary)
{
    summaries.insert(placeOf(summaries, ref), { ref, summary });
}

std::shared_ptr<const HeadResult> AttentionResult::find(const HeadRef &ref) const
{
    const auto place = placeOf(heads, ref);
    return place != heads.end() && refOf(*place) == ref ? *place : nullptr;
}

const HeadSummary *AttentionResult::summary(const HeadRef &ref) const
{
    if (const auto later = placeOf(summaries, ref); later != summaries.end() && refOf(*later) == ref)
        return &later->second;
    const auto head = placeOf(heads, ref);
    return head != heads.end() && refOf(*head) == ref ? &(*head)->summary : nullptr;
}

Result<std::shared_ptr<const HeadResult>> computeHead(
    const AttentionInput &input, const AttentionSpec &spec, const HeadRef &ref, const StreamOptions &options, const Run &run)
{
    const AttentionBlock &block = input.blocks.at(static_cast<std::size_t>(ref.block));
    auto head = std::make_shared<HeadResult>();
    head->ref = ref;
    const Sequence sequence = sequenceOf(block, spec);
    Result<StreamResult> streamed = StreamResult{};
    if (block.hasWeightsOnly()) {
        Result<MapFieldPtr> field = headField(input, spec, ref, Stage::Weights, run);
        if (!field)
            return field.error();
        head->recorded = std::move(field).value();
        streamed = readWeights(*head->recorded, sequence, options, run, head->summary);
    } else {
        if (const std::optional<SpecProblem> problem = check(block, spec))
            return problem->error;
        auto operands = headOperands(block, spec, ref, run);
        if (!operands)
            return operands.error();
        head->operands = std::move(operands).value();
        streamed = attenscope::stream(*head->operands, options, run);
    }
    if (!streamed)
        return streamed.error();
    if (std::optional<Error> error = readError(block, ref))
        return *error;
    head->stream = std::move(streamed).value();
    // Without looking at every weight there is nothing to sum up.
    if (block.hasWeightsOnly() || !options.wantsWeights)
        return std::shared_ptr<const HeadResult>(std::move(head));
    constexpr Index mostProducts = Index{ 1 } << 22;
    const HeadOperands &operands = *head->operands;
    const Index products = std::max<Index>(operands.scoreQ.rows(), 1) * std::max<Index>(operands.scoreK.cols(), 1);
    if (operands.scoreK.rows() > mostProducts / products) {
        head->summary = summarize(head->stream.entropy, head->stream.largest, operands.mask);
        return std::shared_ptr<const HeadResult>(std::move(head));
    }
    auto summary = summarize(*computedField(head->operands, Stage::Weights), sequence, { run.stop, {} });
    if (!summary)
        return summary.error();
    head->summary = *summary;
    return std::shared_ptr<const HeadResult>(std::move(head));
}

} // namespace attenscope
