// SPDX-License-Identifier: GPL-3.0-or-later
// Reading the options that choose files, a mechanism and heads, and opening them.
#include "cli/head_request.h"

#include "cli/inputs.h"
#include "core/text.h"
#include "io/output_path.h"
#include "session/presets.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <array>

namespace attenscope {

namespace {

constexpr std::array rows{
    OptionRow{ "output", "OUT.npz",
        "Where to write; without an extension .npz; in a folder under the name of the input; a file that is there is replaced" },
    OptionRow{
        "preset", "NAME", "A known mechanism, such as transformer-decoder, alibi-bloom, mask-causal-window; a wrong name lists all" },
    OptionRow{ "score", "NAME", "scaled-dot, dot" },
    OptionRow{ "mask", "RULE", "none (no mask of the file either), causal; without it as the input has it" },
    OptionRow{ "mask-ones", "MEANING",
        "What a 1 in a mask of the file means: visible (default; the key may be attended to), hidden (as in torch)" },
    OptionRow{ "causal-alignment", "CORNER", "bottom-right (default): the last query sees all keys; top-left: the first query sees one" },
    OptionRow{ "padding", "N", "This many keys at the end are padding" },
    OptionRow{ "heads", "N", "Heads that embeddings are split into" },
    OptionRow{ "kv-heads", "N", "Key/value heads that the query heads share" },
    OptionRow{ "scale", "X", "Factor on the scores; default 1/sqrt(d_k) for scaled-dot, 1 for dot" },
    OptionRow{ "temperature", "X", "The scores are divided by it before the mask" },
    OptionRow{ "block", "N", "Block of the input, from 0; default 0" },
    OptionRow{ "layer", "N", "One layer, from 0; default all" },
    OptionRow{ "head", "N", "One head, from 0; default all" },
    OptionRow{ "element", "N", "One element of the batch, from 0; default all" },
};

AttentionSpec specOf(const HeadRequest &request, AttentionSpec spec)
{
    if (request.mask) {
        spec = withCausalMask(spec, *request.mask == MaskRule::Causal);
        // "none" is what it says: a mask from the file does not count either.
        spec.mask.usesInputMask = *request.mask == MaskRule::Causal && spec.mask.usesInputMask;
    }
    if (request.score)
        spec.score = *request.score;
    if (request.alignment)
        spec.mask.alignment = *request.alignment;
    if (request.paddedKeys)
        spec.mask.paddedKeys = *request.paddedKeys;
    if (request.heads)
        spec.heads = *request.heads;
    if (request.kvHeads)
        spec.kvHeads = *request.kvHeads;
    if (request.scale)
        spec.scale = *request.scale;
    if (request.temperature)
        spec.temperature = *request.temperature;
    return spec;
}

/// Uses the boolean masks of a file so that a 1 hides its key, or shows it.
Result<void> setMaskOnes(Source &source, bool onesAreHidden)
{
    bool hasMask = false;
    if (auto *file = std::get_if<FileSource>(&source)) {
        for (TensorUse &use : file->uses) {
            if (use.role != TensorRole::AllowedMask && use.role != TensorRole::HiddenMask)
                continue;
            use.role = onesAreHidden ? TensorRole::HiddenMask : TensorRole::AllowedMask;
            hasMask = true;
        }
    }
    if (hasMask)
        return {};
    return Error{ "There is no mask that --mask-ones could be about.", "Masks are arrays named mask or attn_mask, queries by keys.",
        "attenscope-compute info shows what the arrays are used as.", {} };
}

/// One position of an axis, or all of it.
Result<Range> rangeOf(std::optional<int> chosen, int count, const char *what)
{
    if (!chosen)
        return Range{ 0, count };
    if (*chosen < count)
        return Range{ *chosen, *chosen + 1 };
    return Error{ std::string("There is no ") + what + " " + std::to_string(*chosen) + ".",
        count == 1 ? "There is only 0." : "There are 0 to " + std::to_string(count - 1) + ".", {}, {} };
}

Result<HeadSelection> selectionOf(const HeadRequest &request, const AttentionInput &input, const AttentionSpec &spec)
{
    const auto blocks = rangeOf(request.block, static_cast<int>(input.blocks.size()), "block");
    if (!blocks)
        return blocks.error();
    const AttentionBlock &block = input.blocks[static_cast<std::size_t>(request.block)];
    const auto layers = rangeOf(request.layer, block.layers, "layer");
    const auto elements = rangeOf(request.element, block.batch, "element");
    const auto heads = rangeOf(request.head, headCount(block, spec), "head");
    for (const auto *range : { &layers, &elements, &heads })
        if (!*range)
            return range->error();
    return HeadSelection{ request.block, *layers, *elements, *heads };
}

} // namespace

std::span<const OptionRow> headOptions()
{
    return rows;
}

Result<HeadRequest> headRequest(const QCommandLineParser &parser, OptionReader &reader, const char *hint, bool writes)
{
    HeadRequest request;
    request.inputs = parser.positionalArguments();
    if (writes)
        request.output = outputFile(parser.value(QStringLiteral("output")), request.inputs.value(0), QStringLiteral("npz"));
    request.preset = parser.value(QStringLiteral("preset")).toStdString();
    if (!request.preset.empty() && !findPreset(request.preset)) {
        std::string ids;
        for (const Preset &preset : presets())
            ids += (ids.empty() ? "" : ", ") + preset.id;
        return Error{ "--preset cannot be “" + request.preset + "”.", {}, "It is one of " + ids + ".", {} };
    }
    request.score = reader.choice<ScoreFunction>("score", { { "scaled-dot", ScoreFunction::ScaledDot }, { "dot", ScoreFunction::Dot } });
    request.mask = reader.choice<MaskRule>("mask", { { "none", MaskRule::None }, { "causal", MaskRule::Causal } });
    request.onesAreHidden = reader.choice<bool>("mask-ones", { { "visible", false }, { "hidden", true } });
    request.alignment = reader.choice<CausalAlignment>(
        "causal-alignment", { { "bottom-right", CausalAlignment::BottomRight }, { "top-left", CausalAlignment::TopLeft } });
    request.paddedKeys = reader.whole("padding", 0);
    request.heads = reader.whole("heads", 1);
    request.kvHeads = reader.whole("kv-heads", 1);
    request.scale = reader.number("scale");
    request.temperature = reader.number("temperature");
    request.block = reader.whole("block", 0).value_or(0);
    request.layer = reader.whole("layer", 0);
    request.head = reader.whole("head", 0);
    request.element = reader.whole("element", 0);
    if (reader.error())
        return *reader.error();
    if (request.inputs.isEmpty())
        return Error{ "No file was named.", {}, hint, {} };
    if (writes && request.output.isEmpty())
        return Error{ "No output was named.", {}, "Add -o OUT.npz.", {} };
    if (writes && QFileInfo(request.output).suffix().toLower() != QLatin1String("npz"))
        return unknownExtension(request.output, QStringLiteral("Arrays are .npz."));
    if (auto isFree = checkNoInput(request.output, request.inputs); !isFree)
        return isFree.error();
    return request;
}

Result<RequestedHeads> openHeads(const HeadRequest &request, const Run &run)
{
    // Opening is short beside what follows, and progress never goes back.
    auto session = openInputs(request.inputs, { run.stop, {} });
    if (!session)
        return session.error();
    if (request.onesAreHidden) {
        if (auto used = setMaskOnes(session->source, *request.onesAreHidden); !used)
            return used.error();
    }
    RequestedHeads opened;
    auto input = buildInput(session->source, &opened.notes);
    if (!input)
        return input.error();
    opened.input = std::make_shared<const AttentionInput>(std::move(input).value());
    opened.spec = session->mechanism;
    if (!request.preset.empty()) {
        const AppliedPreset used = applied(*findPreset(request.preset), *session, opened.input->blocks.front());
        opened.spec = used.session.mechanism;
        opened.notes.insert(opened.notes.end(), used.notes.begin(), used.notes.end());
    }
    opened.spec = specOf(request, opened.spec);
    const auto heads = selectionOf(request, *opened.input, opened.spec);
    if (!heads)
        return heads.error();
    opened.heads = *heads;
    if (const auto problem = check(opened.block(), opened.spec))
        return problem->error;
    return opened;
}

Result<std::string> writeArrays(
    const HeadRequest &request, const std::vector<NumbersArray> &arrays, const std::vector<std::string> &notes, const Run &run)
{
    const std::string path = QFile::encodeName(request.output).toStdString();
    if (auto saved = writeNpz(path, arrays, { run.stop, {} }); !saved)
        return saved.error();
    std::string report = path + "\n";
    for (const NumbersArray &array : arrays)
        report += "  " + array.name + "  " + shapeText(array.shape) + "\n";
    for (const std::string &note : notes)
        report += "note: " + note + "\n";
    return report;
}

} // namespace attenscope
