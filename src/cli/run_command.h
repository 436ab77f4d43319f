// SPDX-License-Identifier: GPL-3.0-or-later
// attenscope-compute run: attention computed on files, as arrays in an .npz.
#pragma once

#include "cli/head_request.h"
#include "core/result.h"
#include "core/run.h"

#include <QStringList>

#include <string>
#include <vector>

namespace attenscope {

struct RunRequest {
    HeadRequest heads;
    std::vector<std::string> arrays; ///< Names of arrays to be written; empty: the usual ones that the input has.
};

/// Reads what follows "run". Errors are about usage: which option, what it may be.
Result<RunRequest> parseRun(const QStringList &arguments);
/// Computes in double precision and writes; the answer says what was written. Errors: files, a mechanism that does not fit the input, a
/// head that is not there, memory, a place that cannot be written.
Result<std::string> run(const RunRequest &request, const Run &watched = {});
/// The text of `attenscope-compute run --help`.
[[nodiscard]] std::string runHelp();

} // namespace attenscope
