// SPDX-License-Identifier: GPL-3.0-or-later
// Means over the rows of a head.
#include "attention/summary.h"

#include "attention/row_kernel.h"

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

/// Adds rows up; divides at the end.
class RowMeans {
public:
    void add(double entropy, double largest)
    {
        if (std::isnan(entropy) || std::isnan(largest)) {
            ++m_sums.nanRows;
            return;
        }
        m_sums.entropy += entropy;
        m_sums.largest += largest;
        m_sums.effectiveKeys += std::exp(entropy);
        ++m_sums.rows;
    }
    [[nodiscard]] HeadSummary means() const
    {
        HeadSummary means = m_sums;
        const auto count = static_cast<double>(std::max<Index>(means.rows, 1));
        means.entropy /= count;
        means.largest /= count;
        means.effectiveKeys /= count;
        return means;
    }

private:
    HeadSummary m_sums;
};

} // namespace

HeadSummary summarize(const VectorF &entropy, const VectorF &largest, const Mask &mask)
{
    RowMeans rows;
    for (Index row = 0; row < entropy.size(); ++row)
        if (mask.visibleCount(row) > 0)
            rows.add(entropy(row), largest(row));
    return rows.means();
}

Result<HeadSummary> summarize(const MapField &weights, const Run &run)
{
    RowMeans rows;
    std::vector<double> cells(static_cast<std::size_t>(weights.cols()));
    std::vector<double> visible;
    for (Index row = 0; row < weights.rows(); ++row) {
        if (run.stopped())
            return Error::cancelled();
        weights.row(row, 0, cells);
        visible.clear();
        std::copy_if(cells.begin(), cells.end(), std::back_inserter(visible), [](double cell) {
            const cell::Kind kind = cell::kind(cell);
            return kind == cell::Kind::Number || kind == cell::Kind::Nan;
        });
        if (!visible.empty())
            rows.add(entropyOf(visible), *std::max_element(visible.begin(), visible.end()));
    }
    return rows.means();
}

} // namespace attenscope
