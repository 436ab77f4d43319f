// SPDX-License-Identifier: GPL-3.0-or-later
// Intervals of a few rows, searched for a block of keys.
#include "attention/visible_rows.h"

namespace attenscope {

void VisibleRows::set(const Mask &mask, Range rows)
{
    m_count = rows.size();
    if (m_visible.size() < static_cast<std::size_t>(m_count))
        m_visible.resize(static_cast<std::size_t>(m_count));
    m_hull = { mask.keys(), 0 };
    m_common = { 0, mask.keys() };
    if (mask.isFull()) {
        m_hull = m_common;
        for (Index place = 0; place < m_count; ++place)
            m_visible[static_cast<std::size_t>(place)].assign(m_hull.size() > 0 ? 1 : 0, m_hull);
        return;
    }
    for (Index place = 0; place < m_count; ++place) {
        std::vector<Range> &visible = m_visible[static_cast<std::size_t>(place)];
        mask.visible(rows.first + place, visible);
        if (visible.empty()) {
            m_common = {};
            continue;
        }
        m_hull = { std::min(m_hull.first, visible.front().first), std::max(m_hull.end, visible.back().end) };
        const Range own = visible.size() == 1 ? visible.front() : Range{};
        m_common = { std::max(m_common.first, own.first), std::min(m_common.end, own.end) };
    }
}

std::vector<Range>::const_iterator VisibleRows::firstAfter(Index place, Index key) const
{
    const std::vector<Range> &ranges = of(place);
    return std::upper_bound(ranges.begin(), ranges.end(), key, [](Index wanted, const Range &range) { return wanted < range.end; });
}

bool VisibleRows::isVisible(Index place, Index key) const
{
    const auto range = firstAfter(place, key);
    return range != of(place).end() && range->first <= key;
}

VisibleRows::Share VisibleRows::share(Range keys) const
{
    // Most blocks of most masks are decided here.
    if (keys.first >= m_common.first && keys.end <= m_common.end)
        return Share::All;
    if (keys.first >= m_hull.end || keys.end <= m_hull.first)
        return Share::None;
    bool hasVisible = false;
    bool hasHidden = false;
    for (Index place = 0; place < m_count && !(hasVisible && hasHidden); ++place) {
        const auto range = firstAfter(place, keys.first);
        const bool sees = range != of(place).end() && range->first < keys.end;
        const bool seesAll = sees && range->first <= keys.first && range->end >= keys.end;
        hasVisible = hasVisible || sees;
        hasHidden = hasHidden || !seesAll;
    }
    return !hasVisible ? Share::None : hasHidden ? Share::Some : Share::All;
}

} // namespace attenscope
