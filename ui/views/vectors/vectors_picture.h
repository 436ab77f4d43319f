// SPDX-License-Identifier: GPL-3.0-or-later
// The Vectors view as a picture.
#pragma once

#include "state/document.h"
#include "state/selection.h"
#include "views/picture.h"

namespace attenscope {

/// The strips of the picked query (else query 0) with all keys, or the first ones in the shown order where there are more than fit a page, which is then
/// noted. Nothing for recorded weights and for heads that are not ready.
[[nodiscard]] Result<Picture> vectorsPicture(const Document &document, const Selection &selection);

} // namespace attenscope
