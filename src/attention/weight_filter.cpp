// SPDX-License-Identifier: GPL-3.0-or-later
// The largest weights of a row, by threshold, number and share.
#include "attention/weight_filter.h"

#include "attention/cell.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace attenscope {

FilteredRow filterRow(std::span<const double> cells, const WeightFilter &filter)
{
    FilteredRow result;
    std::vector<Index> visible; // Numbers.
    double sum = 0.0;
    for (std::size_t col = 0; col < cells.size(); ++col) {
        if (cell::isHidden(cells[col]))
            continue;
        if (std::isnan(cells[col])) {
            result.shown.push_back(static_cast<Index>(col));
            continue;
        }
        visible.push_back(static_cast<Index>(col));
        sum += cells[col];
    }
    const auto weight = [cells](Index col) { return cells[static_cast<std::size_t>(col)]; };
    const auto hide = [&](Index col) {
        if (weight(col) == 0.0)
            return;
        ++result.hidden;
        result.hiddenWeight += weight(col);
    };
    // Most filters are a threshold alone, of many rows: those need no order.
    if (filter.mostKeys == 0 && filter.share >= 1.0) {
        for (const Index col : visible)
            weight(col) < filter.threshold ? hide(col) : result.shown.push_back(col);
        std::sort(result.shown.begin(), result.shown.end());
        return result;
    }
    std::stable_sort(visible.begin(), visible.end(), [&](Index a, Index b) { return weight(a) > weight(b); });

    std::size_t kept = 0;
    double before = 0.0; // Of those that are larger.
    for (; kept < visible.size(); ++kept) {
        const double here = weight(visible[kept]);
        if (here < filter.threshold || (filter.mostKeys > 0 && static_cast<Index>(kept) >= filter.mostKeys))
            break;
        if (filter.share < 1.0 && kept > 0 && before >= filter.share * sum)
            break;
        before += here;
    }
    for (std::size_t i = kept; i < visible.size(); ++i)
        hide(visible[i]);
    result.shown.insert(result.shown.end(), visible.begin(), visible.begin() + static_cast<std::ptrdiff_t>(kept));
    std::sort(result.shown.begin(), result.shown.end());
    return result;
}

} // namespace attenscope
