// SPDX-License-Identifier: GPL-3.0-or-later
// What is odd about recorded weights.
#include "session/tensor_set.h"

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

constexpr std::uint64_t readLimit = 64'000'000;
constexpr double sumTolerance = 1e-3;

bool isOne(double sum)
{
    return std::abs(sum - 1.0) <= sumTolerance;
}

} // namespace

WeightsCheck checkWeights(const AttentionBlock &block)
{
    WeightsCheck check;
    const auto *data = std::get_if<RecordedData>(&block.data);
    if (!data || block.keys < 1)
        return check;
    const std::uint64_t rowBytes = static_cast<std::uint64_t>(block.keys) * sizeof(double);
    auto rowsLeft = static_cast<Index>(std::max<std::uint64_t>(readLimit / rowBytes, 1));
    Index wholeHeads = 0;
    bool columnsSum = true;
    bool isCausal = true;
    bool hasHiddenKeys = false;
    std::vector<double> row(static_cast<std::size_t>(block.keys));
    for (const SharedMatrix &weights : data->weights) {
        const Index rows = std::min(weights.rows(), rowsLeft);
        if (rows == 0)
            break;
        rowsLeft -= rows;
        Vector columnSums = Vector::Zero(weights.cols());
        Index notSummingToOne = 0;
        for (Index query = 0; query < rows; ++query) {
            const Index length = data->rowLengths.empty() ? weights.cols() : data->rowLengths[static_cast<std::size_t>(query)];
            const std::span<double> cells(row.data(), static_cast<std::size_t>(std::clamp<Index>(length, 0, weights.cols())));
            weights.readRow(query, 0, cells);
            double sum = 0.0;
            const Index lastVisible = query + weights.cols() - weights.rows();
            for (Index key = 0; key < static_cast<Index>(cells.size()); ++key) {
                const double weight = cells[static_cast<std::size_t>(key)];
                sum += weight;
                columnSums(key) += weight;
                check.nanCells += std::isnan(weight) ? 1 : 0;
                check.infiniteCells += std::isinf(weight) ? 1 : 0;
                if (key > lastVisible) {
                    hasHiddenKeys = true;
                    isCausal = isCausal && weight == 0.0;
                }
            }
            ++check.rowsLookedAt;
            notSummingToOne += isOne(sum) || std::isnan(sum) ? 0 : 1;
        }
        check.rowsNotSummingToOne += notSummingToOne;
        check.rowsNotSummingToOneByMatrix.push_back(notSummingToOne);
        if (rows == weights.rows()) {
            ++wholeHeads;
            columnsSum = columnsSum && std::all_of(columnSums.begin(), columnSums.end(), isOne);
        }
    }
    check.columnsSumToOne = wholeHeads > 0 && columnsSum && check.rowsNotSummingToOne > 0;
    check.isCausal = isCausal && hasHiddenKeys;
    return check;
}

} // namespace attenscope
