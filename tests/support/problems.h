// SPDX-License-Identifier: GPL-3.0-or-later
// The same attention problem for the engine and for the oracle, with seeded numbers.
#pragma once

#include "attention/operands.h"
#include "core/random.h"
#include "support/oracle.h"

#include <string>

namespace attenscope {

/// An engine input of one head, its mechanism, and what the oracle is to compute.
struct Case {
    AttentionBlock block;
    AttentionSpec spec;
    oracle::Problem problem;

    [[nodiscard]] std::shared_ptr<const HeadOperands> operands() const { return headOperands(block, spec, {}).value(); }
};

[[nodiscard]] inline AttentionBlock projectedBlock(const Matrix &q, const Matrix &k, const Matrix &v)
{
    AttentionBlock block;
    block.queries = q.rows();
    block.keys = k.rows();
    ProjectedData data{ { SharedMatrix(q) }, { SharedMatrix(k) }, {} };
    if (v.size() > 0)
        data.v = { SharedMatrix(v) };
    block.data = std::move(data);
    return block;
}

[[nodiscard]] inline AttentionBlock recordedBlock(const Matrix &weights)
{
    AttentionBlock block;
    block.queries = weights.rows();
    block.keys = weights.cols();
    block.data = RecordedData{ { SharedMatrix(weights) }, {}, {} };
    return block;
}

/// Scaled dot-product attention on normal numbers.
[[nodiscard]] inline Case sdpaCase(Index queries, Index keys, Index d, Index dv = 5, std::uint64_t seed = 1)
{
    Random random(seed);
    Case result;
    oracle::Problem &problem = result.problem;
    problem.q = random.normalMatrix(queries, d);
    problem.k = random.normalMatrix(keys, d);
    problem.v = random.normalMatrix(keys, dv);
    problem.scale = 1.0 / std::sqrt(static_cast<double>(d));
    problem.offset = keys - queries;
    result.block = projectedBlock(problem.q, problem.k, problem.v);
    return result;
}

/// Changes a case to one of the mechanisms named in mechanismNames(); causal ones with the last query seeing every key.
inline void setMechanism(Case &c, const std::string &name)
{
    Random random(99);
    oracle::Problem &p = c.problem;
    AttentionSpec &spec = c.spec;
    const Index dq = p.q.cols();
    const Index dk = p.k.cols();
    constexpr Index units = 7;
    const auto withoutScale = [&] { p.scale = 1.0; };
    const auto normal = [&random](Index rows, Index cols) { return random.normalMatrix(rows, cols, 0.5); };
    if (name == "causal") {
        spec.mask.rule = MaskRule::Causal;
        p.visible = [offset = p.offset](Index i, Index j) { return j <= i + offset; };
    } else if (name == "dot") {
        spec.score = ScoreFunction::Dot;
        withoutScale();
    } else if (name == "own scale") {
        spec.scale = p.scale = 0.3;
    } else if (name == "general") {
        spec.score = ScoreFunction::General;
        p.score = oracle::Score::General;
        p.w = normal(dq, dk);
        spec.parameters.w = SharedMatrix(p.w);
        withoutScale();
    } else if (name == "concat") {
        spec.score = ScoreFunction::Concat;
        p.score = oracle::Score::Concat;
        p.w = normal(units, dq + dk);
        p.scoreVector = normal(units, 1);
        spec.parameters.w = SharedMatrix(p.w);
        spec.parameters.v = SharedMatrix(Matrix(p.scoreVector));
        withoutScale();
    } else if (name == "additive") {
        spec.score = ScoreFunction::Additive;
        p.score = oracle::Score::Additive;
        p.wDec = normal(units, dq);
        p.wEnc = normal(units, dk);
        p.scoreVector = normal(units, 1);
        spec.parameters.wDec = SharedMatrix(p.wDec);
        spec.parameters.wEnc = SharedMatrix(p.wEnc);
        spec.parameters.v = SharedMatrix(Matrix(p.scoreVector));
        withoutScale();
    } else if (name == "linear") {
        spec.score = ScoreFunction::Linear;
        p.score = oracle::Score::Linear;
        withoutScale();
    } else if (name == "soft cap") {
        spec.softCap = p.cap = 0.7;
    } else if (name == "bias") {
        p.bias = normal(p.q.rows(), p.k.rows());
        spec.bias = SharedMatrix(p.bias);
    } else if (name == "alibi") {
        spec.hasAlibi = true;
        p.slope = 1.0 / 256.0; // 2^(-8 · 1/1): one head
    } else if (name == "temperature") {
        spec.temperature = p.temperature = 2.5;
    } else if (name == "softmax1") {
        spec.normalization = Normalization::Softmax1;
        p.hasOne = true;
    } else if (name == "everything") {
        spec.softCap = p.cap = 1.5;
        p.bias = normal(p.q.rows(), p.k.rows());
        spec.bias = SharedMatrix(p.bias);
        spec.hasAlibi = true;
        p.slope = 1.0 / 256.0;
        spec.temperature = p.temperature = 0.8;
        spec.normalization = Normalization::Softmax1;
        p.hasOne = true;
        spec.mask.rule = MaskRule::CausalSlidingWindow;
        spec.mask.window = 9;
        p.visible = [offset = p.offset](Index i, Index j) { return j <= i + offset && i + offset - j < 9; };
    }
}

/// The textbook's problem that the operands of a head mean: projections, sharing, RoPE and mask are taken from them.
[[nodiscard]] inline oracle::Problem problemOf(const HeadOperands &head)
{
    oracle::Problem problem;
    problem.q = head.scoreQ.toMatrix();
    problem.k = head.scoreK.toMatrix();
    problem.v = head.v.toMatrix();
    problem.scale = head.scale;
    problem.cap = head.spec.softCap.value_or(0.0);
    problem.bias = head.spec.bias.toMatrix();
    problem.slope = head.alibiSlope;
    problem.offset = head.alibiOffset;
    problem.temperature = head.spec.temperature;
    problem.hasOne = head.spec.normalization == Normalization::Softmax1;
    problem.visible = [mask = head.mask](Index row, Index key) { return mask.isVisible(row, key); };
    if (head.spec.score == ScoreFunction::Additive || head.spec.score == ScoreFunction::Concat) {
        problem.score = oracle::Score::Additive;
        problem.wDec = Matrix::Identity(problem.q.cols(), problem.q.cols());
        problem.wEnc = problem.wDec;
        problem.scoreVector = head.spec.parameters.v.toMatrix().col(0);
    }
    if (head.spec.score == ScoreFunction::Linear) {
        problem.score = oracle::Score::Linear;
        problem.q = head.q.toMatrix();
        problem.k = head.k.toMatrix();
    }
    return problem;
}

[[nodiscard]] inline std::vector<std::string> mechanismNames()
{
    return { "plain", "causal", "dot", "own scale", "general", "concat", "additive", "linear", "soft cap", "bias", "alibi", "temperature",
        "softmax1", "everything" };
}

} // namespace attenscope
