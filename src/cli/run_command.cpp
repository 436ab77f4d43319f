// SPDX-License-Identifier: GPL-3.0-or-later
// Reading the options of run, and running it.
#include "cli/run_command.h"

#include <algorithm>
#include <array>

namespace attenscope {

namespace {

constexpr const char *runHint = "See attenscope-compute run --help.";

constexpr std::array runOptions{
    OptionRow{
        "stages", "LIST", "Arrays to write, with commas between; default: weights,output,logsumexp,entropy,layer_output as there are" },
};

constexpr std::array usualArrays{ "weights", "output", "logsumexp", "entropy", "layer_output" };

Result<std::vector<std::string>> arraysOf(
    const std::vector<std::string> &asked, const AttentionBlock &block, const AttentionSpec &spec, const HeadSelection &heads)
{
    const std::vector<std::string> available = availableArrays(block, spec, heads);
    const auto isAvailable
        = [&available](const std::string &name) { return std::find(available.begin(), available.end(), name) != available.end(); };
    std::vector<std::string> chosen = asked;
    if (chosen.empty())
        std::copy_if(usualArrays.begin(), usualArrays.end(), std::back_inserter(chosen), isAvailable);
    for (const std::string &name : chosen) {
        if (isAvailable(name))
            continue;
        std::string there;
        for (const std::string &other : available)
            there += (there.empty() ? "" : ", ") + other;
        return Error{ "This input has no " + name + ".", block.hasWeightsOnly() ? "Its weights were recorded." : "",
            "Choose of " + there + ".", {} };
    }
    return chosen;
}

} // namespace

Result<RunRequest> parseRun(const QStringList &arguments)
{
    QCommandLineParser parser;
    addOptions(parser, headOptions());
    addOptions(parser, runOptions);
    if (!parser.parse(QStringList{ QStringLiteral("run") } + arguments))
        return Error{ parser.errorText().toStdString(), {}, runHint, {} };
    OptionReader reader(parser);
    RunRequest request;
    request.arrays = reader.words("stages", arrayNames());
    auto heads = headRequest(parser, reader, runHint);
    if (!heads)
        return heads.error();
    request.heads = std::move(heads).value();
    return request;
}

Result<std::string> run(const RunRequest &request, const Run &watched)
{
    const auto opened = openHeads(request.heads, watched);
    if (!opened)
        return opened.error();
    const auto names = arraysOf(request.arrays, opened->block(), opened->spec, opened->heads);
    if (!names)
        return names.error();
    const auto arrays = computeArrays(*opened->input, opened->spec, opened->heads, *names, watched);
    if (!arrays)
        return arrays.error();
    return writeArrays(request.heads, *arrays, opened->notes, watched);
}

std::string runHelp()
{
    std::string text = "attenscope-compute run FILE... -o OUT.npz [options]\n"
                       "\n"
                       "Computes attention in double precision and writes arrays with the axes layers, batch (where there is one), heads,\n"
                       "queries, keys. FILE: data files that belong together, or one session (.attn).\n"
                       "\n";
    text += optionsHelp(headOptions()) + optionsHelp(runOptions) + "\nArrays:";
    for (const std::string &name : arrayNames())
        text += " " + name;
    return text + "\n";
}

} // namespace attenscope
