// SPDX-License-Identifier: GPL-3.0-or-later
// attenscope-compute stream: outputs, log-sum-exp, summaries and pooled maps of long inputs in one pass.
#pragma once

#include "cli/head_request.h"

namespace attenscope {

struct StreamRequest {
    HeadRequest heads;
    std::vector<std::string> arrays; ///< Names of arrays to be written; empty: the usual ones that the input has.
    Index mapSize = 1024; ///< Most cells per side of a pooled map.
    bool wantsAllSummaries = false; ///< Also those that take exact rows.
};

/// Reads what follows "stream". Errors are about usage: which option, what it may be.
Result<StreamRequest> parseStream(const QStringList &arguments);
/// Computes in single precision, in memory that grows with the tokens and not with their square, and writes; the answer says what was
/// written and lists the summaries. Errors: as of run().
Result<std::string> stream(const StreamRequest &request, const Run &watched = {});
/// The text of `attenscope-compute stream --help`.
[[nodiscard]] std::string streamHelp();

} // namespace attenscope
