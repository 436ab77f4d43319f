// SPDX-License-Identifier: GPL-3.0-or-later
// What the name of an array or of a list of tokens says about its use.
#pragma once

#include "session/tensor_set.h"

#include <cstdint>
#include <string>
#include <vector>

namespace attenscope {

struct NameMeaning {
    TensorRole role = TensorRole::Unused;
    BlockRole block = BlockRole::Plain;
    int rank = 0; ///< 0: the usual name; higher ones are rarer.
    bool isTransposed = false; ///< A projection as torch keeps it, outputs x inputs.
    bool hasPositionsFirst = false; ///< (batch, position, head, d), as TransformerLens records.
    std::string pattern; ///< The name with "#" for every number.
    std::vector<std::int64_t> numbers; ///< In the order of the name.
    std::vector<bool> countsSteps; ///< Per number: the word before it is "step" or means the same.
    bool isOfPrompt = false; ///< "prompt", "prefill": what generation begins with.
    bool isGenerated = false; ///< "generated", "completion": what comes after it.
};

/// Prefixes before a dot or slash, and words such as "layer", do not count.
[[nodiscard]] NameMeaning meaningOfTensor(const std::string &name);
/// Tokens, QueryTokens or KeyTokens; Unused where the name says nothing.
[[nodiscard]] NameMeaning meaningOfTokenList(const std::string &name);

} // namespace attenscope
