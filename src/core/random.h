// SPDX-License-Identifier: GPL-3.0-or-later
// Seeded random numbers that are the same on every machine and with every library.
#pragma once

#include "core/matrix.h"

#include <cstdint>
#include <string_view>

namespace attenscope {

/// SplitMix64 (Steele, Lea & Flood 2014) with normal numbers by Box-Muller; the same seed gives the same sequence everywhere.
class Random {
public:
    explicit Random(std::uint64_t seed);

    std::uint64_t next();
    /// Uniform in (0, 1).
    double uniform();
    /// Standard normal.
    double normal();
    /// rows x cols independent normal numbers with standard deviation @p deviation, row by row.
    Matrix normalMatrix(Index rows, Index cols, double deviation = 1.0);

private:
    std::uint64_t m_state;
    double m_spare = 0.0;
    bool m_hasSpare = false;
};

/// A seed made of @p seed and a name, so that "the vector of token cat under seed 1" is always the same (FNV-1a, 64 bits).
[[nodiscard]] std::uint64_t namedSeed(std::uint64_t seed, std::string_view name);

} // namespace attenscope
