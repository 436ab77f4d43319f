// SPDX-License-Identifier: GPL-3.0-or-later
// Names for the dense matrices that the engine computes with.
#pragma once

#include <Eigen/Core>

namespace attenscope {

/// Every size and position: signed, 64 bits.
using Index = Eigen::Index;

/// Row-major, double precision: rows are queries (or keys, or values), columns their dimensions or keys.
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
/// The same in single precision, for the streaming pass and for colours.
using MatrixF = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1>;
using VectorF = Eigen::Matrix<float, Eigen::Dynamic, 1>;

/// Half-open interval [first, end) of rows, columns or keys.
struct Range {
    Index first = 0;
    Index end = 0;

    [[nodiscard]] Index size() const { return end > first ? end - first : 0; }
    [[nodiscard]] bool contains(Index position) const { return position >= first && position < end; }
    friend bool operator==(const Range &, const Range &) = default;
};

} // namespace attenscope
