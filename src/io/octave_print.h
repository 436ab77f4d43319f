// SPDX-License-Identifier: GPL-3.0-or-later
// Matrices as MATLAB and Octave print them: "A =", "Columns 1 through 8:", a common factor.
#pragma once

#include "core/matrix.h"
#include "core/result.h"

#include <string_view>
#include <vector>

namespace attenscope {

/// Whether @p text has a line such as "A =" or "Columns 1 through 8:".
[[nodiscard]] bool looksLikeOctavePrint(std::string_view text);

/// Reads one matrix or several. Groups of columns are joined; a line "1.0e+03 *" multiplies what follows.
Result<std::vector<Matrix>> parseOctavePrint(std::string_view text);

} // namespace attenscope
