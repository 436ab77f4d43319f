// SPDX-License-Identifier: GPL-3.0-or-later
// Typed matrices as an attention input.
#include "session/input_builders.h"

namespace attenscope {

namespace {

std::vector<std::string> rowNames(const std::vector<std::string> &names, Index count)
{
    std::vector<std::string> known = namesFor(names, count);
    for (std::size_t row = 0; row < known.size(); ++row) {
        if (known[row].empty())
            known[row] = std::to_string(row);
    }
    return known;
}

AttentionBlock projectedBlock(const MatricesSource &source)
{
    AttentionBlock block;
    ProjectedData data;
    for (const HeadMatrices &head : source.heads) {
        data.q.push_back(head.q);
        data.k.push_back(head.k);
        if (!head.v.isEmpty())
            data.v.push_back(head.v);
    }
    block.queries = data.q.front().rows();
    block.keys = data.k.front().rows();
    block.heads = static_cast<int>(source.heads.size());
    block.kvHeads = block.heads;
    block.data = std::move(data);
    return block;
}

AttentionBlock embeddedBlock(const MatricesSource &source)
{
    AttentionBlock block;
    EmbeddedData data;
    data.x.push_back(source.x);
    if (!source.y.isEmpty())
        data.y.push_back(source.y);
    data.layers.push_back(source.projections);
    block.queries = source.x.rows();
    block.keys = source.y.isEmpty() ? block.queries : source.y.rows();
    block.heads = 0;
    block.kvHeads = 0;
    block.data = std::move(data);
    return block;
}

} // namespace

Result<AttentionInput> buildMatrixInput(const MatricesSource &source)
{
    if (const std::vector<MatrixProblem> problems = matrixProblems(source, nullptr); !problems.empty()) {
        const MatrixProblem &first = problems.front();
        return Error{ first.sentence, "", first.fixes.empty() ? std::string() : first.fixes.front().label + ".", {} };
    }
    AttentionBlock block = source.form == MatrixForm::Projected ? projectedBlock(source) : embeddedBlock(source);
    const bool sharesNames = source.keyTokens.empty() && block.keys == block.queries;
    block.queryTokens = rowNames(source.queryTokens, block.queries);
    block.keyTokens = rowNames(sharesNames ? source.queryTokens : source.keyTokens, block.keys);
    return AttentionInput{ { std::move(block) } };
}

std::vector<MatrixProblem> checkMatrices(const MatricesSource &source, const AttentionSpec &spec)
{
    return matrixProblems(source, &spec);
}

} // namespace attenscope
