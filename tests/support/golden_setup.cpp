// SPDX-License-Identifier: GPL-3.0-or-later
// What a golden case means as an input and a mechanism of the engine.
#include "support/golden_case.h"

namespace attenscope {

namespace {

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
    const int offset = golden.intParam("causal_offset", static_cast<int>(block.keys - block.queries));
    mask.alignment = offset == block.keys - block.queries ? CausalAlignment::BottomRight : CausalAlignment::TopLeft;
    mask.window = golden.intParam("window", 1);
    mask.prefix = golden.intParam("prefix", 0);
    mask.stride = golden.intParam("stride", 1);
    mask.fixedColumns = golden.intParam("c", 1);
    mask.sinks = golden.intParam("sinks", 0);
    mask.block = golden.intParam("block", 1);
    if (golden.has("layout"))
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
    spec.heads = golden.intParam("heads", 1);
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
        spec.queryBlock = spec.keyBlock = golden.intParam("block", 64);
    }
    return spec;
}

/// q, k and v under the names they have in the papers: decoder and encoder states for the recurrent ones.
struct ProjectedNames {
    std::string q, k, v;
};

std::optional<ProjectedNames> projectedNames(const GoldenCase &golden)
{
    if (golden.has("s"))
        return ProjectedNames{ "s", "h", "h" };
    if (golden.has("q"))
        return ProjectedNames{ "q", "k", golden.has("v") ? "v" : "" };
    return std::nullopt;
}

void setProjected(const GoldenCase &golden, const ProjectedNames &names, GoldenSetup &setup)
{
    const GoldenArray &q = golden.inputs.at(names.q);
    const GoldenArray &k = golden.inputs.at(names.k);
    AttentionBlock &block = setup.block;
    block.heads = golden.intParam("heads", 1);
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
    const auto optional = [&golden](const char *name) { return golden.has(name) ? rowVector(golden.inputs.at(name)) : SharedMatrix(); };
    const GoldenArray &x = golden.inputs.at("X");
    EmbeddedData data;
    data.x = planesOf(x);
    if (golden.has("Y"))
        data.y = planesOf(golden.inputs.at("Y"));
    Projections layer;
    layer.wq = matrixOf(golden.inputs.at("W_q"));
    layer.wk = matrixOf(golden.inputs.at("W_k"));
    layer.wv = matrixOf(golden.inputs.at("W_v"));
    if (golden.has("W_o"))
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
    setup.hasHeadAxis = golden.has("W_o");
}

void setGivenMasks(const GoldenCase &golden, AttentionBlock &block)
{
    if (golden.has("key_padding")) {
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
    if (golden.has("mask")) {
        const GoldenArray &mask = golden.inputs.at("mask");
        for (Index plane = 0; plane < mask.planes(); ++plane)
            block.masks.push_back(bitsOf(mask.plane(plane)));
    }
}

} // namespace

std::optional<GoldenSetup> setupOf(const GoldenCase &golden)
{
    GoldenSetup setup;
    if (const std::optional<ProjectedNames> names = projectedNames(golden))
        setProjected(golden, *names, setup);
    else if (golden.has("X"))
        setEmbedded(golden, setup);
    else
        return std::nullopt;
    setGivenMasks(golden, setup.block);
    const AttentionSpec spec = specOf(golden, setup.block);
    const int heads = headCount(setup.block, spec);
    setup.specs.assign(static_cast<std::size_t>(setup.block.batch * heads), spec);
    if (!golden.has("bias"))
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

} // namespace attenscope
