// SPDX-License-Identifier: GPL-3.0-or-later
// What the name of an array or of a list of tokens says about its use.
#include "session/tensor_names.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <string_view>

namespace attenscope {

namespace {

struct Entry {
    std::string_view name;
    TensorRole role;
    bool isTransposed = false;
};

// Without separators; the first of a role is the usual one.
constexpr std::array tensorNames = std::to_array<Entry>({
    { "q", TensorRole::Queries },
    { "query", TensorRole::Queries },
    { "queries", TensorRole::Queries },
    { "querystates", TensorRole::Queries },
    { "querylayer", TensorRole::Queries },
    { "hookq", TensorRole::Queries },
    { "k", TensorRole::Keys },
    { "key", TensorRole::Keys },
    { "keys", TensorRole::Keys },
    { "keystates", TensorRole::Keys },
    { "keylayer", TensorRole::Keys },
    { "hookk", TensorRole::Keys },
    { "v", TensorRole::Values },
    { "value", TensorRole::Values },
    { "values", TensorRole::Values },
    { "valuestates", TensorRole::Values },
    { "valuelayer", TensorRole::Values },
    { "hookv", TensorRole::Values },
    { "x", TensorRole::X },
    { "embeddings", TensorRole::X },
    { "embedding", TensorRole::X },
    { "inputembeds", TensorRole::X },
    { "inputsembeds", TensorRole::X },
    { "hiddenstates", TensorRole::X },
    { "y", TensorRole::Y },
    { "memory", TensorRole::Y },
    { "encoderhiddenstates", TensorRole::Y },
    { "wq", TensorRole::Wq },
    { "qproj", TensorRole::Wq, true },
    { "qprojweight", TensorRole::Wq, true },
    { "queryweight", TensorRole::Wq, true },
    { "toqweight", TensorRole::Wq, true },
    { "wk", TensorRole::Wk },
    { "kproj", TensorRole::Wk, true },
    { "kprojweight", TensorRole::Wk, true },
    { "keyweight", TensorRole::Wk, true },
    { "tokweight", TensorRole::Wk, true },
    { "wv", TensorRole::Wv },
    { "vproj", TensorRole::Wv, true },
    { "vprojweight", TensorRole::Wv, true },
    { "valueweight", TensorRole::Wv, true },
    { "tovweight", TensorRole::Wv, true },
    { "wo", TensorRole::Wo },
    { "oproj", TensorRole::Wo, true },
    { "outproj", TensorRole::Wo, true },
    { "oprojweight", TensorRole::Wo, true },
    { "outprojweight", TensorRole::Wo, true },
    { "bq", TensorRole::Bq },
    { "qbias", TensorRole::Bq },
    { "qprojbias", TensorRole::Bq },
    { "querybias", TensorRole::Bq },
    { "bk", TensorRole::Bk },
    { "kbias", TensorRole::Bk },
    { "kprojbias", TensorRole::Bk },
    { "keybias", TensorRole::Bk },
    { "bv", TensorRole::Bv },
    { "vbias", TensorRole::Bv },
    { "vprojbias", TensorRole::Bv },
    { "valuebias", TensorRole::Bv },
    { "bo", TensorRole::Bo },
    { "oprojbias", TensorRole::Bo },
    { "outprojbias", TensorRole::Bo },
    { "attentions", TensorRole::Weights },
    { "attention", TensorRole::Weights },
    { "attn", TensorRole::Weights },
    { "attns", TensorRole::Weights },
    { "weights", TensorRole::Weights },
    { "attentionweights", TensorRole::Weights },
    { "attnweights", TensorRole::Weights },
    { "attnoutputweights", TensorRole::Weights },
    { "attentionprobs", TensorRole::Weights },
    { "attnprobs", TensorRole::Weights },
    { "attentionmap", TensorRole::Weights },
    { "attentionmaps", TensorRole::Weights },
    { "attnmap", TensorRole::Weights },
    { "attnmaps", TensorRole::Weights },
    { "attentionmatrix", TensorRole::Weights },
    { "alignment", TensorRole::Weights },
    { "alignments", TensorRole::Weights },
    { "alpha", TensorRole::Weights },
    { "alphas", TensorRole::Weights },
    { "probs", TensorRole::Weights },
    { "pattern", TensorRole::Weights },
    { "hookpattern", TensorRole::Weights },
    { "hookattn", TensorRole::Weights },
    { "keypadding", TensorRole::KeyPadding },
    { "attentionmask", TensorRole::KeyPadding },
    { "keypaddingmask", TensorRole::PaddedKeys },
    { "mask", TensorRole::AllowedMask },
    { "attnmask", TensorRole::AllowedMask },
    { "allowed", TensorRole::AllowedMask },
    { "boolmask", TensorRole::AllowedMask },
    { "booleanmask", TensorRole::AllowedMask },
    { "causalmask", TensorRole::AllowedMask },
    { "hiddenmask", TensorRole::HiddenMask },
});

// The empty name is what is left of "encoder".
constexpr std::array tokenListNames = std::to_array<Entry>({
    { "tokens", TensorRole::Tokens },
    { "token", TensorRole::Tokens },
    { "words", TensorRole::Tokens },
    { "subwords", TensorRole::Tokens },
    { "pieces", TensorRole::Tokens },
    { "labels", TensorRole::Tokens },
    { "names", TensorRole::Tokens },
    { "querytokens", TensorRole::QueryTokens },
    { "queries", TensorRole::QueryTokens },
    { "query", TensorRole::QueryTokens },
    { "q", TensorRole::QueryTokens },
    { "rows", TensorRole::QueryTokens },
    { "rowtokens", TensorRole::QueryTokens },
    { "keytokens", TensorRole::KeyTokens },
    { "keys", TensorRole::KeyTokens },
    { "key", TensorRole::KeyTokens },
    { "k", TensorRole::KeyTokens },
    { "columns", TensorRole::KeyTokens },
    { "cols", TensorRole::KeyTokens },
    { "columntokens", TensorRole::KeyTokens },
});

// Words that say where an array is from, not what it is.
constexpr std::array<std::string_view, 14> placeWords{ "layer", "layers", "block", "blocks", "h", "l", "model", "transformer", "attn",
    "attention", "mha", "self", "module", "multihead" };

// Words before the number of a step of generation.
constexpr std::array<std::string_view, 9> stepWords{ "step", "steps", "timestep", "time", "t", "token", "tok", "iteration", "iter" };
constexpr std::array<std::string_view, 2> promptWords{ "prompt", "prefill" };
constexpr std::array<std::string_view, 4> generatedWords{ "generated", "generation", "gen", "completion" };

struct Word {
    std::string text; ///< Lower case.
    bool startsComponent = false; ///< Follows a dot, a slash or the beginning.
};

struct Words {
    std::vector<Word> words; ///< Without numbers and the words that count steps.
    std::string pattern;
    std::vector<std::int64_t> numbers;
    std::vector<bool> countsSteps;
};

bool isOneOf(const std::string &text, std::span<const std::string_view> words)
{
    return std::find(words.begin(), words.end(), text) != words.end();
}

/// Removes the last word if it counts steps; the next one starts where it did.
bool takeStepWord(std::vector<Word> &words, bool &startsComponent)
{
    if (words.empty() || !isOneOf(words.back().text, stepWords))
        return false;
    startsComponent = startsComponent || words.back().startsComponent;
    words.pop_back();
    return true;
}

bool isDigit(char letter)
{
    return letter >= '0' && letter <= '9';
}

bool isLower(char letter)
{
    return letter >= 'a' && letter <= 'z';
}

bool isUpper(char letter)
{
    return letter >= 'A' && letter <= 'Z';
}

Words splitName(const std::string &name)
{
    Words result;
    bool startsComponent = true;
    char previous = '_';
    for (std::size_t place = 0; place < name.size();) {
        const char letter = name[place];
        if (isDigit(letter)) {
            std::int64_t number = 0;
            const char *first = name.data() + place;
            const auto [end, error] = std::from_chars(first, name.data() + name.size(), number);
            result.numbers.push_back(error == std::errc() ? number : -1);
            result.countsSteps.push_back(takeStepWord(result.words, startsComponent));
            result.pattern += '#';
            place += static_cast<std::size_t>(end - first);
            previous = '_';
            continue;
        }
        const bool endsComponent = letter == '.' || letter == '/' || letter == ':';
        const bool isSeparator = endsComponent || letter == '_' || letter == '-' || letter == ' ';
        if (endsComponent)
            startsComponent = true;
        if (!isSeparator) {
            if (previous == '_' || (isLower(previous) && isUpper(letter)))
                result.words.push_back({ {}, std::exchange(startsComponent, false) });
            result.words.back().text += isUpper(letter) ? static_cast<char>(letter - 'A' + 'a') : letter;
        }
        result.pattern += letter;
        previous = isSeparator ? '_' : letter;
        ++place;
    }
    return result;
}

std::string joined(const std::vector<Word> &words, std::size_t first)
{
    std::string text;
    for (std::size_t place = first; place < words.size(); ++place)
        text += words[place].text;
    return text;
}

/// Removes such words and tells whether there were any.
bool takeWords(std::vector<Word> &words, std::span<const std::string_view> taken)
{
    bool isThere = false;
    bool startsComponent = false;
    std::vector<Word> left;
    for (Word &word : words) {
        startsComponent = startsComponent || word.startsComponent;
        if (isOneOf(word.text, taken))
            isThere = true;
        else
            left.push_back({ std::move(word.text), std::exchange(startsComponent, false) });
    }
    words = std::move(left);
    return isThere;
}

/// Removes the words that name a block and tells which.
BlockRole takeBlock(std::vector<Word> &words)
{
    constexpr std::array<std::string_view, 3> encoderWords{ "encoder", "src", "source" };
    constexpr std::array<std::string_view, 3> decoderWords{ "decoder", "tgt", "target" };
    constexpr std::array<std::string_view, 1> crossWords{ "cross" };
    const bool isEncoder = takeWords(words, encoderWords);
    const bool isDecoder = takeWords(words, decoderWords);
    if (takeWords(words, crossWords) || (isEncoder && isDecoder))
        return BlockRole::Cross;
    return isEncoder ? BlockRole::EncoderSelf : isDecoder ? BlockRole::DecoderSelf : BlockRole::Plain;
}

/// The longest end of the name that the table knows, if only places come before it.
const Entry *lookUp(const std::vector<Word> &words, std::span<const Entry> table)
{
    for (std::size_t first = 0; first < words.size(); ++first) {
        const bool isEnd = words[first].startsComponent
            || std::all_of(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(first),
                [](const Word &word) { return isOneOf(word.text, placeWords); });
        if (!isEnd)
            continue;
        const std::string text = joined(words, first);
        const auto entry = std::find_if(table.begin(), table.end(), [&](const Entry &candidate) { return candidate.name == text; });
        if (entry != table.end())
            return &*entry;
    }
    return nullptr;
}

NameMeaning meaningOf(const std::string &name, std::span<const Entry> table)
{
    Words split = splitName(name);
    NameMeaning meaning;
    meaning.pattern = std::move(split.pattern);
    meaning.numbers = std::move(split.numbers);
    meaning.countsSteps = std::move(split.countsSteps);
    meaning.isOfPrompt = takeWords(split.words, promptWords);
    meaning.isGenerated = takeWords(split.words, generatedWords);
    // The one name in which "encoder" is no block.
    if (joined(split.words, 0) != "encoderhiddenstates")
        meaning.block = takeBlock(split.words);
    const Entry *entry = lookUp(split.words, table);
    if (!entry)
        return meaning;
    const auto usual = std::find_if(table.begin(), table.end(), [&](const Entry &candidate) { return candidate.role == entry->role; });
    meaning.role = entry->role;
    meaning.rank = static_cast<int>(entry - &*usual);
    meaning.isTransposed = entry->isTransposed;
    meaning.hasPositionsFirst = entry->name.starts_with("hook") && entry->role != TensorRole::Weights;
    return meaning;
}

} // namespace

NameMeaning meaningOfTensor(const std::string &name)
{
    return meaningOf(name, tensorNames);
}

NameMeaning meaningOfTokenList(const std::string &name)
{
    NameMeaning meaning = meaningOf(name, tokenListNames);
    if (meaning.role == TensorRole::Unused && meaning.block != BlockRole::Plain) {
        Words split = splitName(name);
        takeBlock(split.words);
        if (split.words.empty())
            meaning.role = TensorRole::Tokens;
    }
    return meaning;
}

} // namespace attenscope
