// SPDX-License-Identifier: GPL-3.0-or-later
// Why scores are divided by √d_k: the distribution of q·k, seeded samples of it, and what softmax makes of them.
#pragma once

#include "core/matrix.h"

#include <cstdint>
#include <span>

namespace attenscope {

/// Density at @p x of q·k for independent standard normal q and k of @p d >= 1 dimensions, the variance-gamma law
/// |x|^ν K_ν(|x|) / (√π Γ(d/2) 2^ν) with ν = (d - 1)/2 (Pearson, Jeffery & Elderton 1929). Mean 0, variance d. Infinite at 0 for d = 1.
[[nodiscard]] double dotProductDensity(double x, Index d);
/// Density at @p x of N(0, @p variance).
[[nodiscard]] double normalDensity(double x, double variance);

/// Frobenius norm of the Jacobian of softmax, diag(p) - p pᵀ, by ‖J‖² = Σp² - 2 Σp³ + (Σp²)². At most 1/√2; near 0 the row is saturated.
[[nodiscard]] double jacobianNorm(std::span<const double> p);

/// How much of @p samples falls into each of @p bins equal intervals of [first, last), divided by interval and sample count: comparable
/// with a density. What falls outside counts nowhere.
[[nodiscard]] Vector histogram(const Matrix &samples, double first, double last, Index bins);

/// Scores of seeded rows, each a query against some keys, for every d up to the largest at once: growing d adds dimensions to the same
/// queries, so that pictures change smoothly.
class DotProductSamples {
public:
    /// Memory: rows · (largestD + keys) doubles. @p largestD >= 1.
    DotProductSamples(std::uint64_t seed, Index rows, Index keys, Index largestD);

    [[nodiscard]] Index largestD() const { return m_norms.cols(); }
    /// q·k, rows x keys. For a given q, q·k is normal with standard deviation ‖q‖ and independent for every key; that is how it is drawn.
    [[nodiscard]] Matrix scores(Index d) const;

private:
    Matrix m_norms; ///< ‖q‖ of the first d dimensions, rows x d.
    Matrix m_normals; ///< Rows x keys.
};

/// What softmax makes of rows of scores.
struct SoftmaxRows {
    Matrix weights; ///< Rows x keys.
    double entropy = 0.0; ///< Of row 0, nats.
    double meanEntropy = 0.0;
    double meanJacobianNorm = 0.0;
};
/// softmax(scores · scale / temperature) of each row.
[[nodiscard]] SoftmaxRows softmaxRows(const Matrix &scores, double scale, double temperature);

} // namespace attenscope
