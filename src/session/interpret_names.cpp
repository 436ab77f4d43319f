// SPDX-License-Identifier: GPL-3.0-or-later
// Token names for the queries and keys of blocks that came from files.
#include "core/text.h"
#include "session/input_builders.h"
#include "session/interpret_parts.h"
#include "session/name_notes.h"

#include <algorithm>
#include <map>

namespace attenscope {

namespace {

using Names = std::vector<std::string>;

/// The lists of a set by block and role; those of a prompt and of what was generated after it are joined.
class Lists {
public:
    Lists(const TensorSet &set, const std::vector<TensorUse> &uses)
    {
        for (std::size_t place = 0; place < set.tokenLists.size(); ++place) {
            const std::size_t entry = set.tensors.size() + place;
            if (entry >= uses.size() || uses[entry].role == TensorRole::Unused)
                continue;
            const std::pair key(uses[entry].block, uses[entry].role);
            const int step = uses[entry].step;
            if (step < 0 && !m_lists.contains(key))
                m_lists[key] = set.tokenLists[place].tokens;
            else if (step >= 0)
                m_parts[key].try_emplace(step, &set.tokenLists[place].tokens);
        }
        for (const auto &[key, parts] : m_parts) {
            if (m_lists.contains(key))
                continue;
            for (const auto &[step, tokens] : parts)
                m_lists[key].insert(m_lists[key].end(), tokens->begin(), tokens->end());
        }
    }

    /// Null where there is none.
    [[nodiscard]] const Names *find(BlockRole block, TensorRole role) const
    {
        const auto found = m_lists.find({ block, role });
        return found == m_lists.end() ? nullptr : &found->second;
    }

private:
    using Key = std::pair<BlockRole, TensorRole>;
    std::map<Key, Names> m_lists;
    std::map<Key, std::map<int, const Names *>> m_parts;
};

struct Choice {
    const Names *queries = nullptr;
    const Names *keys = nullptr;
};

/// Names for both axes from one list.
Choice both(const Names *names)
{
    return { names, names };
}

/// What the user typed: in models with encoder and decoder the query names are the decoder's.
Choice typedNames(BlockRole role, const Names &queries, const Names &keys, bool isSquare)
{
    const auto given = [](const Names &names) { return names.empty() ? nullptr : &names; };
    switch (role) {
    case BlockRole::EncoderSelf:
        return both(given(keys));
    case BlockRole::DecoderSelf:
        return both(given(queries));
    case BlockRole::Cross:
        return { given(queries), given(keys) };
    case BlockRole::Plain:
        break;
    }
    return { given(queries), keys.empty() && isSquare ? given(queries) : given(keys) };
}

/// Names from the files for one axis, the most specific first.
const Names *listedNames(const Lists &lists, BlockRole block, bool isKeys)
{
    const TensorRole axisRole = isKeys ? TensorRole::KeyTokens : TensorRole::QueryTokens;
    const BlockRole side = isKeys ? BlockRole::EncoderSelf : BlockRole::DecoderSelf;
    if (const Names *names = lists.find(block, axisRole))
        return names;
    if (const Names *names = lists.find(block, TensorRole::Tokens))
        return names;
    if (block == BlockRole::Cross)
        if (const Names *names = lists.find(side, TensorRole::Tokens))
            return names;
    if (block == BlockRole::Plain)
        return nullptr;
    if (const Names *names = lists.find(BlockRole::Plain, axisRole))
        return names;
    return lists.find(BlockRole::Plain, TensorRole::Tokens);
}

Choice namesFromFiles(const Lists &lists, const AttentionBlock &block)
{
    Choice choice{ listedNames(lists, block.role, false), listedNames(lists, block.role, true) };
    const bool isSquare = block.queries == block.keys;
    if (isSquare && (!choice.queries || !choice.keys))
        return both(choice.queries ? choice.queries : choice.keys);
    if (block.role == BlockRole::Plain && !choice.queries && !choice.keys) {
        const auto fits
            = [](const Names *names, Index count) { return names && static_cast<Index>(names->size()) == count ? names : nullptr; };
        choice.queries = fits(lists.find(BlockRole::DecoderSelf, TensorRole::Tokens), block.queries);
        choice.keys = fits(lists.find(BlockRole::EncoderSelf, TensorRole::Tokens), block.keys);
    }
    return choice;
}

/// Whether rows become longer key by key: every query is one of the keys, the last of them the last.
bool isDecoded(const AttentionBlock &block)
{
    const auto *data = std::get_if<RecordedData>(&block.data);
    return data && !data->rowLengths.empty() && block.role != BlockRole::Cross && block.queries <= block.keys
        && data->rowLengths.back() == block.keys && std::is_sorted(data->rowLengths.begin(), data->rowLengths.end());
}

/// Pads with positions or cuts, and says so.
Names fitted(const Names *names, Index count, const std::string &axis, std::vector<std::string> &misfits)
{
    if (!names)
        return namesFor({}, count);
    const auto given = static_cast<Index>(names->size());
    const std::string amounts = groupedCount(given) + (given == 1 ? " token for " : " tokens for ") + groupedCount(count) + " " + axis;
    if (given < count)
        misfits.push_back(amounts + "; the others are shown as positions");
    else if (given > count)
        misfits.push_back(amounts + "; the last " + groupedCount(given - count) + (given - count == 1 ? " is" : " are") + " left out");
    return namesFor(*names, count);
}

/// Names of @p block. @p misfits gets what does not fit, @p notes all else that is to be said.
void findNames(AttentionBlock &block, const TensorSet &set, const std::vector<TensorUse> &uses, const Names &typedQueries,
    const Names &typedKeys, std::vector<std::string> &notes, std::vector<std::string> &misfits)
{
    const bool isSquare = block.queries == block.keys;
    const Choice typed = typedNames(block.role, typedQueries, typedKeys, isSquare);
    const Lists lists(set, uses);
    const Choice listed = namesFromFiles(lists, block);
    Choice choice{ typed.queries ? typed.queries : listed.queries, typed.keys ? typed.keys : listed.keys };

    Names lastQueries;
    const auto nameAsLast = [&](const Names &keys) {
        const auto end = keys.begin() + block.keys;
        lastQueries.assign(end - block.queries, end);
        choice.queries = &lastQueries;
    };
    const Names positions = namesFor({}, block.keys);
    if (isDecoded(block) && !isSquare && !choice.queries) {
        const auto count = choice.keys ? static_cast<Index>(choice.keys->size()) : 0;
        nameAsLast(count >= block.keys ? *choice.keys : positions);
    } else if (choice.queries && choice.queries == choice.keys && !isSquare) {
        // One list for axes of different length.
        const auto count = static_cast<Index>(choice.keys->size());
        // The token that is generated last attends to nothing any more.
        const bool isEndless = isDecoded(block) && count > block.keys;
        if ((count == block.keys || isEndless) && block.queries < block.keys) {
            nameAsLast(*choice.keys);
            notes.push_back(
                "The " + groupedCount(block.queries) + " queries are named as the last of the " + groupedCount(block.keys) + " keys.");
        } else if (count == block.keys) {
            choice.queries = nullptr;
        } else if (count == block.queries) {
            choice.keys = nullptr;
        }
    }
    block.queryTokens = fitted(choice.queries, block.queries, isSquare ? "positions" : "queries", misfits);
    std::vector<std::string> saidTwice;
    block.keyTokens = fitted(choice.keys, block.keys, "keys", isSquare && choice.keys == choice.queries ? saidTwice : misfits);
}

} // namespace

void nameTokens(AttentionBlock &block, const TensorSet &set, const std::vector<TensorUse> &uses,
    const std::vector<std::string> &typedQueries, const std::vector<std::string> &typedKeys, std::vector<std::string> &notes)
{
    std::vector<std::string> misfits;
    findNames(block, set, uses, typedQueries, typedKeys, notes, misfits);
    for (const std::string &misfit : misfits)
        notes.push_back(misfit + '.');
}

std::vector<std::string> nameNotes(const Source &source, const AttentionBlock &block)
{
    const auto *file = std::get_if<FileSource>(&source);
    if (!file || !file->tensors || (file->tensors->tokenLists.empty() && file->queryTokens.empty() && file->keyTokens.empty()))
        return {};
    // Sizes and lengths of rows alone decide.
    AttentionBlock named;
    named.role = block.role;
    named.queries = block.queries;
    named.keys = block.keys;
    if (const auto *recorded = std::get_if<RecordedData>(&block.data))
        named.data = RecordedData{ {}, recorded->rowLengths, {} };
    std::vector<std::string> notes;
    std::vector<std::string> misfits;
    findNames(named, *file->tensors, file->uses, file->queryTokens, file->keyTokens, notes, misfits);
    return misfits;
}

} // namespace attenscope
