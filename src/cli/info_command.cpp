// SPDX-License-Identifier: GPL-3.0-or-later
// Putting together the report about files.
#include "cli/info_command.h"

#include "cli/inputs.h"
#include "core/text.h"

#include <QCommandLineParser>

#include <algorithm>

namespace attenscope {

namespace {

constexpr std::size_t longestList = 60;

std::string roleText(TensorRole role)
{
    switch (role) {
    case TensorRole::Unused:
        return "not used";
    case TensorRole::Queries:
        return "queries";
    case TensorRole::Keys:
        return "keys";
    case TensorRole::Values:
        return "values";
    case TensorRole::KeysAndValues:
        return "keys and values";
    case TensorRole::X:
        return "embeddings X";
    case TensorRole::Y:
        return "key embeddings Y";
    case TensorRole::Wq:
        return "W_q";
    case TensorRole::Wk:
        return "W_k";
    case TensorRole::Wv:
        return "W_v";
    case TensorRole::Wo:
        return "W_o";
    case TensorRole::Bq:
        return "b_q";
    case TensorRole::Bk:
        return "b_k";
    case TensorRole::Bv:
        return "b_v";
    case TensorRole::Bo:
        return "b_o";
    case TensorRole::Weights:
        return "recorded attention";
    case TensorRole::KeyPadding:
        return "key padding, 1 = a token";
    case TensorRole::PaddedKeys:
        return "key padding, 1 = padding";
    case TensorRole::AllowedMask:
        return "mask, 1 = may attend";
    case TensorRole::HiddenMask:
        return "mask, 1 = is hidden";
    case TensorRole::QueryTokens:
        return "query names";
    case TensorRole::KeyTokens:
        return "key names";
    case TensorRole::Tokens:
        return "token names";
    }
    return {};
}

bool isProjection(TensorRole role)
{
    return role >= TensorRole::Wq && role <= TensorRole::Wo;
}

std::string axisText(Axis axis, TensorRole role)
{
    switch (axis) {
    case Axis::Layer:
        return "layers";
    case Axis::Batch:
        return "batch";
    case Axis::Head:
        return "heads";
    case Axis::Query:
        return "queries";
    case Axis::Key:
        return "keys";
    case Axis::Row:
        return isProjection(role) ? "in" : "positions";
    case Axis::Dimension:
        return isProjection(role) ? "out" : "dimensions";
    case Axis::Ignored:
        return "ignored";
    }
    return {};
}

std::string useText(const TensorUse &use)
{
    std::string text = roleText(use.role);
    if (use.role == TensorRole::Unused)
        return text;
    if (const std::string block = roleName(use.block); !block.empty())
        text = block + ": " + text;
    for (std::size_t axis = 0; axis < use.axes.size(); ++axis)
        text += (axis == 0 ? " (" : ", ") + axisText(use.axes[axis], use.role);
    if (!use.axes.empty())
        text += ")";
    if (use.layer >= 0)
        text += ", layer " + std::to_string(use.layer);
    return use.step >= 0 ? text + ", step " + std::to_string(use.step) : text;
}

std::string joined(const std::vector<std::string> &names)
{
    std::string text;
    for (const std::string &name : names) {
        if (text.size() > 4 * longestList)
            break;
        text += (text.empty() ? "" : " ") + name;
    }
    return shortened(text, longestList);
}

std::string counted(Index count, const char *one, const char *more)
{
    return groupedCount(count) + " " + (count == 1 ? one : more);
}

/// Rows of cells as columns of equal width.
std::string aligned(const std::vector<std::vector<std::string>> &rows)
{
    std::vector<qsizetype> widths;
    for (const auto &row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t col = 0; col < row.size(); ++col)
            widths[col] = std::max(widths[col], QString::fromStdString(row[col]).size());
    }
    QString text;
    for (const auto &row : rows) {
        QString line = QStringLiteral("  ");
        for (std::size_t col = 0; col < row.size(); ++col)
            line += QString::fromStdString(row[col]).leftJustified(widths[col] + 2);
        text += line.trimmed().prepend(QStringLiteral("  ")) + QLatin1Char('\n');
    }
    return text.toStdString();
}

std::string filesText(const FileSource &source)
{
    std::string text;
    for (const FileRef &file : source.files)
        text += file.path + "  " + byteSize(file.size) + "\n";
    std::vector<std::vector<std::string>> rows;
    const TensorSet &set = *source.tensors;
    for (std::size_t place = 0; place < set.tensors.size(); ++place) {
        const NamedTensor &named = set.tensors[place];
        rows.push_back({ shortened(named.name, longestList), std::string(elementName(named.tensor.type())), shapeText(named.tensor.shape()),
            useText(source.uses[place]) });
    }
    for (std::size_t place = 0; place < set.tokenLists.size(); ++place) {
        const TokenList &list = set.tokenLists[place];
        rows.push_back({ shortened(list.name, longestList), "text", groupedCount(static_cast<Index>(list.tokens.size())),
            useText(source.uses[set.tensors.size() + place]) });
    }
    return text + aligned(rows);
}

std::string kindText(const AttentionBlock &block)
{
    if (block.hasWeightsOnly())
        return "recorded weights";
    if (std::holds_alternative<EmbeddedData>(block.data))
        return block.hasValues() ? "embeddings" : "embeddings, no V";
    return block.hasValues() ? "Q, K, V" : "Q, K";
}

std::string blocksText(const AttentionInput &input, const AttentionSpec &spec)
{
    std::string text = "Blocks\n";
    for (std::size_t place = 0; place < input.blocks.size(); ++place) {
        const AttentionBlock &block = input.blocks[place];
        text += "  " + std::to_string(place) + ": "
            + (input.blocks.size() > 1 || !block.name.empty() ? blockName(input, static_cast<int>(place)) + ": " : "")
            + counted(block.layers, "layer", "layers") + ", " + counted(headCount(block, spec), "head", "heads");
        if (!block.hasWeightsOnly() && kvHeadCount(block, spec) != headCount(block, spec))
            text += " on " + counted(kvHeadCount(block, spec), "key/value head", "key/value heads");
        if (block.batch > 1)
            text += ", batch of " + groupedCount(block.batch);
        text += ", " + counted(block.queries, "query", "queries") + " × " + counted(block.keys, "key", "keys") + ", " + kindText(block)
            + "\n";
        text += "    queries: " + joined(block.queryTokens) + "\n";
        if (block.keyTokens != block.queryTokens)
            text += "    keys: " + joined(block.keyTokens) + "\n";
    }
    return text;
}

std::string notesText(const FileSource &source, const AttentionInput &input)
{
    std::vector<std::string> notes = source.tensors->notes;
    // Interpreting again is cheap and the only way to its notes.
    static_cast<void>(interpret(*source.tensors, source.uses, source.queryTokens, source.keyTokens, &notes));
    for (int place = 0; place < static_cast<int>(input.blocks.size()); ++place) {
        const AttentionBlock &block = input.blocks[static_cast<std::size_t>(place)];
        if (block.hasWeightsOnly() && checkWeights(block).isCausal)
            notes.push_back(
                (input.blocks.size() > 1 ? blockName(input, place) + ": " : "") + "all weights above the diagonal are 0: causal.");
    }
    std::string text;
    for (const std::string &note : notes)
        text += "  " + note + "\n";
    return text.empty() ? text : "Notes\n" + text;
}

} // namespace

Result<QStringList> parseInfo(const QStringList &arguments)
{
    QCommandLineParser parser;
    if (!parser.parse(QStringList{ QStringLiteral("info") } + arguments))
        return Error{ parser.errorText().toStdString(), {}, "See attenscope-compute info --help.", {} };
    if (parser.positionalArguments().isEmpty())
        return Error{ "No file was named.", {}, "attenscope-compute info FILE...", {} };
    return parser.positionalArguments();
}

Result<std::string> info(const QStringList &paths, const Run &run)
{
    const auto session = openInputs(paths, run);
    if (!session)
        return session.error();
    const auto *files = std::get_if<FileSource>(&session->source);
    const bool hasTensors = files != nullptr && files->tensors != nullptr;
    const std::string contents = hasTensors ? filesText(*files) : std::string();
    const auto input = buildInput(session->source);
    if (!input) {
        // What is in the files is known even where it makes no attention.
        return hasTensors ? Result<std::string>(contents + "No attention: " + input.error().sentence() + "\n") : input.error();
    }
    return contents + blocksText(*input, session->mechanism) + (hasTensors ? notesText(*files, *input) : std::string());
}

std::string infoHelp()
{
    return "attenscope-compute info FILE...\n"
           "\n"
           "Prints every array with its type, its shape and what it is used as, token names, and the blocks of attention that\n"
           "come of them. Several files are one input, as q.npy k.npy v.npy tokens.txt.\n";
}

} // namespace attenscope
