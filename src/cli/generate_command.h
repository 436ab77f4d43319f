// SPDX-License-Identifier: GPL-3.0-or-later
// attenscope-compute generate: made-up queries, keys and values of any length as a file.
#pragma once

#include "core/result.h"
#include "core/run.h"
#include "core/synthetic.h"

#include <QStringList>

#include <string>

namespace attenscope {

struct GenerateRequest {
    SyntheticShape shape;
    int heads = 1;
    QString output; ///< A .safetensors, or a folder that gets q.npy, k.npy and v.npy.
};

/// Reads what follows "generate". Errors are about usage: which option, what it may be.
Result<GenerateRequest> parseGenerate(const QStringList &arguments);
/// Writes row by row; memory does not grow with the length. The answer says what was written and where the needles are. Errors: more than
/// the disk has room for, a place that cannot be written, cancelled.
Result<std::string> generate(const GenerateRequest &request, const Run &run = {});
/// The text of `attenscope-compute generate --help`.
[[nodiscard]] std::string generateHelp();

} // namespace attenscope
