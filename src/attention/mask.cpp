// SPDX-License-Identifier: GPL-3.0-or-later
// Mask rules as intervals of keys, and their intersection with padding and bits.
#include "attention/mask.h"

#include <algorithm>
#include <bit>

namespace attenscope {

namespace {

/// Appends [first, end) cut to [0, keys); joins it with the last interval where they touch. Calls come in ascending order.
void append(std::vector<Range> &out, Index keys, Index first, Index end)
{
    first = std::max<Index>(first, 0);
    end = std::min(end, keys);
    if (first >= end)
        return;
    if (!out.empty() && first <= out.back().end)
        out.back().end = std::max(out.back().end, end);
    else
        out.push_back({ first, end });
}

std::vector<Range> intersection(const std::vector<Range> &a, const std::vector<Range> &b)
{
    std::vector<Range> out;
    for (auto first = a.begin(), second = b.begin(); first != a.end() && second != b.end();) {
        const Range both{ std::max(first->first, second->first), std::min(first->end, second->end) };
        if (both.size() > 0)
            out.push_back(both);
        if (first->end < second->end)
            ++first;
        else
            ++second;
    }
    return out;
}

/// The runs of set bits, found a word at a time.
std::vector<Range> runsOf(std::span<const std::uint64_t> words)
{
    std::vector<Range> out;
    constexpr Index bits = 64;
    for (std::size_t place = 0; place < words.size(); ++place) {
        std::uint64_t word = words[place];
        const Index base = static_cast<Index>(place) * bits;
        while (word != 0) {
            const int first = std::countr_zero(word);
            const int length = std::countr_one(word >> static_cast<unsigned>(first));
            append(out, base + bits, base + first, base + first + length);
            if (first + length == bits)
                break;
            word &= ~std::uint64_t{ 0 } << static_cast<unsigned>(first + length);
        }
    }
    return out;
}

/// First position of the document that @p position is in.
Index documentStart(const MaskSpec &spec, Index position)
{
    const auto next = std::upper_bound(spec.documentStarts.begin(), spec.documentStarts.end(), position);
    return next == spec.documentStarts.begin() ? 0 : *std::prev(next);
}

/// The keys that the rule alone lets a query see. @p position is the query's place on the axis of the keys.
void ruleIntervals(const MaskSpec &spec, Index row, Index position, Index keys, std::vector<Range> &out)
{
    const Index ownEnd = position + 1;
    // Larger ones see as much, and their sums stay in range.
    const Index window = std::min(spec.window, keys + std::abs(position) + 1);
    switch (spec.rule) {
    case MaskRule::None:
        return append(out, keys, 0, keys);
    case MaskRule::Causal:
        return append(out, keys, 0, ownEnd);
    case MaskRule::SlidingWindow:
        return append(out, keys, position - window, ownEnd + window);
    case MaskRule::CausalSlidingWindow:
        return append(out, keys, ownEnd - window, ownEnd);
    case MaskRule::PrefixLm:
        return append(out, keys, 0, std::max(ownEnd, spec.prefix));
    case MaskRule::SparseStrided:
        if (position < 0)
            return;
        for (Index key = position % spec.stride; key < position - spec.stride; key += spec.stride)
            append(out, keys, key, key + 1);
        return append(out, keys, position - spec.stride, ownEnd);
    case MaskRule::SparseFixed:
        if (position < 0)
            return;
        for (Index block = 0; block < position / spec.stride * spec.stride; block += spec.stride)
            append(out, keys, block + spec.stride - spec.fixedColumns, block + spec.stride);
        return append(out, keys, position / spec.stride * spec.stride, ownEnd);
    case MaskRule::BlockSparse:
        for (const Range &run : runsOf(spec.blockLayout.words(row / spec.block)))
            append(out, keys, run.first * spec.block, run.end * spec.block);
        return;
    case MaskRule::SinksWindow:
        append(out, keys, 0, std::min(spec.sinks, ownEnd));
        return append(out, keys, ownEnd - window, ownEnd);
    case MaskRule::Document:
        return append(out, keys, documentStart(spec, position), ownEnd);
    }
}

bool ruleAllows(const MaskSpec &spec, Index row, Index position, Index key)
{
    const Index back = position - key;
    switch (spec.rule) {
    case MaskRule::None:
        return true;
    case MaskRule::Causal:
        return back >= 0;
    case MaskRule::SlidingWindow:
        return std::abs(back) <= spec.window;
    case MaskRule::CausalSlidingWindow:
        return back >= 0 && back < spec.window;
    case MaskRule::PrefixLm:
        return back >= 0 || key < spec.prefix;
    case MaskRule::SparseStrided:
        return back >= 0 && (back <= spec.stride || back % spec.stride == 0);
    case MaskRule::SparseFixed:
        return back >= 0 && (key / spec.stride == position / spec.stride || key % spec.stride >= spec.stride - spec.fixedColumns);
    case MaskRule::BlockSparse:
        return spec.blockLayout.at(row / spec.block, key / spec.block);
    case MaskRule::SinksWindow:
        return back >= 0 && (key < spec.sinks || back < spec.window);
    case MaskRule::Document:
        return back >= 0 && key >= documentStart(spec, position);
    }
    return true;
}

Index causalOffset(const MaskSpec &spec, Index queries, Index keys)
{
    return spec.alignment == CausalAlignment::BottomRight ? keys - queries : 0;
}

/// What came with the data for a batch element; null where nothing did.
const std::vector<bool> *paddingOf(const AttentionBlock &block, int element)
{
    const auto place = static_cast<std::size_t>(element);
    return place < block.keyPadding.size() ? &block.keyPadding[place] : nullptr;
}

const BitMatrix *maskOf(const AttentionBlock &block, int element)
{
    if (block.masks.empty())
        return nullptr;
    return &block.masks[std::min(static_cast<std::size_t>(element), block.masks.size() - 1)];
}

} // namespace

Mask::Mask(Index queries, Index keys)
    : m_queries(queries)
    , m_keys(keys)
    , m_realKeys{ { 0, keys } }
{
}

Mask::Mask(const AttentionBlock &block, const MaskSpec &spec, int element)
    : m_queries(block.queries)
    , m_keys(block.keys)
    , m_causalOffset(causalOffset(spec, block.queries, block.keys))
    , m_spec(spec)
{
    const Index realEnd = m_keys - spec.paddedKeys;
    const std::vector<bool> *padding = spec.usesInputMask ? paddingOf(block, element) : nullptr;
    for (Index key = 0; padding && key < m_keys; ++key)
        if ((*padding)[static_cast<std::size_t>(key)])
            append(m_realKeys, realEnd, key, key + 1);
    if (!padding)
        append(m_realKeys, realEnd, 0, realEnd);
    if (const BitMatrix *bits = spec.usesInputMask ? maskOf(block, element) : nullptr)
        m_bits.push_back(*bits);
    if (!spec.allowed.isEmpty())
        m_bits.push_back(spec.allowed);
    const std::vector<Range> allKeys{ { 0, m_keys } };
    m_isFull = spec.rule == MaskRule::None && m_bits.empty() && m_realKeys == allKeys;
}

void Mask::visible(Index row, std::vector<Range> &out) const
{
    out.clear();
    ruleIntervals(m_spec, row, row + m_causalOffset, m_keys, out);
    if (m_isFull)
        return;
    if (m_realKeys.size() != 1 || m_realKeys.front() != Range{ 0, m_keys })
        out = intersection(out, m_realKeys);
    for (const BitMatrix &bits : m_bits)
        out = intersection(out, runsOf(bits.words(row)));
}

bool Mask::isAllowed(Index row, Index key) const
{
    const auto contains = [key](const Range &range) { return range.contains(key); };
    return ruleAllows(m_spec, row, row + m_causalOffset, key) && std::any_of(m_realKeys.begin(), m_realKeys.end(), contains);
}

bool Mask::isVisible(Index row, Index key) const
{
    return m_isFull || (isAllowed(row, key) && std::all_of(m_bits.begin(), m_bits.end(), [row, key](const BitMatrix &bits) {
        return bits.at(row, key);
    }));
}

Index Mask::visibleCount(Index row) const
{
    if (m_isFull)
        return m_keys;
    std::vector<Range> intervals;
    visible(row, intervals);
    Index count = 0;
    for (const Range &interval : intervals)
        count += interval.size();
    return count;
}

MaskSpec withRule(MaskSpec spec, MaskRule rule, const AttentionBlock &block)
{
    constexpr Index mostBlocks = 64;
    spec.rule = rule;
    if (rule == MaskRule::PrefixLm)
        spec.prefix = std::min(spec.prefix, block.keys);
    if (rule == MaskRule::Document && spec.documentStarts.empty() && block.keys > 1)
        spec.documentStarts = { block.keys / 2 };
    if (rule == MaskRule::BlockSparse) {
        spec.block = std::max(spec.block, (std::max(block.queries, block.keys) - 1) / mostBlocks + 1);
        spec.blockLayout = fittingLayout(spec, block);
    }
    return spec;
}

BitMatrix fittingLayout(const MaskSpec &spec, const AttentionBlock &block)
{
    const Index side = std::max<Index>(spec.block, 1);
    const Index rows = (block.queries + side - 1) / side;
    const Index cols = (block.keys + side - 1) / side;
    const BitMatrix &now = spec.blockLayout;
    if (now.rows() == rows && now.cols() == cols)
        return now;
    BitMatrix layout(rows, cols, false);
    for (Index row = 0; row < rows; ++row)
        for (Index col = 0; col < cols; ++col)
            layout.set(row, col, row < now.rows() && col < now.cols() ? now.at(row, col) : col <= row + cols - rows);
    return layout;
}

std::string maskedBecause(const AttentionBlock &block, const MaskSpec &spec, int element, Index row, Index key)
{
    if (!ruleAllows(spec, row, row + causalOffset(spec, block.queries, block.keys), key))
        return maskName(spec);
    const std::vector<bool> *padding = spec.usesInputMask ? paddingOf(block, element) : nullptr;
    if (key >= block.keys - spec.paddedKeys || (padding && !(*padding)[static_cast<std::size_t>(key)]))
        return "padding";
    const BitMatrix *bits = spec.usesInputMask ? maskOf(block, element) : nullptr;
    if ((bits && !bits->at(row, key)) || (!spec.allowed.isEmpty() && !spec.allowed.at(row, key)))
        return "mask";
    return {};
}

} // namespace attenscope
