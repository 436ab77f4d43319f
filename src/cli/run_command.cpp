// SPDX-License-Identifier: GPL-3.0-or-later
// Reading the options of run, and running it.
#include "cli/run_command.h"

#include "cli/head_arrays.h"
#include "cli/inputs.h"
#include "core/text.h"
#include "io/bytes.h"
#include "session/presets.h"

#include <QCommandLineParser>
#include <QFile>

#include <algorithm>
#include <array>
#include <cmath>

namespace attenscope {

namespace {

struct OptionRow {
    const char *name;
    const char *value;
    const char *help;
};

constexpr std::array optionRows{
    OptionRow{ "output", "OUT.npz", "Where to write; .npz is added if it is missing" },
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
    OptionRow{
        "stages", "LIST", "Arrays to write, with commas between; default: weights,output,logsumexp,entropy,layer_output as there are" },
    OptionRow{ "block", "N", "Block of the input, from 0; default 0" },
    OptionRow{ "layer", "N", "One layer, from 0; default all" },
    OptionRow{ "head", "N", "One head, from 0; default all" },
    OptionRow{ "element", "N", "One element of the batch, from 0; default all" },
};

constexpr std::array usualArrays{ "weights", "output", "logsumexp", "entropy", "layer_output" };

template <typename Value>
using Choices = std::initializer_list<std::pair<const char *, Value>>;

/// Reads options and keeps the first complaint.
class OptionReader {
public:
    explicit OptionReader(const QCommandLineParser &parser)
        : m_parser(parser)
    {
    }

    [[nodiscard]] const std::optional<Error> &error() const { return m_error; }

    template <typename Value>
    std::optional<Value> choice(const char *name, Choices<Value> choices)
    {
        const auto text = given(name);
        if (!text)
            return std::nullopt;
        std::string allowed;
        for (const auto &[key, value] : choices) {
            if (*text == QLatin1String(key))
                return value;
            allowed += (allowed.empty() ? "" : " or ") + std::string(key);
        }
        fail(name, *text, allowed);
        return std::nullopt;
    }

    std::optional<int> whole(const char *name, int least)
    {
        const auto text = given(name);
        if (!text)
            return std::nullopt;
        bool isNumber = false;
        const int number = text->toInt(&isNumber);
        if (isNumber && number >= least)
            return number;
        fail(name, *text, "a whole number from " + std::to_string(least) + " on");
        return std::nullopt;
    }

    std::optional<double> number(const char *name)
    {
        const auto text = given(name);
        if (!text)
            return std::nullopt;
        bool isNumber = false;
        const double number = text->toDouble(&isNumber);
        if (isNumber && std::isfinite(number))
            return number;
        fail(name, *text, "a number");
        return std::nullopt;
    }

    std::vector<std::string> arrays(const char *name)
    {
        std::vector<std::string> chosen;
        const auto text = given(name);
        if (!text)
            return chosen;
        const std::vector<std::string> known = arrayNames();
        for (QString part : text->split(QLatin1Char(','))) {
            part = part.trimmed().replace(QLatin1Char('-'), QLatin1Char('_'));
            chosen.push_back(part.toStdString());
            if (std::find(known.begin(), known.end(), chosen.back()) != known.end())
                continue;
            std::string allowed;
            for (const std::string &array : known)
                allowed += (allowed.empty() ? "" : ", ") + array;
            fail(name, part, "of " + allowed);
        }
        return chosen;
    }

private:
    [[nodiscard]] std::optional<QString> given(const char *name) const
    {
        const QString key = QLatin1String(name);
        return m_parser.isSet(key) ? std::optional(m_parser.value(key)) : std::nullopt;
    }

    void fail(const char *name, const QString &text, const std::string &allowed)
    {
        if (!m_error)
            m_error = Error{ std::string("--") + name + " cannot be “" + text.toStdString() + "”.", {}, "It is " + allowed + ".", {} };
    }

    const QCommandLineParser &m_parser;
    std::optional<Error> m_error;
};

void addOptions(QCommandLineParser &parser)
{
    for (const OptionRow &row : optionRows) {
        QStringList names{ QLatin1String(row.name) };
        if (names.first() == QLatin1String("output"))
            names << QStringLiteral("o");
        parser.addOption({ names, QLatin1String(row.help), QLatin1String(row.value) });
    }
}

AttentionSpec specOf(const RunRequest &request, AttentionSpec spec)
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

Result<HeadSelection> selectionOf(const RunRequest &request, const AttentionInput &input, const AttentionSpec &spec)
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

Result<std::vector<std::string>> arraysOf(
    const RunRequest &request, const AttentionBlock &block, const AttentionSpec &spec, const HeadSelection &heads)
{
    const std::vector<std::string> available = availableArrays(block, spec, heads);
    const auto isAvailable
        = [&available](const std::string &name) { return std::find(available.begin(), available.end(), name) != available.end(); };
    std::vector<std::string> chosen = request.arrays;
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
    constexpr const char *hint = "See attenscope-compute run --help.";
    QCommandLineParser parser;
    addOptions(parser);
    if (!parser.parse(QStringList{ QStringLiteral("run") } + arguments))
        return Error{ parser.errorText().toStdString(), {}, hint, {} };
    OptionReader reader(parser);
    RunRequest request;
    request.inputs = parser.positionalArguments();
    request.output = parser.value(QStringLiteral("output"));
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
    request.arrays = reader.arrays("stages");
    request.block = reader.whole("block", 0).value_or(0);
    request.layer = reader.whole("layer", 0);
    request.head = reader.whole("head", 0);
    request.element = reader.whole("element", 0);
    if (reader.error())
        return *reader.error();
    if (request.inputs.isEmpty())
        return Error{ "No file was named.", {}, hint, {} };
    if (request.output.isEmpty())
        return Error{ "No output was named.", {}, "Add -o OUT.npz.", {} };
    return request;
}

Result<std::string> run(const RunRequest &request, const Run &watched)
{
    auto session = openInputs(request.inputs, watched);
    if (!session)
        return session.error();
    if (request.onesAreHidden) {
        if (auto used = setMaskOnes(session->source, *request.onesAreHidden); !used)
            return used.error();
    }
    std::vector<std::string> notes;
    const auto input = buildInput(session->source, &notes);
    if (!input)
        return input.error();
    AttentionSpec mechanism = session->mechanism;
    if (!request.preset.empty()) {
        const AppliedPreset used = applied(*findPreset(request.preset), *session, input->blocks.front());
        mechanism = used.session.mechanism;
        for (const std::string &note : used.notes)
            notes.push_back(note);
    }
    const AttentionSpec spec = specOf(request, mechanism);
    const auto heads = selectionOf(request, *input, spec);
    if (!heads)
        return heads.error();
    const AttentionBlock &block = input->blocks[static_cast<std::size_t>(heads->block)];
    if (const auto problem = check(block, spec))
        return problem->error;
    const auto names = arraysOf(request, block, spec, *heads);
    if (!names)
        return names.error();
    const auto arrays = computeArrays(*input, spec, *heads, *names, watched);
    if (!arrays)
        return arrays.error();
    std::string path = QFile::encodeName(request.output).toStdString();
    if (extension(path) != "npz")
        path += ".npz";
    if (auto written = writeNpz(path, *arrays); !written)
        return written.error();
    std::string report = path + "\n";
    for (const NumbersArray &array : *arrays)
        report += "  " + array.name + "  " + shapeText(array.shape) + "\n";
    for (const std::string &note : notes)
        report += "note: " + note + "\n";
    return report;
}

std::string runHelp()
{
    std::string text = "attenscope-compute run FILE... -o OUT.npz [options]\n"
                       "\n"
                       "Computes attention in double precision and writes arrays with the axes layers, batch (where there is one), heads,\n"
                       "queries, keys. FILE: data files that belong together, or one session (.attn).\n"
                       "\n";
    for (const OptionRow &row : optionRows) {
        const QString name
            = (QLatin1String(row.name) == QLatin1String("output") ? QStringLiteral("  -o, --%1 %2") : QStringLiteral("  --%1 %2"))
                  .arg(QLatin1String(row.name), QLatin1String(row.value));
        text += name.leftJustified(30).toStdString() + row.help + "\n";
    }
    text += "\nArrays:";
    for (const std::string &name : arrayNames())
        text += " " + name;
    return text + "\n";
}

} // namespace attenscope
