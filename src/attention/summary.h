// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers that sum up a head, each beside what uniform attention under the same mask would have.
#pragma once

#include "attention/field.h"

#include <optional>
#include <string>
#include <string_view>

namespace attenscope {

/// Mean of something over the rows that have it. rows 0: no row has it, or it was not asked for.
struct RowMean {
    double mean = 0.0;
    Index rows = 0;
    double uniform = 0.0; ///< Over the same rows, if each spread its weight evenly over the keys that it sees.

    friend bool operator==(const RowMean &, const RowMean &) = default;
};

/// What a row of weights is. One that sums to less than 1 is a distribution too: what softmax1, a sink that is left out or tokens that are
/// hidden leave of one.
enum class RowKind {
    Distribution,
    Hidden, ///< Sees no key.
    Nan, ///< Has NaN in a visible cell.
    NoDistribution, ///< Has a negative weight, or they sum to more than 1 (by more than a hundredth, which 16 bits may round to).
};

/// Of cells as MapField::row() gives them.
[[nodiscard]] RowKind rowKind(std::span<const double> cells);
/// -Σ w ln w of cells as MapField::row() gives them, nats, 0 ln 0 = 0; of a row that sees no key 0, of one that is no distribution NaN.
[[nodiscard]] double rowEntropy(std::span<const double> cells);

/// Means over the rows that are distributions: rows that see no key have none, and of others entropy, keys and distances mean nothing.
struct HeadSummary {
    RowMean entropy; ///< -Σ w ln w, nats. Ghader & Monz 2017, arXiv:1710.03348.
    RowMean normalizedEntropy; ///< Entropy / ln(visible keys), over the rows that see two keys or more: 1 is uniform.
    RowMean effectiveKeys; ///< exp(entropy) row by row, not exp of the mean.
    RowMean weight; ///< Σ w: 1 but with softmax1, where tokens are left out, and in some recorded files. Only if isComplete.
    RowMean largest; ///< The largest weight: the confidence of Voita et al. 2019, arXiv:1905.09418.
    Index rows = 0; ///< How many rows were counted.
    Index nanRows = 0; ///< Rows with NaN, left out.
    Index otherRows = 0; ///< RowKind::NoDistribution, left out.
    bool isComplete = false; ///< What is below was asked for too.
    // Only where the positions are known. A key that the mask hides has weight 0.
    RowMean distance; ///< Σ w |i - j|. Vig & Belinkov 2019, arXiv:1906.04284.
    RowMean previous; ///< Weight of key i - 1, over the rows that have one. Voita et al. 2019; Clark et al. 2019, arXiv:1906.04341.
    RowMean first; ///< Weight of key 0, row 0 included. Xiao et al. 2024, arXiv:2309.17453.
    RowMean own; ///< Weight of key i, the diagonal. Clark et al. 2019.
    RowMean induction; ///< Weight of the key after the latest earlier one with the same token. Olsson et al. 2022, arXiv:2209.11895.
    RowMean next; ///< Weight of key i + 1, over the rows that see it. Clark et al. 2019.
    // Only where there are such keys.
    RowMean separator; ///< Weight of all separator tokens (see isSeparator()). Clark et al. 2019.

    friend bool operator==(const HeadSummary &, const HeadSummary &) = default;
};

/// What is known about the queries and keys of a head besides their weights.
struct Sequence {
    std::optional<Index>
        firstPosition; ///< Key at which query 0 stands: 0, or keys - queries with a key/value cache. Cross-attention: none.
    std::vector<Index>
        inductionKeys; ///< Per position: the key after the latest earlier one with the same token, or -1. Empty: tokens unknown.
    std::vector<bool> separators; ///< Per key. Empty: there are none.
    /// Recorded weights have no mask where the file has none: if all of them after the queries' own positions are 0, those keys count as hidden.
    bool mayBeCausal = false;
};

/// The induction keys of a sequence. O(n).
[[nodiscard]] std::vector<Index> inductionKeys(std::span<const std::string> tokens);
/// [SEP], </s>, <|endoftext|>, the full stop and the comma, also after the mark of a word's beginning (Ġ, ▁, · or a space).
[[nodiscard]] bool isSeparator(std::string_view token);
/// Positions, induction keys and separators of the heads of @p block. Cross-attention, more queries than keys, and as many keys with other
/// tokens have no positions.
[[nodiscard]] Sequence sequenceOf(const AttentionBlock &block, const AttentionSpec &spec);

/// Sums up a head one row at a time, so that its map need not exist in memory.
class HeadSums {
public:
    /// @p sequence must outlive this.
    explicit HeadSums(const Sequence &sequence);

    /// What a row amounts to; of one that sees no key all is 0, of one that is no distribution all is NaN.
    struct RowFacts {
        double entropy = 0.0;
        double largest = 0.0;
    };
    /// Cells of row @p row as MapField::row() gives them, all keys. A row of masked and absent cells alone does not count.
    RowFacts addRow(Index row, std::span<const double> cells);
    /// Adds the rows of @p other, of the same sequence.
    void add(const HeadSums &other);
    [[nodiscard]] HeadSummary means() const;

private:
    /// Fills m_cells and m_visible.
    RowKind readRow(std::span<const double> cells);
    void addCells(Index row, RowKind kind, const RowFacts &facts, double distance, HeadSummary &sums) const;

    const Sequence *m_sequence;
    std::vector<Index> m_separators;
    HeadSummary m_sums;
    HeadSummary m_causal; ///< The same with the keys after a query's own position hidden.
    bool m_isCausal = false; ///< There are such keys, and all have weight 0.
    bool m_hasLaterWeight = false;
    Vector m_cells; ///< Of the row at hand, hidden ones 0.
    Vector m_keys; ///< 0, 1, 2, ….
    std::vector<Range> m_visible; ///< Of the row at hand.
};

/// From the per-row entropies and largest weights of rows that see @p mask; not complete.
[[nodiscard]] HeadSummary summarize(const VectorF &entropy, const VectorF &largest, const Mask &mask);
/// From exact rows of weights, in parallel. Memory: a few rows.
Result<HeadSummary> summarize(const MapField &weights, const Sequence &sequence = {}, const Run &run = {});

} // namespace attenscope
