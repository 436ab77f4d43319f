// SPDX-License-Identifier: GPL-3.0-or-later
// Seeded parameters for the scores that have some, so that choosing one works at once.
#include "attention/check_parts.h"
#include "attention/operands.h"
#include "core/random.h"

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

constexpr std::uint64_t parameterSeed = 1;

SharedMatrix seeded(std::string_view name, Index rows, Index cols)
{
    const double deviation = 1.0 / std::sqrt(static_cast<double>(cols));
    return SharedMatrix(Random(namedSeed(parameterSeed, name)).normalMatrix(rows, cols, deviation));
}

/// Whether queries and keys have a width; a document that does not fit may have no data at all.
bool hasWidths(const AttentionBlock &block, const AttentionSpec &spec)
{
    if (const auto *projected = std::get_if<ProjectedData>(&block.data))
        return !projected->q.empty() && !projected->k.empty();
    const auto *embedded = std::get_if<EmbeddedData>(&block.data);
    return embedded && !embedded->layers.empty() && headCount(block, spec) > 0 && dataKvHeadCount(block, spec) > 0;
}

} // namespace

ScoreParameters parametersFor(const AttentionBlock &block, const AttentionSpec &spec)
{
    if (!(spec.parameters == ScoreParameters()) || !hasWidths(block, spec))
        return spec.parameters;
    ScoreParameters parameters;
    const Widths widths = widthsOf(block, spec);
    const Index dAtt = std::max(widths.q, widths.k);
    switch (spec.score) {
    case ScoreFunction::General:
        parameters.w = seeded("score W", widths.q, widths.k);
        break;
    case ScoreFunction::Concat:
        parameters.w = seeded("score W", dAtt, widths.q + widths.k);
        parameters.v = seeded("score v", dAtt, 1);
        break;
    case ScoreFunction::Additive:
        parameters.wDec = seeded("score W_dec", dAtt, widths.q);
        parameters.wEnc = seeded("score W_enc", dAtt, widths.k);
        parameters.v = seeded("score v", dAtt, 1);
        break;
    case ScoreFunction::ScaledDot:
    case ScoreFunction::Dot:
    case ScoreFunction::Linear:
        break;
    }
    return parameters;
}

} // namespace attenscope
