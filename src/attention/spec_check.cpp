// SPDX-License-Identifier: GPL-3.0-or-later
// The half of check() that is about the mechanism: mask, parameters and their ranges.
#include "attention/check_parts.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace attenscope {

namespace {

Problem checkInteger(SpecPart part, const std::string &name, Index value, Index least, std::optional<Index> most = {})
{
    if (value >= least && (!most || value <= *most))
        return {};
    return problem(part, name + " is " + groupedCount(value) + ".",
        most ? "The valid range is " + groupedCount(least) + " to " + groupedCount(*most) + "."
             : "It must be at least " + groupedCount(least) + ".");
}

Problem checkParameter(const std::string &name, const SharedMatrix &matrix, Index rows, Index cols)
{
    if (matrix.rows() == rows && matrix.cols() == cols)
        return {};
    return problem(SpecPart::Score, name + (matrix.isEmpty() ? " is missing." : " is " + shapeOf(matrix) + "."),
        "It must be " + shapeOf(rows, cols) + ".");
}

Problem checkScore(const AttentionSpec &spec, const Widths &widths)
{
    const ScoreParameters &parameters = spec.parameters;
    // Seeded ones always fit.
    if (parameters == ScoreParameters())
        return {};
    switch (spec.score) {
    case ScoreFunction::ScaledDot:
    case ScoreFunction::Dot:
    case ScoreFunction::Linear:
        return {};
    case ScoreFunction::General:
        return checkParameter("W", parameters.w, widths.q, widths.k);
    case ScoreFunction::Concat:
        return firstOf([&] { return checkParameter("W", parameters.w, std::max<Index>(parameters.w.rows(), 1), widths.q + widths.k); },
            [&] { return checkParameter("v", parameters.v, parameters.w.rows(), 1); });
    case ScoreFunction::Additive:
        return firstOf([&] { return checkParameter("W_dec", parameters.wDec, std::max<Index>(parameters.wDec.rows(), 1), widths.q); },
            [&] { return checkParameter("W_enc", parameters.wEnc, parameters.wDec.rows(), widths.k); },
            [&] { return checkParameter("v", parameters.v, parameters.wDec.rows(), 1); });
    }
    return {};
}

/// All digits, with the signs of the interface.
std::string inWords(double value)
{
    if (!std::isfinite(value))
        return displayNumber(value, 0);
    return value < 0.0 ? "−" + exactNumber(-value) : exactNumber(value);
}

Problem checkPositive(SpecPart part, const std::string &name, double value)
{
    if (value > 0.0 && std::isfinite(value))
        return {};
    return problem(part, name + " is " + inWords(value) + ".", "It must be a number above 0.");
}

Problem checkRope(const Rope &rope, const Widths &widths)
{
    if (const Problem found = checkPositive(SpecPart::Rope, "The base of RoPE", rope.base))
        return found;
    if (widths.q % 2 != 0 || widths.k % 2 != 0)
        return problem(SpecPart::Rope, "Each head has " + counted(widths.q % 2 != 0 ? widths.q : widths.k, "dimension") + ".",
            "RoPE turns pairs, so the number must be even.");
    return {};
}

} // namespace

Problem problem(SpecPart part, std::string what, std::string where, std::string remedy)
{
    Error error;
    error.what = std::move(what);
    error.where = std::move(where);
    error.remedy = std::move(remedy);
    return SpecProblem{ part, std::move(error) };
}

std::string counted(Index count, const std::string &noun)
{
    return groupedCount(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string shapeOf(Index rows, Index cols)
{
    return shapeText(std::array{ rows, cols });
}

std::string shapeOf(const SharedMatrix &matrix)
{
    return shapeOf(matrix.rows(), matrix.cols());
}

Widths widthsOf(const AttentionBlock &block, const AttentionSpec &spec)
{
    if (const auto *projected = std::get_if<ProjectedData>(&block.data))
        return { projected->q.front().cols(), projected->k.front().cols() };
    const Projections &layer = std::get<EmbeddedData>(block.data).layers.front();
    return { layer.wq.cols() / headCount(block, spec), layer.wk.cols() / dataKvHeadCount(block, spec) };
}

bool pairsNumbers(ScoreFunction score)
{
    return score == ScoreFunction::ScaledDot || score == ScoreFunction::Dot || score == ScoreFunction::Linear;
}

Problem checkMask(const AttentionBlock &block, const MaskSpec &mask)
{
    const auto layoutBlocks = [&mask](Index count) { return (count - 1) / mask.block + 1; };
    const auto checkRule = [&]() -> Problem {
        switch (mask.rule) {
        case MaskRule::None:
        case MaskRule::Causal:
            return {};
        case MaskRule::SlidingWindow:
        case MaskRule::CausalSlidingWindow:
            return checkInteger(SpecPart::Mask, "The window", mask.window, 1);
        case MaskRule::PrefixLm:
            return checkInteger(SpecPart::Mask, "The prefix", mask.prefix, 0, block.keys);
        case MaskRule::SparseStrided:
            return checkInteger(SpecPart::Mask, "The stride", mask.stride, 1);
        case MaskRule::SparseFixed:
            return firstOf([&] { return checkInteger(SpecPart::Mask, "The stride", mask.stride, 1); },
                [&] { return checkInteger(SpecPart::Mask, "The number of columns", mask.fixedColumns, 1, mask.stride); });
        case MaskRule::BlockSparse:
            if (const Problem found = checkInteger(SpecPart::Mask, "The block", mask.block, 1))
                return found;
            if (mask.blockLayout.rows() != layoutBlocks(block.queries) || mask.blockLayout.cols() != layoutBlocks(block.keys))
                return problem(SpecPart::Mask, "The block layout is " + shapeOf(mask.blockLayout.rows(), mask.blockLayout.cols()) + ".",
                    "It must be " + shapeOf(layoutBlocks(block.queries), layoutBlocks(block.keys)) + " for blocks of "
                        + groupedCount(mask.block) + ".");
            return {};
        case MaskRule::SinksWindow:
            return firstOf([&] { return checkInteger(SpecPart::Mask, "The number of sinks", mask.sinks, 0); },
                [&] { return checkInteger(SpecPart::Mask, "The window", mask.window, 1); });
        case MaskRule::Document:
            if (!std::is_sorted(mask.documentStarts.begin(), mask.documentStarts.end())
                || (!mask.documentStarts.empty() && mask.documentStarts.front() < 0))
                return problem(SpecPart::Mask, "The starts of the documents are not in ascending order.", "The first one is 0 or later.");
            return {};
        }
        return {};
    };
    return firstOf(
        checkRule, [&] { return checkInteger(SpecPart::Mask, "The number of padded keys", mask.paddedKeys, 0, block.keys); },
        [&]() -> Problem {
            if (mask.allowed.isEmpty() || (mask.allowed.rows() == block.queries && mask.allowed.cols() == block.keys))
                return {};
            return problem(SpecPart::Mask, "The mask is " + shapeOf(mask.allowed.rows(), mask.allowed.cols()) + ".",
                "It must be queries × keys, " + shapeOf(block.queries, block.keys) + ".");
        });
}

Problem checkSteps(const AttentionBlock &block, const AttentionSpec &spec)
{
    const Widths widths = widthsOf(block, spec);
    return firstOf([&] { return checkScore(spec, widths); },
        [&]() -> Problem {
            if (spec.scale && !std::isfinite(*spec.scale))
                return problem(SpecPart::Scale, "The scale is " + inWords(*spec.scale) + ".", "It must be a finite number.");
            return {};
        },
        [&] { return spec.softCap ? checkPositive(SpecPart::SoftCap, "The soft cap", *spec.softCap) : Problem{}; },
        [&] { return checkPositive(SpecPart::Temperature, "The temperature", spec.temperature); },
        [&]() -> Problem {
            if (spec.bias.isEmpty() || (spec.bias.rows() == block.queries && spec.bias.cols() == block.keys))
                return {};
            return problem(SpecPart::Bias, "The bias is " + shapeOf(spec.bias) + ".",
                "It must be queries × keys, " + shapeOf(block.queries, block.keys) + ".");
        },
        [&] { return spec.rope ? checkRope(*spec.rope, widths) : Problem{}; },
        [&]() -> Problem {
            if (spec.algorithm != Algorithm::Flash)
                return {};
            return firstOf([&] { return checkInteger(SpecPart::Flash, "The query block", spec.queryBlock, 1); },
                [&] { return checkInteger(SpecPart::Flash, "The key block", spec.keyBlock, 1); });
        });
}

} // namespace attenscope
