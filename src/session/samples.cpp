// SPDX-License-Identifier: GPL-3.0-or-later
// The built-in samples.
#include "session/session.h"

namespace attenscope {

namespace {

const char *const workedExampleName = "Worked example";

} // namespace

Session exampleSentence()
{
    Session session;
    session.mechanism.mask.rule = MaskRule::Causal;
    session.mechanism.heads = 4;
    session.view.head.head = 3;
    return session;
}

std::pair<Index, Index> examplePick()
{
    return { 2, 0 };
}

Session workedExample()
{
    Matrix q(3, 4);
    q << 1, 0, 1, 0, 0, 1, 0, 1, 1, 1, 0, 0;
    Matrix v(3, 2);
    v << 1, 2, 3, 4, 5, 6;
    MatricesSource source;
    source.heads.push_back({ SharedMatrix(q), SharedMatrix(q), SharedMatrix(v) });
    source.queryTokens = { "the", "cat", "sat" };
    Session session;
    session.source = std::move(source);
    session.name = workedExampleName;
    return session;
}

bool isSampleName(const std::string &name)
{
    return name == Session().name || name == workedExampleName;
}

} // namespace attenscope
