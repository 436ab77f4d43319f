// SPDX-License-Identifier: GPL-3.0-or-later
// attenscope-compute run: attention computed on files, as arrays in an .npz.
#pragma once

#include "attention/spec.h"
#include "core/result.h"
#include "core/run.h"

#include <QStringList>

#include <optional>
#include <string>
#include <vector>

namespace attenscope {

/// What the arguments ask for; what is unset stays as the input or the session has it.
struct RunRequest {
    QStringList inputs;
    QString output;
    std::string preset; ///< Id of a preset that is used before the other options; empty: none.
    std::optional<ScoreFunction> score;
    std::optional<MaskRule> mask;
    std::optional<CausalAlignment> alignment;
    std::optional<bool>
        onesAreHidden; ///< What the ones of masks in files mean; unset: as they were recognised, visible unless the name says otherwise.
    std::optional<int> paddedKeys;
    std::optional<int> heads;
    std::optional<int> kvHeads;
    std::optional<double> scale;
    std::optional<double> temperature;
    std::vector<std::string> arrays; ///< Names of arrays to be written; empty: the usual ones that the input has.
    int block = 0;
    std::optional<int> layer; ///< Unset: all. The same for head and element.
    std::optional<int> head;
    std::optional<int> element;
};

/// Reads what follows "run". Errors are about usage: which option, what it may be.
Result<RunRequest> parseRun(const QStringList &arguments);
/// Computes in double precision and writes; the answer says what was written. Errors: files, a mechanism that does not fit the input, a
/// head that is not there, memory, a place that cannot be written.
Result<std::string> run(const RunRequest &request, const Run &watched = {});
/// The text of `attenscope-compute run --help`.
[[nodiscard]] std::string runHelp();

} // namespace attenscope
