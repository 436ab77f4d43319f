// SPDX-License-Identifier: GPL-3.0-or-later
// From a document to heads, pairs of sentences and titles.
#include "views/lines/lines_content.h"

#include "views/map/map_content.h"
#include "views/origin.h"
#include "views/zoom_note.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace attenscope {

bool LinesContent::hasPair(Index row, Index col) const
{
    if (pairs == SentencePairs::All || !boundary)
        return true;
    const bool isFromA = row < boundary->query;
    const bool isToA = col < boundary->key;
    switch (pairs) {
    case SentencePairs::WithinA:
        return isFromA && isToA;
    case SentencePairs::FromAToB:
        return isFromA && !isToA;
    case SentencePairs::FromBToA:
        return !isFromA && isToA;
    case SentencePairs::WithinB:
        return !isFromA && !isToA;
    case SentencePairs::All:
        break;
    }
    return true;
}

namespace {

/// Position after the first run of separators that has something after it; -1 for none.
Index afterSeparator(const std::vector<std::string> &tokens)
{
    constexpr std::array separators{ "[SEP]", "</s>", "<sep>" };
    const auto isSeparator = [&](const std::string &token) {
        return std::any_of(separators.begin(), separators.end(), [&](const char *separator) { return token == separator; });
    };
    const auto first = std::find_if(tokens.begin(), tokens.end(), isSeparator);
    const auto next = std::find_if_not(first, tokens.end(), isSeparator);
    // Padding after the last sentence is no sentence.
    const bool hasMore = std::any_of(next, tokens.end(), [](const std::string &token) { return token != "[PAD]" && token != "<pad>"; });
    return hasMore ? next - tokens.begin() : -1;
}

MapFieldPtr headWeights(const Document &document, const AttentionResult &result, const HeadRef &ref, HeadsShown shown, FieldCache &fields)
{
    FieldCache::Heads heads;
    const bool isSingle = shown == HeadsShown::Single;
    const int count = isSingle ? 1 : headCount(document.block(), result.spec);
    for (int place = 0; place < count; ++place) {
        // The other mechanism may have fewer heads.
        HeadRef one = clamped(ref, *document.input(), result.spec);
        if (!isSingle)
            one.head = place;
        auto ready = result.find(one);
        if (!ready)
            return nullptr;
        heads.push_back(std::move(ready));
    }
    return fields.field(heads, shown, Stage::Weights);
}

LinesHead lineHead(const Document &document, const HeadRef &ref, HeadsShown shown, FieldCache &fields, Side side)
{
    const auto of = [&](const std::shared_ptr<const AttentionResult> &result) {
        return result ? headWeights(document, *result, ref, shown, fields) : nullptr;
    };
    const MapFieldPtr main = side == Side::Comparison ? nullptr : of(document.result());
    const MapFieldPtr other = side == Side::Main ? nullptr : of(document.comparisonResult());
    LinesHead head{ ref, QString::fromStdString(headName(*document.input(), ref)), side == Side::Main ? main : other };
    if (side == Side::Difference)
        head.weights = main && other ? fields.difference(main, other) : nullptr;
    if (shown != HeadsShown::Single)
        head.name = shown == HeadsShown::Mean ? QObject::tr("mean of heads") : QObject::tr("largest of heads");
    return head;
}

/// What the sides of a comparison are called.
void nameSide(const Document &document, LinesContent &content)
{
    const auto &other = document.comparisonResult();
    const auto specOf = [&](const AttentionResult &result) {
        return wholeSpec(result.input->blocks[static_cast<std::size_t>(content.heads.front().ref.block)], result.spec);
    };
    const auto [first, second] = mechanismTitles(specOf(*document.result()), specOf(*other), document.wholeBlock());
    const MechanismTitle &own = content.side == Side::Comparison ? second : first;
    content.sideTitle = content.isDifference() ? QObject::tr("Difference") : own.title;
    content.sideSubtitle = content.isDifference() ? first.title.toLower() + QStringLiteral(" − ") + second.title.toLower() : own.subtitle;
}

QString headWords(const Document &document, const LinesContent &content)
{
    if (content.heads.size() > 1) {
        QStringList names;
        constexpr std::size_t mostNamed = 8;
        for (std::size_t place = 0; place < std::min(mostNamed, content.heads.size()); ++place)
            names.push_back(content.heads[place].name);
        if (content.heads.size() > mostNamed)
            names.push_back(QObject::tr("%1 more").arg(content.heads.size() - mostNamed));
        return QObject::tr("heads %1").arg(names.join(QStringLiteral(", ")));
    }
    // "weights, layer 2, head 3" without the stage.
    const QString words = shownWords(document);
    return words.sliced(words.indexOf(QStringLiteral(", ")) + 2);
}

} // namespace

QString titleOf(const Document &document, const LinesContent &content, const QString &what)
{
    return QStringLiteral("%1 — %2, %3, %4")
        .arg(QString::fromStdString(document.session().name), what, headWords(document, content), mechanismWords(document));
}

std::optional<SentenceBoundary> sentenceBoundary(const AttentionBlock &block, const MaskSpec &mask)
{
    if (mask.rule == MaskRule::Document) {
        const auto start = std::find_if(mask.documentStarts.begin(), mask.documentStarts.end(), [](Index first) { return first > 0; });
        if (start == mask.documentStarts.end() || *start >= block.keys)
            return std::nullopt;
        // The last query stands at the last key.
        const Index query = *start - (block.keys - block.queries);
        return query > 0 && query < block.queries ? std::optional(SentenceBoundary{ query, *start }) : std::nullopt;
    }
    const SentenceBoundary boundary{ afterSeparator(block.queryTokens), afterSeparator(block.keyTokens) };
    return boundary.query > 0 && boundary.key > 0 ? std::optional(boundary) : std::nullopt;
}

void zoomTo(LinesContent &content, const std::optional<QRectF> &visible)
{
    const CellRect shown = cellsInSight(visible, content.rows(), content.cols());
    content.queries = shown.rows;
    content.keys = shown.cols;
}

std::optional<LinesContent> linesContent(const Document &document, FieldCache &fields, Side side)
{
    const ViewState &view = document.session().view;
    const AttentionBlock &block = document.block();
    const AttentionSpec &spec = document.result()->spec;
    fields.keepOnly(document.result(), document.comparisonResult());
    if (!document.hasPicture() || (side != Side::Main && !document.comparisonResult()))
        return std::nullopt;
    LinesContent content;
    content.input = document.input();
    content.side = side;
    const HeadRef picked = document.head();
    content.heads.push_back(lineHead(document, picked, view.headsShown, fields, side));
    if (!content.heads.front().weights || content.rows() == 0 || content.cols() == 0)
        return std::nullopt;
    for (HeadRef ref : side == Side::Difference ? std::vector<HeadRef>{} : view.moreHeads) {
        // What was added for another element of the batch is meant for this one.
        ref.element = picked.element;
        if (ref.block != picked.block || !(clamped(ref, *document.input(), spec) == ref))
            continue;
        const bool isThere = std::any_of(content.heads.begin() + (view.headsShown == HeadsShown::Single ? 0 : 1), content.heads.end(),
            [&](const LinesHead &head) { return head.ref == ref; });
        LinesHead head = isThere ? LinesHead{} : lineHead(document, ref, HeadsShown::Single, fields, side);
        if (head.weights)
            content.heads.push_back(std::move(head));
    }
    content.filter = view.filter;
    content.boundary = sentenceBoundary(block, spec.mask);
    content.pairs = content.boundary ? view.pairs : SentencePairs::All;

    content.notes = originNotes(document);
    if (document.comparisonResult())
        nameSide(document, content);
    zoomTo(content, std::nullopt);
    content.title = titleOf(document, content, QObject::tr("lines"));
    return content;
}

LitTokens litTokens(const Selection &selection)
{
    if (const auto hovered = selection.hovered())
        return hovered->row >= 0 ? LitTokens{ TokenSide::Queries, { hovered->row } } : LitTokens{ TokenSide::Keys, { hovered->col } };
    if (auto rows = selection.pickedRows(); !rows.empty())
        return { TokenSide::Queries, std::move(rows) };
    if (auto cols = selection.pickedCols(); !cols.empty())
        return { TokenSide::Keys, std::move(cols) };
    return {};
}

} // namespace attenscope
