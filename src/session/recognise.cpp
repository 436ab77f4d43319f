// SPDX-License-Identifier: GPL-3.0-or-later
// What opened arrays are, by their names and shapes.
#include "session/recognise_parts.h"
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
    void addPrompt(const std::vector<std::size_t> &candidates, const std::vector<std::size_t> &group, std::size_t place);
    void use(std::size_t entry, BlockRole block, TensorRole role, int layer, int step);
    [[nodiscard]] bool hasAnyBlock() const;
    void guessWeights();

    [[nodiscard]] std::vector<std::size_t> used(BlockRole block, TensorRole role) const;
    /// Size of an axis of the first tensor of a role; of steps, those of all together.
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
    std::optional<std::size_t> m_stepPlace; ///< Which number counted the steps of the last block that has them.
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

/// Of arrays with one role: those of the usual name, one per layer or step where their names differ in a number.
void Recogniser::useGroup(const std::vector<std::size_t> &candidates, BlockRole block, TensorRole role)
{
    if (candidates.empty())
        return;
    const auto rank = [&](std::size_t entry) { return m_meanings[entry].rank; };
    // The prompt's own array may come before those of the steps, but it is not the one that tells how they are named.
    const auto order = [&](std::size_t entry) { return std::pair(rank(entry), m_meanings[entry].isOfPrompt); };
    const std::size_t best
        = *std::min_element(candidates.begin(), candidates.end(), [&](std::size_t a, std::size_t b) { return order(a) < order(b); });
    std::vector<std::size_t> group;
    std::copy_if(candidates.begin(), candidates.end(), std::back_inserter(group), [&](std::size_t entry) {
        return m_meanings[entry].pattern == m_meanings[best].pattern && m_meanings[entry].numbers.size() == m_meanings[best].numbers.size();
    });

    const std::vector<NumberedArray> arrays = numberedArrays(m_set, group);
    std::optional<std::size_t> steps;
    if (role == Weights)
        steps = stepPlace(arrays, m_meanings[best].countsSteps, m_stepPlace);
    std::optional<std::size_t> layers;
    for (std::size_t place = 0; place < arrays.front().numbers.size() && !layers; ++place)
        if (place != steps && varies(arrays, place))
            layers = place;
    if (!steps && !layers) {
        use(best, block, role, -1, -1);
        return;
    }
    const auto numberAt
        = [&](std::size_t entry, std::optional<std::size_t> place) { return place ? static_cast<int>(arrays[entry].numbers[*place]) : -1; };
    std::set<std::pair<int, int>> taken;
    for (std::size_t entry = 0; entry < group.size(); ++entry) {
        const int layer = numberAt(entry, layers);
        const int step = numberAt(entry, steps);
        if (taken.insert({ layer, step }).second)
            use(group[entry], block, role, layer, step);
    }
    if (steps) {
        m_stepPlace = steps;
        addPrompt(candidates, group, *steps);
    }
}

/// An array of the prompt, named without the number of a step, comes before them.
void Recogniser::addPrompt(const std::vector<std::size_t> &candidates, const std::vector<std::size_t> &group, std::size_t place)
{
    const std::size_t first = group.front();
    std::set<int> taken;
    for (const std::size_t entry : candidates) {
        const std::vector<std::int64_t> &numbers = m_meanings[entry].numbers;
        if (!m_meanings[entry].isOfPrompt || numbers.size() + 1 != m_meanings[first].numbers.size())
            continue;
        int layer = -1;
        if (m_uses[first].layer >= 0)
            layer = static_cast<int>(std::clamp<std::int64_t>(numbers[place == 0 ? 0 : place - 1], 0, numberLimit));
        if (taken.insert(layer).second)
            use(entry, m_uses[first].block, Weights, layer, 0);
    }
    if (taken.empty())
        return;
    for (const std::size_t entry : group)
        ++m_uses[entry].step;
}

void Recogniser::use(std::size_t entry, BlockRole block, TensorRole role, int layer, int step)
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
    made.step = step;
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
    if (candidates.empty())
        return;
    const NameMeaning &first = m_meanings[candidates.front()];
    const bool areNamedAlike = std::all_of(candidates.begin(), candidates.end(), [&](std::size_t entry) {
        return m_meanings[entry].pattern == first.pattern && m_meanings[entry].numbers.size() == first.numbers.size();
    });
    const bool areOneShape = std::all_of(
        candidates.begin(), candidates.end(), [&](std::size_t entry) { return shapeOf(entry) == shapeOf(candidates.front()); });
    if (areNamedAlike && (areOneShape || stepPlace(numberedArrays(m_set, candidates), first.countsSteps, {}))) {
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
    std::optional<Index> all;
    std::set<int> counted;
    for (const std::size_t entry : used(block, role)) {
        const TensorUse &use = m_uses[entry];
        const auto place = std::find(use.axes.begin(), use.axes.end(), axis);
        if (place == use.axes.end())
            return {};
        const Index size = shapeOf(entry)[static_cast<std::size_t>(place - use.axes.begin())];
        if (use.step < 0)
            return size;
        if (axis != Axis::Query)
            all = std::max(size, all.value_or(0));
        else if (counted.insert(use.step).second)
            all = all.value_or(0) + size;
    }
    return all;
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
    const auto block = std::find_if(allBlocks.begin(), allBlocks.end(), [&](BlockRole role) { return queriesOf(role).has_value(); });
    std::optional<NamedAxes> axes;
    if (block != allBlocks.end())
        axes = NamedAxes{ *block, *queriesOf(*block), keysOf(*block).value_or(*queriesOf(*block)) };
    recogniseTokenLists(m_set, axes, m_uses);
}

} // namespace

std::vector<TensorUse> recognise(const TensorSet &set)
{
    return Recogniser(set).recognise();
}

} // namespace attenscope
