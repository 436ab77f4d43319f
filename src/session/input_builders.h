// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of buildInput(), one per kind of source.
#pragma once

#include "session/source.h"

namespace attenscope {

Result<AttentionInput> buildTokenInput(const TokensSource &source);
Result<AttentionInput> buildMatrixInput(const MatricesSource &source);

/// The problems that every mechanism has with the shapes (@p spec null), or all under @p spec.
[[nodiscard]] std::vector<MatrixProblem> matrixProblems(const MatricesSource &source, const AttentionSpec *spec);

/// @p names for @p count rows: missing ones are their position, surplus ones are left out.
[[nodiscard]] std::vector<std::string> namesFor(std::vector<std::string> names, Index count);

} // namespace attenscope
