// SPDX-License-Identifier: GPL-3.0-or-later
// What lists of tokens in files name.
#include "session/recognise_parts.h"
#include "session/tensor_names.h"

#include <algorithm>

namespace attenscope {

void recogniseTokenLists(const TensorSet &set, const std::optional<NamedAxes> &axes, std::vector<TensorUse> &uses)
{
    using enum TensorRole;
    const auto used = [&uses](BlockRole block, TensorRole role) {
        std::vector<std::size_t> entries;
        for (std::size_t entry = 0; entry < uses.size(); ++entry)
            if (uses[entry].role == role && uses[entry].block == block)
                entries.push_back(entry);
        return entries;
    };
    std::vector<NameMeaning> meanings;
    for (const TokenList &list : set.tokenLists)
        meanings.push_back(meaningOfTokenList(list.name));
    const bool hasPrompt = std::any_of(meanings.begin(), meanings.end(), [](const NameMeaning &meaning) { return meaning.isOfPrompt; });
    std::vector<std::size_t> unnamed;
    std::vector<std::size_t> parts;
    for (std::size_t place = 0; place < meanings.size(); ++place) {
        const NameMeaning &meaning = meanings[place];
        TensorUse &use = uses[set.tensors.size() + place];
        if (meaning.role == Unused || (meaning.isGenerated && !hasPrompt))
            unnamed.push_back(place);
        else if (meaning.isOfPrompt || meaning.isGenerated)
            parts.push_back(place);
        else if (used(meaning.block, meaning.role).empty())
            use = { meaning.role, meaning.block, {}, -1, false };
    }
    // The tokens of the prompt and those that were generated are one list in two parts.
    for (const std::size_t place : parts) {
        const NameMeaning &meaning = meanings[place];
        const std::vector<std::size_t> sameUse = used(meaning.block, meaning.role);
        const int step = meaning.isGenerated ? 1 : 0;
        const bool isTaken = std::any_of(
            sameUse.begin(), sameUse.end(), [&](std::size_t entry) { return uses[entry].step < 0 || uses[entry].step == step; });
        if (!isTaken)
            uses[set.tensors.size() + place] = { meaning.role, meaning.block, {}, -1, false, step };
    }
    if (!axes)
        return;
    for (const std::size_t place : unnamed) {
        const auto count = static_cast<Index>(set.tokenLists[place].tokens.size());
        TensorRole role = Unused;
        if (count == axes->queries && count != axes->keys)
            role = QueryTokens;
        else if (count == axes->keys && count != axes->queries)
            role = KeyTokens;
        else if (count == axes->queries || set.tokenLists.size() == 1)
            role = Tokens;
        if (role != Unused && used(axes->block, role).empty() && used(axes->block, Tokens).empty())
            uses[set.tensors.size() + place] = { role, axes->block, {}, -1, false };
    }
}

} // namespace attenscope
