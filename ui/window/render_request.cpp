// SPDX-License-Identifier: GPL-3.0-or-later
// The options of attenscope render.
#include "window/render_request.h"

#include "io/output_path.h"
#include "session/color_table_names.h"
#include "session/presets.h"
#include "state/stage_names.h"
#include "window/numbers.h"
#include "window/view_stack.h"

#include <QCommandLineParser>
#include <QFileInfo>
#include <QRegularExpression>

#include <array>
#include <tuple>

namespace attenscope {

namespace {

struct OptionRow {
    const char *name;
    const char *value; ///< Null: a switch.
    const char *help;
};

constexpr std::array optionRows{
    OptionRow{ "output", "FILE",
        "Where to write: .png, .svg, .pdf, or numbers as .csv, .npy, .npz, .json; without an extension .png; in a folder under the name of "
        "the "
        "input; a file that is there is replaced" },
    OptionRow{ "example", "NAME", "Instead of an input: sentence, worked" },
    OptionRow{ "view", "NAME",
        "map (default), lines, vectors, steps, text, layers; grid: all heads on a sheet; table: the head table, also as .csv; patches: "
        "keys as an image; "
        "steps of the picked query "
        "also as .apng with all states" },
    OptionRow{ "step", "N", "Which step, from 1; of flash attention which tile" },
    OptionRow{ "across", "WHAT", "Of --view layers: rollout (default), flow, similarity, embedding" },
    OptionRow{ "stage", "NAME", "scores, scaled, masked, weights (default), weights-x-values, output" },
    OptionRow{ "block", "NAME", "Number or name of the block where the input has several" },
    OptionRow{ "layer", "N", "Layer, from 0; default: the one that a session shows, else 0" },
    OptionRow{ "head", "N", "Head, from 0; default: the same" },
    OptionRow{ "element", "N", "Element of the batch, from 0; default: the same" },
    OptionRow{ "heads", "HOW", "single, mean, max over the heads of the layer" },
    OptionRow{
        "preset", "NAME", "A known mechanism, such as transformer-decoder, alibi-bloom, mask-causal-window; a wrong name lists all" },
    OptionRow{ "mask", "RULE", "none (no mask of the file either), causal; without it as the input has it" },
    OptionRow{ "compare", nullptr, "Causal and unmasked side by side, and their difference" },
    OptionRow{ "compare-with", "WHAT", "Compare with none, causal, dot, scaled-dot or a preset" },
    OptionRow{ "colors", "TABLE", colorTableList },
    OptionRow{ "scale", "HOW", "linear, log, auto" },
    OptionRow{ "range", "HOW", "shared (all heads), own (this map), row (÷ largest of each row)" },
    OptionRow{ "size", "WxH", "Pixels; default 1400 wide and as high as the maps need, at most 1000" },
    OptionRow{ "mm", "WxH", "Millimetres, with --dpi" },
    OptionRow{ "dpi", "N", "Dots per inch; default 300" },
    OptionRow{ "cell", "N", "Pixels per cell, 1 to 512" },
    OptionRow{ "region", "QUERIES,KEYS",
        "Of the map (which it shows unless --view says otherwise) and of numbers this part: 4096:4608,0:512 are queries 4096 to 4607 and "
        "keys 0 to 511; with --cell 1 one pixel for each "
        "cell" },
    OptionRow{ "background", "NAME", "white, dark, transparent" },
    OptionRow{ "pick", "Q,K", "Mark this query and key, counted in the whole input" },
    OptionRow{ "no-title", nullptr, "Without title" },
    OptionRow{ "no-labels", nullptr, "Without token labels and axis titles" },
    OptionRow{ "no-scale", nullptr, "Without colour scale" },
    OptionRow{ "no-caption", nullptr, "Without caption" },
    OptionRow{ "all-heads", nullptr,
        "Numbers of all heads, with --layer of that layer, instead of one (of a comparison the difference); pictures: a file for each, "
        "head-0-03.png is layer 0, head 3" },
    OptionRow{ "hide-below", "W", "Lines and text: without weights below W" },
    OptionRow{ "top-k", "N", "Lines and text: the N largest weights of each query only" },
    OptionRow{ "top-p", "P", "Lines and text: the fewest of the largest weights that make up the share P of each query" },
    OptionRow{ "leave-out", "WHICH", "Tokens that are left out: first, padding, special, positions such as 3 or 7-9; several with commas" },
    OptionRow{ "renormalize", nullptr, "Divide rows by what is left of them" },
    OptionRow{ "merge-pieces", nullptr, "Word pieces as words: columns add, rows average" },
    OptionRow{ "patches", "RxC", "Rows and columns of --view patches: 14x14, or 14x14+1 after a class token; default: the likeliest" },
    OptionRow{ "picture", "FILE", "The picture under the patches" },
    OptionRow{ "job", "FILE", "Instead of an input and an output: a JSON file that lists many figures (see the guide)" },
};

template <typename Value>
using Choices = std::vector<std::pair<const char *, Value>>;

/// Collects the first wrong option, so that reading stays a list of lines.
class OptionReader {
public:
    explicit OptionReader(const QCommandLineParser &parser)
        : m_parser(parser)
    {
    }

    [[nodiscard]] bool isSet(const char *name) const { return m_parser.isSet(QLatin1String(name)); }
    [[nodiscard]] QString text(const char *name) const { return m_parser.value(QLatin1String(name)); }
    [[nodiscard]] const std::optional<Error> &error() const { return m_error; }

    void fail(const char *name, const QString &allowed)
    {
        if (!m_error)
            m_error = Error{ QStringLiteral("--%1 cannot be “%2”.").arg(QLatin1String(name), text(name)).toStdString(), {},
                QStringLiteral("It is %1.").arg(allowed).toStdString(), {} };
    }

    template <typename Value>
    std::optional<Value> choice(const char *name, const Choices<Value> &choices)
    {
        if (!isSet(name))
            return std::nullopt;
        QStringList names;
        for (const auto &[key, value] : choices) {
            if (text(name) == QLatin1String(key))
                return value;
            names << QLatin1String(key);
        }
        const QString last = names.takeLast();
        fail(name, names.isEmpty() ? last : names.join(QStringLiteral(", ")) + QStringLiteral(" or ") + last);
        return std::nullopt;
    }

    std::optional<int> number(const char *name, int least, int most)
    {
        if (!isSet(name))
            return std::nullopt;
        bool isNumber = false;
        const int value = text(name).toInt(&isNumber);
        if (isNumber && value >= least && value <= most)
            return value;
        fail(name, QStringLiteral("a whole number from %1 to %2").arg(least).arg(most));
        return std::nullopt;
    }

    std::optional<double> real(const char *name, double least, double most)
    {
        if (!isSet(name))
            return std::nullopt;
        bool isNumber = false;
        const double value = text(name).toDouble(&isNumber);
        if (isNumber && value >= least && value <= most)
            return value;
        fail(name, QStringLiteral("a number from %1 to %2").arg(least).arg(most));
        return std::nullopt;
    }

    /// Two numbers with @p separator between them.
    std::optional<QSizeF> pair(const char *name, QChar separator, double least, double most, const QString &allowed)
    {
        if (!isSet(name))
            return std::nullopt;
        const QStringList parts = text(name).split(separator, Qt::KeepEmptyParts, Qt::CaseInsensitive);
        bool isFirst = false;
        bool isSecond = false;
        const double first = parts.value(0).toDouble(&isFirst);
        const double second = parts.value(1).toDouble(&isSecond);
        if (parts.size() == 2 && isFirst && isSecond && first >= least && second >= least && first <= most && second <= most)
            return QSizeF(first, second);
        fail(name, allowed);
        return std::nullopt;
    }

private:
    const QCommandLineParser &m_parser;
    std::optional<Error> m_error;
};

Error usage(const QString &what, const QString &remedy = QStringLiteral("attenscope render --help shows all options."))
{
    return { what.toStdString(), {}, remedy.toStdString(), {} };
}

/// "map" of "view.map".
const char *viewName(const ViewRow &row)
{
    return row.id + sizeof("view.") - 1;
}

/// Adds what --leave-out lists; false if it cannot be read.
bool addLeftOut(const QString &list, TokensShown &tokens)
{
    constexpr Index mostPositions = 1'000'000;
    for (const QString &part : list.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        const QString name = part.trimmed();
        if (name == QLatin1String("first")) {
            tokens.leavesOutFirst = true;
        } else if (name == QLatin1String("padding")) {
            tokens.leavesOutPadding = true;
        } else if (name == QLatin1String("special")) {
            tokens.leavesOutSpecials = true;
        } else {
            const QStringList ends = name.split(QLatin1Char('-'));
            bool isFirst = false;
            bool isLast = false;
            const Index first = ends.front().toLongLong(&isFirst);
            const Index last = ends.back().toLongLong(&isLast);
            if (ends.size() > 2 || !isFirst || !isLast || first < 0 || last < first || last >= mostPositions)
                return false;
            for (Index position = first; position <= last; ++position)
                tokens.leftOut.insert(tokens.leftOut.end(), { { 0, true, position }, { 0, false, position } });
        }
    }
    return true;
}

/// "4096:4608,0:512": the end is the first that does not belong to it.
std::optional<CellRect> regionOf(const QString &text)
{
    static const QRegularExpression form(QStringLiteral("^(\\d{1,12}):(\\d{1,12}),(\\d{1,12}):(\\d{1,12})$"));
    const QRegularExpressionMatch match = form.match(text);
    const auto range = [&match](int first) { return Range{ match.captured(first).toLongLong(), match.captured(first + 1).toLongLong() }; };
    if (!match.hasMatch() || range(1).size() == 0 || range(3).size() == 0)
        return std::nullopt;
    return CellRect{ range(1), range(3) };
}

/// "14x14+1": rows, columns, tokens before the first patch.
std::optional<PatchGrid> patchesOf(const QString &text)
{
    static const QRegularExpression form(QStringLiteral("^([1-9]\\d{0,5})[xX]([1-9]\\d{0,5})(?:\\+(\\d{1,6}))?$"));
    const QRegularExpressionMatch match = form.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    return PatchGrid{ match.captured(1).toLongLong(), match.captured(2).toLongLong(), match.captured(3).toLongLong(), {} };
}

} // namespace

QString renderHelp()
{
    QString help
        = QStringLiteral("Usage: attenscope render [INPUT…] -o FILE [OPTION…]\n"
                         "Draws the attention map of INPUT (files that belong together, or a session) without a window or a display.\n\n");
    for (const OptionRow &row : optionRows) {
        QString name = QStringLiteral("  ") + (qstrcmp(row.name, "output") == 0 ? QStringLiteral("-o, ") : QString()) + QStringLiteral("--")
            + QLatin1String(row.name);
        if (row.value)
            name += QLatin1Char(' ') + QLatin1String(row.value);
        help += name.leftJustified(24) + QLatin1Char(' ') + QString::fromUtf8(row.help) + QLatin1Char('\n');
    }
    return help + QStringLiteral("\nExit code 0: written. 1: one sentence on stderr says what failed. 2: called wrongly.\n");
}

bool isRenderSwitch(const QString &option)
{
    return std::any_of(
        optionRows.begin(), optionRows.end(), [&option](const OptionRow &row) { return !row.value && option == QLatin1String(row.name); });
}

Result<RenderRequest> parseRender(const QStringList &arguments)
{
    QCommandLineParser parser;
    for (const OptionRow &row : optionRows) {
        QStringList names{ QLatin1String(row.name) };
        if (qstrcmp(row.name, "output") == 0)
            names.prepend(QStringLiteral("o"));
        QCommandLineOption option(names, QString());
        if (row.value)
            option.setValueName(QLatin1String(row.value));
        parser.addOption(option);
    }
    if (!parser.parse(QStringList{ QStringLiteral("render") } + arguments))
        return usage(parser.errorText());

    OptionReader read(parser);
    if (read.isSet("job"))
        return usage(QStringLiteral("--job stands alone."), QStringLiteral("Write inputs and options into the job file."));
    RenderRequest request;
    request.inputs = parser.positionalArguments();
    if (const auto example
        = read.choice<QString>("example", { { "sentence", QStringLiteral("sentence") }, { "worked", QStringLiteral("worked") } }))
        request.example = *example;
    if (read.isSet("example") && !request.inputs.isEmpty())
        return usage(QStringLiteral("--example stands instead of an input."));
    if (!read.isSet("example") && request.inputs.isEmpty())
        return usage(QStringLiteral("There is no input."), QStringLiteral("Give files, or --example sentence."));

    request.output = outputFile(read.text("output"), request.inputs.value(0, request.example), QStringLiteral("png"));
    if (request.output.isEmpty())
        return usage(QStringLiteral("There is no output."), QStringLiteral("Give -o figure.png."));
    Choices<std::pair<FigureSubject, std::optional<ShownView>>> views;
    for (const ViewRow &row : viewRows())
        views.push_back({ viewName(row), { FigureSubject::View, row.shown } });
    for (const auto &[name, subject] :
        { std::pair("grid", FigureSubject::Grid), std::pair("table", FigureSubject::Table), std::pair("patches", FigureSubject::Patches) })
        views.push_back({ name, { subject, std::nullopt } });
    if (const auto view = read.choice("view", views))
        std::tie(request.subject, request.view) = *view;
    request.step = read.number("step", 1, 1'000'000);
    const bool isOfSteps = request.view == ShownView::Steps;
    if (request.step && !isOfSteps)
        return usage(QStringLiteral("--step is for --view steps."));
    request.across = read.choice<LayersShown>("across",
        { { "rollout", LayersShown::Rollout }, { "flow", LayersShown::Flow }, { "similarity", LayersShown::Similarity },
            { "embedding", LayersShown::Embedding } });
    if (read.isSet("across") && request.view != ShownView::Layers)
        return usage(QStringLiteral("--across is for --view layers."));
    const QString extension = QFileInfo(request.output).suffix().toLower();
    const bool isAnimation = isOfSteps && extension == QLatin1String("apng");
    const bool isPicture = isAnimation || figureFormatOf(request.output).has_value();
    if (!isPicture && (isOfSteps || !numbersFormatOf(request.output)))
        return unknownExtension(request.output,
            isOfSteps ? QStringLiteral("Steps are .png, .svg, .pdf or .apng.")
                      : QStringLiteral("Pictures are .png, .svg or .pdf; numbers are .csv, .npy, .npz or .json."));
    if (const Result<void> isFree = checkNoInput(request.output, QStringList{ request.inputs } << read.text("picture")); !isFree)
        return isFree.error();

    if (read.isSet("stage")) {
        request.stage = stageFromKey(read.text("stage"));
        if (!request.stage) {
            QStringList keys;
            for (const Stage stage : allStages)
                keys << stageKey(stage);
            read.fail("stage", QStringLiteral("one of ") + keys.join(QStringLiteral(", ")));
        }
    }
    request.block = read.text("block");
    request.layer = read.number("layer", 0, 1'000'000);
    request.head = read.number("head", 0, 1'000'000);
    request.element = read.number("element", 0, 1'000'000);
    request.heads
        = read.choice<HeadsShown>("heads", { { "single", HeadsShown::Single }, { "mean", HeadsShown::Mean }, { "max", HeadsShown::Max } });
    Choices<ColorTable> tables;
    for (const std::string_view name : colorTableNames)
        tables.emplace_back(name.data(), static_cast<ColorTable>(tables.size()));
    request.colors = read.choice("colors", tables);
    request.scale = read.choice<ColorScale>(
        "scale", { { "linear", ColorScale::Linear }, { "log", ColorScale::Logarithmic }, { "auto", ColorScale::Automatic } });
    request.range
        = read.choice<ColorRange>("range", { { "shared", ColorRange::Shared }, { "own", ColorRange::Own }, { "row", ColorRange::Row } });
    request.isCausal = read.choice<bool>("mask", { { "none", false }, { "causal", true } });
    request.comparesMasks = read.isSet("compare");
    Choices<const char *> ids;
    for (const Preset &preset : presets())
        ids.emplace_back(preset.id.c_str(), preset.id.c_str());
    if (const auto preset = read.choice<const char *>("preset", ids))
        request.preset = *preset;
    ids.insert(ids.begin(), { { "none", "none" }, { "causal", "causal" }, { "dot", "dot" }, { "scaled-dot", "scaled-dot" } });
    if (const auto with = read.choice<const char *>("compare-with", ids))
        request.comparesWith = QLatin1String(*with);
    if (request.comparesMasks && !request.comparesWith.isEmpty())
        return usage(QStringLiteral("--compare and --compare-with exclude each other."));
    request.isOfAllHeads = read.isSet("all-heads");
    if (request.isOfAllHeads && isOfSteps)
        return usage(QStringLiteral("--all-heads is not for steps."), QStringLiteral("Give --head."));
    if (request.subject == FigureSubject::Patches && !isPicture)
        return usage(QStringLiteral("--view patches is a picture."), QStringLiteral("Give an output such as patches.png."));
    if ((read.isSet("patches") || read.isSet("picture")) && request.subject != FigureSubject::Patches)
        return usage(QStringLiteral("--patches and --picture are for --view patches."));
    if (read.isSet("patches")) {
        request.patches = patchesOf(read.text("patches"));
        if (!request.patches)
            read.fail("patches", QStringLiteral("rows x columns such as 14x14, with +1 where the first token is no patch"));
    }
    if (read.isSet("picture")) {
        if (!request.patches)
            request.patches = PatchGrid();
        request.patches->picture = read.text("picture").toStdString();
    }
    const bool isOfHeads = request.subject == FigureSubject::Grid || request.subject == FigureSubject::Table;
    if (isOfHeads && request.isOfAllHeads)
        return usage(QStringLiteral("--view %1 has all heads without --all-heads.").arg(read.text("view")), {});
    if (request.subject == FigureSubject::Grid && !isPicture)
        return usage(QStringLiteral("--view grid is a picture."), QStringLiteral("Give an output such as heads.png."));
    if (request.subject == FigureSubject::Table && !isPicture && extension != QLatin1String("csv"))
        return usage(QStringLiteral("--view table is a picture or CSV."), QStringLiteral("Give an output such as table.csv."));
    if (request.isOfAllHeads && request.view == ShownView::Layers)
        return usage(QStringLiteral("--view layers is of all heads without --all-heads."), {});
    if (request.isOfAllHeads && request.head)
        return usage(QStringLiteral("--head and --all-heads exclude each other."),
            QStringLiteral("Give --head for one, --layer and --all-heads for those of a layer."));
    if (read.isSet("hide-below") || read.isSet("top-k") || read.isSet("top-p")) {
        WeightFilter filter;
        filter.threshold = read.real("hide-below", 0.0, 1.0).value_or(filter.threshold);
        filter.mostKeys = read.number("top-k", 1, 1'000'000'000).value_or(0);
        filter.share = read.real("top-p", 0.0, 1.0).value_or(filter.share);
        request.filter = filter;
    }
    if (read.isSet("leave-out") || read.isSet("renormalize") || read.isSet("merge-pieces")) {
        TokensShown tokens;
        tokens.renormalizes = read.isSet("renormalize");
        tokens.mergesPieces = read.isSet("merge-pieces");
        if (!addLeftOut(read.text("leave-out"), tokens))
            read.fail("leave-out", QStringLiteral("first, padding, special or positions such as 3 or 7-9, with commas between them"));
        request.tokens = tokens;
    }
    if (const auto pick = read.pair("pick", QLatin1Char(','), 0, 1e9, QStringLiteral("a query and a key such as 7,1")))
        request.pick = CellRef{ static_cast<Index>(pick->width()), static_cast<Index>(pick->height()) };
    if (read.isSet("region")) {
        if (isPicture && (request.view.value_or(ShownView::Map) != ShownView::Map || request.subject != FigureSubject::View))
            return usage(QStringLiteral("--region is for maps and numbers."), QStringLiteral("Leave out --view, or give --view map."));
        request.region = regionOf(read.text("region"));
        if (!request.region)
            read.fail("region", QStringLiteral("a range of queries and one of keys such as 4096:4608,0:512"));
    }

    FigureOptions &figure = request.figure;
    if (const auto size
        = read.pair("size", QLatin1Char('x'), 16, 100'000, QStringLiteral("pixels such as 1400x1000, from 16 to 100000 each")))
        figure.pixels = size->toSize();
    figure.millimetres = read.pair("mm", QLatin1Char('x'), 5, 2'000, QStringLiteral("millimetres such as 120x90, from 5 to 2000 each"));
    figure.dpi = read.number("dpi", 36, 2400).value_or(300);
    figure.cellPixels = read.number("cell", 1, 512);
    if (int(read.isSet("size")) + int(read.isSet("mm")) + int(read.isSet("cell")) > 1)
        return usage(QStringLiteral("--size, --mm and --cell exclude each other."));
    if (const auto background = read.choice<FigureBackground>("background",
            { { "white", FigureBackground::White }, { "dark", FigureBackground::Dark }, { "transparent", FigureBackground::Transparent } }))
        figure.background = *background;
    figure.hasTitle = !read.isSet("no-title");
    figure.hasLabels = !read.isSet("no-labels");
    figure.hasColorScale = !read.isSet("no-scale");
    figure.hasCaption = !read.isSet("no-caption");
    if (read.error())
        return *read.error();
    return request;
}

} // namespace attenscope
