// SPDX-License-Identifier: GPL-3.0-or-later
// Summing up heads one after the other and setting the table.
#include "cli/heads_command.h"

#include "attention/attention_result.h"
#include "attention/head_columns.h"
#include "attention/patterns.h"
#include "core/text.h"

#include <algorithm>
#include <array>

namespace attenscope {

namespace {

constexpr const char *headsHint = "See attenscope-compute heads --help.";

constexpr std::array headsOwnOptions{
    OptionRow{ "csv", "", "Commas and all digits, each mean beside that of uniform attention and its number of rows" },
};

/// Nothing is written but what is printed.
std::span<const OptionRow> headsOptions()
{
    return headOptions().subspan(1);
}

std::vector<HeadColumn> meanColumns()
{
    std::vector<HeadColumn> columns;
    std::copy_if(allHeadColumns.begin(), allHeadColumns.end(), std::back_inserter(columns),
        [](HeadColumn column) { return columnMean(column) != nullptr; });
    return columns;
}

using HeadLine = std::vector<std::string>;

HeadLine headCaptions(bool isCsv)
{
    HeadLine line{ columnName(HeadColumn::Head), columnName(HeadColumn::Pattern) };
    for (const HeadColumn column : meanColumns()) {
        line.push_back(columnName(column));
        if (isCsv) {
            line.push_back(columnName(column) + " uniform");
            line.push_back(columnName(column) + " rows");
        }
    }
    return line;
}

std::string nameText(const FoundPattern &found)
{
    return found.pattern ? patternName(*found.pattern) : "–";
}

HeadLine headLine(const RequestedHeads &opened, const HeadRef &ref, const HeadSummary &summary, bool isCsv)
{
    // Seeded heads were never trained: a pattern of theirs means nothing.
    HeadLine line{ headName(*opened.input, ref), opened.block().isUntrained ? "untrained" : nameText(findPattern(summary)) };
    for (const HeadColumn column : meanColumns()) {
        const RowMean &mean = summary.*columnMean(column);
        const bool isThere = mean.rows > 0;
        if (isCsv) {
            line.push_back(isThere ? exactNumber(mean.mean) : std::string());
            line.push_back(isThere ? exactNumber(mean.uniform) : std::string());
            line.push_back(std::to_string(mean.rows));
        } else {
            line.push_back(isThere ? displayNumber(mean.mean, 4) : "–");
        }
    }
    return line;
}

Index lettersOf(const std::string &text)
{
    return std::count_if(text.begin(), text.end(), [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; });
}

/// Names at the left, numbers at the right of their columns.
std::string headsTable(const std::vector<HeadLine> &lines)
{
    constexpr std::size_t names = 2;
    std::vector<Index> widths(lines.front().size(), 0);
    for (const HeadLine &line : lines) {
        for (std::size_t column = 0; column < line.size(); ++column)
            widths[column] = std::max(widths[column], lettersOf(line[column]));
    }
    std::string text;
    for (const HeadLine &line : lines) {
        for (std::size_t column = 0; column < line.size(); ++column) {
            const std::string space(static_cast<std::size_t>(widths[column] - lettersOf(line[column])), ' ');
            text += column > 0 ? "  " : "";
            text += column < names ? line[column] + space : space + line[column];
        }
        text += '\n';
    }
    return text;
}

std::string headsCsv(const std::vector<HeadLine> &lines)
{
    std::string text;
    for (const HeadLine &line : lines) {
        for (std::size_t column = 0; column < line.size(); ++column) {
            text += column > 0 ? "," : "";
            text += line[column];
        }
        text += '\n';
    }
    return text;
}

/// The pass, then what reads the weights again.
Result<HeadSummary> summaryOf(const RequestedHeads &opened, const HeadRef &ref, const Run &run)
{
    StreamOptions streaming;
    streaming.wantsOutput = false;
    streaming.overviewSize = 0;
    streaming.wantsWeights = true;
    const auto head = computeHead(*opened.input, opened.spec, ref, streaming, run.part(0, 2));
    if (!head)
        return head.error();
    if ((*head)->summary.isComplete)
        return (*head)->summary;
    return summarize(*(*head)->field(Stage::Weights), sequenceOf(opened.block(), opened.spec), run.part(1, 2));
}

} // namespace

Result<HeadsRequest> parseHeads(const QStringList &arguments)
{
    QCommandLineParser parser;
    addOptions(parser, headsOptions());
    addOptions(parser, headsOwnOptions);
    if (!parser.parse(QStringList{ QStringLiteral("heads") } + arguments))
        return Error{ parser.errorText().toStdString(), {}, headsHint, {} };
    OptionReader reader(parser);
    HeadsRequest request;
    request.isCsv = reader.isGiven("csv");
    auto heads = headRequest(parser, reader, headsHint, false);
    if (!heads)
        return heads.error();
    request.heads = std::move(heads).value();
    return request;
}

Result<std::string> heads(const HeadsRequest &request, const Run &watched)
{
    const auto opened = openHeads(request.heads, watched);
    if (!opened)
        return opened.error();
    const HeadSelection &asked = opened->heads;
    const Index total = asked.layers.size() * asked.elements.size() * asked.heads.size();
    std::vector<HeadLine> lines{ headCaptions(request.isCsv) };
    for (Index layer = asked.layers.first; layer < asked.layers.end; ++layer) {
        for (Index element = asked.elements.first; element < asked.elements.end; ++element) {
            for (Index head = asked.heads.first; head < asked.heads.end; ++head) {
                const HeadRef ref{ asked.block, static_cast<int>(layer), static_cast<int>(head), static_cast<int>(element) };
                const Run part = watched.part(static_cast<Index>(lines.size()) - 1, total);
                const auto summary = summaryOf(*opened, ref, part);
                if (!summary)
                    return summary.error();
                lines.push_back(headLine(*opened, ref, *summary, request.isCsv));
                part.report(1.0);
            }
        }
    }
    return request.isCsv ? headsCsv(lines) : headsTable(lines);
}

std::string headsHelp()
{
    return "attenscope-compute heads FILE... [options]\n"
           "\n"
           "Prints a line per head: its pattern on this input, and means over its rows: entropy (nats, and as H/ln of the visible keys),\n"
           "effective keys, distance, the weight of the previous, first, own, induction, next and separator tokens, the largest weight.\n"
           "FILE: data files that belong together, or one session (.attn).\n"
           "\n"
        + optionsHelp(headsOptions()) + optionsHelp(headsOwnOptions);
}

} // namespace attenscope
