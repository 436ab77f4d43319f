// SPDX-License-Identifier: GPL-3.0-or-later
// Listing, ordering and filtering heads; their numbers in words.
#include "state/head_list.h"

#include "core/text.h"
#include "state/number_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attenscope {

namespace {

QString listWords(const char *text)
{
    return QCoreApplication::translate("HeadList", text);
}

QString exact(double number)
{
    return QString::fromStdString(exactNumber(number));
}

QString counted(std::size_t count)
{
    return QString::fromStdString(groupedCount(static_cast<std::int64_t>(count)));
}

bool isCross(const AttentionBlock &block)
{
    const auto *embedded = std::get_if<EmbeddedData>(&block.data);
    return block.role == BlockRole::Cross || (embedded && !embedded->y.empty());
}

/// Why there is no number in @p column although the head is summed up.
QString reasonForNone(const AttentionBlock &block, HeadColumn column)
{
    switch (column) {
    case HeadColumn::Separator:
        return listWords("No key is a separator: [SEP], </s>, <|endoftext|>, full stop, comma.");
    case HeadColumn::NormalizedEntropy:
        return listWords("No query sees more than one key.");
    default:
        break;
    }
    if (isCross(block))
        return listWords("Cross-attention: queries have no position among the keys.");
    switch (column) {
    case HeadColumn::Next:
        return listWords("No query sees the token after it.");
    case HeadColumn::Previous:
        return listWords("No query has a token before it.");
    case HeadColumn::Induction:
        return listWords("No token occurs a second time.");
    default:
        return listWords("The positions of the queries among the keys are not known.");
    }
}

void orderBy(HeadColumn column, bool isDescending, std::vector<ListedHead> &heads)
{
    if (column == HeadColumn::Head) {
        if (isDescending)
            std::reverse(heads.begin(), heads.end());
        return;
    }
    const auto key = [column](const ListedHead &head) {
        if (column == HeadColumn::Pattern)
            return head.pattern.pattern ? static_cast<double>(*head.pattern.pattern) : std::numeric_limits<double>::quiet_NaN();
        return head.number(column);
    };
    std::stable_sort(heads.begin(), heads.end(), [&](const ListedHead &a, const ListedHead &b) {
        const double first = key(a);
        const double second = key(b);
        if (std::isnan(first) || std::isnan(second))
            return !std::isnan(first) && std::isnan(second);
        return isDescending ? first > second : first < second;
    });
}

/// Six characters at most as long as that loses no place before the point; the tooltip has all.
QString shortNumber(double number, int decimals)
{
    const int most = std::abs(number) < 10.0 ? 4 : std::abs(number) < 100.0 ? 3 : std::abs(number) < 1000.0 ? 2 : 1;
    return shownNumber(number, std::min(decimals, most));
}

} // namespace

double ListedHead::number(HeadColumn column) const
{
    const auto mean = columnMean(column);
    const bool isThere = summary && mean && (summary->*mean).rows > 0;
    return isThere ? (summary->*mean).mean : std::numeric_limits<double>::quiet_NaN();
}

int HeadList::indexOf(const HeadRef &head) const
{
    const auto found = std::find_if(heads.begin(), heads.end(), [&head](const ListedHead &one) { return one.ref == head; });
    return found == heads.end() ? -1 : static_cast<int>(found - heads.begin());
}

QString HeadList::countText() const
{
    if (heads.size() == all)
        return all == 1 ? listWords("1 head") : listWords("%1 heads").arg(counted(all));
    return listWords("%1 of %2 heads").arg(counted(heads.size()), counted(all));
}

HeadList listHeads(const Document &document)
{
    HeadList list;
    list.result = document.result();
    const AttentionResult &result = *list.result;
    const AttentionInput &input = *document.input();
    const HeadOrder &order = document.session().view.heads;
    Result<HeadFilter> filter = HeadFilter::parse(order.filter);
    if (!filter)
        list.problem = QString::fromStdString(filter.error().sentence());
    for (const HeadRef &ref : allHeads(input, result.spec, document.head().element)) {
        const HeadSummary *summary = result.find(ref) ? result.summary(ref) : nullptr;
        ListedHead head{ ref, QString::fromStdString(headName(input, ref)), summary, headPattern(document, ref, summary) };
        ++list.all;
        if (head.pattern.pattern)
            ++list.counts[static_cast<std::size_t>(*head.pattern.pattern)];
        const bool isShown = (!order.only || head.pattern.pattern == order.only)
            && (!filter || filter->accepts(head.name.toStdString(), head.pattern.name.toStdString(), summary));
        if (isShown)
            list.heads.push_back(std::move(head));
    }
    orderBy(order.by, order.isDescending, list.heads);
    return list;
}

QString uniformText(const HeadSummary &summary, HeadColumn column)
{
    if (column == HeadColumn::Head)
        return {};
    if (column == HeadColumn::Pattern)
        return QObject::tr("if uniform");
    const RowMean &mean = summary.*columnMean(column);
    return mean.rows == 0 ? QStringLiteral("–") : shortNumber(mean.uniform, 4);
}

QString columnText(const ListedHead &head, HeadColumn column, int decimals)
{
    if (column == HeadColumn::Head)
        return head.name;
    if (column == HeadColumn::Pattern)
        return head.pattern.name;
    if (!head.summary)
        return QStringLiteral("…");
    const double number = head.number(column);
    if (std::isnan(number)) {
        const bool isWaiting = !head.summary->isComplete && !isAlwaysKnown(column);
        const bool hasNanOnly = head.summary->rows == 0 && head.summary->nanRows > 0 && head.summary->otherRows == 0;
        return isWaiting ? QStringLiteral("…") : hasNanOnly ? QStringLiteral("NaN") : QStringLiteral("–");
    }
    return shortNumber(number, decimals);
}

QString columnTip(const Document &document, const ListedHead &head, HeadColumn column)
{
    if (column == HeadColumn::Head || column == HeadColumn::Pattern)
        return head.pattern.pattern
            ? listWords("%1: %2.\nThe name describes this input, not the head’s function.").arg(head.pattern.name, head.pattern.rule)
            : head.pattern.rule;
    if (!head.summary)
        return listWords("Not computed yet.");
    const HeadSummary &summary = *head.summary;
    if (summary.rows == 0)
        return summary.otherRows > 0 ? listWords("No row is a distribution: a weight is negative, or NaN, or they sum to more than 1.")
            : summary.nanRows > 0    ? listWords("Every row has NaN.")
                                     : listWords("Every key is masked: there is no row to sum up.");
    const RowMean &mean = summary.*columnMean(column);
    if (mean.rows == 0) {
        if (!summary.isComplete && !isAlwaysKnown(column))
            return listWords("Not summed up yet.");
        return reasonForNone(document.input()->blocks[static_cast<std::size_t>(head.ref.block)], column);
    }
    QString tip = listWords("%1\nUniform attention under the same mask: %2\nMean over %3")
                      .arg(exact(mean.mean), exact(mean.uniform),
                          mean.rows == 1 ? listWords("1 row") : listWords("%1 rows").arg(counted(static_cast<std::size_t>(mean.rows))));
    if (summary.nanRows > 0)
        tip += u'\n' + listWords("%1 with NaN left out").arg(counted(static_cast<std::size_t>(summary.nanRows)));
    if (summary.otherRows > 0)
        tip += u'\n'
            + listWords("%1 left out: a weight is negative, or they sum to more than 1")
                  .arg(counted(static_cast<std::size_t>(summary.otherRows)));
    return tip;
}

QString columnHelp(const Document &document, HeadColumn column)
{
    switch (column) {
    case HeadColumn::Head: {
        const AttentionInput &input = *document.input();
        const bool hasLayers
            = std::any_of(input.blocks.begin(), input.blocks.end(), [](const AttentionBlock &block) { return block.layers > 1; });
        return hasLayers ? listWords("Layer·head, both counted from 0.") : listWords("Head, counted from 0.");
    }
    case HeadColumn::Pattern:
        return listWords("Where the head looks on this input, by rules that can be changed. Hover a name to see its rule.");
    case HeadColumn::Entropy:
        return listWords(
            "Mean over the rows of −Σ w ln w, in nats: 0 if one key has all the weight, ln of the visible keys if all have the same.");
    case HeadColumn::EffectiveKeys:
        return listWords("Effective number of keys: mean over the rows of e to the entropy.");
    case HeadColumn::NormalizedEntropy:
        return listWords(
            "Mean of entropy / ln(visible keys), over the rows that see two keys or more: 1 is uniform. The one to compare between "
            "masks and lengths.");
    case HeadColumn::Distance:
        return listWords("Mean over the rows of the weighted distance between query and key, in tokens.");
    case HeadColumn::Previous:
        return listWords("Mean weight of the token before the query’s own.");
    case HeadColumn::First:
        return listWords("Mean weight of the first token, row 0 included.");
    case HeadColumn::Own:
        return listWords("Mean weight of the query’s own token.");
    case HeadColumn::Induction:
        return listWords("Mean weight of the token after the latest earlier one with the query’s token, over the rows that have one.");
    case HeadColumn::Next:
        return listWords("Mean weight of the token after the query’s own, over the rows that see it.");
    case HeadColumn::Separator:
        return listWords("Mean weight of all separators together: [SEP], </s>, <|endoftext|>, full stop and comma.");
    case HeadColumn::Largest:
        return listWords("Mean over the rows of the largest weight.");
    }
    return {};
}

QString headTableCsv(const HeadList &list)
{
    const auto quoted = [](QString text) {
        const bool isPlain = !text.contains(u',') && !text.contains(u'"') && !text.contains(u'\n');
        return isPlain ? text : u'"' + text.replace(u'"', QLatin1String("\"\"")) + u'"';
    };
    QStringList cells;
    for (const HeadColumn column : allHeadColumns) {
        const QString name = QString::fromStdString(columnName(column));
        cells.append(name);
        if (columnMean(column))
            cells << name + QLatin1String(" uniform") << name + QLatin1String(" rows");
    }
    QString csv = cells.join(u',') + u'\n';
    for (const ListedHead &head : list.heads) {
        cells = { quoted(head.name), head.pattern.pattern ? quoted(head.pattern.name) : QString() };
        for (const HeadColumn column : allHeadColumns) {
            const auto member = columnMean(column);
            if (!member)
                continue;
            const RowMean mean = head.summary ? head.summary->*member : RowMean();
            if (mean.rows == 0)
                cells << QString() << QString() << QStringLiteral("0");
            else
                cells << exact(mean.mean) << exact(mean.uniform) << QString::number(mean.rows);
        }
        csv += cells.join(u',') + u'\n';
    }
    return csv;
}

} // namespace attenscope
