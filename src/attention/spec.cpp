// SPDX-License-Identifier: GPL-3.0-or-later
// Bit matrices and the words for a mask.
#include "attention/spec.h"

#include <algorithm>
#include <cassert>

namespace attenscope {

namespace {

constexpr Index bitsPerWord = 64;

Index wordsPerRow(Index cols)
{
    return (cols + bitsPerWord - 1) / bitsPerWord;
}

} // namespace

BitMatrix::BitMatrix(Index rows, Index cols, bool value)
    : m_rows(rows)
    , m_cols(cols)
    , m_words(
          std::make_shared<std::vector<std::uint64_t>>(static_cast<std::size_t>(rows * wordsPerRow(cols)), value ? ~std::uint64_t{ 0 } : 0))
{
    // Bits after the last column stay 0, so that words can be compared and walked.
    const Index rest = cols % bitsPerWord;
    if (!value || rest == 0)
        return;
    for (Index row = 1; row <= rows; ++row)
        (*m_words)[static_cast<std::size_t>(row * wordsPerRow(cols) - 1)] = (std::uint64_t{ 1 } << static_cast<unsigned>(rest)) - 1;
}

bool BitMatrix::at(Index row, Index col) const
{
    assert(row >= 0 && row < m_rows && col >= 0 && col < m_cols);
    return ((words(row)[static_cast<std::size_t>(col / bitsPerWord)] >> static_cast<unsigned>(col % bitsPerWord)) & 1U) != 0;
}

void BitMatrix::set(Index row, Index col, bool value)
{
    assert(row >= 0 && row < m_rows && col >= 0 && col < m_cols);
    if (m_words.use_count() > 1)
        m_words = std::make_shared<std::vector<std::uint64_t>>(*m_words);
    std::uint64_t &word = (*m_words)[static_cast<std::size_t>(row * wordsPerRow(m_cols) + col / bitsPerWord)];
    const std::uint64_t bit = std::uint64_t{ 1 } << static_cast<unsigned>(col % bitsPerWord);
    word = value ? word | bit : word & ~bit;
}

std::span<const std::uint64_t> BitMatrix::words(Index row) const
{
    const auto count = static_cast<std::size_t>(wordsPerRow(m_cols));
    return std::span(*m_words).subspan(static_cast<std::size_t>(row) * count, count);
}

bool operator==(const BitMatrix &a, const BitMatrix &b)
{
    if (a.m_rows != b.m_rows || a.m_cols != b.m_cols)
        return false;
    return a.m_words == b.m_words || (a.m_words && b.m_words && *a.m_words == *b.m_words);
}

AttentionSpec withCausalMask(const AttentionSpec &spec, bool causal)
{
    AttentionSpec changed = spec;
    changed.mask.rule = causal ? MaskRule::Causal : MaskRule::None;
    return changed;
}

std::string maskName(const MaskSpec &mask)
{
    switch (mask.rule) {
    case MaskRule::Causal:
        return "causal";
    case MaskRule::SlidingWindow:
        return "window";
    case MaskRule::CausalSlidingWindow:
        return "causal window";
    case MaskRule::PrefixLm:
        return "prefix";
    case MaskRule::SparseStrided:
        return "strided";
    case MaskRule::SparseFixed:
        return "fixed";
    case MaskRule::BlockSparse:
        return "block-sparse";
    case MaskRule::SinksWindow:
        return "sinks and window";
    case MaskRule::Document:
        return "documents";
    case MaskRule::None:
        break;
    }
    if (!mask.allowed.isEmpty())
        return "own mask";
    return mask.paddedKeys > 0 ? "padding" : "unmasked";
}

} // namespace attenscope
