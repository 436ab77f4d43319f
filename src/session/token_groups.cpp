// SPDX-License-Identifier: GPL-3.0-or-later
// What tokenizers mark; groups of tokens that are shown as one, or not at all.
#include "session/token_groups.h"

#include "attention/summary.h"
#include "core/text.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace attenscope {

namespace {

bool isOneOf(std::string_view token, std::initializer_list<std::string_view> names)
{
    return std::find(names.begin(), names.end(), token) != names.end();
}

std::string lower(std::string_view text)
{
    std::string small(text);
    std::transform(small.begin(), small.end(), small.begin(), [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return small;
}

bool endsIn(const std::string &token, std::string_view mark)
{
    return token.size() > mark.size() && token.ends_with(mark);
}

bool isContinued(const std::string &token)
{
    return token.size() > 2 && token.starts_with("##");
}

/// Blank, a line break, or ASCII punctuation alone: never a piece of a word.
bool isBetweenWords(const std::string &token)
{
    const auto isNoLetter = [](unsigned char letter) { return std::isspace(letter) || std::ispunct(letter); };
    return token == "Ċ" || token == "<0x0A>" || (!token.empty() && std::all_of(token.begin(), token.end(), isNoLetter));
}

/// Which conventions a text follows.
struct Marks {
    bool continued = false; ///< "##ing".
    bool starting = false; ///< "Ġplay".
    bool toBeContinued = false; ///< "play@@".
    bool ending = false; ///< "ing</w>".

    explicit Marks(const std::vector<std::string> &tokens)
    {
        for (const std::string &token : tokens) {
            continued = continued || isContinued(token);
            starting = starting || wordStartMark(token) > 0;
            toBeContinued = toBeContinued || endsIn(token, "@@");
            ending = ending || endsIn(token, "</w>");
        }
    }

    /// Whether @p token goes on with the word of @p before.
    [[nodiscard]] bool join(const std::string &before, const std::string &token) const
    {
        if (isSpecialToken(before) || isSpecialToken(token))
            return false;
        if (continued)
            return isContinued(token);
        if (toBeContinued)
            return endsIn(before, "@@");
        if (ending)
            return !endsIn(before, "</w>");
        return starting && wordStartMark(token) == 0 && !isBetweenWords(token) && !isBetweenWords(before);
    }
};

/// Groups of one side of a block, and what they are called.
struct Groups {
    std::vector<Range> ranges;
    std::vector<std::string> labels;
};

Groups groupsOf(const std::vector<std::string> &tokens, const std::vector<bool> &isLeftOut, bool merges)
{
    Groups groups;
    const auto count = static_cast<Index>(isLeftOut.size());
    std::vector<Range> words;
    if (merges) {
        words = wordRanges(tokens);
    } else {
        for (Index place = 0; place < count; ++place)
            words.push_back({ place, place + 1 });
    }
    for (const Range &word : words) {
        if (std::any_of(isLeftOut.begin() + word.first, isLeftOut.begin() + word.end, [](bool is) { return is; }))
            continue;
        groups.ranges.push_back(word);
        const bool isWhole = word.size() == 1 && !merges;
        groups.labels.push_back(isWhole ? tokens[static_cast<std::size_t>(word.first)] : wordText(tokens, word));
    }
    return groups;
}

/// Which queries and keys of a block are left out.
struct LeftOut {
    std::vector<bool> queries;
    std::vector<bool> keys;
};

LeftOut leftOutOf(const AttentionBlock &block, int place, int element, const AttentionSpec &spec, const TokensShown &tokens)
{
    LeftOut out{ std::vector<bool>(static_cast<std::size_t>(block.queries)), std::vector<bool>(static_cast<std::size_t>(block.keys)) };
    // Where query i is key i + offset.
    const std::optional<Index> offset = sequenceOf(block, spec).firstPosition;
    if (tokens.leavesOutFirst) {
        out.keys.front() = true;
        if (offset == Index{ 0 })
            out.queries.front() = true;
    }
    const auto leaveOut = [&](const std::vector<std::string> &names, std::vector<bool> &side, bool (*isSuch)(std::string_view)) {
        for (std::size_t token = 0; token < side.size(); ++token)
            side[token] = side[token] || isSuch(names[token]);
    };
    if (tokens.leavesOutPadding) {
        leaveOut(block.queryTokens, out.queries, &isPaddingToken);
        leaveOut(block.keyTokens, out.keys, &isPaddingToken);
        if (static_cast<std::size_t>(element) < block.keyPadding.size()) {
            const std::vector<bool> &isReal = block.keyPadding[static_cast<std::size_t>(element)];
            for (Index key = 0; key < block.keys; ++key) {
                if (isReal[static_cast<std::size_t>(key)])
                    continue;
                out.keys[static_cast<std::size_t>(key)] = true;
                if (offset && key >= *offset)
                    out.queries[static_cast<std::size_t>(key - *offset)] = true;
            }
        }
    }
    if (tokens.leavesOutSpecials) {
        leaveOut(block.queryTokens, out.queries, &isSpecialToken);
        leaveOut(block.keyTokens, out.keys, &isSpecialToken);
    }
    for (const TokenPlace &token : tokens.leftOut) {
        std::vector<bool> &side = token.isQuery ? out.queries : out.keys;
        if (token.block == place && token.position >= 0 && token.position < static_cast<Index>(side.size()))
            side[static_cast<std::size_t>(token.position)] = true;
    }
    if (tokens.part && tokens.part->block == place) {
        const auto leaveOthersOut = [](std::vector<bool> &side, const Range &part) {
            for (std::size_t token = 0; token < side.size(); ++token)
                side[token] = side[token] || !part.contains(static_cast<Index>(token));
        };
        leaveOthersOut(out.queries, tokens.part->queries);
        leaveOthersOut(out.keys, tokens.part->keys);
    }
    return out;
}

/// The tokens that no range of @p shown has.
std::vector<std::string> missing(const std::vector<std::string> &tokens, const std::vector<Range> &shown)
{
    std::vector<std::string> names;
    Index next = 0;
    const auto leaveOut = [&](Index end) {
        for (; next < end; ++next)
            names.push_back(tokens[static_cast<std::size_t>(next)]);
    };
    for (const Range &range : shown) {
        leaveOut(range.first);
        next = range.end;
    }
    leaveOut(static_cast<Index>(tokens.size()));
    return names;
}

std::string countWords(Index left, Index all, const std::string &noun)
{
    return groupedCount(left) + " of " + groupedCount(all) + " " + noun;
}

/// Tokens of the whole input that @p shown has.
Index shownCount(const std::vector<Range> &shown)
{
    Index count = 0;
    for (const Range &range : shown)
        count += range.size();
    return count;
}

bool isMerged(const ReducedData &data)
{
    const auto isMany = [](const Range &range) { return range.size() > 1; };
    return std::any_of(data.queries.begin(), data.queries.end(), isMany) || std::any_of(data.keys.begin(), data.keys.end(), isMany);
}

Index wholePlace(const std::vector<Range> &ranges, Index shown)
{
    return shown >= 0 && shown < static_cast<Index>(ranges.size()) ? ranges[static_cast<std::size_t>(shown)].first : -1;
}

Index shownPlace(const std::vector<Range> &ranges, Index whole)
{
    const auto found
        = std::upper_bound(ranges.begin(), ranges.end(), whole, [](Index token, const Range &range) { return token < range.end; });
    return found != ranges.end() && found->first <= whole ? found - ranges.begin() : -1;
}

} // namespace

std::size_t wordStartMark(const std::string &token)
{
    for (const std::string_view mark : { "Ġ", "▁", "·", " " }) {
        if (token.starts_with(mark))
            return mark.size();
    }
    return 0;
}

bool isPaddingToken(std::string_view token)
{
    return isOneOf(lower(token), { "[pad]", "<pad>", "<|pad|>", "<|padding|>", "<|finetune_right_pad_id|>" });
}

bool isSpecialToken(std::string_view token)
{
    constexpr std::size_t leastSize = 3;
    if (token.size() < leastSize)
        return false;
    if ((token.starts_with("<|") && token.ends_with("|>")) || (token.starts_with("[unused") && token.back() == ']'))
        return true;
    if (token.front() == '[' && token.back() == ']') {
        const std::string_view name = token.substr(1, token.size() - 2);
        return std::all_of(name.begin(), name.end(), [](unsigned char letter) { return std::isupper(letter) || std::isdigit(letter); })
            && std::isupper(static_cast<unsigned char>(name.front()));
    }
    for (const std::string_view numbered : { "<extra_id_", "<unused", "<reserved" }) {
        if (token.starts_with(numbered) && token.back() == '>')
            return true;
    }
    return isPaddingToken(token)
        || isOneOf(lower(token),
            { "<s>", "</s>", "<unk>", "<bos>", "<eos>", "<mask>", "<cls>", "<sep>", "<start_of_turn>", "<end_of_turn>", "<special0>" });
}

std::vector<Range> wordRanges(const std::vector<std::string> &tokens)
{
    const Marks marks(tokens);
    std::vector<Range> words;
    for (Index place = 0; place < static_cast<Index>(tokens.size()); ++place) {
        const auto at = static_cast<std::size_t>(place);
        if (place > 0 && marks.join(tokens[at - 1], tokens[at]))
            words.back().end = place + 1;
        else
            words.push_back({ place, place + 1 });
    }
    return words;
}

std::string wordText(const std::vector<std::string> &tokens, const Range &pieces)
{
    std::string word;
    for (Index place = pieces.first; place < pieces.end; ++place) {
        std::string piece = tokens[static_cast<std::size_t>(place)];
        if (isContinued(piece) && place > pieces.first)
            piece.erase(0, 2);
        else if (const std::size_t mark = wordStartMark(piece); mark > 0 && mark < piece.size())
            piece.erase(0, mark);
        for (const std::string_view mark : { "@@", "</w>" }) {
            if (endsIn(piece, mark))
                piece.erase(piece.size() - mark.size());
        }
        word += piece;
    }
    return word;
}

Result<AttentionInput> withTokensShown(
    const std::shared_ptr<const AttentionInput> &whole, const AttentionSpec &spec, const TokensShown &tokens, int element)
{
    AttentionInput reduced;
    for (std::size_t place = 0; place < whole->blocks.size(); ++place) {
        const AttentionBlock &block = whole->blocks[place];
        const int own = std::clamp(element, 0, std::max(block.batch - 1, 0));
        const LeftOut out = leftOutOf(block, static_cast<int>(place), own, spec, tokens);
        Groups queries = groupsOf(block.queryTokens, out.queries, tokens.mergesPieces);
        Groups keys = groupsOf(block.keyTokens, out.keys, tokens.mergesPieces);
        if (queries.ranges.empty() || keys.ranges.empty())
            return Error{ queries.ranges.empty() ? "No query is left." : "No key is left.",
                whole->blocks.size() > 1 ? "Every token of the " + blockName(*whole, static_cast<int>(place)) + " is left out."
                                         : "Every token is left out.",
                "Leave out fewer tokens.", {} };
        AttentionBlock next;
        const auto *embedded = std::get_if<EmbeddedData>(&block.data);
        next.role = embedded && !embedded->y.empty() ? BlockRole::Cross : block.role;
        next.name = block.name;
        next.queryTokens = std::move(queries.labels);
        next.keyTokens = std::move(keys.labels);
        next.queries = static_cast<Index>(queries.ranges.size());
        next.keys = static_cast<Index>(keys.ranges.size());
        next.layers = block.layers;
        next.batch = block.batch;
        next.heads = headCount(block, spec);
        next.kvHeads = kvHeadCount(block, spec);
        next.isUntrained = block.isUntrained;
        next.data = ReducedData{ whole, spec, std::move(queries.ranges), std::move(keys.ranges), tokens.renormalizes };
        reduced.blocks.push_back(std::move(next));
    }
    return reduced;
}

Index wholeQuery(const AttentionBlock &block, Index shown)
{
    const auto *data = std::get_if<ReducedData>(&block.data);
    return data ? wholePlace(data->queries, shown) : shown;
}

Index wholeKey(const AttentionBlock &block, Index shown)
{
    const auto *data = std::get_if<ReducedData>(&block.data);
    return data ? wholePlace(data->keys, shown) : shown;
}

Index shownQuery(const AttentionBlock &block, Index whole)
{
    const auto *data = std::get_if<ReducedData>(&block.data);
    return data ? shownPlace(data->queries, whole) : whole;
}

Index shownKey(const AttentionBlock &block, Index whole)
{
    const auto *data = std::get_if<ReducedData>(&block.data);
    return data ? shownPlace(data->keys, whole) : whole;
}

std::string reductionWords(const AttentionBlock &block, int place, bool saysUndivided)
{
    const auto *data = std::get_if<ReducedData>(&block.data);
    if (!data)
        return {};
    constexpr Index mostNames = 3;
    const AttentionBlock &whole = data->whole->blocks[static_cast<std::size_t>(place)];
    const Index missingQueries = whole.queries - shownCount(data->queries);
    const Index missingKeys = whole.keys - shownCount(data->keys);
    std::vector<std::string> parts;
    const bool areFew = missingKeys <= mostNames && missingQueries <= mostNames;
    const std::vector<std::string> queries = areFew ? missing(whole.queryTokens, data->queries) : std::vector<std::string>();
    const std::vector<std::string> keys = areFew ? missing(whole.keyTokens, data->keys) : std::vector<std::string>();
    const bool areSame
        = areFew ? queries == keys : data->queries == data->keys && missingQueries == missingKeys && whole.queryTokens == whole.keyTokens;
    if (areFew && missingKeys > 0 && (areSame || queries.empty())) {
        std::string names = queries.empty() ? "keys left out: " : "left out: ";
        for (const std::string &name : keys)
            names += (&name == &keys.front() ? "" : ", ") + name;
        parts.push_back(names);
    } else if (areSame && missingKeys > 0) {
        parts.push_back(countWords(missingKeys, whole.keys, "tokens left out"));
    } else {
        if (missingQueries > 0)
            parts.push_back(countWords(missingQueries, whole.queries, "queries left out"));
        if (missingKeys > 0)
            parts.push_back(countWords(missingKeys, whole.keys, "keys left out"));
    }
    if (data->renormalizes)
        parts.emplace_back("rows divided by what is left");
    else if (missingKeys > 0 && saysUndivided)
        parts.emplace_back("rows not renormalised");
    if (isMerged(*data))
        parts.emplace_back("word pieces merged");
    std::string words;
    for (const std::string &part : parts)
        words += (words.empty() ? "" : ", ") + part;
    return words;
}

} // namespace attenscope
