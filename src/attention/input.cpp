// SPDX-License-Identifier: GPL-3.0-or-later
// Counting and naming the heads of an input.
#include "attention/input.h"

#include "attention/check_parts.h"

#include <algorithm>

namespace attenscope {

namespace {

/// Key/value heads that embedded projections were made for: columns of W_k in units of a head's width.
int embeddedKvHeads(const EmbeddedData &data, const AttentionSpec &spec)
{
    const int heads = std::max(spec.heads, 1);
    if (data.layers.empty())
        return heads;
    // Queries and keys may be of different width here, so the columns do not tell.
    if (!pairsNumbers(spec.score) && spec.kvHeads > 0)
        return spec.kvHeads;
    const Index width = data.layers.front().wq.cols() / heads;
    const Index keyColumns = data.layers.front().wk.cols();
    if (width == 0 || keyColumns % width != 0 || keyColumns / width > heads || keyColumns == 0)
        return heads;
    return static_cast<int>(keyColumns / width);
}

} // namespace

bool AttentionBlock::hasValues() const
{
    if (const auto *projected = std::get_if<ProjectedData>(&data))
        return !projected->v.empty() && !projected->v.front().isEmpty();
    if (const auto *embedded = std::get_if<EmbeddedData>(&data))
        return !embedded->layers.empty() && !embedded->layers.front().wv.isEmpty();
    return false;
}

int headCount(const AttentionBlock &block, const AttentionSpec &spec)
{
    return std::holds_alternative<EmbeddedData>(block.data) ? spec.heads : block.heads;
}

int dataKvHeadCount(const AttentionBlock &block, const AttentionSpec &spec)
{
    const auto *embedded = std::get_if<EmbeddedData>(&block.data);
    return embedded ? embeddedKvHeads(*embedded, spec) : block.kvHeads;
}

int kvHeadCount(const AttentionBlock &block, const AttentionSpec &spec)
{
    return spec.kvHeads > 0 ? spec.kvHeads : dataKvHeadCount(block, spec);
}

const AttentionSpec &wholeSpec(const AttentionBlock &block, const AttentionSpec &spec)
{
    const auto *reduced = std::get_if<ReducedData>(&block.data);
    return reduced ? reduced->spec : spec;
}

HeadRef clamped(HeadRef ref, const AttentionInput &input, const AttentionSpec &spec)
{
    const auto nearest = [](int value, int count) { return std::clamp(value, 0, std::max(count - 1, 0)); };
    ref.block = nearest(ref.block, static_cast<int>(input.blocks.size()));
    const AttentionBlock &block = input.blocks.at(static_cast<std::size_t>(ref.block));
    ref.layer = nearest(ref.layer, block.layers);
    ref.head = nearest(ref.head, headCount(block, spec));
    ref.element = nearest(ref.element, block.batch);
    return ref;
}

std::string roleName(BlockRole role)
{
    switch (role) {
    case BlockRole::EncoderSelf:
        return "encoder";
    case BlockRole::DecoderSelf:
        return "decoder";
    case BlockRole::Cross:
        return "cross";
    case BlockRole::Plain:
        break;
    }
    return {};
}

std::string blockName(const AttentionInput &input, int place)
{
    const AttentionBlock &block = input.blocks.at(static_cast<std::size_t>(place));
    if (!block.name.empty())
        return block.name;
    const std::string role = roleName(block.role);
    return role.empty() ? "block " + std::to_string(place) : role;
}

std::string headName(const AttentionInput &input, const HeadRef &ref)
{
    const AttentionBlock &block = input.blocks.at(static_cast<std::size_t>(ref.block));
    std::string name = std::to_string(ref.head);
    if (block.layers > 1)
        name = std::to_string(ref.layer) + "·" + name;
    if (input.blocks.size() > 1)
        name = blockName(input, ref.block) + " " + name;
    return name;
}

} // namespace attenscope
