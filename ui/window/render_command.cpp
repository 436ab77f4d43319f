// SPDX-License-Identifier: GPL-3.0-or-later
// attenscope render.
#include "window/render_command.h"

#include "io/open.h"
#include "io/session_file.h"
#include "session/presets.h"
#include "state/stage_names.h"
#include "window/numbers.h"
#include "window/render_steps.h"

#include <QCommandLineParser>
#include <QDir>
#include <QEventLoop>
#include <QFileInfo>

namespace attenscope {

namespace {

struct OptionRow {
    const char *name;
    const char *value; ///< Null: a switch.
    const char *help;
};

constexpr std::array optionRows{
    OptionRow{ "output", "FILE",
        "Where to write: .png, or numbers as .csv, .npy, .npz, .json; without an extension .png; in a folder under the name of the input" },
    OptionRow{ "example", "NAME", "Instead of an input: sentence, worked" },
    OptionRow{
        "view", "NAME", "map (default), or steps: the arithmetic of the picked query as .png, .svg, .pdf, or .apng with all states" },
    OptionRow{ "step", "N", "Which step, from 1; of flash attention which tile" },
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
    OptionRow{ "colors", "TABLE", "viridis, cividis, magma, grey" },
    OptionRow{ "scale", "HOW", "linear, log, auto" },
    OptionRow{ "range", "HOW", "shared (all heads), own (this map)" },
    OptionRow{ "size", "WxH", "Pixels; default 1400 wide and as high as the maps need, at most 1000" },
    OptionRow{ "mm", "WxH", "Millimetres, with --dpi" },
    OptionRow{ "dpi", "N", "Dots per inch; default 300" },
    OptionRow{ "cell", "N", "Pixels per cell, 1 to 512" },
    OptionRow{ "background", "NAME", "white, dark, transparent" },
    OptionRow{ "pick", "Q,K", "Mark this query and key" },
    OptionRow{ "no-title", nullptr, "Without title" },
    OptionRow{ "no-labels", nullptr, "Without token labels and axis titles" },
    OptionRow{ "no-scale", nullptr, "Without colour scale" },
    OptionRow{ "no-caption", nullptr, "Without caption" },
    OptionRow{ "all-heads", nullptr, "Numbers of all heads instead of one; of a comparison the numbers are the difference" },
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

Result<SessionFile> openInputs(const RenderRequest &request)
{
    if (request.inputs.isEmpty())
        return SessionFile{ request.example == QLatin1String("worked") ? workedExample() : exampleSentence(), {}, {} };
    const QString first = request.inputs.first();
    if (QFileInfo(first).suffix().compare(QLatin1String("attn"), Qt::CaseInsensitive) == 0) {
        if (request.inputs.size() > 1)
            return Error{ "A session is opened alone.", {}, "Give either one .attn or data files.", {} };
        Result<SessionFile> file = loadSession(first.toStdString());
        if (!file)
            return file.error();
        if (!file->missing.empty())
            return Error{ "A data file of this session is missing.", {},
                "Put it back to where it was, or open the session in the window and locate it.", file->missing.front().path };
        return file;
    }
    std::vector<std::string> paths;
    for (const QString &input : request.inputs)
        paths.push_back(QFileInfo(input).absoluteFilePath().toStdString());
    Result<FileSource> source = openFiles(paths);
    if (!source)
        return source.error();
    return SessionFile{ sessionFor(std::move(source).value()), {}, {} };
}

/// "There is no head 9. Layer 0 has heads 0 to 3."
Error noSuch(const char *what, int number, const QString &where, const QString &plural, int count)
{
    const QString there = count == 1 ? QStringLiteral("%1 %2 0 only.").arg(where, QLatin1String(what))
                                     : QStringLiteral("%1 %2 0 to %3.").arg(where, plural).arg(count - 1);
    return { QStringLiteral("There is no %1 %2.").arg(QLatin1String(what)).arg(number).toStdString(), there.toStdString(), {}, {} };
}

/// @p head, that of the session, with what the request says otherwise.
Result<HeadRef> chosenHead(const RenderRequest &request, HeadRef head, const AttentionInput &input, const AttentionSpec &spec)
{
    const int blocks = static_cast<int>(input.blocks.size());
    if (!request.block.isEmpty()) {
        QStringList names;
        for (int place = 0; place < blocks; ++place)
            names << QString::fromStdString(blockName(input, place));
        bool isNumber = false;
        head = {};
        head.block = request.block.toInt(&isNumber);
        if (!isNumber) {
            const auto isMeant = [&](const QString &name) { return name.compare(request.block, Qt::CaseInsensitive) == 0; };
            head.block = static_cast<int>(std::find_if(names.cbegin(), names.cend(), isMeant) - names.cbegin());
        }
        if (head.block < 0 || head.block >= blocks) {
            return Error{ QStringLiteral("There is no block “%1”.").arg(request.block).toStdString(),
                QStringLiteral("There is %1.").arg(names.join(QStringLiteral(", "))).toStdString(), {}, {} };
        }
    }
    head.layer = request.layer.value_or(head.layer);
    head.head = request.head.value_or(head.head);
    head.element = request.element.value_or(head.element);
    const AttentionBlock &block = input.blocks[static_cast<std::size_t>(head.block)];
    const int heads = headCount(block, spec);
    if (head.layer >= block.layers)
        return noSuch("layer", head.layer, QStringLiteral("There is"), QStringLiteral("layers"), block.layers);
    if (head.head >= heads)
        return noSuch("head", head.head, QStringLiteral("Layer %1 has").arg(head.layer), QStringLiteral("heads"), heads);
    if (head.element >= block.batch)
        return noSuch("element", head.element, QStringLiteral("There is"), QStringLiteral("elements"), block.batch);
    return head;
}

/// Session @p session under a preset, whose name has been checked.
Result<Session> underPreset(const std::string &id, const Session &session)
{
    const Result<AttentionInput> input = buildInput(session.source);
    if (!input)
        return input.error();
    AppliedPreset result = applied(*findPreset(id), session, input->blocks.front());
    if (input->blocks.front().isRecorded() && !result.fits)
        return Error{ result.notes.front(), {}, "Choose a mask, such as --preset mask-causal.", {} };
    return std::move(result.session);
}

Result<void> applyMechanism(const RenderRequest &request, Session &session)
{
    if (!request.preset.empty()) {
        Result<Session> used = underPreset(request.preset, session);
        if (!used)
            return used.error();
        session = std::move(used).value();
    }
    AttentionSpec &mechanism = session.mechanism;
    if (request.isCausal) {
        mechanism = withCausalMask(mechanism, *request.isCausal);
        // "none" is what it says: a mask from the file does not count either.
        mechanism.mask.usesInputMask = *request.isCausal && mechanism.mask.usesInputMask;
    }
    if (request.comparesMasks) {
        mechanism = withCausalMask(mechanism, true);
        session.comparison = withCausalMask(mechanism, false);
    }
    if (request.comparesWith.isEmpty())
        return {};
    AttentionSpec other = mechanism;
    if (const std::string id = request.comparesWith.toStdString(); findPreset(id)) {
        const Result<Session> used = underPreset(id, session);
        if (!used)
            return used.error();
        other = used->mechanism;
    } else if (request.comparesWith == QLatin1String("none") || request.comparesWith == QLatin1String("causal"))
        other = withCausalMask(other, request.comparesWith == QLatin1String("causal"));
    else
        other.score = request.comparesWith == QLatin1String("dot") ? ScoreFunction::Dot : ScoreFunction::ScaledDot;
    session.comparison = other;
    return {};
}

/// Until everything that is to be drawn or written is there.
Result<void> waitFor(Document &document, bool allHeads)
{
    std::optional<Error> failed;
    QObject::connect(&document, &Document::message, [&failed](const Message &message) {
        if (message.kind == Message::Kind::Error)
            failed = message.error;
    });
    const auto isReady = [&] {
        if (!document.isComputing())
            return true;
        const bool isShown
            = document.isCurrent() && document.field() && (!document.session().comparison || document.field(Side::Difference));
        return !allHeads && isShown;
    };
    QEventLoop loop;
    const auto check = [&] {
        if (isReady())
            loop.quit();
    };
    QObject::connect(&document, &Document::resultChanged, &loop, check);
    QObject::connect(&document, &Document::progressChanged, &loop, check);
    if (!isReady())
        loop.exec();
    if (document.problem())
        return document.problem()->error;
    if (failed)
        return *failed;
    return {};
}

/// A folder gets a file with the name of the input.
QString outputPath(const QString &given, const RenderRequest &request)
{
    if (given.isEmpty() || (!given.endsWith(QLatin1Char('/')) && !QFileInfo(given).isDir()))
        return given;
    const QString name = request.inputs.isEmpty() ? request.example : QFileInfo(request.inputs.first()).completeBaseName();
    return QDir(given).filePath(name + QStringLiteral(".png"));
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
    RenderRequest request;
    request.inputs = parser.positionalArguments();
    if (const auto example
        = read.choice<QString>("example", { { "sentence", QStringLiteral("sentence") }, { "worked", QStringLiteral("worked") } }))
        request.example = *example;
    if (read.isSet("example") && !request.inputs.isEmpty())
        return usage(QStringLiteral("--example stands instead of an input."));
    if (!read.isSet("example") && request.inputs.isEmpty())
        return usage(QStringLiteral("There is no input."), QStringLiteral("Give files, or --example sentence."));

    request.output = withExtension(outputPath(read.text("output"), request), QStringLiteral("png"));
    if (request.output.isEmpty())
        return usage(QStringLiteral("There is no output."), QStringLiteral("Give -o figure.png."));
    request.view = read.choice<ShownView>("view", { { "map", ShownView::Map }, { "steps", ShownView::Steps } }).value_or(ShownView::Map);
    request.step = read.number("step", 1, 1'000'000);
    const bool isOfSteps = request.view == ShownView::Steps;
    if (request.step && !isOfSteps)
        return usage(QStringLiteral("--step is for --view steps."));
    const QString extension = QFileInfo(request.output).suffix().toLower();
    const QStringList stepExtensions{ QStringLiteral("png"), QStringLiteral("svg"), QStringLiteral("pdf"), QStringLiteral("apng") };
    if (isOfSteps && !stepExtensions.contains(extension))
        return usage(QStringLiteral("“.%1” cannot be written.").arg(extension), QStringLiteral("Steps are .png, .svg, .pdf or .apng."));
    const bool isPicture = isOfSteps || extension == QLatin1String("png");
    if (!isPicture && !numbersFormatOf(request.output))
        return usage(QStringLiteral("“.%1” cannot be written.").arg(QFileInfo(request.output).suffix()),
            QStringLiteral("Pictures are .png; numbers are .csv, .npy, .npz or .json."));

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
    request.colors = read.choice<ColorTable>("colors",
        { { "viridis", ColorTable::Viridis }, { "cividis", ColorTable::Cividis }, { "magma", ColorTable::Magma },
            { "grey", ColorTable::Grey } });
    request.scale = read.choice<ColorScale>(
        "scale", { { "linear", ColorScale::Linear }, { "log", ColorScale::Logarithmic }, { "auto", ColorScale::Automatic } });
    request.range = read.choice<ColorRange>("range", { { "shared", ColorRange::Shared }, { "own", ColorRange::Own } });
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
    if (request.isOfAllHeads && isPicture)
        return usage(QStringLiteral("--all-heads is for numbers."), QStringLiteral("Give an output such as heads.npz."));
    if (const auto pick = read.pair("pick", QLatin1Char(','), 0, 1e9, QStringLiteral("a query and a key such as 7,1")))
        request.pick = CellRef{ static_cast<Index>(pick->width()), static_cast<Index>(pick->height()) };

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

Result<void> render(const RenderRequest &request, const std::function<void(const QString &)> &say)
{
    Result<SessionFile> opened = openInputs(request);
    if (!opened)
        return opened.error();
    Session &session = opened->session;
    if (const Result<void> done = applyMechanism(request, session); !done)
        return done;
    ViewState &view = session.view;
    view.stage = request.stage.value_or(view.stage);
    view.headsShown = request.heads.value_or(view.headsShown);
    view.colors = request.colors.value_or(view.colors);
    view.scale = request.scale.value_or(view.scale);
    view.range = request.range.value_or(view.range);

    Document document;
    document.reset(session);
    if (const Result<void> computed = waitFor(document, request.isOfAllHeads); !computed)
        return computed;
    const Result<HeadRef> head = chosenHead(request, document.head(), *document.input(), document.result()->spec);
    if (!head)
        return head.error();
    document.pickHead(*head);
    if (const Result<void> computed = waitFor(document, request.isOfAllHeads); !computed)
        return computed;
    if (request.stage && document.stage() != *request.stage)
        return Error{ QStringLiteral("There is no stage “%1”.").arg(stageKey(*request.stage)).toStdString(),
            document.block().isRecorded() ? "The file has recorded weights only." : "This input and mechanism do not have it.", {}, {} };
    Selection selection;
    selection.restore(opened->selection);
    if (request.pick) {
        const AttentionBlock &block = document.block();
        if (request.pick->row >= block.queries || request.pick->col >= block.keys)
            return Error{ QStringLiteral("There is no cell %1,%2.").arg(request.pick->row).arg(request.pick->col).toStdString(),
                QStringLiteral("There are %1 queries and %2 keys.").arg(block.queries).arg(block.keys).toStdString(), {}, {} };
        selection.setPicked(*request.pick);
    }
    if (request.view == ShownView::Steps) {
        const FigureOptions &figure = request.figure;
        const QSize size = figure.pixels.height() > 0 ? figure.pixels : QSize(figure.pixels.width(), 900);
        const WalkFileOptions options{ size, static_cast<WalkGround>(figure.background), false, 1.0 };
        const CellRef picked = selection.picked().value_or(CellRef{});
        return renderSteps(document, std::max<Index>(picked.row, 0), std::max<Index>(picked.col, 0), request.step, request.output, options);
    }
    if (const auto format = numbersFormatOf(request.output)) {
        const Result<MapNumbers> numbers = numbersOf(document, request.isOfAllHeads ? NumbersScope::AllHeads : NumbersScope::ShownMap,
            document.session().comparison ? Side::Difference : Side::Main);
        if (!numbers)
            return numbers.error();
        return writeMap(request.output.toStdString(), *format, *numbers);
    }
    if (const Result<void> possible = checkFigure(document, request.figure); !possible)
        return possible;
    if (say) {
        for (const QString &note : figureNotes(document, request.figure))
            say(note);
    }
    return saveFigure(request.output, document, selection, request.figure);
}

} // namespace attenscope
