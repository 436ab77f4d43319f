// SPDX-License-Identifier: GPL-3.0-or-later
// Naive attention through Eigen. In a library of its own whose inline functions stay inside: they are for another processor than the program's.
#include "bench/naive_attention.h"

#include <Eigen/Core>

using MatrixF = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

void naiveAttention(
    const float *q, const float *k, const float *v, std::ptrdiff_t n, std::ptrdiff_t d, float scale, bool isCausal, float *output)
{
    const auto matrix = [n, d](const float *numbers) { return Eigen::Map<const MatrixF>(numbers, n, d); };
    // Kept, because the system takes longer to give such memory than the processor to fill it.
    static MatrixF scores;
    scores.resize(n, n);
    scores.noalias() = matrix(q) * matrix(k).transpose() * scale;
    Eigen::VectorXf sums(n);
    for (std::ptrdiff_t row = 0; row < n; ++row) {
        const std::ptrdiff_t visible = isCausal ? row + 1 : n;
        auto weights = scores.row(row).head(visible).array();
        weights -= weights.maxCoeff();
        weights = weights.exp();
        scores.row(row).tail(n - visible).setZero();
        sums(row) = weights.sum();
    }
    Eigen::Map<MatrixF> result(output, n, d);
    result.noalias() = scores * matrix(v);
    result.array().colwise() /= sums.array();
}
