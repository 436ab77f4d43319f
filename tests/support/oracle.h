// SPDX-License-Identifier: GPL-3.0-or-later
// Attention from the textbook: nested loops, one number type, nothing of the engine. double is the oracle, float the naive version to beat.
#pragma once

#include "core/matrix.h"

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

namespace attenscope::oracle {

enum class Score { Dot, General, Concat, Additive, Linear };

/// One head, all choices spelled out.
struct Problem {
    Matrix q, k, v;
    Score score = Score::Dot;
    Matrix w; ///< General: d_q x d_k. Concat: units x (d_q + d_k).
    Matrix wDec, wEnc; ///< Additive.
    Vector scoreVector; ///< Additive, concat.
    double scale = 1.0;
    double cap = 0.0; ///< 0: none.
    Matrix bias; ///< 0 x 0: none.
    double slope = 0.0;
    Index offset = 0; ///< Of a query's position for the slope.
    double temperature = 1.0;
    bool hasOne = false; ///< softmax1.
    std::function<bool(Index, Index)> visible = [](Index, Index) { return true; };
};

struct Answer {
    Matrix scores; ///< Before the mask, after all steps.
    Matrix weights;
    Matrix output;
    Vector logSumExp;
    Vector entropy;
};

template <typename Number>
Number score(const Problem &p, Index i, Index j)
{
    const Index dq = p.q.cols();
    const Index dk = p.k.cols();
    const auto at = [](const Matrix &m, Index row, Index col) { return static_cast<Number>(m(row, col)); };
    Number sum = 0;
    switch (p.score) {
    case Score::Dot:
        for (Index d = 0; d < dk; ++d)
            sum += at(p.q, i, d) * at(p.k, j, d);
        return sum;
    case Score::General:
        for (Index a = 0; a < dq; ++a) {
            Number inner = 0;
            for (Index b = 0; b < dk; ++b)
                inner += at(p.w, a, b) * at(p.k, j, b);
            sum += at(p.q, i, a) * inner;
        }
        return sum;
    case Score::Concat:
        for (Index unit = 0; unit < p.w.rows(); ++unit) {
            Number inner = 0;
            for (Index a = 0; a < dq; ++a)
                inner += at(p.w, unit, a) * at(p.q, i, a);
            for (Index b = 0; b < dk; ++b)
                inner += at(p.w, unit, dq + b) * at(p.k, j, b);
            sum += static_cast<Number>(p.scoreVector(unit)) * std::tanh(inner);
        }
        return sum;
    case Score::Additive:
        for (Index unit = 0; unit < p.wDec.rows(); ++unit) {
            Number inner = 0;
            for (Index a = 0; a < dq; ++a)
                inner += at(p.wDec, unit, a) * at(p.q, i, a);
            for (Index b = 0; b < dk; ++b)
                inner += at(p.wEnc, unit, b) * at(p.k, j, b);
            sum += static_cast<Number>(p.scoreVector(unit)) * std::tanh(inner);
        }
        return sum;
    case Score::Linear: {
        const auto phi = [](Number x) { return x > 0 ? x + 1 : std::exp(x); };
        for (Index d = 0; d < dk; ++d)
            sum += phi(at(p.q, i, d)) * phi(at(p.k, j, d));
        return std::log(sum);
    }
    }
    return sum;
}

template <typename Number>
Answer solve(const Problem &p)
{
    const Index n = p.q.rows();
    const Index m = p.k.rows();
    Answer answer{ Matrix::Zero(n, m), Matrix::Zero(n, m), Matrix::Zero(n, p.v.cols()), Vector::Zero(n), Vector::Zero(n) };
    for (Index i = 0; i < n; ++i) {
        std::vector<Number> x(static_cast<std::size_t>(m));
        Number max = -std::numeric_limits<Number>::infinity();
        for (Index j = 0; j < m; ++j) {
            Number value = score<Number>(p, i, j) * static_cast<Number>(p.scale);
            if (p.cap > 0)
                value = static_cast<Number>(p.cap) * std::tanh(value / static_cast<Number>(p.cap));
            if (p.bias.size() > 0)
                value += static_cast<Number>(p.bias(i, j));
            value -= static_cast<Number>(p.slope) * static_cast<Number>(std::abs(i + p.offset - j));
            value /= static_cast<Number>(p.temperature);
            x[static_cast<std::size_t>(j)] = value;
            answer.scores(i, j) = value;
            if (p.visible(i, j) && value > max)
                max = value;
        }
        if (p.hasOne && max < 0)
            max = 0;
        // A row that sees no key, or only scores of -inf.
        bool seesNothing = true;
        for (Index j = 0; j < m; ++j)
            seesNothing = seesNothing && !(p.visible(i, j) && x[static_cast<std::size_t>(j)] > -std::numeric_limits<Number>::infinity());
        if (seesNothing) {
            answer.logSumExp(i) = -std::numeric_limits<double>::infinity();
            continue;
        }
        Number sum = p.hasOne ? std::exp(-max) : Number{ 0 };
        for (Index j = 0; j < m; ++j)
            if (p.visible(i, j))
                sum += std::exp(x[static_cast<std::size_t>(j)] - max);
        answer.logSumExp(i) = static_cast<double>(max + std::log(sum));
        std::vector<Number> out(static_cast<std::size_t>(p.v.cols()), Number{ 0 });
        for (Index j = 0; j < m; ++j) {
            if (!p.visible(i, j))
                continue;
            const Number weight = std::exp(x[static_cast<std::size_t>(j)] - max) / sum;
            answer.weights(i, j) = weight;
            if (weight > 0)
                answer.entropy(i) -= weight * std::log(weight);
            for (Index d = 0; d < p.v.cols(); ++d)
                out[static_cast<std::size_t>(d)] += weight * static_cast<Number>(p.v(j, d));
        }
        for (Index d = 0; d < p.v.cols(); ++d)
            answer.output(i, d) = out[static_cast<std::size_t>(d)];
    }
    return answer;
}

/// Largest |a - b|; infinite if the shapes differ or anything is NaN.
inline double largestError(const Matrix &a, const Matrix &b)
{
    if (a.rows() != b.rows() || a.cols() != b.cols())
        return std::numeric_limits<double>::infinity();
    double largest = 0.0;
    for (Index row = 0; row < a.rows(); ++row)
        for (Index col = 0; col < a.cols(); ++col) {
            const double error = a(row, col) == b(row, col) ? 0.0 : std::abs(a(row, col) - b(row, col));
            if (!(error <= largest))
                largest = std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
        }
    return largest;
}

inline double largestMagnitude(const Matrix &a)
{
    return a.size() == 0 ? 0.0 : a.cwiseAbs().maxCoeff();
}

} // namespace attenscope::oracle
