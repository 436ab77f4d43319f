// SPDX-License-Identifier: GPL-3.0-or-later
// The Layers view as a picture.
#pragma once

#include "state/document.h"
#include "state/selection.h"
#include "views/picture.h"

namespace attenscope {

/// What the session shows across layers. Made here where no view has it; if that takes longer than mostSecondsUnasked only where no window waits for it.
/// Nothing where there is nothing to show.
[[nodiscard]] Result<Picture> layersPicture(const Document &document, const Selection &selection);

} // namespace attenscope
