// SPDX-License-Identifier: GPL-3.0-or-later
// HeadList: the heads of the document that the grid and the table show, in their order, with what is known of each.
#pragma once

#include "state/head_pattern.h"

#include <array>
#include <memory>
#include <vector>

namespace attenscope {

struct ListedHead {
    HeadRef ref;
    QString name; ///< headName().
    const HeadSummary *summary = nullptr; ///< Null: not ready.
    HeadPattern pattern;

    /// NaN where it is not known, or there is none.
    [[nodiscard]] double number(HeadColumn column) const;
};

/// Made anew when the document changes.
struct HeadList {
    std::vector<ListedHead> heads;
    std::size_t all = 0; ///< Before the filter.
    std::array<std::size_t, allPatterns.size()> counts{}; ///< How many of all heads have each pattern.
    QString problem; ///< What is wrong with the typed filter; then it hides nothing.
    std::shared_ptr<const AttentionResult> result; ///< Owns the summaries.

    /// Place of a head in the list; -1 if it is not there.
    [[nodiscard]] int indexOf(const HeadRef &head) const;
    /// "40 of 40 heads"; "12 heads" where all are there: "4 heads".
    [[nodiscard]] QString countText() const;
};

/// The heads of the picked element that ViewState::heads asks for. Heads without the number that orders them stand last.
[[nodiscard]] HeadList listHeads(const Document &document);
/// The value of a column with as many digits as a table has: "…" while it is not known, "–" where there is none.
[[nodiscard]] QString columnText(const ListedHead &head, HeadColumn column, int decimals = 4);
/// What uniform attention under the same mask has there, the same for all heads of a block: "0.2929", "–"; "if uniform" for Pattern, empty for Head.
[[nodiscard]] QString uniformText(const HeadSummary &summary, HeadColumn column);
/// Full precision, the value of uniform attention and the rows; or why there is no number.
[[nodiscard]] QString columnTip(const Document &document, const ListedHead &head, HeadColumn column);
/// What a column is.
[[nodiscard]] QString columnHelp(const Document &document, HeadColumn column);
/// All of @p list as comma-separated values with full precision: each mean, its value for uniform attention and its rows.
[[nodiscard]] QString headTableCsv(const HeadList &list);

} // namespace attenscope
