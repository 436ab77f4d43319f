// SPDX-License-Identifier: GPL-3.0-or-later
// Mask: which keys, as intervals, each query may see.
#pragma once

#include "attention/input.h"

#include <optional>
#include <vector>

namespace attenscope {

/// The mask of one head's map, made from a MaskSpec and what came with the data. Immutable, cheap to copy.
class Mask {
public:
    /// No query sees fewer than all @p keys.
    Mask(Index queries, Index keys);
    /// @p element chooses the key padding and boolean mask of the batch element.
    Mask(const AttentionBlock &block, const MaskSpec &spec, int element);

    [[nodiscard]] Index queries() const { return m_queries; }
    [[nodiscard]] Index keys() const { return m_keys; }
    /// Every query sees every key.
    [[nodiscard]] bool isFull() const { return m_isFull; }

    /// The keys that @p row may see: ascending, disjoint, not empty, not touching. Overwrites @p out.
    void visible(Index row, std::vector<Range> &out) const;
    [[nodiscard]] bool isVisible(Index row, Index key) const;
    [[nodiscard]] Index visibleCount(Index row) const;

private:
    [[nodiscard]] bool isAllowed(Index row, Index key) const;

    Index m_queries = 0;
    Index m_keys = 0;
    bool m_isFull = true;
    Index m_causalOffset = 0;
    MaskSpec m_spec;
    std::vector<Range> m_realKeys; ///< After padding.
    std::vector<BitMatrix> m_bits; ///< All of which must allow a key.
};

/// @p spec with @p rule, its parameters made to fit @p block where they do not: a prefix within the keys, at most 64 blocks on a side with a
/// layout of their number, a second document in the middle where there is none.
[[nodiscard]] MaskSpec withRule(MaskSpec spec, MaskRule rule, const AttentionBlock &block);
/// The block layout of @p spec in as many blocks as @p block has: the cells that it has, else causal ones.
[[nodiscard]] BitMatrix fittingLayout(const MaskSpec &spec, const AttentionBlock &block);

/// Why a key is not visible to a query, for the readout: "causal", "padding", "mask"; empty where it is visible.
[[nodiscard]] std::string maskedBecause(const AttentionBlock &block, const MaskSpec &spec, int element, Index row, Index key);

/// What is wrong with the numbers and shapes of @p mask for @p block, or nothing: only then may a Mask be made of them.
[[nodiscard]] std::optional<SpecProblem> checkMask(const AttentionBlock &block, const MaskSpec &mask);

} // namespace attenscope
