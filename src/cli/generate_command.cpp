// SPDX-License-Identifier: GPL-3.0-or-later
// Reading the options of generate, and writing its files a few rows at a time.
#include "cli/generate_command.h"

#include "cli/options.h"
#include "core/parallel.h"
#include "core/text.h"
#include "io/atomic_file.h"
#include "io/bytes.h"
#include "io/npy.h"
#include "io/output_path.h"
#include "io/safetensors.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <array>

namespace attenscope {

namespace {

constexpr const char *generateHint = "See attenscope-compute generate --help.";
constexpr int mostTokens = 100'000'000;
constexpr int mostWidth = 65'536;
constexpr int mostHeads = 4'096;

constexpr std::array options{
    OptionRow{ "output", "OUT",
        "A .safetensors, or a folder, made if it is not there, for q.npy, k.npy and v.npy; files that are there are replaced" },
    OptionRow{ "queries", "N", "Default 1024" },
    OptionRow{ "keys", "N", "Default as many as queries" },
    OptionRow{ "width", "D", "Numbers of a query and of a key; default 64" },
    OptionRow{ "value-width", "D", "Numbers of a value; default as the width; 0: no values" },
    OptionRow{ "heads", "N", "Default 1" },
    OptionRow{ "seed", "N", "The same seed gives the same bytes; default 1" },
    OptionRow{ "blocks", "N", "Squares along the diagonal whose scores are higher by 3" },
    OptionRow{ "diagonals", "", "The diagonal and the one keys/4 before it are higher by ln(keys)" },
    OptionRow{ "sinks", "N", "First keys that all queries look at, higher by ln(keys)" },
    OptionRow{ "needles", "N", "Single cells, higher by ln(keys) + 12; where they are is printed and in the file" },
};

/// One of q, k and v.
struct Part {
    const char *name;
    Index rows;
    Index cols;
    void (SyntheticHead::*row)(Index row, std::span<double> out) const;
};

std::vector<Part> partsOf(const SyntheticShape &shape)
{
    std::vector<Part> parts{ { "q", shape.queries, shape.width, &SyntheticHead::query },
        { "k", shape.keys, shape.width, &SyntheticHead::key } };
    if (shape.valueWidth > 0)
        parts.push_back({ "v", shape.keys, shape.valueWidth, &SyntheticHead::value });
    return parts;
}

std::vector<Index> shapeOf(const Part &part, int heads)
{
    return heads > 1 ? std::vector<Index>{ heads, part.rows, part.cols } : std::vector<Index>{ part.rows, part.cols };
}

std::uint64_t bytesOf(const GenerateRequest &request)
{
    std::uint64_t bytes = 0;
    for (const Part &part : partsOf(request.shape))
        bytes += sizeof(float) * static_cast<std::uint64_t>(part.rows) * static_cast<std::uint64_t>(part.cols)
            * static_cast<std::uint64_t>(request.heads);
    return bytes;
}

/// "[[[row, column], …], …]", a list per head.
std::string needleList(const std::vector<SyntheticHead> &heads)
{
    std::string list;
    for (const SyntheticHead &head : heads) {
        std::string cells;
        for (const Needle &needle : head.needles())
            cells += (cells.empty() ? "[" : ", [") + std::to_string(needle.row) + ", " + std::to_string(needle.col) + "]";
        list += (list.empty() ? "[" : ", [") + cells + "]";
    }
    return "[" + list + "]";
}

bool isOneFile(const QString &output)
{
    return !isFolder(output) && extension(QFile::encodeName(output).toStdString()) == "safetensors";
}

class Generator {
public:
    Generator(const GenerateRequest &request, const Run &run)
        : m_run(run)
        , m_total(static_cast<double>(bytesOf(request)))
    {
        for (int head = 0; head < request.heads; ++head)
            m_heads.emplace_back(request.shape, head);
    }

    [[nodiscard]] const std::vector<SyntheticHead> &heads() const { return m_heads; }

    Result<void> write(const Part &part, const Sink &sink)
    {
        constexpr Index numbersAtOnce = Index{ 1 } << 18;
        const Index step = std::max<Index>(1, numbersAtOnce / part.cols);
        for (const SyntheticHead &head : m_heads) {
            for (Index first = 0; first < part.rows; first += step) {
                if (m_run.stopped())
                    return Error::cancelled();
                const Index count = std::min(step, part.rows - first);
                MatrixF numbers(count, part.cols);
                parallelFor(count, [&](Index place) {
                    std::vector<double> row(static_cast<std::size_t>(part.cols));
                    (head.*part.row)(first + place, row);
                    std::transform(row.begin(), row.end(), numbers.row(place).data(), [](double x) { return static_cast<float>(x); });
                });
                const auto bytes = static_cast<std::size_t>(numbers.size()) * sizeof(float);
                if (!sink(std::string(reinterpret_cast<const char *>(numbers.data()), bytes)))
                    return {};
                m_done += static_cast<double>(bytes);
                m_run.report(m_done / m_total);
            }
        }
        return {};
    }

private:
    const Run &m_run;
    double m_total;
    double m_done = 0.0;
    std::vector<SyntheticHead> m_heads;
};

} // namespace

Result<GenerateRequest> parseGenerate(const QStringList &arguments)
{
    QCommandLineParser parser;
    addOptions(parser, options);
    if (!parser.parse(QStringList{ QStringLiteral("generate") } + arguments))
        return Error{ parser.errorText().toStdString(), {}, generateHint, {} };
    OptionReader reader(parser);
    GenerateRequest request;
    SyntheticShape &shape = request.shape;
    shape.queries = reader.whole("queries", 1, mostTokens).value_or(1024);
    shape.keys = reader.whole("keys", 1, mostTokens).value_or(static_cast<int>(shape.queries));
    shape.width = reader.whole("width", 1, mostWidth).value_or(64);
    shape.valueWidth = reader.whole("value-width", 0, mostWidth).value_or(static_cast<int>(shape.width));
    shape.seed = static_cast<std::uint64_t>(reader.whole("seed", 0).value_or(1));
    shape.blocks = reader.whole("blocks", 0, mostTokens).value_or(0);
    shape.hasDiagonals = reader.isGiven("diagonals");
    shape.sinks = reader.whole("sinks", 0, static_cast<int>(shape.keys)).value_or(0);
    shape.needles = reader.whole("needles", 0, static_cast<int>(shape.queries / 4)).value_or(0);
    request.heads = reader.whole("heads", 1, mostHeads).value_or(1);
    request.output = parser.value(QStringLiteral("output"));
    if (reader.error())
        return *reader.error();
    if (!parser.positionalArguments().isEmpty())
        return Error{ "There is nothing to read: “" + parser.positionalArguments().first().toStdString() + "”.", {}, generateHint, {} };
    if (request.output.isEmpty())
        return Error{ "No output was named.", {}, "Add -o OUT.safetensors, or -o FOLDER for .npy.", {} };
    // A folder whose name has a dot ends with a slash, or is there.
    if (!isFolder(request.output) && !isOneFile(request.output) && QFileInfo(request.output).fileName().contains(QLatin1Char('.')))
        return unknownExtension(
            request.output, QStringLiteral("Give OUT.safetensors, or a folder for .npy, such as %1/.").arg(request.output));
    if (shape.isStructured() && shape.width < SyntheticShape::leastStructuredWidth)
        return Error{ "A width of " + std::to_string(shape.width) + " has no room for blocks, diagonals, sinks and needles.", {},
            "Choose " + std::to_string(SyntheticShape::leastStructuredWidth) + " or more.", {} };
    return request;
}

Result<std::string> generate(const GenerateRequest &request, const Run &run)
{
    const std::vector<Part> parts = partsOf(request.shape);
    Generator generator(request, run);
    const std::string needles = needleList(generator.heads());
    const std::string path = QFile::encodeName(request.output).toStdString();
    std::string report;
    const bool isFile = isOneFile(request.output);
    const std::string inFolder = path + (path.ends_with('/') ? "" : "/");
    if (!isFile && !QDir().mkpath(request.output))
        return Error{ "The folder cannot be made.", {}, "Choose another place.", path };
    if (auto fits = checkDisk(isFile ? path : inFolder, bytesOf(request), "Choose fewer, or another folder."); !fits)
        return fits.error();
    if (isFile) {
        std::vector<SafetensorsEntry> entries;
        for (const Part &part : parts)
            entries.push_back({ part.name, shapeOf(part, request.heads) });
        std::vector<std::pair<std::string, std::string>> metadata{ { "seed", std::to_string(request.shape.seed) } };
        if (request.shape.needles > 0)
            metadata.emplace_back("needles", needles);
        const auto saved = writeFile(path, [&](const Sink &sink) -> Result<void> {
            sink(safetensorsHeader(entries, metadata));
            for (const Part &part : parts)
                if (auto done = generator.write(part, sink); !done)
                    return done;
            return {};
        });
        if (!saved)
            return saved.error();
        report += path + "\n";
    }
    for (const Part &part : parts) {
        const std::vector<Index> shape = shapeOf(part, request.heads);
        if (isFile) {
            report += "  " + std::string(part.name) + "  " + shapeText(shape) + "\n";
            continue;
        }
        const std::string file = inFolder + part.name + ".npy";
        const auto saved = writeFile(file, [&](const Sink &sink) -> Result<void> {
            sink(npyHeader(shape, ElementType::F32));
            return generator.write(part, sink);
        });
        if (!saved)
            return saved.error();
        report += file + "  " + shapeText(shape) + "\n";
    }
    if (request.shape.needles > 0)
        report += "needles, [row, column] by head: " + needles + "\n";
    return report;
}

std::string generateHelp()
{
    return "attenscope-compute generate -o OUT [options]\n"
           "\n"
           "Writes made-up queries, keys and values in 32-bit numbers, row by row: any length fits in memory. Without blocks, diagonals,\n"
           "sinks or needles all numbers are normal with standard deviation 1. Scores are meant at the usual scale, 1/sqrt(width).\n"
           "\n"
        + optionsHelp(options);
}

} // namespace attenscope
