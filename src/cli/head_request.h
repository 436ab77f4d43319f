// SPDX-License-Identifier: GPL-3.0-or-later
// What run and stream have in common: files, a mechanism and which heads.
#pragma once

#include "attention/spec.h"
#include "cli/head_arrays.h"
#include "cli/options.h"
#include "core/run.h"

#include <QStringList>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attenscope {

/// What the arguments ask for; what is unset stays as the input or the session has it.
struct HeadRequest {
    QStringList inputs;
    QString output; ///< With its extension.
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
    int block = 0;
    std::optional<int> layer; ///< Unset: all. The same for head and element.
    std::optional<int> head;
    std::optional<int> element;
};

/// The options that fill it; the first is the output.
[[nodiscard]] std::span<const OptionRow> headOptions();
/// Reads them. Errors are about usage: which option, what it may be, no file, no output where the command @p writes one, an output that is
/// no .npz or one of the inputs.
Result<HeadRequest> headRequest(const QCommandLineParser &parser, OptionReader &reader, const char *hint, bool writes = true);

/// What a request comes to.
struct RequestedHeads {
    std::shared_ptr<const AttentionInput> input;
    AttentionSpec spec;
    HeadSelection heads;
    std::vector<std::string> notes;

    [[nodiscard]] const AttentionBlock &block() const { return input->blocks[static_cast<std::size_t>(heads.block)]; }
};
/// Opens the files; the mechanism has been check()ed. Errors: files, a mechanism that does not fit, a head that is not there.
Result<RequestedHeads> openHeads(const HeadRequest &request, const Run &run);

/// Writes the output, which run() can stop; the answer is it with its arrays and shapes, and the notes, a line each.
Result<std::string> writeArrays(
    const HeadRequest &request, const std::vector<NumbersArray> &arrays, const std::vector<std::string> &notes, const Run &run);

} // namespace attenscope
