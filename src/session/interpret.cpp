// SPDX-License-Identifier: GPL-3.0-or-later
// From arrays and their uses to an attention input.
#include "core/text.h"
#include "session/interpret_parts.h"

#include <algorithm>
#include <array>

namespace attenscope {

namespace {

using enum TensorRole;

/// "1, 3 and 4"; more than five are cut.
std::string listed(const std::vector<int> &numbers)
{
    const std::size_t shown = std::min<std::size_t>(numbers.size(), 5);
    std::string text;
    for (std::size_t place = 0; place < shown; ++place) {
        if (place > 0)
            text += place + 1 == numbers.size() ? " and " : ", ";
        text += std::to_string(numbers[place]);
    }
    return shown < numbers.size() ? text + ", …" : text;
}

void noteGaps(const BlockTensors &tensors, std::vector<std::string> &notes)
{
    for (const TensorRole role : { Queries, X, Weights }) {
        const auto entries = tensors.entries.find(role);
        if (entries == tensors.entries.end() || entries->second.front().use.layer < 0)
            continue;
        std::vector<int> gaps;
        int expected = entries->second.front().use.layer;
        for (const BlockTensors::Entry &entry : entries->second) {
            for (; expected < entry.use.layer && gaps.size() < 10; ++expected)
                gaps.push_back(expected);
            expected = entry.use.layer + 1;
        }
        const std::string first = entries->second.front().tensor->name;
        if (!gaps.empty())
            notes.push_back((gaps.size() == 1 ? "Layer " : "Layers ") + listed(gaps) + (gaps.size() == 1 ? " is" : " are")
                + " not there; the others are counted from 0 without a gap.");
        else if (entries->second.front().use.layer > 1)
            notes.push_back("The layers begin with " + shortened(first, 60) + "; they are counted from 0.");
    }
}

void noteSums(AttentionBlock &block, std::vector<std::string> &notes)
{
    auto *data = std::get_if<RecordedData>(&block.data);
    if (!data)
        return;
    const WeightsCheck found = checkWeights(block);
    data->rowsNotSummingToOne = found.rowsNotSummingToOneByMatrix;
    const Index rows = static_cast<Index>(data->weights.size()) * block.queries;
    if (found.rowsNotSummingToOne > 0)
        notes.push_back(groupedCount(found.rowsNotSummingToOne) + " of " + groupedCount(found.rowsLookedAt)
            + (found.rowsLookedAt < rows ? " rows looked at" : " rows") + " do not sum to 1"
            + (found.nanCells > 0 ? " (rows with NaN are not counted)" : "") + (found.columnsSumToOne ? ", but all columns do." : "."));
}

/// A second recording is easily taken for what is shown: says that it is not. One is square, or has the shape of one that is used.
void noteUnusedRecordings(const TensorSet &set, const std::vector<TensorUse> &uses, std::vector<std::string> &notes)
{
    const std::size_t tensors = std::min(uses.size(), set.tensors.size());
    std::vector<std::vector<Index>> shapes;
    for (std::size_t place = 0; place < tensors; ++place)
        if (uses[place].role == TensorRole::Weights)
            shapes.push_back(set.tensors[place].tensor.shape());
    if (shapes.empty())
        return;
    std::string names;
    int count = 0;
    for (std::size_t place = 0; place < tensors; ++place) {
        const std::vector<Index> &shape = set.tensors[place].tensor.shape();
        if (uses[place].role != TensorRole::Unused || shape.size() < 3)
            continue;
        if (shape.back() != shape[shape.size() - 2] && std::find(shapes.begin(), shapes.end(), shape) == shapes.end())
            continue;
        if (++count <= 3)
            names += (names.empty() ? "" : ", ") + shortened(set.tensors[place].name, 40);
    }
    if (count > 0)
        notes.push_back(names + (count > 3 ? ", …" : "")
            + (count == 1 ? " could be attention too and is not used" : " could be attention too and are not used")
            + ": choose what arrays are, or open it alone.");
}

Error nothingUsable(const TensorSet &set)
{
    std::string where;
    for (const NamedTensor &named : set.tensors) {
        if (where.size() > 100) {
            where += ", …";
            break;
        }
        where += (where.empty() ? "It contains " : ", ") + shortened(named.name, 40) + " (" + shapeText(named.tensor.shape()) + ")";
    }
    if (!where.empty())
        where += '.';
    return Error{ "No array is known as attention.", where, "Choose what the arrays are, for example q and k, or recorded weights.", {} };
}

} // namespace

Result<AttentionInput> interpret(const TensorSet &set, const std::vector<TensorUse> &uses, const std::vector<std::string> &queryTokens,
    const std::vector<std::string> &keyTokens, std::vector<std::string> *notes)
{
    std::vector<std::string> said = set.notes;
    AttentionInput input;
    for (const BlockRole role : { BlockRole::Plain, BlockRole::EncoderSelf, BlockRole::DecoderSelf, BlockRole::Cross }) {
        const BlockTensors tensors = tensorsOf(set, uses, role);
        const bool hasData
            = std::any_of(tensors.entries.begin(), tensors.entries.end(), [](const auto &entries) { return entries.first < KeyPadding; });
        if (!hasData)
            continue;
        // A ragged table is one array; its rows are those of the file.
        auto made = makeBlock(tensors, role, set.tensors.size() == 1 ? set.rowLengths : std::vector<Index>());
        if (!made)
            return made.error();
        AttentionBlock &block = made.value();
        noteGaps(tensors, said);
        addMasks(block, set, uses, said);
        nameTokens(block, set, uses, queryTokens, keyTokens, said);
        noteSums(block, said);
        input.blocks.push_back(std::move(block));
    }
    if (input.blocks.empty())
        return nothingUsable(set);
    noteUnusedRecordings(set, uses, said);
    if (notes)
        *notes = std::move(said);
    return input;
}

} // namespace attenscope
