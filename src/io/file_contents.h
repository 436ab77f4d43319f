// SPDX-License-Identifier: GPL-3.0-or-later
// FileContents: what a reader found in one file.
#pragma once

#include "session/tensor_set.h"

#include <string>
#include <vector>

namespace attenscope {

/// Names of the rows and columns of a table, which become tokens once it is known what the table is.
struct AxisNames {
    std::vector<std::string> rows;
    std::vector<std::string> cols;
};

/// What a reader found. Damage is an Error of the reader; parts that are whole but of no use here are left out with a reason.
struct FileContents {
    std::vector<NamedTensor> tensors;
    std::vector<TokenList> tokenLists;
    std::vector<std::string> notes;
    std::vector<Error> leftOut; ///< The answer where nothing else is left; notes otherwise.
    std::vector<Index> rowLengths; ///< As in TensorSet.
    AxisNames names;
};

} // namespace attenscope
