// SPDX-License-Identifier: GPL-3.0-or-later
// Running the engine on golden cases. Everything is derived from inputs, parameters and declared shapes, nothing from names of cases.
#include "support/golden_case.h"

#include "analysis/divergence.h"
#include "analysis/layers.h"
#include "attention/cell.h"
#include "attention/explain.h"
#include "attention/row_kernel.h"
#include "attention/stream.h"
#include "attention/summary.h"

#include <QJsonArray>

#include <cmath>
#include <functional>
#include <limits>

namespace attenscope {

namespace {

/// Numbers with a shape of their own: an engine vector has one axis, states of several steps three.
GoldenArray arrayOf(const Matrix &matrix)
{
    return { { matrix.rows(), matrix.cols() }, { matrix.data(), matrix.data() + matrix.size() } };
}

GoldenArray arrayOf(const Vector &vector)
{
    return { { vector.size() }, { vector.data(), vector.data() + vector.size() } };
}

/// Appends an array of the same shape; the axes that count them are put in front by withLeading().
void append(GoldenArray &all, const GoldenArray &next)
{
    all.shape = next.shape;
    all.numbers.insert(all.numbers.end(), next.numbers.begin(), next.numbers.end());
}

GoldenArray withLeading(const std::vector<Index> &leading, GoldenArray array)
{
    array.shape.insert(array.shape.begin(), leading.begin(), leading.end());
    return array;
}

Matrix maskMatrix(const Mask &mask)
{
    Matrix matrix(mask.queries(), mask.keys());
    for (Index row = 0; row < matrix.rows(); ++row)
        for (Index col = 0; col < matrix.cols(); ++col)
            matrix(row, col) = mask.isVisible(row, col) ? 1.0 : 0.0;
    return matrix;
}

/// One of the two patterns whose union a sparse mask is. The engine has the union; this is its definition in the paper.
Matrix sparsePart(const GoldenCase &golden, const AttentionBlock &block, bool isLocal)
{
    const Index stride = golden.intParam("stride", 1);
    const Index columns = golden.intParam("c", 1);
    const bool isStrided = golden.params["mask_type"].toString() == "sparse_strided";
    Matrix part = Matrix::Zero(block.queries, block.keys);
    for (Index row = 0; row < part.rows(); ++row) {
        for (Index col = 0; col <= row && col < part.cols(); ++col) {
            const bool local = isStrided ? row - col <= stride : row / stride == col / stride;
            const bool far = isStrided ? (row - col) % stride == 0 : col % stride >= stride - columns;
            part(row, col) = (isLocal ? local : far) ? 1.0 : 0.0;
        }
    }
    return part;
}

/// What writing -1e9 over the masked scores gives instead of leaving masked keys out: rows that see nothing become uniform.
void addFilledOutputs(const HeadOperands &operands, const Explanation &stages, GoldenArrays &outputs)
{
    Matrix weights(stages.masked.rows(), stages.masked.cols());
    for (Index row = 0; row < weights.rows(); ++row) {
        Vector filled = stages.masked.row(row).transpose();
        for (Index col = 0; col < filled.size(); ++col)
            if (!operands.mask.isVisible(row, col))
                filled(col) = -1e9;
        weights.row(row) = softmax(filled).transpose();
    }
    outputs["weights_fill_1e9"] = arrayOf(weights);
    outputs["output_fill_1e9"] = arrayOf(Matrix(weights * operands.v.toMatrix()));
}

void addFlashOutputs(const HeadOperands &operands, GoldenArrays &outputs)
{
    const auto flash = explainFlash(operands);
    if (!flash)
        return;
    outputs["output"] = arrayOf(flash->output);
    outputs["L"] = arrayOf(flash->logSumExp);
    outputs["m"] = arrayOf(flash->blocks.back().m);
    for (const FlashState &state : flash->blocks) {
        Matrix out = Matrix::Zero(state.acc.rows(), state.acc.cols());
        for (Index row = 0; row < out.rows(); ++row)
            if (state.l(row) > 0.0)
                out.row(row) = state.acc.row(row) / state.l(row);
        append(outputs["m_blocks"], arrayOf(state.m));
        append(outputs["l_blocks"], arrayOf(state.l));
        append(outputs["acc_blocks"], arrayOf(state.acc));
        append(outputs["out_blocks"], arrayOf(out));
    }
    const auto blocks = static_cast<Index>(flash->blocks.size());
    for (const char *name : { "m_blocks", "l_blocks", "acc_blocks", "out_blocks" })
        outputs[name] = withLeading({ blocks }, outputs[name]);
}

void addLinearOutputs(const HeadOperands &operands, bool isCausal, GoldenArrays &outputs)
{
    outputs["phi_q"] = arrayOf(operands.scoreQ.toMatrix());
    outputs["phi_k"] = arrayOf(operands.scoreK.toMatrix());
    const Index keys = operands.scoreK.rows();
    for (Index seen = isCausal ? 1 : keys; seen <= keys; ++seen) {
        const LinearState state = linearState(operands, seen);
        append(outputs["S"], arrayOf(state.s));
        append(outputs["z"], arrayOf(state.z));
    }
    if (isCausal)
        for (const char *name : { "S", "z" })
            outputs[name] = withLeading({ keys }, outputs[name]);
}

GoldenArrays runHead(const GoldenCase &golden, const GoldenSetup &setup, const HeadRef &ref)
{
    const AttentionSpec &spec = setup.specs[static_cast<std::size_t>(ref.element * headCount(setup.block, setup.specs.front()) + ref.head)];
    if (check(setup.block, spec))
        return {};
    const auto operands = headOperands(setup.block, spec, ref);
    if (!operands)
        return {};
    const HeadOperands &head = **operands;
    const auto stages = explain(head, { 0, setup.block.queries });
    const auto streamed = stream(head, { true, setup.block.keys + setup.block.queries });
    if (!stages || !streamed)
        return {};
    GoldenArrays outputs{
        { "scores", arrayOf(stages->scores) },
        { "scaled", arrayOf(stages->scaled) },
        { "capped", arrayOf(stages->capped) },
        { "biased", arrayOf(stages->biased) },
        { "tempered", arrayOf(stages->tempered) },
        { "masked", arrayOf(stages->masked) },
        { "weights", arrayOf(stages->weights) },
        { "output", arrayOf(stages->output) },
        { "context", arrayOf(stages->output) },
        { "heads", arrayOf(stages->output) },
        { "entropy", arrayOf(stages->entropy) },
        { "Q", arrayOf(head.q.toMatrix()) },
        { "K", arrayOf(head.k.toMatrix()) },
        { "V", arrayOf(head.v.toMatrix()) },
        { "q_rot", arrayOf(head.q.toMatrix()) },
        { "k_rot", arrayOf(head.k.toMatrix()) },
        { "output_f32", arrayOf(Matrix(streamed->output.cast<double>())) },
    };
    // With pool 1 the overview is the map; masked cells of it have weight 0.
    const auto weightOf = [](float cell) { return cell::kind(cell) == cell::Kind::Masked ? 0.0F : cell; };
    outputs["weights_f32"] = arrayOf(Matrix(streamed->overview.unaryExpr(weightOf).cast<double>()));
    addFilledOutputs(head, *stages, outputs);
    if (spec.algorithm == Algorithm::Flash)
        addFlashOutputs(head, outputs);
    if (spec.score == ScoreFunction::Linear)
        addLinearOutputs(head, golden.params["causal"].toBool(), outputs);
    return outputs;
}

/// Outputs of a layer, a mask or a number of the case, not of every head.
std::optional<GoldenArray> sharedOutput(const GoldenCase &golden, const GoldenSetup &setup, const GoldenOutput &declared)
{
    const AttentionSpec &spec = setup.specs.front();
    const AttentionBlock &block = setup.block;
    if (declared.name == "mask") {
        const bool isPerElement = declared.shape.size() > 2;
        GoldenArray masks;
        for (int element = 0; element < (isPerElement ? block.batch : 1); ++element)
            append(masks, arrayOf(maskMatrix(Mask(block, spec.mask, element))));
        return withLeading(isPerElement ? std::vector<Index>{ block.batch } : std::vector<Index>{}, masks);
    }
    if (declared.name == "mask_local" || declared.name == "mask_far")
        return arrayOf(sparsePart(golden, block, declared.name == "mask_local"));
    if (declared.name == "slopes") {
        const std::vector<double> slopes = alibiSlopes(headCount(block, spec));
        return GoldenArray{ { static_cast<Index>(slopes.size()) }, slopes };
    }
    if (declared.name == "kv_cache_elements" || declared.name == "kv_cache_bytes_fp16") {
        const double elements = kvCacheElements(
            1, kvHeadCount(block, spec), golden.params["d_head"].toDouble(), static_cast<double>(block.keys), block.batch);
        return GoldenArray{ { 1 }, { declared.name == "kv_cache_elements" ? elements : 2.0 * elements } };
    }
    return std::nullopt;
}

std::optional<GoldenArrays> computeAttention(const GoldenCase &golden, const GoldenSetup &setup)
{
    const int heads = headCount(setup.block, setup.specs.front());
    GoldenArrays perHead;
    GoldenArrays perElement;
    for (int element = 0; element < setup.block.batch; ++element) {
        std::vector<Matrix> headOutputs;
        for (int head = 0; head < heads; ++head) {
            const GoldenArrays outputs = runHead(golden, setup, { 0, 0, head, element });
            if (outputs.empty())
                return std::nullopt;
            for (const auto &[name, array] : outputs)
                append(perHead[name], array);
            headOutputs.push_back(outputs.at("output").plane(0));
        }
        if (!std::holds_alternative<EmbeddedData>(setup.block.data))
            continue;
        const LayerExplanation layer = explainLayer(setup.block, 0, headOutputs);
        append(perElement["concat"], arrayOf(layer.concat));
        if (layer.output.size() > 0)
            append(perElement["output"], arrayOf(layer.output));
    }
    std::vector<Index> leading;
    if (setup.hasBatchAxis)
        leading.push_back(setup.block.batch);
    GoldenArrays results;
    for (auto &[name, array] : perElement)
        results[name] = withLeading(leading, array);
    if (setup.hasHeadAxis)
        leading.push_back(heads);
    for (auto &[name, array] : perHead)
        results.try_emplace(name, withLeading(leading, array));
    GoldenArrays wanted;
    for (const GoldenOutput &declared : golden.outputs) {
        if (const std::optional<GoldenArray> shared = sharedOutput(golden, setup, declared))
            wanted[declared.name] = *shared;
        else if (const auto found = results.find(declared.name); found != results.end())
            wanted[declared.name] = found->second;
    }
    return wanted;
}

GoldenArrays computeSinusoidal(const GoldenCase &golden)
{
    const GoldenArray &positions = golden.inputs.at("positions");
    // The width is in no input and no parameter, only in the declared shape.
    const Index d = golden.outputs.front().shape.back();
    GoldenArray encoding{ { positions.shape.front(), d }, {} };
    for (const double position : positions.numbers) {
        const Matrix row = sinusoidalPositions(1, d, static_cast<Index>(position));
        encoding.numbers.insert(encoding.numbers.end(), row.data(), row.data() + d);
    }
    return { { golden.outputs.front().name, encoding } };
}

GoldenArrays computeSoftmax(const GoldenCase &golden)
{
    const GoldenArray &x = golden.inputs.at("x");
    GoldenArray weights{ x.shape, {} };
    GoldenArray logSumExp{ { x.shape.begin(), x.shape.end() - 1 }, {} };
    const Index cols = x.shape.back();
    for (std::size_t first = 0; first < x.numbers.size(); first += static_cast<std::size_t>(cols)) {
        double normalizer = 0.0;
        const Vector row = softmax(Eigen::Map<const Vector>(x.numbers.data() + first, cols), &normalizer);
        weights.numbers.insert(weights.numbers.end(), row.data(), row.data() + cols);
        logSumExp.numbers.push_back(normalizer);
    }
    return { { "weights", weights }, { "logsumexp", logSumExp } };
}

GoldenArrays computeCacheSizes(const GoldenCase &golden)
{
    const GoldenArray &table = golden.inputs.at("table");
    const QJsonArray columns = golden.params["columns"].toArray();
    const Matrix rows = table.plane(0);
    GoldenArray bytes{ { rows.rows() }, {} };
    for (Index row = 0; row < rows.rows(); ++row) {
        std::map<QString, double> sizes;
        for (Index col = 0; col < rows.cols(); ++col)
            sizes[columns[static_cast<qsizetype>(col)].toString()] = rows(row, col);
        const double elements = kvCacheElements(sizes["layers"], sizes["kv_heads"], sizes["d_head"], sizes["n"], sizes["batch"]);
        bytes.numbers.push_back(elements * sizes["bytes_per_element"]);
    }
    return { { "bytes", bytes } };
}

/// Recorded attention: layers, heads, queries, keys.
struct RecordedMaps {
    Index layers;
    Index heads;
    std::vector<MapFieldPtr> maps; ///< Index: layer · heads + head.

    explicit RecordedMaps(const GoldenArray &attn)
        : layers(attn.shape[0])
        , heads(attn.shape[1])
    {
        for (Index plane = 0; plane < attn.planes(); ++plane)
            maps.push_back(matrixField(attn.plane(plane)));
    }
    [[nodiscard]] std::vector<MapFieldPtr> layer(Index layer) const
    {
        return { maps.begin() + layer * heads, maps.begin() + (layer + 1) * heads };
    }
    [[nodiscard]] std::vector<Matrix> residualLayers(const GoldenCase &golden) const
    {
        std::vector<Matrix> all;
        for (Index place = 0; place < layers; ++place)
            all.push_back(residualAttention(layer(place), golden.params["residual"].toDouble(0.5)).value());
        return all;
    }
};

/// The summaries of every head, layers x heads.
void addSummaries(const GoldenCase &golden, const RecordedMaps &recorded, GoldenArrays &outputs)
{
    Sequence sequence;
    sequence.firstPosition = 0;
    if (golden.has("tokens")) {
        std::vector<std::string> tokens;
        for (const double token : golden.inputs.at("tokens").numbers)
            tokens.push_back(std::to_string(token));
        sequence.inductionKeys = inductionKeys(tokens);
    }
    for (const MapFieldPtr &map : recorded.maps) {
        const HeadSummary summary = summarize(*map, sequence).value();
        for (const auto &[name, number] : { std::pair{ "mean_distance", summary.distance.mean },
                 { "previous_token", summary.previous.mean }, { "first_token", summary.first.mean }, { "diagonal", summary.own.mean },
                 { "confidence", summary.largest.mean }, { "induction", summary.induction.mean } })
            outputs[name].numbers.push_back(number);
        std::vector<double> cells(static_cast<std::size_t>(map->cols()));
        for (Index row = 0; row < map->rows(); ++row) {
            map->row(row, 0, cells);
            outputs["entropy"].numbers.push_back(entropyOf(cells));
        }
        outputs["entropy"].shape = { map->rows() };
    }
    for (auto &[name, array] : outputs)
        array = withLeading({ recorded.layers, recorded.heads }, array);
}

GoldenArrays computeAnalysis(const GoldenCase &golden)
{
    const RecordedMaps recorded(golden.inputs.at("attn"));
    GoldenArrays outputs;
    addSummaries(golden, recorded, outputs);
    const HeadDivergences divergences = headDivergences(recorded.maps).value();
    outputs["js_sum"] = arrayOf(divergences.sum);
    outputs["js_mean"] = arrayOf(divergences.mean());
    Matrix below;
    for (const Matrix &layer : recorded.residualLayers(golden)) {
        below = below.size() == 0 ? layer : rollout(layer, below).value();
        append(outputs["rollout"], arrayOf(below));
    }
    outputs["rollout"] = withLeading({ recorded.layers }, outputs["rollout"]);
    return outputs;
}

GoldenArrays computeFlow(const GoldenCase &golden)
{
    const RecordedMaps recorded(golden.inputs.at("attn"));
    const std::vector<Matrix> layers = recorded.residualLayers(golden);
    const Matrix flow = attentionFlow(layers, { 0, layers.front().rows() }).value();
    return { { "flow", arrayOf(flow) }, { "flow_normalised", arrayOf(rowsNormalized(flow)) } };
}

/// Positions one after the other: what the engine's offsets can say.
bool areConsecutive(const GoldenArray &positions)
{
    for (std::size_t place = 1; place < positions.numbers.size(); ++place)
        if (positions.numbers[place] != positions.numbers[place - 1] + 1.0)
            return false;
    return true;
}

} // namespace

std::optional<GoldenArrays> computeCase(const GoldenCase &golden)
{
    static const std::map<std::string, std::function<GoldenArrays(const GoldenCase &)>> plain{
        { "sinusoidal", &computeSinusoidal },
        { "softmax", &computeSoftmax },
        { "kv_cache", &computeCacheSizes },
        { "analysis", &computeAnalysis },
        { "attention_flow", &computeFlow },
    };
    if (const auto found = plain.find(golden.variant); found != plain.end()) {
        const GoldenArrays results = found->second(golden);
        GoldenArrays wanted;
        for (const GoldenOutput &declared : golden.outputs)
            if (const auto result = results.find(declared.name); result != results.end())
                wanted.insert(*result);
        return wanted;
    }
    for (const char *positions : { "q_positions", "k_positions" })
        if (golden.has(positions) && !areConsecutive(golden.inputs.at(positions)))
            return std::nullopt;
    const std::optional<GoldenSetup> setup = setupOf(golden);
    return setup ? computeAttention(golden, *setup) : std::nullopt;
}

} // namespace attenscope
