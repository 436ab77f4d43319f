// SPDX-License-Identifier: GPL-3.0-or-later
// What of a document becomes numbers.
#include "window/numbers.h"

#include "session/token_groups.h"
#include "state/stage_names.h"

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

Result<void> checkRegion(const CellRect &region, Index rows, Index cols)
{
    const auto fits = [](const Range &range, Index count) { return range.first >= 0 && range.size() > 0 && range.end <= count; };
    if (fits(region.rows, rows) && fits(region.cols, cols))
        return {};
    const auto words = [](const Range &range) { return std::to_string(range.first) + ':' + std::to_string(range.end); };
    return Error{ "There is no region " + words(region.rows) + ',' + words(region.cols) + '.',
        "The map has queries 0:" + std::to_string(rows) + " and columns 0:" + std::to_string(cols) + '.', {}, {} };
}

Result<MapNumbers> numbersOf(const Document &document, NumbersScope scope, Side side, const std::optional<CellRect> &region)
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
    } else {
        for (const auto &head : document.result()->heads) {
            if (head->ref.block != document.head().block || head->ref.element != document.head().element)
                continue;
            MapFieldPtr field = document.headField(head->ref, side);
            if (!field)
                return notReady;
            numbers.fields.push_back(std::move(field));
            numbers.headNames.push_back(headName(*document.input(), head->ref));
        }
        const auto expected = static_cast<std::size_t>(block.layers) * static_cast<std::size_t>(headCount(block, document.result()->spec));
        if (numbers.fields.size() != expected)
            return Error{ "Not every head is ready.", std::to_string(numbers.fields.size()) + " of " + std::to_string(expected) + " are.",
                "Wait until they are computed, then export.", "" };
    }
    numbers.region = region;
    if (const MapField &field = *numbers.fields.front(); region) {
        if (const Result<void> there = checkRegion(*region, field.rows(), field.cols()); !there)
            return there.error();
    }
    numbers.rowNames = block.queryTokens;
    if (numbers.fields.front()->columns() == Columns::Keys)
        numbers.colNames = block.keyTokens;
    else
        for (Index col = 0; col < numbers.fields.front()->cols(); ++col)
            numbers.colNames.push_back(std::to_string(col));
    numbers.stage = stageKey(document.stage()).toStdString();
    numbers.notes = notesOf(document);
    return numbers;
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

QString withExtension(const QString &fileName, const QString &extension)
{
    if (fileName.isEmpty() || !QFileInfo(fileName).suffix().isEmpty())
        return fileName;
    const bool endsWithDot = fileName.endsWith(QLatin1Char('.'));
    return fileName + (endsWithDot ? QString() : QStringLiteral(".")) + extension;
}

} // namespace attenscope
