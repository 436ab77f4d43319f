// SPDX-License-Identifier: GPL-3.0-or-later
// FieldOverview: the whole of a long map that is made of others, first estimated from what they have at hand, then read.
#pragma once

#include "attention/field.h"
#include "core/result.h"

#include <functional>

namespace attenscope {

/// All cells of a map, each for pool x pool of them.
struct FieldOverview {
    std::shared_ptr<const MatrixF> cells;
    Index pool = 1;
};

/// Makes a map of others, such as differenceField().
using CombineFields = std::function<MapFieldPtr(const std::vector<MapFieldPtr> &)>;

/// What @p combine makes of the folded cells that @p parts have at hand (see MapField::levelAtHand()): of a difference that of the largest cells of each
/// block, which need not be the largest difference in it. Nothing where a part has no such cells.
[[nodiscard]] std::optional<FieldOverview> overviewOfParts(const std::vector<MapFieldPtr> &parts, const CombineFields &combine);

/// Reads all of @p field, folded as its fold() says to at most 1,024 x 1,024 cells. Errors: memory, cancelled.
Result<FieldOverview> readOverview(const MapField &field, const Run &run = {});

} // namespace attenscope
