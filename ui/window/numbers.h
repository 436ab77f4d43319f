// SPDX-License-Identifier: GPL-3.0-or-later
// What of a document becomes numbers in a file or on the clipboard.
#pragma once

#include "io/numbers_file.h"
#include "state/document.h"

#include <QString>

namespace attenscope {

enum class NumbersScope { ShownMap, AllHeads };

/// The shown map (@p side of it while comparing; of the view Layers what that shows), or the shown stage of all heads of the shown block, or of its
/// layer @p layer; @p region of it (unset: all). Errors: nothing is ready yet, the region lies outside, a view whose picture is no table of numbers.
Result<MapNumbers> numbersOf(const Document &document, NumbersScope scope, Side side = Side::Main,
    const std::optional<CellRect> &region = std::nullopt, std::optional<int> layer = std::nullopt);
/// "There is no region 8:20,0:4." where @p region is empty or not in a map of @p rows x @p cols cells, which are @p rowNames and @p colNames.
Result<void> checkRegion(const CellRect &region, Index rows, Index cols, const char *rowNames = "queries", const char *colNames = "keys");
/// The same of @p field, by queries and keys or dimensions.
Result<void> checkRegion(const CellRect &region, const MapField &field);

/// The format that a file name asks for; nothing for any other extension.
[[nodiscard]] std::optional<NumbersFormat> numbersFormatOf(const QString &fileName);

/// "untrained, random weights" and whatever else belongs under numbers of this document.
[[nodiscard]] std::vector<std::string> notesOf(const Document &document);

} // namespace attenscope
