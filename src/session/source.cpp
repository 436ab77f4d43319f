// SPDX-License-Identifier: GPL-3.0-or-later
// From a source of any kind to an attention input.
#include "session/source.h"

#include "session/input_builders.h"

#include <algorithm>

namespace attenscope {

bool operator==(const FileSource &a, const FileSource &b)
{
    const bool sameTensors = a.tensors == b.tensors || (a.tensors && b.tensors && *a.tensors == *b.tensors);
    return a.files == b.files && a.uses == b.uses && a.queryTokens == b.queryTokens && a.keyTokens == b.keyTokens && sameTensors;
}

std::vector<std::string> namesFor(std::vector<std::string> names, Index count)
{
    const auto known = std::min(names.size(), static_cast<std::size_t>(count));
    names.resize(static_cast<std::size_t>(count));
    for (std::size_t row = known; row < names.size(); ++row)
        names[row] = std::to_string(row);
    return names;
}

namespace {

Result<AttentionInput> buildFileInput(const FileSource &source, std::vector<std::string> *notes)
{
    if (!source.tensors) {
        const std::string path = source.files.empty() ? std::string() : source.files.front().path;
        return Error{ "The input file is not loaded.", "", "Locate it.", path };
    }
    return interpret(*source.tensors, source.uses, source.queryTokens, source.keyTokens, notes);
}

} // namespace

Result<AttentionInput> buildInput(const Source &source, std::vector<std::string> *notes)
{
    if (const auto *tokens = std::get_if<TokensSource>(&source))
        return buildTokenInput(*tokens);
    if (const auto *matrices = std::get_if<MatricesSource>(&source))
        return buildMatrixInput(*matrices);
    return buildFileInput(std::get<FileSource>(source), notes);
}

} // namespace attenscope
