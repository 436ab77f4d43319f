// SPDX-License-Identifier: GPL-3.0-or-later
// A part of a long input that every view can show: which it is, what it is called, choosing it.
#pragma once

#include "state/document.h"
#include "state/selection.h"

#include <QString>

#include <optional>

namespace attenscope {

/// The queries and keys of the shown block that @p selection has in view, in positions of the whole input.
[[nodiscard]] TokenPart partInView(const Document &document, const Selection &selection);

/// Rows and columns of the shown map for what would be too much of a long one: at most 512 x 512 of those in view, around the picked cell.
[[nodiscard]] CellRect smallRegion(const Document &document, const Selection &selection);

/// The same positions of queries and keys, as what leads from layer to layer needs them, in positions of the whole input: those of the queries of
/// smallRegion(). Nothing where the block has no more than those.
[[nodiscard]] std::optional<TokenPart> smallPart(const Document &document, const Selection &selection);

/// The queries and keys that rows and columns of the shown map stand for, in positions of the whole input.
[[nodiscard]] TokenPart partOf(const CellRect &cells, const Document &document);

/// "queries 0 to 511, keys 0 to 511", or "positions 0 to 511".
[[nodiscard]] QString partWords(const TokenPart &part);

/// Leaves all other tokens out of every view, which undo takes back, and shows all of the part.
void showPart(const TokenPart &part, Document &document, Selection &selection);

} // namespace attenscope
