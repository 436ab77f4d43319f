// SPDX-License-Identifier: GPL-3.0-or-later
// TokensShown: which tokens are left out of the pictures, and whether word pieces are shown as words.
#pragma once

#include "core/matrix.h"

#include <optional>
#include <vector>

namespace attenscope {

/// One token of a block, as a query, as a key, or both where it is the same.
struct TokenPlace {
    int block = 0;
    bool isQuery = false;
    Index position = 0;

    friend bool operator==(const TokenPlace &, const TokenPlace &) = default;
};

/// Queries and keys of a block that follow each other: of a long input what can be looked at in all ways.
struct TokenPart {
    int block = 0;
    Range queries;
    Range keys;

    friend bool operator==(const TokenPart &, const TokenPart &) = default;
};

/// The default shows every token. Positions are those of the input, whatever is left out or merged.
struct TokensShown {
    bool leavesOutFirst = false; ///< The first query and the first key of every block.
    bool leavesOutPadding = false; ///< What the data mark as padding, and tokens that are called so.
    bool leavesOutSpecials = false; ///< [CLS], </s>, <|endoftext|> and so on.
    std::vector<TokenPlace> leftOut; ///< Others, chosen one by one.
    std::optional<TokenPart> part; ///< All others of its block are left out.
    bool renormalizes = false; ///< Rows are divided by what is left of them.
    bool mergesPieces = false; ///< Pieces of a word are one token: columns add, rows average.

    [[nodiscard]] bool leavesOutAny() const { return leavesOutFirst || leavesOutPadding || leavesOutSpecials || !leftOut.empty() || part; }
    [[nodiscard]] bool showsAll() const { return !leavesOutAny() && !mergesPieces; }
    friend bool operator==(const TokensShown &, const TokensShown &) = default;
};

} // namespace attenscope
