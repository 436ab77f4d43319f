// SPDX-License-Identifier: GPL-3.0-or-later
// Running the engine on golden cases. Everything is derived from inputs, parameters and declared shapes, nothing from names of cases.
#include "support/golden_case.h"

#include "attention/cell.h"
#include "attention/explain.h"
#include "attention/stream.h"

#include <QJsonArray>

#include <cmath>
#include <functional>
#include <limits>

namespace attenscope {

namespace {

bool has(const GoldenCase &golden, const std::string &input)
{
    return golden.inputs.count(input) > 0;
}

SharedMatrix matrixOf(const GoldenArray &array)
{
    return SharedMatrix(array.plane(0));
}

/// A vector as a matrix of one row or one column.
SharedMatrix rowVector(const GoldenArray &array)
{
    return SharedMatrix(Matrix(Eigen::Map<const Matrix>(array.numbers.data(), 1, static_cast<Index>(array.numbers.size()))));
}

SharedMatrix columnVector(const GoldenArray &array)
{
    return SharedMatrix(Matrix(Eigen::Map<const Matrix>(array.numbers.data(), static_cast<Index>(array.numbers.size()), 1)));
}

std::vector<SharedMatrix> planesOf(const GoldenArray &array)
{
    std::vector<SharedMatrix> planes;
    for (Index plane = 0; plane < array.planes(); ++plane)
        planes.emplace_back(array.plane(plane));
    return planes;
}

BitMatrix bitsOf(const Matrix &mask)
{
    BitMatrix bits(mask.rows(), mask.cols(), false);
    for (Index row = 0; row < mask.rows(); ++row)
        for (Index col = 0; col < mask.cols(); ++col)
            bits.set(row, col, mask(row, col) != 0.0);
    return bits;
}

int intParam(const GoldenCase &golden, const char *name, int fallback)
{
    const QJsonValue value = golden.params[name];
    return value.isDouble() ? value.toInt() : fallback;
}

void setMask(const GoldenCase &golden, const AttentionBlock &block, MaskSpec &mask)
{
    static const std::map<QString, MaskRule> rules{
        { "causal", MaskRule::Causal },
        { "sliding_window", MaskRule::SlidingWindow },
        { "causal_sliding_window", MaskRule::CausalSlidingWindow },
        { "prefix_lm", MaskRule::PrefixLm },
        { "sparse_strided", MaskRule::SparseStrided },
        { "sparse_fixed", MaskRule::SparseFixed },
        { "block_sparse", MaskRule::BlockSparse },
        { "sinks_window", MaskRule::SinksWindow },
    };
    const auto rule = rules.find(golden.params["mask_type"].toString());
    if (rule != rules.end())
        mask.rule = rule->second;
    else if (golden.params["causal"].toBool())
        mask.rule = MaskRule::Causal;
    const int offset = intParam(golden, "causal_offset", static_cast<int>(block.keys - block.queries));
    mask.alignment = offset == block.keys - block.queries ? CausalAlignment::BottomRight : CausalAlignment::TopLeft;
    mask.window = intParam(golden, "window", 1);
    mask.prefix = intParam(golden, "prefix", 0);
    mask.stride = intParam(golden, "stride", 1);
    mask.fixedColumns = intParam(golden, "c", 1);
    mask.sinks = intParam(golden, "sinks", 0);
    mask.block = intParam(golden, "block", 1);
    if (has(golden, "layout"))
        mask.blockLayout = bitsOf(golden.inputs.at("layout").plane(0));
}

void setScore(const GoldenCase &golden, AttentionSpec &spec)
{
    if (golden.variant == "luong_dot")
        spec.score = ScoreFunction::Dot;
    if (golden.variant == "luong_general") {
        spec.score = ScoreFunction::General;
        spec.parameters.w = matrixOf(golden.inputs.at("W"));
    }
    if (golden.variant == "luong_concat") {
        spec.score = ScoreFunction::Concat;
        spec.parameters.w = matrixOf(golden.inputs.at("W"));
        spec.parameters.v = columnVector(golden.inputs.at("v"));
    }
    if (golden.variant == "additive") {
        spec.score = ScoreFunction::Additive;
        spec.parameters.wDec = matrixOf(golden.inputs.at("W_dec"));
        spec.parameters.wEnc = matrixOf(golden.inputs.at("W_enc"));
        spec.parameters.v = columnVector(golden.inputs.at("v"));
    }
    if (golden.variant == "linear")
        spec.score = ScoreFunction::Linear;
    if (spec.score == ScoreFunction::ScaledDot && golden.params["scale"].isDouble())
        spec.scale = golden.params["scale"].toDouble();
}

AttentionSpec specOf(const GoldenCase &golden, const AttentionBlock &block)
{
    AttentionSpec spec;
    spec.heads = intParam(golden, "heads", 1);
    setScore(golden, spec);
    setMask(golden, block, spec.mask);
    if (golden.params["softcap"].isDouble())
        spec.softCap = golden.params["softcap"].toDouble();
    spec.temperature = golden.params["temperature"].toDouble(1.0);
    spec.hasAlibi = golden.params["bias_type"].toString() == "alibi";
    if (golden.variant == "softmax1")
        spec.normalization = Normalization::Softmax1;
    if (golden.params["layout"].isString()) {
        Rope rope;
        rope.layout = golden.params["layout"].toString() == "interleaved" ? RopeLayout::Interleaved : RopeLayout::Half;
        rope.base = golden.params["base"].toDouble(10000.0);
        rope.queryOffset = static_cast<Index>(golden.inputs.at("q_positions").numbers.front());
        rope.keyOffset = static_cast<Index>(golden.inputs.at("k_positions").numbers.front());
        spec.rope = rope;
    }
    if (golden.variant == "flash") {
        spec.algorithm = Algorithm::Flash;
        spec.queryBlock = spec.keyBlock = intParam(golden, "block", 64);
    }
    return spec;
}

/// q, k and v under the names they have in the papers: decoder and encoder states for the recurrent ones.
struct ProjectedNames {
    std::string q, k, v;
};

std::optional<ProjectedNames> projectedNames(const GoldenCase &golden)
{
    if (has(golden, "s"))
        return ProjectedNames{ "s", "h", "h" };
    if (has(golden, "q"))
        return ProjectedNames{ "q", "k", has(golden, "v") ? "v" : "" };
    return std::nullopt;
}

void setProjected(const GoldenCase &golden, const ProjectedNames &names, GoldenSetup &setup)
{
    const GoldenArray &q = golden.inputs.at(names.q);
    const GoldenArray &k = golden.inputs.at(names.k);
    AttentionBlock &block = setup.block;
    block.heads = intParam(golden, "heads", 1);
    setup.hasHeadAxis = q.axes() == 4 || (q.axes() == 3 && block.heads > 1);
    setup.hasBatchAxis = q.axes() == 4 || (q.axes() == 3 && block.heads == 1);
    block.batch = static_cast<int>(q.planes() / block.heads);
    block.kvHeads = static_cast<int>(k.planes() / block.batch);
    ProjectedData data{ planesOf(q), planesOf(k), {} };
    if (!names.v.empty())
        data.v = planesOf(golden.inputs.at(names.v));
    block.queries = data.q.front().rows();
    block.keys = data.k.front().rows();
    block.data = std::move(data);
}

void setEmbedded(const GoldenCase &golden, GoldenSetup &setup)
{
    const auto optional = [&golden](const char *name) { return has(golden, name) ? rowVector(golden.inputs.at(name)) : SharedMatrix(); };
    const GoldenArray &x = golden.inputs.at("X");
    EmbeddedData data;
    data.x = planesOf(x);
    if (has(golden, "Y"))
        data.y = planesOf(golden.inputs.at("Y"));
    Projections layer;
    layer.wq = matrixOf(golden.inputs.at("W_q"));
    layer.wk = matrixOf(golden.inputs.at("W_k"));
    layer.wv = matrixOf(golden.inputs.at("W_v"));
    if (has(golden, "W_o"))
        layer.wo = matrixOf(golden.inputs.at("W_o"));
    layer.bq = optional("b_q");
    layer.bk = optional("b_k");
    layer.bv = optional("b_v");
    layer.bo = optional("b_o");
    data.layers = { layer };
    AttentionBlock &block = setup.block;
    block.heads = block.kvHeads = 0;
    block.batch = static_cast<int>(data.x.size());
    block.queries = data.x.front().rows();
    block.keys = data.y.empty() ? block.queries : data.y.front().rows();
    block.data = std::move(data);
    setup.hasBatchAxis = x.axes() == 3;
    // Multi-head ones keep the axis for a single head too.
    setup.hasHeadAxis = has(golden, "W_o");
}

void setGivenMasks(const GoldenCase &golden, AttentionBlock &block)
{
    if (has(golden, "key_padding")) {
        const GoldenArray &padding = golden.inputs.at("key_padding");
        const auto keys = static_cast<std::size_t>(block.keys);
        for (std::size_t first = 0; first < padding.numbers.size(); first += keys) {
            std::vector<bool> real;
            for (std::size_t key = 0; key < keys; ++key)
                real.push_back(padding.numbers[first + key] != 0.0);
            block.keyPadding.push_back(real);
        }
        block.keyPadding.resize(static_cast<std::size_t>(block.batch), block.keyPadding.front());
    }
    if (has(golden, "mask")) {
        const GoldenArray &mask = golden.inputs.at("mask");
        for (Index plane = 0; plane < mask.planes(); ++plane)
            block.masks.push_back(bitsOf(mask.plane(plane)));
    }
}

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
    const Index stride = intParam(golden, "stride", 1);
    const Index columns = intParam(golden, "c", 1);
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

/// Positions one after the other: what the engine's offsets can say.
bool areConsecutive(const GoldenArray &positions)
{
    for (std::size_t place = 1; place < positions.numbers.size(); ++place)
        if (positions.numbers[place] != positions.numbers[place - 1] + 1.0)
            return false;
    return true;
}

} // namespace

std::optional<GoldenSetup> setupOf(const GoldenCase &golden)
{
    GoldenSetup setup;
    if (const std::optional<ProjectedNames> names = projectedNames(golden))
        setProjected(golden, *names, setup);
    else if (has(golden, "X"))
        setEmbedded(golden, setup);
    else
        return std::nullopt;
    setGivenMasks(golden, setup.block);
    const AttentionSpec spec = specOf(golden, setup.block);
    const int heads = headCount(setup.block, spec);
    setup.specs.assign(static_cast<std::size_t>(setup.block.batch * heads), spec);
    if (!has(golden, "bias"))
        return setup;
    const GoldenArray &bias = golden.inputs.at("bias");
    const auto planes = static_cast<std::size_t>(bias.planes());
    for (std::size_t place = 0; place < setup.specs.size(); ++place) {
        const bool isPerElement = planes == static_cast<std::size_t>(setup.block.batch);
        const std::size_t plane = planes == setup.specs.size() ? place
            : isPerElement                                     ? place / static_cast<std::size_t>(heads)
                                                               : place % planes;
        setup.specs[place].bias = SharedMatrix(bias.plane(static_cast<Index>(plane)));
    }
    return setup;
}

std::optional<GoldenArrays> computeCase(const GoldenCase &golden)
{
    static const std::map<std::string, std::function<GoldenArrays(const GoldenCase &)>> plain{
        { "sinusoidal", &computeSinusoidal },
        { "softmax", &computeSoftmax },
        { "kv_cache", &computeCacheSizes },
    };
    if (const auto found = plain.find(golden.variant); found != plain.end())
        return found->second(golden);
    for (const char *positions : { "q_positions", "k_positions" })
        if (has(golden, positions) && !areConsecutive(golden.inputs.at(positions)))
            return std::nullopt;
    const std::optional<GoldenSetup> setup = setupOf(golden);
    return setup ? computeAttention(golden, *setup) : std::nullopt;
}

} // namespace attenscope
