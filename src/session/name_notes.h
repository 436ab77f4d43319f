// SPDX-License-Identifier: GPL-3.0-or-later
// What must be said wherever the tokens of a file are shown: that there are too few or too many of them.
#pragma once

#include "session/source.h"

#include <string>
#include <vector>

namespace attenscope {

/// "5 tokens for 8 positions; the others are shown as positions": where the names in a file, or those typed for it, are not as many as the queries and
/// keys of @p block. Empty for other sources.
[[nodiscard]] std::vector<std::string> nameNotes(const Source &source, const AttentionBlock &block);

} // namespace attenscope
