// SPDX-License-Identifier: GPL-3.0-or-later
// A session of one long head that takes no time.
#pragma once

#include "session/session.h"

namespace attenscope {

/// One head of @p tokens queries, keys and values of @p width numbers, all 1, where every query sees its own key alone.
[[nodiscard]] inline Session longHead(Index tokens, Index width = 1)
{
    const SharedMatrix ones(Matrix(Matrix::Ones(tokens, width)));
    MatricesSource source;
    source.form = MatrixForm::Projected;
    source.heads = { { ones, ones, ones } };
    Session session;
    session.source = source;
    session.mechanism.mask.rule = MaskRule::CausalSlidingWindow;
    session.mechanism.mask.window = 1;
    return session;
}

} // namespace attenscope
