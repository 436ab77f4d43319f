// SPDX-License-Identifier: GPL-3.0-or-later
// What of a document becomes numbers.
#include "window/numbers.h"

#include "session/token_groups.h"
#include "state/stage_names.h"
#include "views/layers/layers_content.h"

#include <QCoreApplication>
#include <QFileInfo>

namespace attenscope {

namespace {

std::string shownHeadName(const Document &document)
{
    const ViewState &view = document.session().view;
    const std::string name = headName(*document.input(), document.head());
    switch (view.headsShown) {
    case HeadsShown::Single:
        return name;
    case HeadsShown::Mean:
        return "mean of layer " + std::to_string(document.head().layer);
    case HeadsShown::Max:
        return "max of layer " + std::to_string(document.head().layer);
    }
    return name;
}

std::vector<std::string> textsOf(const QStringList &list)
{
    std::vector<std::string> texts;
    for (const QString &text : list)
        texts.push_back(text.toStdString());
    return texts;
}

/// Says which tokens of the whole input rows and columns are, where some are left out or merged.
void addPositions(const AttentionBlock &block, MapNumbers &numbers)
{
    if (!block.isReduced())
        return;
    for (Index row = 0; row < block.queries; ++row)
        numbers.rowPositions.push_back(wholeQuery(block, row));
    for (Index col = 0; col < block.keys; ++col)
        numbers.colPositions.push_back(wholeKey(block, col));
}

/// What the view Layers shows, with its notes.
Result<MapNumbers> layersNumbers(const Document &document)
{
    const Result<LayersContent> content = shownLayers(document);
    if (!content)
        return content.error();
    MapNumbers numbers;
    numbers.notes = textsOf(content->notes);
    numbers.isOfHeads = content->showsHeads();
    const int last = content->values->request.stack.lastLayer;
    numbers.headNames.push_back(last == 0 ? "layer 0" : "layers 0 to " + std::to_string(last));
    if (content->shown == LayersShown::Embedding) {
        numbers.stage = "points";
        numbers.fields.push_back(matrixField(content->values->points.points));
        for (std::size_t head = 0; head < content->heads.size(); ++head)
            numbers.rowNames.push_back(content->nameOf(head).toStdString());
        numbers.colNames = { "x", "y" };
        return numbers;
    }
    const AttentionBlock &names = content->map.input->blocks[static_cast<std::size_t>(content->map.head.block)];
    numbers.stage = content->shown == LayersShown::Rollout ? "rollout" : content->shown == LayersShown::Flow ? "flow" : "divergence";
    numbers.fields.push_back(content->map.panels.front().field);
    numbers.rowNames = names.queryTokens;
    numbers.colNames = names.keyTokens;
    addPositions(names, numbers);
    return numbers;
}

/// The shown stage of the picked head, or of the heads of one layer or all of them, without names.
Result<MapNumbers> headNumbers(const Document &document, NumbersScope scope, Side side, std::optional<int> layer)
{
    const Error notReady = document.hasPicture() ? Error{ "There is no map yet.", "", "Wait until it is computed, then export.", "" }
                                                 : Error{ "There is no map.", "The input does not fit.", "Correct it first.", "" };
    MapNumbers numbers;
    const AttentionBlock &block = document.block();
    if (scope == NumbersScope::ShownMap) {
        const MapFieldPtr field = document.field(side);
        if (!field)
            return notReady;
        numbers.fields.push_back(field);
        numbers.headNames.push_back(shownHeadName(document));
        return numbers;
    }
    for (const auto &head : document.result()->heads) {
        const HeadRef &ref = head->ref;
        if (ref.block != document.head().block || ref.element != document.head().element || ref.layer != layer.value_or(ref.layer))
            continue;
        MapFieldPtr field = document.headField(ref, side);
        if (!field)
            return notReady;
        numbers.fields.push_back(std::move(field));
        numbers.headNames.push_back(headName(*document.input(), ref));
    }
    numbers.layers = layer ? 1 : block.layers;
    const auto expected = static_cast<std::size_t>(numbers.layers) * static_cast<std::size_t>(headCount(block, document.result()->spec));
    if (numbers.fields.size() != expected)
        return Error{ "Not every head is ready.", std::to_string(numbers.fields.size()) + " of " + std::to_string(expected) + " are.",
            "Wait until they are computed, then export.", "" };
    return numbers;
}

} // namespace

std::vector<std::string> notesOf(const Document &document)
{
    std::vector<std::string> notes;
    if (document.block().isUntrained)
        notes.emplace_back("untrained, random weights");
    if (document.wholeBlock().hasWeightsOnly() && document.session().mechanism.mask.rule != MaskRule::None)
        notes.emplace_back("hidden keys: kept weights divided by their sum");
    if (document.block().isReduced())
        notes.push_back(reductionWords(document.block(), document.head().block));
    return notes;
}

Result<void> checkRegion(const CellRect &region, Index rows, Index cols, const char *rowNames, const char *colNames)
{
    const auto fits = [](const Range &range, Index count) { return range.first >= 0 && range.size() > 0 && range.end <= count; };
    if (fits(region.rows, rows) && fits(region.cols, cols))
        return {};
    const auto words = [](const Range &range) { return std::to_string(range.first) + ':' + std::to_string(range.end); };
    return Error{ "There is no region " + words(region.rows) + ',' + words(region.cols) + '.',
        std::string("The map has ") + rowNames + " 0:" + std::to_string(rows) + " and " + colNames + " 0:" + std::to_string(cols) + '.', {},
        {} };
}

Result<void> checkRegion(const CellRect &region, const MapField &field)
{
    return checkRegion(region, field.rows(), field.cols(), "queries", field.columns() == Columns::Keys ? "keys" : "dimensions");
}

Result<MapNumbers> numbersOf(
    const Document &document, NumbersScope scope, Side side, const std::optional<CellRect> &region, std::optional<int> layer)
{
    const ShownView shown = document.session().view.shown;
    const bool isOfView = scope == NumbersScope::ShownMap;
    if (isOfView && shown == ShownView::Vectors)
        return Error{ "Vectors are drawn, not written as numbers.", "", "Show the map (--view map) with its stage scores or weights.", "" };
    const bool isOfLayers = isOfView && shown == ShownView::Layers;
    Result<MapNumbers> made = isOfLayers ? layersNumbers(document) : headNumbers(document, scope, side, layer);
    if (!made)
        return made;
    MapNumbers &numbers = *made;
    const MapField &field = *numbers.fields.front();
    numbers.region = region;
    if (region) {
        const char *const ofHeads = numbers.stage == "points" ? "coordinates" : "heads";
        const Result<void> there
            = numbers.isOfHeads ? checkRegion(*region, field.rows(), field.cols(), "heads", ofHeads) : checkRegion(*region, field);
        if (!there)
            return there.error();
    }
    if (isOfLayers)
        return made;
    const AttentionBlock &block = document.block();
    numbers.rowNames = block.queryTokens;
    if (field.columns() == Columns::Keys)
        numbers.colNames = block.keyTokens;
    else
        for (Index col = 0; col < field.cols(); ++col)
            numbers.colNames.push_back(std::to_string(col));
    addPositions(block, numbers);
    numbers.stage = stageKey(document.stage()).toStdString();
    numbers.notes = notesOf(document);
    return made;
}

std::optional<NumbersFormat> numbersFormatOf(const QString &fileName)
{
    const QString extension = QFileInfo(fileName).suffix().toLower();
    if (extension == QLatin1String("csv"))
        return NumbersFormat::Csv;
    if (extension == QLatin1String("npy"))
        return NumbersFormat::Npy;
    if (extension == QLatin1String("npz"))
        return NumbersFormat::Npz;
    if (extension == QLatin1String("json"))
        return NumbersFormat::Json;
    return std::nullopt;
}

} // namespace attenscope
