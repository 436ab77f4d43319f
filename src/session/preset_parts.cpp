// SPDX-License-Identifier: GPL-3.0-or-later
// What several presets do to a mechanism, and what each says and offers where the input lacks something.
#include "session/preset_table.h"

#include "core/memory.h"
#include "core/text.h"

#include <algorithm>

namespace attenscope {

namespace {

/// The second sequence that is offered where there is only one.
constexpr const char *secondSequence = "The dog lay on the rug";

bool isEmbedded(const AttentionBlock &block)
{
    return std::holds_alternative<EmbeddedData>(block.data);
}

/// Columns that the query heads share; 0 where the data say how many heads there are.
Index sharedColumns(const AttentionBlock &block)
{
    const auto *embedded = std::get_if<EmbeddedData>(&block.data);
    return embedded && !embedded->layers.empty() ? embedded->layers.front().wq.cols() : 0;
}

Index headWidth(const AttentionBlock &block, const AttentionSpec &spec)
{
    if (const auto *projected = std::get_if<ProjectedData>(&block.data))
        return projected->q.empty() ? 0 : projected->q.front().cols();
    return spec.heads > 0 ? sharedColumns(block) / spec.heads : 0;
}

void offerHeads(PresetUse &use, int heads, const std::function<void(AttentionSpec &)> &change)
{
    use.offer("Use " + std::to_string(heads) + (heads == 1 ? " head" : " heads"), [heads, change](Session &session) {
        session.mechanism.heads = heads;
        change(session.mechanism);
    });
}

void sayWhichHeadsAreKept(PresetUse &use)
{
    const int inData = dataKvHeadCount(use.block, use.spec);
    // Seeded heads are all alike.
    if (use.block.isUntrained || use.block.hasWeightsOnly() || use.spec.kvHeads == 0 || use.spec.kvHeads >= inData)
        return;
    use.note("The data have " + std::to_string(inData) + " key/value heads; the first of each group is kept.");
}

/// Key/value heads for this many query heads; 0: they cannot be grouped.
int groupsFor(int heads)
{
    for (const int groups : { heads > 8 && heads % 8 == 0 ? 8 : 0, heads % 4 == 0 ? heads / 4 : 0, heads % 2 == 0 ? heads / 2 : 0 })
        if (groups > 1 && groups < heads)
            return groups;
    return 0;
}

} // namespace

void PresetUse::note(std::string sentence)
{
    result.notes.push_back(std::move(sentence));
}

void PresetUse::offer(std::string label, std::function<void(Session &)> change)
{
    offers.emplace_back(std::move(label), std::move(change));
}

void setCausal(PresetUse &use)
{
    use.spec.mask.rule = MaskRule::Causal;
}

void setRope(PresetUse &use)
{
    const Index width = headWidth(use.block, use.spec);
    if (width % 2 == 0) {
        if (!use.spec.rope)
            use.spec.rope = Rope();
        return;
    }
    use.result.fits = false;
    use.note("RoPE turns pairs of dimensions, and each head has " + groupedCount(width) + ": it is left out.");
    const auto columns = static_cast<int>(sharedColumns(use.block));
    // Given Q and K say themselves how many heads there are.
    for (int heads = use.spec.heads; heads >= 1 && columns > 0; --heads) {
        if (columns % heads != 0 || columns / heads % 2 != 0)
            continue;
        return offerHeads(use, heads, [](AttentionSpec &spec) { spec.rope = Rope(); });
    }
}

Index windowFor(PresetUse &use, Index paper)
{
    if (use.block.keys > paper)
        return paper;
    const Index window = std::max<Index>(1, use.block.keys / 4);
    use.note(
        "The window of the paper is " + groupedCount(paper) + " keys, wider than this input; here it is " + groupedCount(window) + ".");
    return window;
}

void shareAll(PresetUse &use)
{
    const int heads = headCount(use.block, use.spec);
    if (heads > 1) {
        use.spec.kvHeads = 1;
        sayWhichHeadsAreKept(use);
        return;
    }
    use.result.fits = false;
    use.note("There is one query head: nothing to share.");
    use.spec.kvHeads = 1;
    for (const int more : { 4, 2 })
        if (isEmbedded(use.block) && sharedColumns(use.block) % more == 0)
            return offerHeads(use, more, [](AttentionSpec &spec) { spec.kvHeads = 1; });
}

void shareInGroups(PresetUse &use)
{
    const int heads = headCount(use.block, use.spec);
    const int groups = groupsFor(heads);
    if (groups > 0) {
        use.spec.kvHeads = std::min(groups, dataKvHeadCount(use.block, use.spec));
        sayWhichHeadsAreKept(use);
        return;
    }
    use.result.fits = false;
    use.note("Groups need at least 4 query heads, an even number of them; there " + std::string(heads == 1 ? "is " : "are ")
        + std::to_string(heads) + ".");
    for (const int more : { 8, 4 }) {
        if (isEmbedded(use.block) && sharedColumns(use.block) % more == 0)
            return offerHeads(use, more, [groups = groupsFor(more)](AttentionSpec &spec) { spec.kvHeads = groups; });
    }
}

void setZeroBias(PresetUse &use)
{
    const auto cells = saturatingProduct(static_cast<std::uint64_t>(use.block.queries), static_cast<std::uint64_t>(use.block.keys));
    if (const Result<void> room = checkMemory(saturatingProduct(cells, sizeof(double)), "A bias"); !room) {
        use.result.fits = false;
        return use.note(room.error().sentence());
    }
    if (!use.isTrial)
        use.spec.bias = SharedMatrix(Matrix(Matrix::Zero(use.block.queries, use.block.keys)));
}

void needSecondSequence(PresetUse &use)
{
    const auto *embedded = std::get_if<EmbeddedData>(&use.block.data);
    if (!embedded || !embedded->y.empty())
        return;
    use.result.fits = false;
    use.note("Queries and keys are the same tokens here; it is meant for keys of a second sequence.");
    if (std::holds_alternative<TokensSource>(use.result.session.source))
        use.offer("Take the keys from a second sequence",
            [](Session &session) { std::get<TokensSource>(session.source).keyText = secondSequence; });
}

void needOneSequence(PresetUse &use)
{
    const auto *embedded = std::get_if<EmbeddedData>(&use.block.data);
    if (!embedded || embedded->y.empty())
        return;
    use.result.fits = false;
    use.note("The keys come from a second sequence; self-attention takes them from the same tokens.");
    if (std::holds_alternative<TokensSource>(use.result.session.source))
        use.offer("Take the keys from the same tokens", [](Session &session) { std::get<TokensSource>(session.source).keyText.reset(); });
}

void needOneHead(PresetUse &use)
{
    if (!isEmbedded(use.block) || use.spec.heads <= 1)
        return;
    use.note("The paper has one head; here each of the " + std::to_string(use.spec.heads) + " has the same parameters.");
    offerHeads(use, 1, [](AttentionSpec &) {});
}

void needNoSinusoids(PresetUse &use)
{
    const auto *tokens = std::get_if<TokensSource>(&use.result.session.source);
    if (!tokens || !tokens->hasPositions)
        return;
    use.note("Sinusoidal positions are added to the embeddings as well; the paper does without.");
    use.offer("Leave the sinusoidal positions out", [](Session &session) { std::get<TokensSource>(session.source).hasPositions = false; });
}

} // namespace attenscope
