// SPDX-License-Identifier: GPL-3.0-or-later
// Computing or reading one head, and the fields on what came out.
#include "attention/attention_result.h"

#include "attention/fold.h"
#include "attention/row_kernel.h"
#include "core/memory.h"

#include <algorithm>
#include <atomic>
#include <bit>

namespace attenscope {

namespace {

/// Entropy and largest weight of one row of colours; masked and absent cells do not count.
struct RowSummary {
    float entropy = 0.0F;
    float largest = 0.0F;

    explicit RowSummary(Eigen::Ref<Eigen::ArrayXf> cells)
    {
        bool isNan = false;
        for (float &cell : cells) {
            const cell::Kind kind = cell::kind(cell);
            isNan = isNan || kind == cell::Kind::Nan;
            cell = kind == cell::Kind::Number ? cell : 0.0F;
        }
        largest = isNan ? std::numeric_limits<float>::quiet_NaN() : cells.size() > 0 ? cells.maxCoeff() : 0.0F;
        // 0 ln 0 = 0.
        entropy = isNan ? largest : -(cells * (cells == 0.0F).select(1.0F, cells).log()).sum();
    }
};

/// What stream() keeps, of weights that are there already.
Result<StreamResult> readWeights(const MapField &weights, const StreamOptions &options, const Run &run)
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
    std::atomic<Index> done = 0;
    const bool isFinished = forEachStripe(all, level, rowsAtOnce, run, [&](const Range &rows) {
        MatrixF block;
        if (!weights.read({ rows, all.cols }, 0, Fold::Max, block, run))
            return;
        for (Index place = 0; place < rows.size(); ++place) {
            const Index row = rows.first + place;
            if (pooled.cols.size() > 0)
                overview.add(row, 0, { block.data() + place * block.cols(), static_cast<std::size_t>(block.cols()) });
            const RowSummary summary(block.row(place).transpose().array());
            result.entropy(row) = summary.entropy;
            result.largest(row) = summary.largest;
        }
        const Index before = done.fetch_add(rows.size());
        if (100 * (before + rows.size()) / weights.rows() != 100 * before / weights.rows())
            run.report(static_cast<double>(before + rows.size()) / static_cast<double>(weights.rows()));
    });
    if (!isFinished)
        return Error::cancelled();
    return result;
}

/// The first failure of reading a mapped file that the head came from.
std::optional<Error> readError(const AttentionBlock &block, const HeadRef &ref)
{
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

std::shared_ptr<const HeadResult> AttentionResult::find(const HeadRef &ref) const
{
    const auto found = std::find_if(heads.begin(), heads.end(), [&ref](const auto &head) { return head->ref == ref; });
    return found == heads.end() ? nullptr : *found;
}

Result<std::shared_ptr<const HeadResult>> computeHead(
    const AttentionInput &input, const AttentionSpec &spec, const HeadRef &ref, const StreamOptions &options, const Run &run)
{
    const AttentionBlock &block = input.blocks.at(static_cast<std::size_t>(ref.block));
    auto head = std::make_shared<HeadResult>();
    head->ref = ref;
    Mask mask(block.queries, block.keys);
    Result<StreamResult> streamed = StreamResult{};
    if (block.isRecorded()) {
        Result<MapFieldPtr> field = headField(input, spec, ref, Stage::Weights, run);
        if (!field)
            return field.error();
        head->recorded = std::move(field).value();
        mask = Mask(block, spec.mask, ref.element);
        streamed = readWeights(*head->recorded, options, run);
    } else {
        if (const std::optional<SpecProblem> problem = check(block, spec))
            return problem->error;
        auto operands = headOperands(block, spec, ref, run);
        if (!operands)
            return operands.error();
        head->operands = std::move(operands).value();
        mask = head->operands->mask;
        streamed = attenscope::stream(*head->operands, options, run);
    }
    if (!streamed)
        return streamed.error();
    if (std::optional<Error> error = readError(block, ref))
        return *error;
    head->stream = std::move(streamed).value();
    head->summary = summarize(head->stream.entropy, head->stream.largest, mask);
    return std::shared_ptr<const HeadResult>(std::move(head));
}

} // namespace attenscope
