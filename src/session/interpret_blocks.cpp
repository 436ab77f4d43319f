// SPDX-License-Identifier: GPL-3.0-or-later
// One block of arrays: projected, embedded or recorded.
#include "core/text.h"
#include "session/interpret_parts.h"

#include <algorithm>
#include <set>

namespace attenscope {

namespace {

using enum TensorRole;

std::string roleName(TensorRole role)
{
    switch (role) {
    case Queries:
        return "queries";
    case Keys:
    case KeysAndValues:
        return "keys";
    case Values:
        return "values";
    case X:
        return "X";
    case Y:
        return "Y";
    case Wq:
        return "W_q";
    case Wk:
        return "W_k";
    case Wv:
        return "W_v";
    case Wo:
        return "W_o";
    case Bq:
        return "b_q";
    case Bk:
        return "b_k";
    case Bv:
        return "b_v";
    case Bo:
        return "b_o";
    case Weights:
        return "recorded weights";
    default:
        return "masks";
    }
}

Error contradiction(const std::string &what, const TensorStack &a, const TensorStack &b)
{
    return Error{ what, a.shapeSentence() + ", " + b.shapeSentence() + ".", "Correct what their axes are, or use only one of them.", {} };
}

Error missing(TensorRole role, TensorRole other)
{
    return Error{ "There are " + roleName(other) + ", but no " + roleName(role) + ".", {}, "Choose which array they are.", {} };
}

Error ragged()
{
    return Error{ "The rows of the table have different lengths.", "Only recorded weights, one row per query, can be shorter at the end.",
        "Complete the table.", {} };
}

/// The stacks of a block by role; those that are not there are empty.
using Stacks = std::map<TensorRole, TensorStack>;

Result<Stacks> makeStacks(const BlockTensors &tensors)
{
    Stacks stacks;
    for (const auto &[role, entries] : tensors.entries) {
        if (role >= KeyPadding)
            continue;
        auto stack = stackOf(tensors, role);
        if (!stack)
            return stack.error();
        stacks[role] = std::move(stack).value();
    }
    return stacks;
}

/// Layers by number, where the names give numbers.
std::set<int> layersOf(const BlockTensors &tensors, TensorRole role)
{
    std::set<int> layers;
    for (const BlockTensors::Entry &entry : tensors.entries.at(role))
        layers.insert(entry.use.layer);
    return layers;
}

bool haveSameLayers(const BlockTensors &tensors, const Stacks &stacks, TensorRole a, TensorRole b)
{
    return stacks.at(a).layers() == stacks.at(b).layers() && layersOf(tensors, a) == layersOf(tensors, b);
}

/// An array without a batch serves every batch element.
bool haveSameBatch(const TensorStack &a, const TensorStack &b)
{
    return a.batch() == b.batch() || a.batch() == 1 || b.batch() == 1;
}

std::vector<SharedMatrix> matricesOf(const TensorStack &stack, int batch)
{
    std::vector<SharedMatrix> matrices;
    for (int layer = 0; layer < stack.layers(); ++layer)
        for (int element = 0; element < batch; ++element)
            for (int head = 0; head < stack.heads(); ++head)
                matrices.push_back(stack.matrix(layer, stack.batch() == 1 ? 0 : element, head));
    return matrices;
}

Result<AttentionBlock> makeProjected(const BlockTensors &tensors, const Stacks &stacks)
{
    const bool sharesValues = !tensors.has(Keys) && tensors.has(KeysAndValues);
    const TensorRole keyRole = sharesValues ? KeysAndValues : Keys;
    const TensorRole valueRole = sharesValues && !tensors.has(Values) ? KeysAndValues : Values;
    if (!tensors.has(Queries))
        return missing(Queries, keyRole);
    if (!tensors.has(keyRole))
        return missing(Keys, Queries);
    const TensorStack &q = stacks.at(Queries);
    const TensorStack &k = stacks.at(keyRole);
    if (!haveSameLayers(tensors, stacks, Queries, keyRole))
        return contradiction("Queries and keys have different layers.", q, k);
    if (!haveSameBatch(q, k))
        return contradiction("Queries and keys have different batches.", q, k);
    if (q.heads() % k.heads() != 0)
        return contradiction(groupedCount(k.heads()) + " key heads cannot serve " + groupedCount(q.heads())
                + (q.heads() == 1 ? " query head" : " query heads") + " equally.",
            q, k);

    AttentionBlock block;
    ProjectedData data;
    block.queries = q.rows();
    block.keys = k.rows();
    block.layers = q.layers();
    block.batch = std::max(q.batch(), k.batch());
    block.heads = q.heads();
    block.kvHeads = k.heads();
    data.q = matricesOf(q, block.batch);
    data.k = matricesOf(k, block.batch);
    if (tensors.has(valueRole)) {
        const TensorStack &v = stacks.at(valueRole);
        if (!haveSameLayers(tensors, stacks, keyRole, valueRole))
            return contradiction("Keys and values have different layers.", k, v);
        if (v.rows() != k.rows())
            return contradiction("There are not as many values as keys.", k, v);
        if (v.heads() != k.heads())
            return contradiction("Keys and values have different heads.", k, v);
        if (v.batch() != block.batch && v.batch() != 1)
            return contradiction("Keys and values have different batches.", k, v);
        data.v = matricesOf(v, block.batch);
    }
    block.data = std::move(data);
    return block;
}

Result<AttentionBlock> makeEmbedded(const BlockTensors &tensors, const Stacks &stacks)
{
    for (const TensorRole role : { X, Wq, Wk }) {
        if (!tensors.has(role))
            return Error{ "There is no " + roleName(role) + ".", "Embeddings need X, W_q and W_k.",
                "Choose which array it is, or use something else.", {} };
    }
    const TensorStack &x = stacks.at(X);
    AttentionBlock block;
    EmbeddedData data;
    block.layers = x.layers();
    block.batch = x.batch();
    block.queries = block.keys = x.rows();
    block.heads = 0;
    block.kvHeads = 0;
    for (const auto &[role, stack] : stacks) {
        if (role < X || role > Bo || role == X)
            continue;
        if (!haveSameLayers(tensors, stacks, X, role))
            return contradiction("X and " + roleName(role) + " have different layers.", x, stack);
        if (stack.heads() > 1 || (role != Y && stack.batch() > 1))
            return Error{ roleName(role) + " has too many axes.", stack.shapeSentence() + ".", "Choose what its axes are.", {} };
    }
    if (x.heads() > 1)
        return Error{ "X has too many axes.", x.shapeSentence() + ".", "Choose what its axes are.", {} };
    if (tensors.has(Y)) {
        const TensorStack &y = stacks.at(Y);
        if (!haveSameBatch(x, y))
            return contradiction("X and Y have different batches.", x, y);
        block.keys = y.rows();
        block.batch = std::max(x.batch(), y.batch());
        data.y = matricesOf(y, block.batch);
    }
    data.x = matricesOf(x, block.batch);
    for (int layer = 0; layer < block.layers; ++layer) {
        const auto matrix = [&](TensorRole role) { return tensors.has(role) ? stacks.at(role).matrix(layer, 0, 0) : SharedMatrix(); };
        data.layers.push_back({ matrix(Wq), matrix(Wk), matrix(Wv), matrix(Wo), matrix(Bq), matrix(Bk), matrix(Bv), matrix(Bo) });
    }
    block.data = std::move(data);
    return block;
}

Result<AttentionBlock> makeRecorded(const BlockTensors &tensors, const Stacks &stacks, const std::vector<Index> &rowLengths)
{
    const TensorStack &weights = stacks.at(Weights);
    AttentionBlock block;
    RecordedData data;
    block.queries = weights.rows();
    block.keys = weights.cols();
    block.layers = weights.layers();
    block.batch = weights.batch();
    block.heads = weights.heads();
    block.kvHeads = weights.heads();
    if (!rowLengths.empty()) {
        const TensorUse &use = tensors.entries.at(Weights).front().use;
        const bool areInside
            = std::all_of(rowLengths.begin(), rowLengths.end(), [&](Index length) { return length >= 0 && length <= block.keys; });
        if (use.isTransposed || static_cast<Index>(rowLengths.size()) != block.queries || !areInside)
            return ragged();
        data.rowLengths = rowLengths;
    }
    data.weights = matricesOf(weights, block.batch);
    block.data = std::move(data);
    return block;
}

} // namespace

BlockTensors tensorsOf(const TensorSet &set, const std::vector<TensorUse> &uses, BlockRole block)
{
    BlockTensors tensors;
    const std::size_t count = std::min(set.tensors.size(), uses.size());
    for (std::size_t entry = 0; entry < count; ++entry) {
        const TensorUse &use = uses[entry];
        const bool isForTensors = use.role != Unused && use.role < QueryTokens;
        if (isForTensors && use.block == block)
            tensors.entries[use.role].push_back({ &set.tensors[entry], use });
    }
    for (auto &[role, entries] : tensors.entries)
        std::stable_sort(entries.begin(), entries.end(), [](const BlockTensors::Entry &a, const BlockTensors::Entry &b) {
            return std::pair(a.use.step, a.use.layer) < std::pair(b.use.step, b.use.layer);
        });
    return tensors;
}

Result<TensorStack> stackOf(const BlockTensors &tensors, TensorRole role)
{
    const auto found = tensors.entries.find(role);
    return found == tensors.entries.end() ? TensorStack() : stackOf(found->second);
}

Result<TensorStack> stackOf(std::span<const BlockTensors::Entry> entries)
{
    std::vector<const NamedTensor *> arrays;
    std::vector<TensorUse> uses;
    for (const BlockTensors::Entry &entry : entries) {
        if (!uses.empty() && uses.back().layer == entry.use.layer)
            return Error{ "Two arrays are used as the same " + roleName(entry.use.role) + ".",
                shortened(arrays.back()->name, 60) + " and " + shortened(entry.tensor->name, 60) + ".", "Use only one of them.", {} };
        arrays.push_back(entry.tensor);
        uses.push_back(entry.use);
    }
    return TensorStack::make(std::move(arrays), uses);
}

Result<AttentionBlock> makeBlock(const BlockTensors &tensors, BlockRole role, const std::vector<Index> &rowLengths)
{
    const bool isProjected = tensors.has(Queries) || tensors.has(Keys) || tensors.has(Values) || tensors.has(KeysAndValues);
    const bool isEmbedded = std::any_of(
        tensors.entries.begin(), tensors.entries.end(), [](const auto &entries) { return entries.first >= X && entries.first <= Bo; });
    const bool isRecorded = tensors.has(Weights);
    if (isProjected + isEmbedded + isRecorded > 1) {
        const std::string other = isRecorded ? "recorded weights" : "embeddings";
        const auto name = [&](TensorRole first, TensorRole last) {
            const auto found = std::find_if(tensors.entries.begin(), tensors.entries.end(),
                [&](const auto &entries) { return entries.first >= first && entries.first <= last; });
            return shortened(found->second.front().tensor->name, 60);
        };
        return Error{ std::string(isProjected ? "Queries, keys and values" : "Embeddings") + " and " + other
                + " are used for the same attention.",
            (isProjected ? name(Queries, KeysAndValues) : name(X, Bo)) + " and " + (isRecorded ? name(Weights, Weights) : name(X, Bo))
                + ".",
            "Use only one kind.", {} };
    }
    if (!rowLengths.empty() && !isRecorded)
        return ragged();
    if (isRecorded && tensors.entries.at(Weights).back().use.step >= 0)
        return makeDecoded(tensors.entries.at(Weights), role);
    auto stacks = makeStacks(tensors);
    if (!stacks)
        return stacks.error();
    auto block = isRecorded ? makeRecorded(tensors, *stacks, rowLengths)
        : isEmbedded        ? makeEmbedded(tensors, *stacks)
                            : makeProjected(tensors, *stacks);
    if (!block)
        return block;
    block.value().role = role;
    // The others are called by their role: blockName().
    if (isRecorded && role == BlockRole::Plain && stacks->at(Weights).isOne())
        block.value().name = stacks->at(Weights).name();
    return block;
}

} // namespace attenscope
