// SPDX-License-Identifier: GPL-3.0-or-later
// attenscope-compute heads: the head table of files, as text.
#pragma once

#include "cli/head_request.h"

#include <string>

namespace attenscope {

struct HeadsRequest {
    HeadRequest heads;
    bool isCsv = false;
};

/// Reads what follows "heads". Errors are about usage: which option, what it may be.
Result<HeadsRequest> parseHeads(const QStringList &arguments);
/// A line per head: name, pattern, and every column of the head table; as CSV with all digits, and beside each mean that of uniform attention and the
/// number of rows. Errors: files, a mechanism that does not fit the input, a head that is not there, memory.
Result<std::string> heads(const HeadsRequest &request, const Run &watched = {});
/// The text of `attenscope-compute heads --help`.
[[nodiscard]] std::string headsHelp();

} // namespace attenscope
