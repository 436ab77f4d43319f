// SPDX-License-Identifier: GPL-3.0-or-later
// What can be copied from a map by a right click.
#pragma once

#include "state/document.h"
#include "state/selection.h"
#include "views/map/map_content.h"

#include <QPoint>

class QWidget;

namespace attenscope {

/// Opens the menu at @p globalPosition for the current cell of @p selection.
void showMapMenu(
    const MapContent &content, const Document &document, const Selection &selection, const QPoint &globalPosition, QWidget *parent);

/// The exact numbers of row @p row, separated by tabs, one line for each map; masked and absent cells are empty.
[[nodiscard]] QString rowText(const MapContent &content, Index row);

} // namespace attenscope
