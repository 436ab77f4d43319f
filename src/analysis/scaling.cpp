// SPDX-License-Identifier: GPL-3.0-or-later
// Classical scaling by Eigen's symmetric eigensolver.
#include "analysis/scaling.h"

#include "core/memory.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

namespace attenscope {

Result<ScaledPoints> classicalScaling(const Matrix &distances, Index dimensions, const Run &run)
{
    const Index count = distances.rows();
    ScaledPoints result{ Matrix::Zero(count, dimensions), 1.0 };
    if (run.stopped())
        return Error::cancelled();
    if (count == 0)
        return result;
    if (!distances.allFinite())
        return Error{ "There is a distance that is not a number.", "", "Leave out what has no finite distance to the others.", "" };
    const auto cells = saturatingProduct(static_cast<std::uint64_t>(count), static_cast<std::uint64_t>(count));
    if (Result<void> fits = checkMemory(saturatingProduct(cells, 4 * sizeof(double)), "Placing these points"); !fits)
        return fits.error();
    const Matrix squares = distances.array().square();
    const Vector means = squares.rowwise().mean();
    const Matrix products = -0.5 * ((squares.colwise() - means).rowwise() - means.transpose()).array() - 0.5 * means.mean();
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(products);
    if (solver.info() != Eigen::Success)
        return Error{ "These points could not be placed.", "", "Choose another picture.", "" };
    // Ascending.
    const Vector &spreads = solver.eigenvalues();
    for (Index dimension = 0; dimension < std::min(dimensions, count); ++dimension) {
        const Index place = count - 1 - dimension;
        Vector direction = solver.eigenvectors().col(place);
        Index largest = 0;
        direction.cwiseAbs().maxCoeff(&largest);
        if (direction(largest) < 0.0)
            direction = -direction;
        result.points.col(dimension) = direction * std::sqrt(std::max(0.0, spreads(place)));
    }
    const double all = spreads.cwiseMax(0.0).sum();
    if (all > 0.0)
        result.share = result.points.squaredNorm() / all;
    return result;
}

} // namespace attenscope
