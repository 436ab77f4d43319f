// SPDX-License-Identifier: GPL-3.0-or-later
// What opened arrays are, by their names and shapes.
#include "session/tensor_names.h"
#include "session/tensor_set.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

namespace attenscope {

namespace {

using enum TensorRole;

constexpr std::array allBlocks{ BlockRole::Plain, BlockRole::EncoderSelf, BlockRole::DecoderSelf, BlockRole::Cross };

bool isProjection(TensorRole role)
{
    return role == Wq || role == Wk || role == Wv || role == Wo;
}

class Recogniser {
public:
    explicit Recogniser(const TensorSet &set)
        : m_set(set)
        , m_uses(set.tensors.size() + set.tokenLists.size())
    {
    }

    std::vector<TensorUse> recognise()
    {
        readNames();
        for (const BlockRole block : allBlocks)
            chooseBlock(block);
        if (!hasAnyBlock())
            guessWeights();
        for (const BlockRole block : allBlocks) {
            turnProjections(block);
            findPositions(block);
            findBatch(block);
            tellMasks(block);
        }
        nameTokenLists();
        return std::move(m_uses);
    }

private:
    [[nodiscard]] const std::vector<Index> &shapeOf(std::size_t entry) const { return m_set.tensors[entry].tensor.shape(); }

    void readNames();
    [[nodiscard]] std::vector<std::size_t> named(BlockRole block, TensorRole role) const;
    void chooseBlock(BlockRole block);
    void useGroup(const std::vector<std::size_t> &candidates, BlockRole block, TensorRole role);
    void use(std::size_t entry, BlockRole block, TensorRole role, int layer);
    [[nodiscard]] bool hasAnyBlock() const;
    void guessWeights();

    [[nodiscard]] std::vector<std::size_t> used(BlockRole block, TensorRole role) const;
    /// Size of an axis of the first tensor of a role.
    [[nodiscard]] std::optional<Index> sizeOf(BlockRole block, TensorRole role, Axis axis) const;
    [[nodiscard]] std::optional<Index> queriesOf(BlockRole block) const;
    [[nodiscard]] std::optional<Index> keysOf(BlockRole block) const;
    [[nodiscard]] Index batchOf(BlockRole block) const;

    void turnProjections(BlockRole block);
    void findPositions(BlockRole block);
    void findBatch(BlockRole block);
    void tellMasks(BlockRole block);
    void nameTokenLists();

    const TensorSet &m_set;
    std::vector<NameMeaning> m_meanings;
    std::vector<TensorUse> m_uses;
};

void Recogniser::readNames()
{
    for (const NamedTensor &named : m_set.tensors) {
        NameMeaning meaning = meaningOfTensor(named.name);
        if (meaning.role == KeyPadding && named.tensor.axes() > 2)
            meaning.role = AllowedMask;
        if (axisChoices(named.tensor, meaning.role).empty())
            meaning.role = Unused;
        m_meanings.push_back(std::move(meaning));
    }
    if (!named(BlockRole::Plain, Queries).empty() || !named(BlockRole::Plain, Keys).empty())
        return;
    const auto find = [&](std::string_view name) {
        const auto tensor = std::find_if(m_set.tensors.begin(), m_set.tensors.end(),
            [&](const NamedTensor &candidate) { return candidate.name == name && !axisChoices(candidate.tensor, Queries).empty(); });
        return static_cast<std::size_t>(tensor - m_set.tensors.begin());
    };
    const std::size_t s = find("s");
    const std::size_t h = find("h");
    if (s < m_meanings.size() && h < m_meanings.size()) {
        m_meanings[s].role = Queries;
        m_meanings[h].role = KeysAndValues;
    }
}

std::vector<std::size_t> Recogniser::named(BlockRole block, TensorRole role) const
{
    std::vector<std::size_t> entries;
    for (std::size_t entry = 0; entry < m_meanings.size(); ++entry)
        if (m_meanings[entry].role == role && m_meanings[entry].block == block)
            entries.push_back(entry);
    return entries;
}

void Recogniser::chooseBlock(BlockRole block)
{
    const auto has = [&](TensorRole role) { return !named(block, role).empty(); };
    std::vector<TensorRole> roles;
    if (has(Queries) && has(Keys))
        roles = { Queries, Keys, Values };
    else if (has(Queries) && has(KeysAndValues))
        roles = { Queries, KeysAndValues };
    else if (has(X) && has(Wq) && has(Wk))
        roles = { X, Y, Wq, Wk, Wv, Wo, Bq, Bk, Bv, Bo };
    else if (has(Weights))
        roles = { Weights };
    // Masks without a block of their own may be for another.
    for (const TensorRole mask : { KeyPadding, PaddedKeys, AllowedMask, HiddenMask })
        roles.push_back(mask);
    for (const TensorRole role : roles)
        useGroup(named(block, role), block, role);
}

/// Of arrays with one role: those of the usual name, one per layer where their names differ in a number.
void Recogniser::useGroup(const std::vector<std::size_t> &candidates, BlockRole block, TensorRole role)
{
    if (candidates.empty())
        return;
    const auto rank = [&](std::size_t entry) { return m_meanings[entry].rank; };
    const std::size_t best
        = *std::min_element(candidates.begin(), candidates.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
    std::vector<std::size_t> group;
    std::copy_if(candidates.begin(), candidates.end(), std::back_inserter(group), [&](std::size_t entry) {
        return m_meanings[entry].pattern == m_meanings[best].pattern && m_meanings[entry].numbers.size() == m_meanings[best].numbers.size();
    });

    // The numbers of each array: in its name, else in the name of its file.
    const auto layerNumbers = [&](auto numbersOf) {
        std::vector<std::int64_t> layers;
        const std::vector<std::int64_t> first = numbersOf(best);
        for (std::size_t place = 0; place < first.size() && layers.empty(); ++place) {
            std::vector<std::int64_t> found;
            for (const std::size_t entry : group) {
                const std::vector<std::int64_t> numbers = numbersOf(entry);
                found.push_back(place < numbers.size() ? numbers[place] : -1);
            }
            const bool areLayers
                = std::all_of(found.begin(), found.end(), [](std::int64_t number) { return number >= 0 && number < 1'000'000; });
            if (areLayers && std::set<std::int64_t>(found.begin(), found.end()).size() > 1)
                layers = std::move(found);
        }
        return layers;
    };
    std::vector<std::int64_t> layers = layerNumbers([&](std::size_t entry) { return m_meanings[entry].numbers; });
    if (layers.empty())
        layers = layerNumbers([&](std::size_t entry) { return meaningOfTensor(m_set.tensors[entry].file).numbers; });
    if (layers.empty()) {
        use(best, block, role, -1);
        return;
    }
    std::set<std::int64_t> taken;
    for (std::size_t place = 0; place < group.size(); ++place)
        if (taken.insert(layers[place]).second)
            use(group[place], block, role, static_cast<int>(layers[place]));
}

void Recogniser::use(std::size_t entry, BlockRole block, TensorRole role, int layer)
{
    const auto choices = axisChoices(m_set.tensors[entry].tensor, role);
    const auto has = [](const std::vector<Axis> &axes, Axis axis) { return std::find(axes.begin(), axes.end(), axis) != axes.end(); };
    auto choice = choices.begin();
    if (layer >= 0) {
        choice = std::find_if(choices.begin(), choices.end(), [&](const auto &axes) { return !has(axes, Axis::Layer); });
        if (choice == choices.end())
            choice = choices.begin();
    }
    TensorUse &made = m_uses[entry];
    made.role = role;
    made.block = block;
    made.layer = layer;
    made.axes = *choice;
    if (m_meanings[entry].isTransposed && isProjection(role))
        std::swap(made.axes[made.axes.size() - 2], made.axes.back());
    if (m_meanings[entry].hasPositionsFirst && has(made.axes, Axis::Head))
        std::swap(made.axes[made.axes.size() - 3], made.axes[made.axes.size() - 2]);
}

bool Recogniser::hasAnyBlock() const
{
    return std::any_of(
        m_uses.begin(), m_uses.end(), [](const TensorUse &use) { return use.role == Queries || use.role == X || use.role == Weights; });
}

/// No name says anything: one array, or arrays of one shape that differ in a number, can only be recorded weights.
void Recogniser::guessWeights()
{
    // q without k is no attention, whatever else it may look like.
    if (!named(BlockRole::Plain, Queries).empty() || !named(BlockRole::Plain, Keys).empty())
        return;
    std::vector<std::size_t> candidates;
    for (std::size_t entry = 0; entry < m_set.tensors.size(); ++entry)
        if (m_set.tensors[entry].tensor.axes() >= 2 && !axisChoices(m_set.tensors[entry].tensor, Weights).empty())
            candidates.push_back(entry);
    const bool areAlike = std::all_of(candidates.begin(), candidates.end(), [&](std::size_t entry) {
        return shapeOf(entry) == shapeOf(candidates.front()) && m_meanings[entry].pattern == m_meanings[candidates.front()].pattern;
    });
    if (!candidates.empty() && areAlike) {
        for (const std::size_t entry : candidates)
            m_uses[entry] = {};
        useGroup(candidates, BlockRole::Plain, Weights);
    }
}

std::vector<std::size_t> Recogniser::used(BlockRole block, TensorRole role) const
{
    std::vector<std::size_t> entries;
    for (std::size_t entry = 0; entry < m_uses.size(); ++entry)
        if (m_uses[entry].role == role && m_uses[entry].block == block)
            entries.push_back(entry);
    return entries;
}

std::optional<Index> Recogniser::sizeOf(BlockRole block, TensorRole role, Axis axis) const
{
    const std::vector<std::size_t> entries = used(block, role);
    if (entries.empty())
        return {};
    const std::vector<Axis> &axes = m_uses[entries.front()].axes;
    const auto place = std::find(axes.begin(), axes.end(), axis);
    if (place == axes.end())
        return {};
    return shapeOf(entries.front())[static_cast<std::size_t>(place - axes.begin())];
}

std::optional<Index> Recogniser::queriesOf(BlockRole block) const
{
    if (const auto rows = sizeOf(block, Queries, Axis::Row))
        return rows;
    if (const auto rows = sizeOf(block, X, Axis::Row))
        return rows;
    return sizeOf(block, Weights, Axis::Query);
}

std::optional<Index> Recogniser::keysOf(BlockRole block) const
{
    for (const TensorRole role : { Keys, KeysAndValues, Y, X })
        if (const auto rows = sizeOf(block, role, Axis::Row))
            return rows;
    return sizeOf(block, Weights, Axis::Key);
}

Index Recogniser::batchOf(BlockRole block) const
{
    for (const TensorRole role : { Queries, X, Weights })
        if (const auto batch = sizeOf(block, role, Axis::Batch))
            return *batch;
    return 1;
}

/// A projection that fits X only one way round is that way round, whatever its name says.
void Recogniser::turnProjections(BlockRole block)
{
    for (const TensorRole role : { Wq, Wk, Wv }) {
        const bool isFromY = role != Wq && !used(block, Y).empty();
        const auto inputs = sizeOf(block, isFromY ? Y : X, Axis::Dimension);
        const auto rows = sizeOf(block, role, Axis::Row);
        const auto cols = sizeOf(block, role, Axis::Dimension);
        if (!inputs || rows == inputs || cols != inputs)
            continue;
        for (const std::size_t entry : used(block, role)) {
            std::vector<Axis> &axes = m_uses[entry].axes;
            std::swap(axes[axes.size() - 2], axes.back());
        }
    }
}

/// The number of tokens tells (…, heads, positions, d) from (…, positions, heads, d).
void Recogniser::findPositions(BlockRole block)
{
    const auto isTokenCount = [&](std::optional<Index> size) {
        return std::any_of(m_set.tokenLists.begin(), m_set.tokenLists.end(),
            [&](const TokenList &list) { return static_cast<Index>(list.tokens.size()) == size; });
    };
    if (isTokenCount(sizeOf(block, Queries, Axis::Row)) || !isTokenCount(sizeOf(block, Queries, Axis::Head)))
        return;
    for (const TensorRole role : { Queries, Keys, Values, KeysAndValues }) {
        for (const std::size_t entry : used(block, role)) {
            std::vector<Axis> &axes = m_uses[entry].axes;
            const auto head = std::find(axes.begin(), axes.end(), Axis::Head);
            if (head != axes.end())
                std::iter_swap(head, std::find(axes.begin(), axes.end(), Axis::Row));
        }
    }
}

/// Key padding and masks per batch element tell that the first axis is the batch, not the heads.
void Recogniser::findBatch(BlockRole block)
{
    const auto heads = used(block, Weights).empty() ? sizeOf(block, Queries, Axis::Head) : sizeOf(block, Weights, Axis::Head);
    const auto queries = queriesOf(block);
    const auto keys = keysOf(block);
    if (!heads || *heads == 1 || !queries || !keys || sizeOf(block, Queries, Axis::Batch) || sizeOf(block, Weights, Axis::Batch))
        return;
    bool isBatch = false;
    for (const TensorRole role : { KeyPadding, PaddedKeys })
        for (const std::size_t entry : used(block, role))
            isBatch = isBatch || shapeOf(entry) == std::vector<Index>{ *heads, *keys };
    for (const TensorRole role : { AllowedMask, HiddenMask })
        for (const std::size_t entry : used(block, role))
            isBatch = isBatch || shapeOf(entry) == std::vector<Index>{ *heads, *queries, *keys };
    if (!isBatch)
        return;
    for (const TensorRole role : { Queries, Keys, Values, KeysAndValues, Weights })
        for (const std::size_t entry : used(block, role))
            std::replace(m_uses[entry].axes.begin(), m_uses[entry].axes.end(), Axis::Head, Axis::Batch);
}

/// "attention_mask" can be either kind.
void Recogniser::tellMasks(BlockRole block)
{
    const auto queries = queriesOf(block);
    const auto keys = keysOf(block);
    if (!queries || !keys || *queries == batchOf(block))
        return;
    for (const std::size_t entry : used(block, KeyPadding)) {
        if (shapeOf(entry) != std::vector<Index>{ *queries, *keys })
            continue;
        m_uses[entry].role = AllowedMask;
        m_uses[entry].axes = { Axis::Query, Axis::Key };
    }
}

void Recogniser::nameTokenLists()
{
    std::vector<std::size_t> unnamed;
    for (std::size_t place = 0; place < m_set.tokenLists.size(); ++place) {
        const NameMeaning meaning = meaningOfTokenList(m_set.tokenLists[place].name);
        TensorUse &use = m_uses[m_set.tensors.size() + place];
        if (meaning.role == Unused)
            unnamed.push_back(place);
        else if (used(meaning.block, meaning.role).empty())
            use = { meaning.role, meaning.block, {}, -1, false };
    }
    const auto block = std::find_if(allBlocks.begin(), allBlocks.end(), [&](BlockRole role) { return queriesOf(role).has_value(); });
    if (block == allBlocks.end())
        return;
    const Index queries = *queriesOf(*block);
    const Index keys = keysOf(*block).value_or(queries);
    for (const std::size_t place : unnamed) {
        const auto count = static_cast<Index>(m_set.tokenLists[place].tokens.size());
        TensorRole role = Unused;
        if (count == queries && count != keys)
            role = QueryTokens;
        else if (count == keys && count != queries)
            role = KeyTokens;
        else if (count == queries || m_set.tokenLists.size() == 1)
            role = Tokens;
        if (role != Unused && used(*block, role).empty() && used(*block, Tokens).empty())
            m_uses[m_set.tensors.size() + place] = { role, *block, {}, -1, false };
    }
}

} // namespace

std::vector<TensorUse> recognise(const TensorSet &set)
{
    return Recogniser(set).recognise();
}

} // namespace attenscope
