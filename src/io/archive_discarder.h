// SPDX-License-Identifier: GPL-3.0-or-later
// What ends a zip file that is being written and was not closed.
#pragma once

#include <zip.h>

namespace attenscope {

/// Discards the archive: nothing is written.
struct ArchiveDiscarder {
    void operator()(zip_t *archive) const { zip_discard(archive); }
};

} // namespace attenscope
