// SPDX-License-Identifier: GPL-3.0-or-later
// Reading exact rows for the ends of lines, and counting what is hidden.
#include "views/lines/line_ends.h"

#include "session/token_groups.h"
#include "state/number_text.h"
#include "views/readout_text.h"

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

/// Columns of a larger map are read where they are seen only: each cell may cost a row.
constexpr Index mostCellsOfColumns = Index(1) << 16;

void readQueries(const LinesContent &content, const MapField &weights, const LitTokens &lit, HeadEnds &ends)
{
    std::vector<double> cells(static_cast<std::size_t>(weights.cols()));
    ends.cells.assign(cells.size(), cell::absent<double>());
    ends.isHidden.assign(cells.size(), true);
    for (const Index row : lit.tokens) {
        weights.row(row, 0, cells);
        const RowLines lines = rowLines(content, row, cells, true);
        for (std::size_t col = 0; col < cells.size(); ++col)
            addWeight(ends.cells[col], cells[col]);
        for (const Index col : lines.shown)
            ends.isHidden[static_cast<std::size_t>(col)] = false;
        ends.lines.insert(ends.lines.end(), lines.lines.begin(), lines.lines.end());
        ends.lineEnds.push_back(ends.lines.size());
        ends.hidden += lines.hidden;
        ends.hiddenWeight += lines.hiddenWeight;
        ends.weight += lines.weight;
    }
}

void readKeys(const LinesContent &content, const MapField &weights, const LitTokens &lit, Range rows, HeadEnds &ends)
{
    std::vector<double> cells(static_cast<std::size_t>(weights.cols()));
    ends.cells.assign(static_cast<std::size_t>(rows.size()), cell::absent<double>());
    ends.isHidden.assign(ends.cells.size(), true);
    for (Index row = rows.first; row < rows.end; ++row) {
        const auto place = static_cast<std::size_t>(row - rows.first);
        weights.row(row, 0, cells);
        const RowLines lines = rowLines(content, row, cells, true);
        for (const Index col : lit.tokens) {
            const double cell = cells[static_cast<std::size_t>(col)];
            addWeight(ends.cells[place], cell);
            const bool isShown = std::binary_search(lines.shown.begin(), lines.shown.end(), col);
            if (isShown)
                ends.isHidden[place] = false;
            if (cell::kind(cell) != cell::Kind::Number)
                continue;
            const double size = content.isDifference() ? std::abs(cell) : cell;
            ends.weight += size;
            if (!isShown && size != 0.0) {
                ++ends.hidden;
                ends.hiddenWeight += size;
            }
        }
    }
}

QString percent(double share)
{
    return shownNumber(100.0 * share, 2) + QStringLiteral(" %");
}

QString tokensText(const AttentionBlock &block, const LitTokens &lit)
{
    const auto position = lit.side == TokenSide::Queries ? &wholeQuery : &wholeKey;
    constexpr std::size_t mostNamed = 6;
    QStringList names;
    for (std::size_t place = 0; place < std::min(mostNamed, lit.tokens.size()); ++place)
        names.push_back(QString::number(position(block, lit.tokens[place])));
    QString text = names.join(QStringLiteral(", "));
    if (lit.tokens.size() > mostNamed)
        text += QObject::tr(" and %1 more").arg(lit.tokens.size() - mostNamed);
    const bool isOne = lit.tokens.size() == 1;
    if (lit.side == TokenSide::Queries)
        return isOne ? QObject::tr("Row %1").arg(text) : QObject::tr("Rows %1").arg(text);
    return isOne ? QObject::tr("Key %1").arg(text) : QObject::tr("Keys %1").arg(text);
}

} // namespace

LineEnds lineEnds(const LinesContent &content, const LitTokens &lit, Range inView)
{
    LineEnds ends;
    const bool isOfQueries = lit.side == TokenSide::Queries;
    const Index sources = isOfQueries ? content.rows() : content.cols();
    const Index others = isOfQueries ? content.cols() : content.rows();
    ends.lit = { lit.side, {} };
    std::copy_if(lit.tokens.begin(), lit.tokens.end(), std::back_inserter(ends.lit.tokens),
        [&](Index token) { return token >= 0 && token < sources; });
    if (lit.side == TokenSide::Neither || ends.lit.tokens.empty()) {
        ends.lit = {};
        return ends;
    }
    ends.isWhole = isOfQueries || content.rows() * content.cols() <= mostCellsOfColumns;
    ends.tokens = ends.isWhole ? Range{ 0, others } : Range{ std::max<Index>(0, inView.first), std::min(inView.end, others) };
    for (const LinesHead &head : content.heads) {
        HeadEnds one;
        if (isOfQueries)
            readQueries(content, *head.weights, ends.lit, one);
        else
            readKeys(content, *head.weights, ends.lit, ends.tokens, one);
        for (const double cell : one.cells) {
            if (cell::kind(cell) == cell::Kind::Number)
                one.largest = std::max(one.largest, std::abs(cell));
        }
        ends.heads.push_back(std::move(one));
    }
    return ends;
}

QString hiddenText(
    const LinesContent &content, const LineEnds &ends, const std::vector<HeadLines> &lines, HiddenThings things, bool isStopped)
{
    if (!content.filter.hides() && content.pairs == SentencePairs::All)
        return {};
    const QString what = content.isDifference() ? QObject::tr("difference") : QObject::tr("weight");
    QStringList sentences;
    if (ends.lit.side != TokenSide::Neither && ends.isWhole) {
        Index hidden = 0;
        double hiddenWeight = 0.0;
        double weight = 0.0;
        for (const HeadEnds &head : ends.heads) {
            hidden += head.hidden;
            hiddenWeight += head.hiddenWeight;
            weight += head.weight;
        }
        const bool isLines = things == HiddenThings::Lines;
        const QString many = isLines ? QObject::tr("%1 lines") : QObject::tr("%1 tokens");
        const QString one = isLines ? QObject::tr("1 line") : QObject::tr("1 token");
        const QString counted = hidden == 1 ? one : many.arg(readout::counted(hidden));
        sentences.push_back(
            QObject::tr("%1: %2 hidden, %3 of the %4.")
                .arg(tokensText(content.block(), ends.lit), counted, percent(weight > 0.0 ? hiddenWeight / weight : 0.0), what));
    }
    const QString whole = lines.size() > 1 ? QObject::tr("All %1 heads").arg(lines.size()) : QObject::tr("Whole head");
    if (!std::all_of(lines.begin(), lines.end(), [](const HeadLines &head) { return head.isComplete(); })) {
        sentences.push_back((isStopped ? QObject::tr("%1: stopped.") : QObject::tr("%1: computing…")).arg(whole));
    } else {
        double share = 0.0;
        for (const HeadLines &head : lines)
            share += hiddenShare(head) / static_cast<double>(lines.size());
        sentences.push_back(QObject::tr("%1: %2%3.")
                                .arg(whole, percent(share), sentences.empty() ? QObject::tr(" of the %1 hidden").arg(what) : QString()));
    }
    return sentences.join(u' ');
}

QString outOfSightText(const LinesContent &content, const LineEnds &ends)
{
    if (ends.lit.side == TokenSide::Neither || !ends.isWhole || content.isDifference())
        return {};
    const bool isOfQueries = ends.lit.side == TokenSide::Queries;
    const Range shown = isOfQueries ? content.keys : content.queries;
    if (shown.size() == ends.tokens.size())
        return {};
    double all = 0.0;
    double away = 0.0;
    for (const HeadEnds &head : ends.heads) {
        for (Index token = ends.tokens.first; token < ends.tokens.end; ++token) {
            const double cell = head.cells[static_cast<std::size_t>(token - ends.tokens.first)];
            if (cell::kind(cell) != cell::Kind::Number)
                continue;
            all += cell;
            if (!shown.contains(token))
                away += cell;
        }
    }
    const QString share = percent(all > 0.0 ? away / all : 0.0);
    return isOfQueries
        ? QObject::tr("%1: %2 of the weight goes to keys out of sight.").arg(tokensText(content.block(), ends.lit), share)
        : QObject::tr("%1: %2 of the weight comes from queries out of sight.").arg(tokensText(content.block(), ends.lit), share);
}

void addWeight(double &sum, double cell)
{
    if (!cell::isHidden(cell))
        sum = cell::isHidden(sum) ? cell : sum + cell;
    else if (cell::kind(sum) == cell::Kind::Absent)
        sum = cell;
}

QString endText(double cell, bool isDifference)
{
    switch (cell::kind(cell)) {
    case cell::Kind::Masked:
        return QObject::tr("masked");
    case cell::Kind::Absent:
        return QObject::tr("absent");
    case cell::Kind::Nan:
    case cell::Kind::Number:
        break;
    }
    return isDifference ? shownDifference(cell, 4) : shownNumber(cell, 4);
}

} // namespace attenscope
