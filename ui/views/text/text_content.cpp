// SPDX-License-Identifier: GPL-3.0-or-later
// From a document and a selection to tints.
#include "views/text/text_content.h"

#include "session/token_groups.h"
#include "views/origin.h"
#include "views/readout_text.h"

namespace attenscope {

bool TextContent::hasOneText() const
{
    return weights.block().queryTokens == weights.block().keyTokens;
}

TokenSide TextContent::tinted() const
{
    switch (ends.lit.side) {
    case TokenSide::Queries:
        return TokenSide::Keys;
    case TokenSide::Keys:
        return TokenSide::Queries;
    case TokenSide::Neither:
        break;
    }
    return TokenSide::Neither;
}

QString TextContent::caption() const
{
    const bool isOfQueries = ends.lit.side == TokenSide::Queries;
    if (ends.lit.side == TokenSide::Neither)
        return QObject::tr("Pick a token: the text shows where this head reads from there, not why the model answered.");
    if (ends.lit.tokens.size() > 1)
        return isOfQueries
            ? QObject::tr("Weights of %1 queries added: where this head reads, not why the model answered.").arg(ends.lit.tokens.size())
            : QObject::tr("Weights of %1 keys added: where this head reads them, not why the model answered.").arg(ends.lit.tokens.size());
    const Index token = ends.lit.tokens.front();
    const AttentionBlock &block = weights.block();
    const QString name = u'‘' + (isOfQueries ? readout::queryText(block, token) : readout::keyText(block, token)) + u'’';
    return isOfQueries
        ? QObject::tr("Where this head reads from %1 (query %2), not why the model answered.").arg(name).arg(wholeQuery(block, token))
        : QObject::tr("Where this head reads %1 (key %2), not why the model answered.").arg(name).arg(wholeKey(block, token));
}

std::optional<LinesContent> textWeights(const Document &document, FieldCache &fields)
{
    auto content = linesContent(document, fields);
    if (!content)
        return content;
    content->heads.resize(1);
    content->pairs = SentencePairs::All;
    if (document.comparisonResult())
        content->notes.push_back(sideNote(document));
    content->title = titleOf(document, *content, QObject::tr("text"));
    return content;
}

namespace {

/// A hovered token is looked at, not read from, while there is a pick.
LitTokens readTokens(const Selection &selection)
{
    if (auto rows = selection.pickedRows(); !rows.empty())
        return { TokenSide::Queries, std::move(rows) };
    if (auto cols = selection.pickedCols(); !cols.empty())
        return { TokenSide::Keys, std::move(cols) };
    return litTokens(selection);
}

} // namespace

bool followMouse(TextContent &content, const Selection &selection)
{
    content.hovered = selection.hovered();
    return content.ends.lit == readTokens(selection) && content.pickedQueries == selection.pickedRows()
        && content.pickedKeys == selection.pickedCols();
}

TextContent textContent(LinesContent weights, const ViewState &view, const Selection &selection, Range inView)
{
    TextContent content;
    content.weights = std::move(weights);
    content.pickedQueries = selection.pickedRows();
    content.pickedKeys = selection.pickedCols();
    content.hovered = selection.hovered();
    content.hasNumbers = view.numbers == CellNumbers::WhenTheyFit;
    content.colors = weightColors(view, content.weights.cols());
    content.ends = lineEnds(content.weights, readTokens(selection), inView);
    if (content.ends.lit.side == TokenSide::Neither)
        return content;
    const MapField &field = *content.weights.heads.front().weights;
    if (content.ends.isWhole) {
        content.tints = content.ends.heads.front().cells;
        return content;
    }
    content.tints.assign(static_cast<std::size_t>(field.rows()), cell::masked<double>());
    for (const Index key : content.ends.lit.tokens) {
        MatrixF cells;
        field.read({ { 0, field.rows() }, { key, key + 1 } }, 0, Fold::Max, cells);
        for (Index row = 0; row < cells.rows(); ++row)
            addWeight(content.tints[static_cast<std::size_t>(row)], cell::toDouble(cells(row, 0)));
    }
    return content;
}

} // namespace attenscope
