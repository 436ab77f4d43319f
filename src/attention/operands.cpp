// SPDX-License-Identifier: GPL-3.0-or-later
// Making one head's operands: projections, the split into heads, rotations, and what the score function pairs.
#include "attention/operands.h"

#include "attention/kernels/matrix_product.h"
#include "core/memory.h"

#include <cmath>

namespace attenscope {

namespace {

/// Columns of one head in a projection.
struct HeadColumns {
    Index first = 0;
    Index count = 0;
};

HeadColumns columnsOf(const SharedMatrix &projection, int head, int heads)
{
    const Index width = projection.cols() / heads;
    return { head * width, width };
}

/// Which of the data's key/value heads a query head reads: the first of its group.
int dataKvHead(int head, int heads, int kvHeads, int dataKvHeads)
{
    const int group = head / (heads / kvHeads);
    return group * dataKvHeads / kvHeads;
}

Matrix project(const SharedMatrix &x, const SharedMatrix &weights, const SharedMatrix &bias, const HeadColumns &columns)
{
    Matrix own(weights.rows(), columns.count);
    for (Index row = 0; row < own.rows(); ++row)
        weights.readRow(row, columns.first, std::span(own.data() + row * columns.count, static_cast<std::size_t>(columns.count)));
    Matrix result = matrixProduct(x.toMatrix(), own);
    if (!bias.isEmpty())
        result.rowwise() += bias.toMatrix().row(0).segment(columns.first, columns.count);
    return result;
}

void takeProjected(HeadOperands &operands, const AttentionBlock &block, const ProjectedData &data, const HeadRef &ref, int kvHead)
{
    const int plane = ref.layer * block.batch + ref.element;
    const auto kvPlace = static_cast<std::size_t>(plane * block.kvHeads + kvHead);
    operands.q = data.q[static_cast<std::size_t>(plane * block.heads + ref.head)];
    operands.k = data.k[kvPlace];
    if (block.hasValues())
        operands.v = data.v[kvPlace];
}

Result<void> projectEmbedded(HeadOperands &operands, const AttentionBlock &block, const EmbeddedData &data, const HeadRef &ref, int kvHead,
    int dataKvHeads, const Run &run)
{
    const auto place = static_cast<std::size_t>(ref.layer * block.batch + ref.element);
    const SharedMatrix &x = data.x[place];
    const SharedMatrix &y = data.y.empty() ? x : data.y[place];
    const Projections &layer = data.layers[static_cast<std::size_t>(ref.layer)];
    const HeadColumns q = columnsOf(layer.wq, ref.head, operands.spec.heads);
    const HeadColumns k = columnsOf(layer.wk, kvHead, dataKvHeads);
    const HeadColumns v = columnsOf(layer.wv, kvHead, dataKvHeads);
    const auto numbers = static_cast<std::uint64_t>(x.rows() * (x.cols() + q.count) + y.rows() * (y.cols() + k.count + v.count));
    if (Result<void> fits = checkMemory(saturatingProduct(numbers, sizeof(double)), "Projecting a head"); !fits)
        return fits.error();
    operands.q = SharedMatrix(project(x, layer.wq, layer.bq, q));
    if (run.stopped())
        return Error::cancelled();
    operands.k = SharedMatrix(project(y, layer.wk, layer.bk, k));
    if (run.stopped() || v.count == 0)
        return run.stopped() ? Result<void>(Error::cancelled()) : Result<void>();
    operands.v = SharedMatrix(project(y, layer.wv, layer.bv, v));
    if (!layer.wo.isEmpty())
        operands.wo = SharedMatrix(layer.wo.rowRange({ ref.head * v.count, (ref.head + 1) * v.count }));
    return {};
}

/// Room for what rotations and score functions make of q and k.
Result<void> checkRoom(const HeadOperands &operands)
{
    const ScoreFunction score = operands.spec.score;
    if (!operands.spec.rope && (score == ScoreFunction::ScaledDot || score == ScoreFunction::Dot))
        return {};
    const auto rows = static_cast<std::uint64_t>(operands.q.rows() + operands.k.rows());
    const auto cols = static_cast<std::uint64_t>(operands.q.cols() + operands.k.cols() + operands.spec.parameters.v.rows());
    return checkMemory(saturatingProduct(saturatingProduct(rows, cols), 2 * sizeof(double)), "Preparing the queries and keys of a head");
}

/// φ of linear attention: elu + 1.
double featureMap(double x)
{
    return x > 0.0 ? x + 1.0 : std::exp(x);
}

void prepareScore(HeadOperands &operands)
{
    const ScoreParameters &parameters = operands.spec.parameters;
    const auto times
        = [](const SharedMatrix &vectors, const Matrix &right) { return SharedMatrix(matrixProduct(vectors.toMatrix(), right)); };
    switch (operands.spec.score) {
    case ScoreFunction::ScaledDot:
    case ScoreFunction::Dot:
        operands.scoreQ = operands.q;
        operands.scoreK = operands.k;
        return;
    case ScoreFunction::General:
        operands.scoreQ = times(operands.q, parameters.w.toMatrix());
        operands.scoreK = operands.k;
        return;
    case ScoreFunction::Concat: {
        const Matrix w = parameters.w.toMatrix();
        operands.scoreQ = times(operands.q, w.leftCols(operands.q.cols()).transpose());
        operands.scoreK = times(operands.k, w.rightCols(operands.k.cols()).transpose());
        return;
    }
    case ScoreFunction::Additive:
        operands.scoreQ = times(operands.q, parameters.wDec.toMatrix().transpose());
        operands.scoreK = times(operands.k, parameters.wEnc.toMatrix().transpose());
        return;
    case ScoreFunction::Linear:
        operands.scoreQ = SharedMatrix(operands.q.toMatrix().unaryExpr(&featureMap));
        operands.scoreK = SharedMatrix(operands.k.toMatrix().unaryExpr(&featureMap));
        return;
    }
}

} // namespace

HeadProjections headProjections(const AttentionBlock &block, const AttentionSpec &spec, const HeadRef &ref)
{
    const Projections &layer = std::get<EmbeddedData>(block.data).layers[static_cast<std::size_t>(ref.layer)];
    const int heads = headCount(block, spec);
    const int dataKvHeads = dataKvHeadCount(block, spec);
    const int kvHead = dataKvHead(ref.head, heads, kvHeadCount(block, spec), dataKvHeads);
    const auto part = [](const SharedMatrix &weights, const SharedMatrix &bias, const HeadColumns &columns) {
        HeadProjections::Part result;
        if (columns.count == 0)
            return result;
        result.weights = SharedMatrix(weights.toMatrix().middleCols(columns.first, columns.count));
        if (!bias.isEmpty())
            result.bias = bias.toMatrix().row(0).segment(columns.first, columns.count).transpose();
        return result;
    };
    return { part(layer.wq, layer.bq, columnsOf(layer.wq, ref.head, heads)),
        part(layer.wk, layer.bk, columnsOf(layer.wk, kvHead, dataKvHeads)),
        part(layer.wv, layer.bv, columnsOf(layer.wv, kvHead, dataKvHeads)) };
}

Result<std::shared_ptr<const HeadOperands>> headOperands(
    const AttentionBlock &block, const AttentionSpec &spec, const HeadRef &ref, const Run &run)
{
    auto operands = std::make_shared<HeadOperands>();
    operands->spec = spec;
    const int heads = headCount(block, spec);
    const int dataKvHeads = dataKvHeadCount(block, spec);
    const int kvHead = dataKvHead(ref.head, heads, kvHeadCount(block, spec), dataKvHeads);
    if (const auto *projected = std::get_if<ProjectedData>(&block.data))
        takeProjected(*operands, block, *projected, ref, kvHead);
    else if (Result<void> done = projectEmbedded(*operands, block, std::get<EmbeddedData>(block.data), ref, kvHead, dataKvHeads, run);
             !done)
        return done.error();
    if (Result<void> fits = checkRoom(*operands); !fits)
        return fits.error();
    if (spec.rope) {
        operands->q = SharedMatrix(turned(operands->q.toMatrix(), *spec.rope, spec.rope->queryOffset));
        operands->k = SharedMatrix(turned(operands->k.toMatrix(), *spec.rope, spec.rope->keyOffset));
    }
    if (run.stopped())
        return Error::cancelled();
    prepareScore(*operands);
    operands->mask = Mask(block, spec.mask, ref.element);
    const double own = spec.score == ScoreFunction::ScaledDot ? 1.0 / std::sqrt(static_cast<double>(operands->k.cols())) : 1.0;
    operands->scale = spec.scale.value_or(own);
    if (spec.hasAlibi)
        operands->alibiSlope = alibiSlopes(heads)[static_cast<std::size_t>(ref.head)];
    operands->alibiOffset = spec.mask.alignment == CausalAlignment::BottomRight ? block.keys - block.queries : 0;
    return std::shared_ptr<const HeadOperands>(std::move(operands));
}

} // namespace attenscope
