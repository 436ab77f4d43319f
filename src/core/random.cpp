// SPDX-License-Identifier: GPL-3.0-or-later
// SplitMix64 and Box-Muller.
#include "core/random.h"

#include <cmath>
#include <numbers>

namespace attenscope {

Random::Random(std::uint64_t seed)
    : m_state(seed)
{
}

std::uint64_t Random::next()
{
    m_state += 0x9e3779b97f4a7c15U;
    std::uint64_t z = m_state;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
}

double Random::uniform()
{
    return (static_cast<double>(next() >> 11U) + 0.5) * 0x1p-53;
}

double Random::normal()
{
    if (m_hasSpare) {
        m_hasSpare = false;
        return m_spare;
    }
    const double radius = std::sqrt(-2.0 * std::log(uniform()));
    const double angle = 2.0 * std::numbers::pi * uniform();
    m_spare = radius * std::sin(angle);
    m_hasSpare = true;
    return radius * std::cos(angle);
}

Matrix Random::normalMatrix(Index rows, Index cols, double deviation)
{
    Matrix matrix(rows, cols);
    for (Index row = 0; row < rows; ++row)
        for (Index col = 0; col < cols; ++col)
            matrix(row, col) = deviation * normal();
    return matrix;
}

std::uint64_t namedSeed(std::uint64_t seed, std::string_view name)
{
    std::uint64_t hash = 0xcbf29ce484222325U;
    const auto add = [&hash](std::uint64_t byte) {
        hash ^= byte;
        hash *= 0x100000001b3U;
    };
    for (int shift = 0; shift < 64; shift += 8)
        add((seed >> static_cast<unsigned>(shift)) & 0xffU);
    for (const char byte : name)
        add(static_cast<unsigned char>(byte));
    return hash;
}

} // namespace attenscope
