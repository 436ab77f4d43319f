// SPDX-License-Identifier: GPL-3.0-or-later
// Reading the options of stream, and collecting what the pass finds head by head.
#include "cli/stream_command.h"

#include "attention/attention_result.h"
#include "attention/head_columns.h"
#include "core/memory.h"
#include "core/text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

namespace attenscope {

namespace {

constexpr const char *streamHint = "See attenscope-compute stream --help.";
constexpr int mostMapSize = 65'536;

enum class StreamArray { Output, LogSumExp, Entropy, Largest, Max, Mean, Summary };
constexpr std::array kindNames{ "output", "logsumexp", "entropy", "largest", "max", "mean", "summary" };
constexpr std::array allKinds{ StreamArray::Output, StreamArray::LogSumExp, StreamArray::Entropy, StreamArray::Largest, StreamArray::Max,
    StreamArray::Mean, StreamArray::Summary };

std::string nameOf(StreamArray kind)
{
    return kindNames[static_cast<std::size_t>(kind)];
}

constexpr std::array streamOptions{
    OptionRow{ "arrays", "LIST",
        "Arrays to write, with commas between: output, logsumexp, entropy, largest (weight of a row), max, mean (pooled maps), summary; "
        "default: all but mean, as there are" },
    OptionRow{ "map", "N", "Most cells per side of a pooled map; so many keys that they are a power of two make a cell; default 1024" },
    OptionRow{ "all-summaries", "", "Also distance, previous, first and others, which take exact rows and far longer" },
};

std::vector<HeadColumn> summaryColumns()
{
    std::vector<HeadColumn> columns;
    std::copy_if(allHeadColumns.begin(), allHeadColumns.end(), std::back_inserter(columns),
        [](HeadColumn column) { return columnMean(column) != nullptr; });
    return columns;
}

/// Masked cells are 0; what is absent or NaN is NaN.
double plainCell(float cell)
{
    const cell::Kind kind = cell::kind(cell);
    return kind == cell::Kind::Masked ? 0.0 : kind == cell::Kind::Number ? cell : std::numeric_limits<double>::quiet_NaN();
}

/// Rows of head after head.
class StreamCollection {
public:
    StreamCollection(const RequestedHeads &opened, const StreamRequest &request, std::vector<StreamArray> kinds)
        : m_opened(opened)
        , m_request(request)
        , m_kinds(std::move(kinds))
        , m_pool(overviewPool(opened.block().queries, opened.block().keys, request.mapSize))
    {
    }

    Result<std::vector<NumbersArray>> compute(const Run &run)
    {
        const HeadSelection &heads = m_opened.heads;
        const Index total = heads.layers.size() * heads.elements.size() * heads.heads.size();
        Index done = 0;
        HeadRef ref{ heads.block, 0, 0, 0 };
        for (ref.layer = static_cast<int>(heads.layers.first); ref.layer < heads.layers.end; ++ref.layer) {
            for (ref.element = static_cast<int>(heads.elements.first); ref.element < heads.elements.end; ++ref.element) {
                for (ref.head = static_cast<int>(heads.heads.first); ref.head < heads.heads.end; ++ref.head) {
                    if (auto added = addHead(ref, run.part(done++, total)); !added)
                        return added.error();
                }
            }
        }
        run.report(1.0);
        return std::move(m_arrays);
    }

    /// A line per head, with tabs between.
    [[nodiscard]] std::string summaries() const
    {
        std::string text = "head";
        for (const HeadColumn column : summaryColumns())
            text += "\t" + columnName(column);
        return text + "\n" + m_summaries;
    }

private:
    [[nodiscard]] bool wants(StreamArray kind) const { return std::find(m_kinds.begin(), m_kinds.end(), kind) != m_kinds.end(); }

    Result<void> addHead(const HeadRef &ref, const Run &run)
    {
        // The pass first, then what reads the weights again; each as a share of the progress.
        const int passes = 1 + (wants(StreamArray::Mean) ? 1 : 0) + (m_request.wantsAllSummaries ? 1 : 0);
        int pass = 0;
        const auto part = [&] { return run.part(pass, passes); };
        StreamOptions options;
        options.wantsOutput = wants(StreamArray::Output);
        options.overviewSize = wants(StreamArray::Max) ? m_request.mapSize : 0;
        options.wantsWeights = wants(StreamArray::Entropy) || wants(StreamArray::Largest) || wants(StreamArray::Summary);
        const auto head = computeHead(*m_opened.input, m_opened.spec, ref, options, part());
        if (!head)
            return head.error();
        HeadSummary summary = (*head)->summary;
        MatrixF mean;
        if (wants(StreamArray::Mean)) {
            ++pass;
            if (auto read = readMean(*(*head)->field(Stage::Weights), part(), mean); !read)
                return read;
        }
        if (m_request.wantsAllSummaries && !summary.isComplete) {
            ++pass;
            const auto whole = summarize(*(*head)->field(Stage::Weights), sequenceOf(m_opened.block(), m_opened.spec), part());
            if (!whole)
                return whole.error();
            summary = *whole;
        }
        const StreamResult &found = (*head)->stream;
        for (const StreamArray kind : m_kinds) {
            const auto added = kind == StreamArray::Output ? add(kind, found.output)
                : kind == StreamArray::LogSumExp           ? add(kind, found.logSumExp)
                : kind == StreamArray::Entropy             ? add(kind, found.entropy)
                : kind == StreamArray::Largest             ? add(kind, found.largest)
                : kind == StreamArray::Max                 ? add(kind, found.overview)
                : kind == StreamArray::Mean                ? add(kind, mean)
                                                           : add(kind, numbersOf(ref, summary));
            if (!added)
                return added;
        }
        return {};
    }

    /// Folded a stripe at a time, for the sake of the progress.
    Result<void> readMean(const MapField &weights, const Run &run, MatrixF &mean) const
    {
        const auto pooled = [this](Index count) { return (count + m_pool - 1) / m_pool; };
        if (auto fits
            = checkMemory(saturatingProduct(static_cast<std::uint64_t>(pooled(weights.rows()) * pooled(weights.cols())), sizeof(float)),
                "A pooled map");
            !fits)
            return fits.error();
        mean.resize(pooled(weights.rows()), pooled(weights.cols()));
        constexpr Index rowsAtOnce = 4096;
        const Index step = std::max(m_pool, rowsAtOnce / m_pool * m_pool);
        MatrixF stripe;
        for (Index first = 0; first < weights.rows(); first += step) {
            const Range rows{ first, std::min(first + step, weights.rows()) };
            if (!weights.read({ rows, { 0, weights.cols() } }, std::countr_zero(static_cast<std::uint64_t>(m_pool)), Fold::Mean, stripe,
                    { run.stop, {} }))
                return Error::cancelled();
            mean.middleRows(first / m_pool, stripe.rows()) = stripe;
            run.report(static_cast<double>(rows.end) / static_cast<double>(weights.rows()));
        }
        return {};
    }

    /// The means of the summary; NaN where no row has one.
    VectorF numbersOf(const HeadRef &ref, const HeadSummary &summary)
    {
        m_summaries += headName(*m_opened.input, ref);
        const std::vector<HeadColumn> columns = summaryColumns();
        VectorF numbers(static_cast<Index>(columns.size()));
        for (Index place = 0; place < numbers.size(); ++place) {
            const RowMean &own = summary.*columnMean(columns[static_cast<std::size_t>(place)]);
            numbers(place) = own.rows > 0 ? static_cast<float>(own.mean) : std::numeric_limits<float>::quiet_NaN();
            m_summaries += "\t" + (own.rows > 0 ? exactNumber(own.mean) : std::string());
        }
        m_summaries += "\n";
        return numbers;
    }

    template <typename Numbers>
    Result<void> add(StreamArray kind, const Numbers &numbers)
    {
        auto found
            = std::find_if(m_arrays.begin(), m_arrays.end(), [kind](const NumbersArray &array) { return array.name == nameOf(kind); });
        if (found == m_arrays.end()) {
            const HeadSelection &heads = m_opened.heads;
            NumbersArray array{ nameOf(kind), { heads.layers.size() }, {} };
            if (m_opened.block().batch > 1)
                array.shape.push_back(heads.elements.size());
            array.shape.push_back(heads.heads.size());
            array.shape.push_back(numbers.rows());
            if (Numbers::ColsAtCompileTime != 1)
                array.shape.push_back(numbers.cols());
            std::uint64_t bytes = sizeof(double);
            for (const Index count : array.shape)
                bytes = saturatingProduct(bytes, static_cast<std::uint64_t>(count));
            if (auto fits = checkMemory(bytes, "The array " + array.name); !fits)
                return fits.error();
            array.numbers.reserve(bytes / sizeof(double));
            m_arrays.push_back(std::move(array));
            found = std::prev(m_arrays.end());
        }
        std::transform(numbers.data(), numbers.data() + numbers.size(), std::back_inserter(found->numbers), &plainCell);
        return {};
    }

    const RequestedHeads &m_opened;
    const StreamRequest &m_request;
    std::vector<StreamArray> m_kinds;
    Index m_pool;
    std::vector<NumbersArray> m_arrays;
    std::string m_summaries;
};

bool isThere(StreamArray kind, const AttentionBlock &block)
{
    return kind == StreamArray::Output ? !block.hasWeightsOnly() && block.hasValues()
                                       : kind != StreamArray::LogSumExp || !block.hasWeightsOnly();
}

Result<std::vector<StreamArray>> kindsOf(const std::vector<std::string> &asked, const AttentionBlock &block)
{
    std::vector<StreamArray> kinds;
    for (const StreamArray kind : allKinds) {
        const bool isAsked = asked.empty() ? kind != StreamArray::Mean : std::find(asked.begin(), asked.end(), nameOf(kind)) != asked.end();
        if (isAsked && isThere(kind, block))
            kinds.push_back(kind);
        else if (isAsked && !asked.empty())
            return Error{ "This input has no " + nameOf(kind) + ".", block.hasWeightsOnly() ? "Its weights were recorded." : "",
                "Leave it out of --arrays.", {} };
    }
    return kinds;
}

} // namespace

Result<StreamRequest> parseStream(const QStringList &arguments)
{
    QCommandLineParser parser;
    addOptions(parser, headOptions());
    addOptions(parser, streamOptions);
    if (!parser.parse(QStringList{ QStringLiteral("stream") } + arguments))
        return Error{ parser.errorText().toStdString(), {}, streamHint, {} };
    OptionReader reader(parser);
    StreamRequest request;
    request.arrays = reader.words("arrays", std::vector<std::string>(kindNames.begin(), kindNames.end()));
    request.mapSize = reader.whole("map", 1, mostMapSize).value_or(1024);
    request.wantsAllSummaries = reader.isGiven("all-summaries");
    auto heads = headRequest(parser, reader, streamHint);
    if (!heads)
        return heads.error();
    request.heads = std::move(heads).value();
    return request;
}

Result<std::string> stream(const StreamRequest &request, const Run &watched)
{
    const auto opened = openHeads(request.heads, watched);
    if (!opened)
        return opened.error();
    const auto kinds = kindsOf(request.arrays, opened->block());
    if (!kinds)
        return kinds.error();
    StreamCollection collection(*opened, request, *kinds);
    const auto arrays = collection.compute(watched);
    if (!arrays)
        return arrays.error();
    const auto written = writeArrays(request.heads, *arrays, opened->notes, watched);
    if (!written)
        return written;
    const bool hasSummaries = std::find(kinds->begin(), kinds->end(), StreamArray::Summary) != kinds->end();
    return *written + (hasSummaries ? collection.summaries() : std::string());
}

std::string streamHelp()
{
    return "attenscope-compute stream FILE... -o OUT.npz [options]\n"
           "\n"
           "Computes attention in single precision in one pass, in memory that grows with the tokens and not with their square, and\n"
           "writes arrays with the axes layers, batch (where there is one), heads, and rows. The summaries are also printed, a line per\n"
           "head. FILE: data files that belong together, or one session (.attn).\n"
           "\n"
        + optionsHelp(headOptions()) + optionsHelp(streamOptions);
}

} // namespace attenscope
