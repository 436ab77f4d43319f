// SPDX-License-Identifier: GPL-3.0-or-later
// Matrices from whatever people have on the clipboard.
#pragma once

#include "core/matrix.h"
#include "core/result.h"

#include <string>
#include <vector>

namespace attenscope {

/// What was understood: one matrix or more (a 3-D print is one per head), with row and column names where the text has them.
struct PastedMatrices {
    std::vector<Matrix> matrices; ///< At least one; all of one shape.
    std::vector<std::string> rowNames;
    std::vector<std::string> colNames;
};

/// Understands spreadsheet cells (tabs), CSV (comma, semicolon; a comma as decimal mark with semicolons or tabs), space-separated numbers, np.array
/// and torch tensor prints, MATLAB and Octave, JSON and Python lists; NaN, inf, 1e-3, U+2212. Errors: an ellipsis ("The print was
/// shortened by …; print it whole with np.set_printoptions(threshold=sys.maxsize)"), ragged rows, text in numbers: which row and column.
Result<PastedMatrices> parseMatrices(const std::string &text);

} // namespace attenscope
