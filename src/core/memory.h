// SPDX-License-Identifier: GPL-3.0-or-later
// How much memory may be taken, asked before it is taken.
#pragma once

#include "core/result.h"

#include <cstdint>
#include <string>

namespace attenscope {

/// Bytes that the system says are available (MemAvailable); the largest number if it does not say.
[[nodiscard]] std::uint64_t availableMemory();

/// Refuses what would take more than half of the available memory, in words: "@p purpose would need 97 GB; …".
Result<void> checkMemory(std::uint64_t bytes, const std::string &purpose);

/// a * b, or the largest number where the product overflows.
[[nodiscard]] std::uint64_t saturatingProduct(std::uint64_t a, std::uint64_t b);

} // namespace attenscope
