// SPDX-License-Identifier: GPL-3.0-or-later
// Jensen-Shannon divergences as H(mean of two rows) - mean of their H.
#include "analysis/divergence.h"

#include "attention/summary.h"
#include "core/memory.h"
#include "core/parallel.h"

#include <algorithm>

namespace attenscope {

namespace {

/// -Σ w ln w of an array expression.
template <typename Weights>
double entropyOfRow(const Weights &weights)
{
    // 0 ln 0 = 0.
    return -(weights * (weights > 0.0).select(weights, 1.0).log()).sum();
}

/// One row of one head.
struct Row {
    Eigen::ArrayXd weights;
    double entropy = 0.0;
    bool counts = false;

    void read(const MapField &head, Index row)
    {
        head.row(row, 0, { weights.data(), static_cast<std::size_t>(weights.size()) });
        counts = rowKind({ weights.data(), static_cast<std::size_t>(weights.size()) }) == RowKind::Distribution;
        for (double &cell : weights)
            cell = cell::kind(cell) == cell::Kind::Number ? cell : 0.0;
        entropy = counts ? entropyOfRow(weights) : 0.0;
    }
};

} // namespace

Matrix HeadDivergences::mean() const
{
    return (rows.array() > 0.0).select(sum.array() / rows.array().max(1.0), 0.0);
}

Result<HeadDivergences> headDivergences(const std::vector<MapFieldPtr> &heads, const Run &run)
{
    const auto count = static_cast<Index>(heads.size());
    HeadDivergences result{ Matrix::Zero(count, count), Matrix::Zero(count, count) };
    if (heads.empty())
        return result;
    const Index keys = heads.front()->cols();
    const auto cells = saturatingProduct(static_cast<std::uint64_t>(count), static_cast<std::uint64_t>(keys + 2 * count));
    if (Result<void> fits = checkMemory(saturatingProduct(cells, sizeof(double)), "Comparing the heads"); !fits)
        return fits.error();
    std::vector<Row> row(heads.size());
    for (Row &head : row)
        head.weights.resize(keys);
    const Index queries = heads.front()->rows();
    DoneCount done(run, queries);
    for (Index query = 0; query < queries; ++query) {
        parallelFor(count, [&](Index head) { row[static_cast<std::size_t>(head)].read(*heads[static_cast<std::size_t>(head)], query); });
        parallelFor(count, [&](Index a) {
            const Row &first = row[static_cast<std::size_t>(a)];
            for (Index b = a; b < count && !run.stopped(); ++b) {
                const Row &second = row[static_cast<std::size_t>(b)];
                if (!first.counts || !second.counts)
                    continue;
                const double divergence = entropyOfRow(0.5 * (first.weights + second.weights)) - 0.5 * (first.entropy + second.entropy);
                // A head beside itself is 0, and rounding must not make less than that.
                result.sum(a, b) += a == b ? 0.0 : std::max(divergence, 0.0);
                result.rows(a, b) += 1.0;
            }
        });
        if (run.stopped())
            return Error::cancelled();
        done.add();
    }
    result.sum.triangularView<Eigen::StrictlyLower>() = result.sum.transpose();
    result.rows.triangularView<Eigen::StrictlyLower>() = result.rows.transpose();
    return result;
}

} // namespace attenscope
