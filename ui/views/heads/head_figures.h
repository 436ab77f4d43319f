// SPDX-License-Identifier: GPL-3.0-or-later
// The head grid and the head table as pictures.
#pragma once

#include "state/document.h"
#include "state/selection.h"
#include "views/picture.h"

namespace attenscope {

/// All listed heads in the present order, with names and the scale of their colours; an error while there is no picture.
[[nodiscard]] Result<Picture> gridPicture(const Document &document, const Selection &selection);
/// All columns of all listed heads in the present order, then what uniform attention would have; an error while there is no picture.
[[nodiscard]] Result<Picture> tablePicture(const Document &document, const Selection &selection);

} // namespace attenscope
