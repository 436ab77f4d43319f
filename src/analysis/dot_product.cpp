// SPDX-License-Identifier: GPL-3.0-or-later
// The variance-gamma density by recurrence over d, and samples.
#include "analysis/dot_product.h"

#include "attention/explain.h"
#include "attention/row_kernel.h"
#include "core/random.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace attenscope {

namespace {

/// The modified Bessel functions K_0 and K_1 at some x > 0, so that nothing leaves the range of double.
struct BesselK {
    double logK0;
    double ratio; ///< x K_1(x) / K_0(x).

    explicit BesselK(double x)
    {
        if (x < 1e-9) {
            // Near 0 the library gives up; the leading terms are all that double can hold there.
            const double k0 = -std::log(0.5 * x) - std::numbers::egamma;
            logK0 = std::log(k0);
            ratio = 1.0 / k0;
        } else if (x < 500.0) {
            const double k0 = std::cyl_bessel_k(0.0, x);
            logK0 = std::log(k0);
            ratio = x * std::cyl_bessel_k(1.0, x) / k0;
        } else {
            // Far away they vanish; the asymptotic series is exact to the last digits long before.
            const double sum0 = asymptoticSum(0, x);
            logK0 = 0.5 * std::log(std::numbers::pi / (2.0 * x)) - x + std::log(sum0);
            ratio = x * (asymptoticSum(1, x) / sum0);
        }
    }

private:
    /// K_order(x) · exp(x) · √(2x/π).
    static double asymptoticSum(int order, double x)
    {
        double term = 1.0;
        double sum = 1.0;
        for (int k = 1; k <= 6; ++k) {
            const double odd = 2.0 * k - 1.0;
            term *= (4.0 * order * order - odd * odd) / (8.0 * x * k);
            sum += term;
        }
        return sum;
    }
};

} // namespace

double dotProductDensity(double x, Index d)
{
    const double distance = std::abs(x);
    if (!(distance < std::numeric_limits<double>::infinity()))
        return std::isnan(x) ? x : 0.0;
    // K_ν+1 = K_ν-1 + (2ν/x) K_ν turns into f_d+2 = f_d · s_ν / d with s_ν = x K_ν+1 / K_ν = x² / s_ν-1 + 2ν: no overflow, finite at 0.
    double order = 0.5;
    double logDensity = -distance - std::numbers::ln2; // d = 2
    double ratio = distance + 1.0;
    Index reached = 2;
    if (d % 2 == 1 && distance == 0.0) {
        if (d == 1)
            return std::numeric_limits<double>::infinity();
        logDensity = -std::log(std::numbers::pi); // d = 3
        ratio = 2.0;
        order = 1.0;
        reached = 3;
    } else if (d % 2 == 1) {
        const BesselK bessel(distance);
        logDensity = bessel.logK0 - std::log(std::numbers::pi); // d = 1
        ratio = bessel.ratio;
        order = 0.0;
        reached = 1;
    }
    for (; reached < d; reached += 2) {
        logDensity += std::log(ratio / static_cast<double>(reached));
        order += 1.0;
        ratio = distance * (distance / ratio) + 2.0 * order;
    }
    return std::exp(logDensity);
}

double normalDensity(double x, double variance)
{
    return std::exp(-x * x / (2.0 * variance)) / std::sqrt(2.0 * std::numbers::pi * variance);
}

double jacobianNorm(std::span<const double> p)
{
    double squares = 0.0;
    double cubes = 0.0;
    for (const double weight : p) {
        squares += weight * weight;
        cubes += weight * weight * weight;
    }
    return std::sqrt(std::max(0.0, squares - 2.0 * cubes + squares * squares));
}

Vector histogram(const Matrix &samples, double first, double last, Index bins)
{
    Vector density = Vector::Zero(bins);
    const double width = (last - first) / static_cast<double>(bins);
    for (const double sample : samples.reshaped())
        if (sample >= first && sample < last)
            density(std::min(bins - 1, static_cast<Index>((sample - first) / width))) += 1.0;
    return density / (width * static_cast<double>(std::max<Index>(samples.size(), 1)));
}

DotProductSamples::DotProductSamples(std::uint64_t seed, Index rows, Index keys, Index largestD)
    : m_norms(rows, largestD)
{
    Random random(seed);
    m_normals = random.normalMatrix(rows, keys);
    for (Index row = 0; row < rows; ++row) {
        double square = 0.0;
        for (Index d = 0; d < largestD; ++d) {
            const double number = random.normal();
            square += number * number;
            m_norms(row, d) = std::sqrt(square);
        }
    }
}

Matrix DotProductSamples::scores(Index d) const
{
    return m_normals.array().colwise() * m_norms.col(std::clamp<Index>(d, 1, largestD()) - 1).array();
}

SoftmaxRows softmaxRows(const Matrix &scores, double scale, double temperature)
{
    SoftmaxRows result{ Matrix(scores.rows(), scores.cols()) };
    for (Index row = 0; row < scores.rows(); ++row) {
        result.weights.row(row) = softmax(scores.row(row).transpose() * (scale / temperature)).transpose();
        const std::span<const double> weights(result.weights.data() + row * scores.cols(), static_cast<std::size_t>(scores.cols()));
        const double entropy = entropyOf(weights);
        if (row == 0)
            result.entropy = entropy;
        result.meanEntropy += entropy / static_cast<double>(scores.rows());
        result.meanJacobianNorm += jacobianNorm(weights) / static_cast<double>(scores.rows());
    }
    return result;
}

} // namespace attenscope
