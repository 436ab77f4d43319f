// SPDX-License-Identifier: GPL-3.0-or-later
// From a golden case to the engine and back: inputs and parameters in, all outputs of the manifest out.
#pragma once

#include "attention/input.h"
#include "support/golden_files.h"

namespace attenscope {

/// Every head of a case as the engine takes it. Each (batch element, head) has a spec of its own, since a bias may have these axes.
struct GoldenSetup {
    AttentionBlock block;
    std::vector<AttentionSpec> specs; ///< Index: element · heads + head.
    bool hasBatchAxis = false;
    bool hasHeadAxis = false; ///< In the outputs of every head.
};

/// The input and the mechanism that a case means; nothing for cases that compute no attention.
[[nodiscard]] std::optional<GoldenSetup> setupOf(const GoldenCase &golden);

/// All outputs that the case declares, computed from its inputs and parameters alone. Nothing if the engine lacks the variant.
[[nodiscard]] std::optional<GoldenArrays> computeCase(const GoldenCase &golden);

} // namespace attenscope
