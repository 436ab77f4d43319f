// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers that sum up a head: entropy, largest weight, and where along the sequence it looks.
#pragma once

#include "attention/field.h"

#include <optional>
#include <string>

namespace attenscope {

/// Mean of something over the rows that have it. rows 0: no row has it, or it was not asked for.
struct RowMean {
    double mean = 0.0;
    Index rows = 0;

    friend bool operator==(const RowMean &, const RowMean &) = default;
};

/// Means over the rows that see at least one key.
struct HeadSummary {
    double entropy = 0.0; ///< Mean of -Σ w ln w, nats. Ghader & Monz 2017, arXiv:1710.03348.
    double largest = 0.0; ///< Mean of the largest weight of each row: the confidence of Voita et al. 2019, arXiv:1905.09418.
    double effectiveKeys = 0.0; ///< Mean of exp(entropy), not exp of the mean.
    Index rows = 0; ///< How many rows were counted.
    Index nanRows = 0; ///< Rows with NaN, left out.
    // Only where the positions are known. A key that the mask hides has weight 0.
    RowMean distance; ///< Σ w |i - j|. Vig & Belinkov 2019, arXiv:1906.04284.
    RowMean previous; ///< Weight of key i - 1, over the rows that have one. Voita et al. 2019; Clark et al. 2019, arXiv:1906.04341.
    RowMean first; ///< Weight of key 0, row 0 included. Xiao et al. 2024, arXiv:2309.17453.
    RowMean own; ///< Weight of key i, the diagonal. Clark et al. 2019.
    RowMean induction; ///< Weight of the key after the latest earlier one with the same token. Olsson et al. 2022, arXiv:2209.11895.

    friend bool operator==(const HeadSummary &, const HeadSummary &) = default;
};

/// Where the queries stand on the axis of the keys. Cross-attention has none.
struct QueryPositions {
    Index first = 0; ///< Position of query 0: 0, or keys - queries with a key/value cache.
    std::vector<Index>
        inductionKeys; ///< Per position: the key after the latest earlier one with the same token, or -1. Empty: tokens unknown.
};

/// The induction keys of a sequence. O(n).
[[nodiscard]] std::vector<Index> inductionKeys(std::span<const std::string> tokens);

/// Sums up a head one row at a time, so that its map need not exist in memory.
class HeadSums {
public:
    explicit HeadSums(std::optional<QueryPositions> positions = std::nullopt)
        : m_positions(std::move(positions))
    {
    }

    /// Cells of row @p row as MapField::row() gives them, all keys. A row of masked and absent cells alone does not count.
    void addRow(Index row, std::span<const double> cells);
    /// A row of which only this is known; NaN in either makes it a NaN row.
    void addRow(double entropy, double largest);
    [[nodiscard]] HeadSummary means() const;

private:
    HeadSummary m_sums;
    std::optional<QueryPositions> m_positions;
    std::vector<double> m_cells; ///< Of the row at hand, hidden ones 0.
};

/// From the per-row entropies and largest weights; @p mask tells which rows see a key. Nothing about positions.
[[nodiscard]] HeadSummary summarize(const VectorF &entropy, const VectorF &largest, const Mask &mask);
/// From exact rows of weights. Memory: one row.
Result<HeadSummary> summarize(const MapField &weights, std::optional<QueryPositions> positions = std::nullopt, const Run &run = {});

} // namespace attenscope
