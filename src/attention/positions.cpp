// SPDX-License-Identifier: GPL-3.0-or-later
// Positions: sinusoidal encodings, rotations and the slopes of linear biases.
#include "attention/operands.h"

#include <bit>
#include <cmath>

namespace attenscope {

std::vector<double> alibiSlopes(int heads)
{
    const auto slopesOf = [](int count) {
        std::vector<double> slopes;
        for (int head = 1; head <= count; ++head)
            slopes.push_back(std::exp2(-8.0 * head / count));
        return slopes;
    };
    const int lower = static_cast<int>(std::bit_floor(static_cast<unsigned>(heads)));
    std::vector<double> slopes = slopesOf(lower);
    if (lower == heads)
        return slopes;
    const std::vector<double> finer = slopesOf(2 * lower);
    for (std::size_t place = 0; slopes.size() < static_cast<std::size_t>(heads); place += 2)
        slopes.push_back(finer[place]);
    return slopes;
}

Matrix sinusoidalPositions(Index rows, Index d, Index offset)
{
    Matrix positions(rows, d);
    for (Index row = 0; row < rows; ++row) {
        for (Index col = 0; col < d; ++col) {
            const double exponent = static_cast<double>(col / 2 * 2) / static_cast<double>(d);
            const double angle = static_cast<double>(offset + row) / std::pow(10000.0, exponent);
            positions(row, col) = col % 2 == 0 ? std::sin(angle) : std::cos(angle);
        }
    }
    return positions;
}

Matrix turned(const Matrix &vectors, const Rope &rope, Index offset)
{
    const Index d = vectors.cols();
    const bool isInterleaved = rope.layout == RopeLayout::Interleaved;
    Matrix result(vectors.rows(), d);
    for (Index pair = 0; pair < d / 2; ++pair) {
        const Index first = isInterleaved ? 2 * pair : pair;
        const Index second = isInterleaved ? 2 * pair + 1 : pair + d / 2;
        const double frequency = std::pow(rope.base, -2.0 * static_cast<double>(pair) / static_cast<double>(d));
        for (Index row = 0; row < vectors.rows(); ++row) {
            const double angle = static_cast<double>(offset + row) * frequency;
            const double x = vectors(row, first);
            const double y = vectors(row, second);
            result(row, first) = x * std::cos(angle) - y * std::sin(angle);
            result(row, second) = x * std::sin(angle) + y * std::cos(angle);
        }
    }
    return result;
}

} // namespace attenscope
