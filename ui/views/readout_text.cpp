// SPDX-License-Identifier: GPL-3.0-or-later
// How numbers, ranks, tokens and places read in the readout.
#include "views/readout_text.h"

#include "core/text.h"
#include "session/token_groups.h"
#include "state/number_text.h"
#include "views/map/map_content.h"
#include "views/map/token_ticker.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace readout {

QString text(const char *words)
{
    return QCoreApplication::translate("Readout", words);
}

QString exact(double number)
{
    return QString::fromStdString(exactNumber(number));
}

QString counted(Index count)
{
    return countText(count);
}

QString keysText(Index count)
{
    return count == 1 ? text("1 key") : text("%1 keys").arg(counted(count));
}

QString rankText(Index rank, Index count)
{
    if (rank == 1)
        return text("largest of %1").arg(counted(count));
    const Index tens = rank % 100;
    const Index ones = rank % 10;
    const bool isTeen = tens >= 11 && tens <= 13;
    const QString ending = isTeen || ones == 0 || ones > 3 ? QStringLiteral("th")
        : ones == 1                                        ? QStringLiteral("st")
        : ones == 2                                        ? QStringLiteral("nd")
                                                           : QStringLiteral("rd");
    return text("%1 of %2").arg(counted(rank) + ending, counted(count));
}

namespace {

QString joined(const QString &query, const QString &key)
{
    const QString arrow = QStringLiteral(" → ");
    const auto isRightToLeft = [](QChar letter) { return letter.direction() == QChar::DirR || letter.direction() == QChar::DirAL; };
    // Between two tokens that are written from right to left an arrow would follow them: the key would stand in front.
    const QString mark = std::any_of(query.begin(), query.end(), isRightToLeft) ? QString(QChar(0x200e)) : QString();
    return query + mark + arrow + mark + key;
}

} // namespace

QString tokenText(const std::vector<std::string> &tokens, Index position)
{
    constexpr int mostCharacters = 16;
    const auto place = static_cast<std::size_t>(position);
    return place < tokens.size() ? attenscope::tokenText(tokens[place], mostCharacters) : QString::number(position);
}

QString queryText(const AttentionBlock &block, Index shown)
{
    return block.queryTokens.empty() ? QString::number(wholeQuery(block, shown)) : tokenText(block.queryTokens, shown);
}

QString keyText(const AttentionBlock &block, Index shown)
{
    return block.keyTokens.empty() ? QString::number(wholeKey(block, shown)) : tokenText(block.keyTokens, shown);
}

QString queryPosition(const AttentionBlock &block, Index shown)
{
    return counted(wholeQuery(block, shown));
}

QString keyPosition(const AttentionBlock &block, Index shown)
{
    return counted(wholeKey(block, shown));
}

QString scoreLabel(const AttentionSpec &spec, Index d)
{
    switch (spec.score) {
    case ScoreFunction::ScaledDot:
    case ScoreFunction::Dot:
        return d == 1 ? text("q · k, one product") : text("q · k, sum of %1 products").arg(counted(d));
    default:
        return shortScoreLabel(spec);
    }
}

QString shortScoreLabel(const AttentionSpec &spec)
{
    switch (spec.score) {
    case ScoreFunction::General:
        return QStringLiteral("qᵀ W k");
    case ScoreFunction::Concat:
        return QStringLiteral("vᵀ tanh(W [q; k])");
    case ScoreFunction::Additive:
        return QStringLiteral("vᵀ tanh(W q + W k)");
    case ScoreFunction::Linear:
        return QStringLiteral("log φ(q) · φ(k)");
    case ScoreFunction::ScaledDot:
    case ScoreFunction::Dot:
        break;
    }
    return QStringLiteral("q · k");
}

std::pair<QString, QString> sideNames(const Document &document)
{
    const AttentionResult &other = *document.comparisonResult();
    const AttentionBlock &otherBlock = other.input->blocks[static_cast<std::size_t>(document.head().block)];
    const auto [first, second]
        = mechanismTitles(wholeSpec(document.block(), document.result()->spec), wholeSpec(otherBlock, other.spec), document.wholeBlock());
    return { first.title.toLower(), second.title.toLower() };
}

QString combinedNoun(const Document &document)
{
    const int heads = headCount(document.block(), document.result()->spec);
    const QString words
        = document.session().view.headsShown == HeadsShown::Mean ? text("mean %1 of %2 heads") : text("largest %1 of %2 heads");
    return words.arg(stageNoun(document.stage(), hasOutputProjection(document.block(), document.head().layer))).arg(heads);
}

ReadoutTerm numberTerm(const QString &op, const QString &label, double number, int decimals, ReadoutTerm::Look look)
{
    return { op, label, shownNumber(number, decimals), {}, exact(number), {}, {}, look, ReadoutTerm::Narrow::Keep };
}

ReadoutTerm cellTerm(const QString &op, const QString &label, double cell, ReadoutTerm::Look look)
{
    ReadoutTerm term = numberTerm(op, label, cell, 4, look);
    if (cell::isHidden(cell)) {
        term.value = cell::kind(cell) == cell::Kind::Masked ? text("masked") : text("absent");
        term.copied.clear();
    }
    return term;
}

ReadoutTerm placeTerm(const Document &document, const CellRef &cell, bool isOutput)
{
    const AttentionBlock &block = document.block();
    const HeadRef head = document.head();
    QString where;
    if (document.input()->blocks.size() > 1)
        where += QStringLiteral(", ") + QString::fromStdString(block.name);
    if (block.batch > 1)
        where += text(", element %1").arg(head.element);
    if (block.layers > 1)
        where += text(", layer %1").arg(head.layer);
    switch (document.session().view.headsShown) {
    case HeadsShown::Single:
        where += text(", head %1").arg(head.head);
        break;
    case HeadsShown::Mean:
        where += text(", mean of heads");
        break;
    case HeadsShown::Max:
        where += text(", largest of heads");
        break;
    }
    const bool hasRow = cell.row >= 0;
    const bool hasCol = cell.col >= 0;
    const QString column = isOutput ? text("dimension %1") : text("key %1");
    const QString arrow = QStringLiteral(" → ");
    QString label = hasRow ? text("query %1").arg(queryPosition(block, cell.row)) : QString();
    QString shortLabel = hasRow ? queryPosition(block, cell.row) : QString();
    QString value = hasRow ? queryText(block, cell.row) : QString();
    if (hasCol) {
        const QString place = isOutput ? counted(cell.col) : keyPosition(block, cell.col);
        label += (hasRow ? (isOutput ? QStringLiteral(", ") : arrow) : QString()) + column.arg(place);
        shortLabel += (hasRow ? arrow : QString()) + place;
        if (!isOutput)
            value = hasRow ? joined(value, keyText(block, cell.col)) : keyText(block, cell.col);
        else if (!hasRow)
            value = column.arg(place);
    }
    return { {}, label + where, value, {}, {}, shortLabel + where, {}, ReadoutTerm::Look::Bold, ReadoutTerm::Narrow::Keep };
}

ReadoutTerm maskTerm(const AttentionBlock &block, const MaskSpec &mask, int element, const CellRef &cell)
{
    const std::string reason = maskedBecause(block, mask, element, cell.row, cell.col);
    const bool isPlain = mask.rule == MaskRule::None && mask.allowed.isEmpty() && mask.paddedKeys == 0;
    const QString name = isPlain ? text("none") : QString::fromStdString(maskName(mask));
    return { QStringLiteral("→"), text("mask: %1").arg(name),
        reason.empty() ? text("visible") : text("masked: %1").arg(QString::fromStdString(reason)), {}, {}, text("mask"), {},
        ReadoutTerm::Look::Plain, ReadoutTerm::Narrow::Keep };
}

ReadoutTerm entropyTerm(RowKind kind, double entropy)
{
    ReadoutTerm term = numberTerm({}, text("row entropy"), entropy, 3);
    if (kind == RowKind::NoDistribution) {
        term.value = QStringLiteral("—");
        term.copied.clear();
    } else if (kind != RowKind::Nan) {
        term.value += text(" nats");
    }
    term.isOfRow = true;
    term.narrow = ReadoutTerm::Narrow::DropShare;
    return term;
}

ReadoutTerm waitingTerm(const Document &document)
{
    return { {}, text("weight"), waitingWords(document), {}, {}, {}, {}, ReadoutTerm::Look::Plain, ReadoutTerm::Narrow::Keep };
}

void addDifference(std::vector<ReadoutTerm> &terms, const QString &firstLabel, double first, const QString &secondLabel, double second)
{
    terms.push_back(cellTerm({}, firstLabel, first, ReadoutTerm::Look::Bold));
    terms.push_back(cellTerm(QStringLiteral("−"), secondLabel, second, ReadoutTerm::Look::Bold));
    const auto numberOf = [](double cell) { return cell::isHidden(cell) ? 0.0 : cell; };
    const double difference = numberOf(first) - numberOf(second);
    terms.push_back(numberTerm(QStringLiteral("="), text("difference"), difference, 4, ReadoutTerm::Look::Result));
    terms.back().value = shownDifference(difference, 4);
    const double ratio = first / second;
    if (std::isfinite(ratio)) {
        terms.push_back(numberTerm({}, text("ratio"), ratio, 3));
        terms.back().narrow = ReadoutTerm::Narrow::DropShare;
    }
}

} // namespace readout

} // namespace attenscope
