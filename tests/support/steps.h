// SPDX-License-Identifier: GPL-3.0-or-later
// Walks to make pages of.
#pragma once

#include "session/session.h"
#include "support/problems.h"
#include "views/steps/steps_page.h"

namespace attenscope {

[[nodiscard]] inline StepContent contentOf(const AttentionBlock &block, const AttentionSpec &spec, Index row)
{
    const auto input = std::make_shared<AttentionInput>(AttentionInput{ { block } });
    return { input, explainWalk({ input, spec, {}, {} }, {}, row).value(), 4 };
}

[[nodiscard]] inline StepContent workedContent()
{
    const Session session = workedExample();
    const AttentionInput input = buildInput(session.source).value();
    return contentOf(input.blocks.front(), session.mechanism, 0);
}

/// The page's arithmetic with its result.
[[nodiscard]] inline QString sentence(const StepContent &content, WalkStep step, Index key = 0, Index dim = 0)
{
    const StepPage page = stepPage(content, { step, key, dim }, {});
    return page.arithmetic + page.result;
}

} // namespace attenscope
