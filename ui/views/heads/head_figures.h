// SPDX-License-Identifier: GPL-3.0-or-later
// The head grid and the head table as pictures.
#pragma once

#include "state/document.h"
#include "state/selection.h"
#include "views/picture.h"

#include <optional>

namespace attenscope {

/// All listed heads in the present order, with names and the scale of their colours; nothing while there is no picture.
[[nodiscard]] std::optional<Picture> gridPicture(const Document &document, const Selection &selection);
/// All columns of all listed heads in the present order, then what uniform attention would have; nothing while there is no picture.
[[nodiscard]] std::optional<Picture> tablePicture(const Document &document, const Selection &selection);

} // namespace attenscope
