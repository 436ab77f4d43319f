// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers in brackets: Python and JSON lists, NumPy and torch prints, MATLAB matrices.
#pragma once

#include "core/matrix.h"
#include "core/result.h"

#include <string_view>
#include <vector>

namespace attenscope {

/// More numbers than anybody pastes; a file is the way for them.
inline constexpr Index mostPastedNumbers = 10'000'000;

/// Whether @p text begins like numbers in brackets: [ or (, perhaps behind "name =" or a call such as np.array( or tensor(.
[[nodiscard]] bool looksBracketed(std::string_view text);

/// Reads one array or several after another. One axis is one row; three axes are one matrix per head; axes in front of those
/// must have one element. In single brackets ; and ends of lines separate rows (MATLAB), and ' after them transposes. Errors, with row
/// and column: text, rows of different length, brackets that do not match, nested too deep, too many numbers.
Result<std::vector<Matrix>> parseBracketed(std::string_view text);

} // namespace attenscope
