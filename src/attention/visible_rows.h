// SPDX-License-Identifier: GPL-3.0-or-later
// VisibleRows: which keys a few rows may see, asked for one block of keys after the other.
#pragma once

#include "attention/mask.h"

#include <algorithm>
#include <vector>

namespace attenscope {

/// The intervals of the mask for rows [rows), places 0, 1, …. One object may be set again and again: it keeps its memory.
class VisibleRows {
public:
    VisibleRows() = default;
    VisibleRows(const Mask &mask, Range rows) { set(mask, rows); }
    void set(const Mask &mask, Range rows);

    enum class Share { None, Some, All };
    /// How much of the block the rows may see together.
    [[nodiscard]] Share share(Range keys) const;
    /// From the first to the last key that any of the rows may see.
    [[nodiscard]] Range hull() const { return m_hull; }
    /// Calls use(first, end) for the keys of [keys) that row @p place may not see.
    template <typename Use>
    void forEachHidden(Index place, Range keys, const Use &use) const
    {
        Index done = keys.first;
        for (auto range = firstAfter(place, keys.first); range != of(place).end() && done < keys.end; ++range) {
            if (done < range->first)
                use(done, std::min(range->first, keys.end));
            done = std::max(done, range->end);
        }
        if (done < keys.end)
            use(done, keys.end);
    }
    [[nodiscard]] const std::vector<Range> &of(Index place) const { return m_visible[static_cast<std::size_t>(place)]; }
    [[nodiscard]] bool isVisible(Index place, Index key) const;

private:
    /// The first interval that ends after @p key.
    [[nodiscard]] std::vector<Range>::const_iterator firstAfter(Index place, Index key) const;

    std::vector<std::vector<Range>> m_visible; ///< At least m_count.
    Index m_count = 0;
    Range m_hull;
    Range m_common; ///< Keys that all rows see, for sure.
};

} // namespace attenscope
