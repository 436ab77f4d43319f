// SPDX-License-Identifier: GPL-3.0-or-later
// Leaving tokens out of an input and merging word pieces into words.
#pragma once

#include "attention/input.h"
#include "session/tokens_shown.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace attenscope {

/// What tokenizers add to a text: [CLS], [SEP], <s>, </s>, <pad>, <|endoftext|>, <extra_id_0> and the like.
[[nodiscard]] bool isSpecialToken(std::string_view token);
/// [PAD], <pad>, <|pad|> and the like.
[[nodiscard]] bool isPaddingToken(std::string_view token);

/// Bytes of a leading mark that says "a word starts here" ("Ġ", "▁", "·" or a space); 0 for none.
[[nodiscard]] std::size_t wordStartMark(const std::string &token);

/// The words of a tokenized text: pieces that go on begin with "##", follow one that ends in "@@" or without "</w>", or have no mark of a
/// word's beginning ("Ġ", "▁") where other tokens have one. A special token is a word of its own.
[[nodiscard]] std::vector<Range> wordRanges(const std::vector<std::string> &tokens);
/// The pieces of a word written together, without their marks.
[[nodiscard]] std::string wordText(const std::vector<std::string> &tokens, const Range &pieces);

/// @p whole with what @p tokens shows of it, block by block as ReducedData; nothing is computed. @p element chooses the padding. A merged word is left
/// out where one of its pieces is. Errors: nothing is left of the queries or the keys of a block.
Result<AttentionInput> withTokensShown(
    const std::shared_ptr<const AttentionInput> &whole, const AttentionSpec &spec, const TokensShown &tokens, int element);

/// The query or key of the whole input that row or column @p shown of @p block begins with: itself where the block is not reduced, -1 where there is none.
[[nodiscard]] Index wholeQuery(const AttentionBlock &block, Index shown);
[[nodiscard]] Index wholeKey(const AttentionBlock &block, Index shown);
/// The row or column of @p block that shows query or key @p whole of the whole input; -1 where it is left out.
[[nodiscard]] Index shownQuery(const AttentionBlock &block, Index whole);
[[nodiscard]] Index shownKey(const AttentionBlock &block, Index whole);

/// What is left out and merged of block number @p place, for under a picture: "left out: [CLS], [SEP], rows divided by what is left"; empty for
/// a block that is not reduced. @p saysUndivided: "rows not renormalised" where that is so; not for what divides them later.
[[nodiscard]] std::string reductionWords(const AttentionBlock &block, int place, bool saysUndivided = true);

} // namespace attenscope
