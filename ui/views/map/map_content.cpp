// SPDX-License-Identifier: GPL-3.0-or-later
// From a document to maps with colours, titles and notes.
#include "views/map/map_content.h"

#include "attention/mask.h"
#include "core/text.h"
#include "session/token_groups.h"
#include "state/stage_names.h"
#include "views/map/token_ticker.h"
#include "views/origin.h"

#include <algorithm>
#include <optional>

namespace attenscope {

const std::vector<std::string> *MapContent::queryTokens() const
{
    return input ? &input->blocks[static_cast<std::size_t>(head.block)].queryTokens : nullptr;
}

const std::vector<std::string> *MapContent::keyTokens() const
{
    return input && !hasDimensions() ? &input->blocks[static_cast<std::size_t>(head.block)].keyTokens : nullptr;
}

Index MapContent::rowPosition(Index row) const
{
    return input ? wholeQuery(input->blocks[static_cast<std::size_t>(head.block)], row) : row;
}

Index MapContent::colPosition(Index col) const
{
    return keyTokens() ? wholeKey(input->blocks[static_cast<std::size_t>(head.block)], col) : col;
}

AxisLabel MapContent::rowLabel(Index row, bool withPosition, int most) const
{
    return axisLabel(queryTokens(), row, rowPosition(row), withPosition, most);
}

AxisLabel MapContent::colLabel(Index col, bool withPosition, int most) const
{
    return axisLabel(keyTokens(), col, colPosition(col), withPosition, most);
}

bool hasOutputProjection(const AttentionBlock &block, int layer)
{
    const auto *data = std::get_if<EmbeddedData>(&block.data);
    return data && layer < static_cast<int>(data->layers.size()) && !data->layers[static_cast<std::size_t>(layer)].wo.isEmpty();
}

bool isDiverging(Stage stage)
{
    return stage != Stage::Weights && stage != Stage::ValueWeighted;
}

QString stageNoun(Stage stage, bool hasOutputProjection)
{
    switch (stage) {
    case Stage::Scores:
        return QObject::tr("score");
    case Stage::Scaled:
        return QObject::tr("scaled score");
    case Stage::Capped:
        return QObject::tr("capped score");
    case Stage::Biased:
        return QObject::tr("biased score");
    case Stage::Tempered:
        return QObject::tr("tempered score");
    case Stage::Masked:
        return QObject::tr("masked score");
    case Stage::ValueWeighted:
        return hasOutputProjection ? QObject::tr("weight × ‖v W_O‖") : QObject::tr("weight × ‖v‖");
    case Stage::Output:
        return QObject::tr("output");
    case Stage::Weights:
        break;
    }
    return QObject::tr("weight");
}

namespace {

/// Every head of the shown layer at the shown stage, on both sides: what a shared scale spans.
std::vector<MapFieldPtr> headsOfLayer(const Document &document)
{
    std::vector<MapFieldPtr> fields;
    HeadRef head = document.head();
    const auto add = [&](Side side, const AttentionSpec &spec) {
        for (head.head = 0; head.head < headCount(document.block(), spec); ++head.head) {
            if (auto field = document.headField(head, side))
                fields.push_back(std::move(field));
        }
    };
    add(Side::Main, document.result()->spec);
    if (document.comparisonResult())
        add(Side::Comparison, document.comparisonResult()->spec);
    return fields;
}

/// The colours of the maps themselves, or nothing while their range is unknown.
std::optional<ColorMap> mainColors(const Document &document, const MapFieldPtr &field, const RangeSource &ranges, bool &isSampled)
{
    const ViewState &view = document.session().view;
    const Stage stage = document.stage();
    const bool isOwn = view.range == ColorRange::Own && !document.comparisonResult();
    if (stage == Stage::Weights && !isOwn)
        return weightColors(view, field->cols());
    const auto range = ranges(isOwn ? std::vector{ field } : headsOfLayer(document));
    if (!range)
        return std::nullopt;
    isSampled = range->isSampled;
    const double upper = range->magnitude > 0.0 ? range->magnitude : 1.0;
    if (isDiverging(stage))
        return ColorMap(divergingTable(), -upper, upper, false);
    const bool isLogarithmic
        = view.scale == ColorScale::Logarithmic || (view.scale == ColorScale::Automatic && stage == Stage::Weights && field->cols() > 128);
    return ColorMap(colorTable(view.colors), isLogarithmic ? upper * lowestLogarithmicWeight : 0.0, upper, isLogarithmic);
}

/// Recorded numbers outside 0 to 1 have the end colours of the weights' scale: that is said.
void noteOutside(MapContent &content, const ColorMap &colors, const RangeSource &ranges)
{
    // Less than that is no colour of its own, only rounding.
    constexpr double tolerance = 1e-4;
    std::vector<MapFieldPtr> fields;
    for (const MapPanel &panel : content.panels) {
        if (panel.side != Side::Difference)
            fields.push_back(panel.field);
    }
    const auto range = ranges(fields);
    if (!range)
        return;
    if (range->lowest < -tolerance)
        content.lowest = range->lowest;
    if (range->highest > colors.upper() + tolerance)
        content.highest = range->highest;
}

/// Differences of weights of few keys span -1 to 1, so that small ones look small; of many keys all would. They are logarithmic where weights are.
std::optional<ColorMap> differenceColors(
    const Document &document, const MapFieldPtr &difference, const RangeSource &ranges, bool &isSampled)
{
    constexpr Index manyKeys = 128;
    const bool isOfWeights = document.stage() == Stage::Weights;
    if (isOfWeights && weightColors(document.session().view, difference->cols()).isLogarithmic())
        return ColorMap::signedLogarithmic(divergingTable(), lowestLogarithmicWeight, 1.0);
    if (isOfWeights && difference->cols() <= manyKeys)
        return ColorMap(divergingTable(), -1.0, 1.0, false);
    const auto range = ranges({ difference });
    if (!range)
        return std::nullopt;
    isSampled |= range->isSampled;
    const double upper = range->magnitude > 0.0 ? range->magnitude : 1.0;
    return ColorMap(divergingTable(), -upper, upper, false);
}

bool hasStage(const Document &document, const AttentionSpec &spec)
{
    const std::vector<Stage> stages = stagesOf(document.block(), spec);
    return std::find(stages.begin(), stages.end(), document.stage()) != stages.end();
}

bool hasNanRows(const MapField &field)
{
    constexpr Index mostCellsLookedAt = Index(1) << 16;
    if (field.rows() * field.cols() > mostCellsLookedAt)
        return false;
    std::vector<double> cells(static_cast<std::size_t>(field.cols()));
    for (Index row = 0; row < field.rows(); ++row) {
        field.row(row, 0, cells);
        if (std::any_of(cells.begin(), cells.end(), [](double number) { return cell::kind(number) == cell::Kind::Nan; }))
            return true;
    }
    return false;
}

/// Of the recorded heads whose maps are shown, one or all of a layer. Nothing where none is known and not all were looked at.
std::optional<Index> rowsNotSummingToOne(const Document &document, const RecordedData &recorded)
{
    const AttentionBlock &block = document.block();
    const HeadRef &shown = document.head();
    const bool isOne = document.session().view.headsShown == HeadsShown::Single;
    const Index first = (Index{ shown.layer } * block.batch + shown.element) * block.heads + (isOne ? shown.head : 0);
    const std::vector<Index> &counts = recorded.rowsNotSummingToOne;
    const Index end = isOne ? first + 1 : first + block.heads;
    Index rows = 0;
    for (Index place = first; place < std::min(end, static_cast<Index>(counts.size())); ++place)
        rows += counts[static_cast<std::size_t>(place)];
    return rows > 0 || end <= static_cast<Index>(counts.size()) ? std::optional(rows) : std::nullopt;
}

/// "each row sums to 1", where that is so.
QString rowsNote(const Document &document, const MapField &field)
{
    constexpr Index mostCellsLookedAt = Index(1) << 20;
    const AttentionBlock &block = document.block();
    if (document.stage() != Stage::Weights || document.session().view.headsShown == HeadsShown::Max)
        return {};
    const auto *recorded = std::get_if<RecordedData>(&block.data);
    if (recorded) {
        const std::optional<Index> rows = rowsNotSummingToOne(document, *recorded);
        if (!rows)
            return {};
        if (*rows > 0)
            return *rows == 1 ? QObject::tr("1 row does not sum to 1")
                              : QObject::tr("%1 rows do not sum to 1").arg(QString::fromStdString(groupedCount(*rows)));
    }
    const auto *reduced = std::get_if<ReducedData>(&block.data);
    if (reduced && reduced->renormalizes)
        return QObject::tr("each row is divided by its sum");
    if (reduced && document.session().view.tokens.leavesOutAny())
        return QObject::tr("rows sum to what is left of them");
    if (wholeSpec(block, document.result()->spec).normalization != Normalization::Softmax)
        return QObject::tr("rows sum to less than 1");
    if (hasNanRows(field))
        return QObject::tr("each row without NaN sums to 1");
    const Mask mask(block, document.result()->spec.mask, document.head().element);
    bool hasDeadRows = false;
    if (!mask.isFull() && block.queries * block.keys <= mostCellsLookedAt) {
        for (Index row = 0; row < block.queries && !hasDeadRows; ++row)
            hasDeadRows = mask.visibleCount(row) == 0;
    }
    return hasDeadRows ? QObject::tr("each row that sees a key sums to 1") : QObject::tr("each row sums to 1");
}

/// What must stand under every picture of these maps.
QString origin(const Document &document)
{
    QStringList parts;
    const AttentionBlock &block = document.block();
    const int heads = headCount(block, document.result()->spec);
    if (document.session().view.headsShown == HeadsShown::Mean)
        parts.push_back(QObject::tr("mean over %1 heads").arg(heads));
    else if (document.session().view.headsShown == HeadsShown::Max)
        parts.push_back(QObject::tr("largest of %1 heads").arg(heads));
    parts.append(originNotes(document));
    return parts.join(QStringLiteral("  ·  "));
}

QString partName(SpecPart part)
{
    switch (part) {
    case SpecPart::Q:
        return QStringLiteral("Q");
    case SpecPart::K:
        return QStringLiteral("K");
    case SpecPart::V:
        return QStringLiteral("V");
    case SpecPart::X:
        return QStringLiteral("X");
    case SpecPart::Y:
        return QStringLiteral("Y");
    case SpecPart::Wq:
        return QStringLiteral("W_q");
    case SpecPart::Wk:
        return QStringLiteral("W_k");
    case SpecPart::Wv:
        return QStringLiteral("W_v");
    case SpecPart::Wo:
        return QStringLiteral("W_o");
    case SpecPart::Heads:
    case SpecPart::KvHeads:
        return QObject::tr("the number of heads");
    case SpecPart::Scale:
        return QObject::tr("the scale");
    case SpecPart::SoftCap:
        return QObject::tr("the soft cap");
    case SpecPart::Temperature:
        return QObject::tr("the temperature");
    case SpecPart::Bias:
    case SpecPart::Biases:
        return QObject::tr("the bias");
    case SpecPart::Mask:
        return QObject::tr("the mask");
    default:
        return QObject::tr("the input");
    }
}

QString notice(const Document &document)
{
    const auto &problem = document.problem();
    if (!problem)
        return {};
    if (problem->error.isCancelled)
        return QObject::tr("Stopped. This is the picture from before.");
    return QObject::tr("Last valid input. Follows again when %1 fits.").arg(partName(problem->part));
}

QString headWords(const Document &document)
{
    const AttentionBlock &block = document.block();
    const HeadRef head = document.head();
    QStringList parts;
    if (document.input()->blocks.size() > 1)
        parts.push_back(QString::fromStdString(blockName(*document.input(), head.block)));
    if (block.batch > 1)
        parts.push_back(QObject::tr("element %1").arg(head.element));
    if (block.layers > 1)
        parts.push_back(QObject::tr("layer %1").arg(head.layer));
    switch (document.session().view.headsShown) {
    case HeadsShown::Single:
        parts.push_back(QObject::tr("head %1").arg(head.head));
        break;
    case HeadsShown::Mean:
        parts.push_back(QObject::tr("mean of heads"));
        break;
    case HeadsShown::Max:
        parts.push_back(QObject::tr("largest of heads"));
        break;
    }
    return parts.join(QStringLiteral(", "));
}

} // namespace

QString reasonForBlank(const Document &document)
{
    const auto &problem = document.problem();
    if (document.hasPicture() || !problem)
        return {};
    if (problem->error.isCancelled)
        return QObject::tr("Stopped before there was a picture.");
    // What is wrong with the data as a whole has no better name than its sentence.
    if (problem->part == SpecPart::Data)
        return QString::fromStdString(problem->error.what + ' ' + problem->error.remedy).trimmed();
    return QObject::tr("Shown as soon as %1 fits.").arg(partName(problem->part));
}

QString waitingWords(const Document &document)
{
    return document.isStopped() ? QObject::tr("stopped") : QObject::tr("computing…");
}

QString shownWords(const Document &document)
{
    QString stage = stageTitle(document.stage(), hasOutputProjection(document.block(), document.head().layer));
    stage[0] = stage.at(0).toLower();
    return stage + QStringLiteral(", ") + headWords(document);
}

std::optional<MapContent> mapContent(const Document &document, const RangeSource &ranges)
{
    const ViewState &view = document.session().view;
    const AttentionBlock &block = document.block();
    MapContent content;
    content.input = document.input();
    content.head = document.head();
    content.stage = document.stage();
    content.hasNumbers = view.numbers == CellNumbers::WhenTheyFit;
    content.origin = origin(document);
    content.notice = notice(document);

    const MapFieldPtr main = document.field(Side::Main);
    if (!main || main->rows() == 0 || main->cols() == 0)
        return std::nullopt;
    content.rowsNote = rowsNote(document, *main);
    const auto colors = mainColors(document, main, ranges, content.isRangeSampled);
    if (!colors)
        return std::nullopt;
    const auto foldOf = [&](const MapFieldPtr &field) { return view.fold == Fold::Mean ? Fold::Mean : field->fold(); };
    const bool isByRow = view.range == ColorRange::Row && content.stage == Stage::Weights;
    content.panels.push_back({ Side::Main, main, *colors, foldOf(main), {}, {}, isByRow });

    const AttentionBlock &whole = document.wholeBlock();
    const AttentionSpec &spec = wholeSpec(block, document.result()->spec);
    QString mechanism = mechanismWords(document);
    if (hasMaskOfInput(whole, spec.mask))
        mechanism
            = spec.mask.rule == MaskRule::None ? QObject::tr("mask of the file") : QObject::tr("%1 and mask of the file").arg(mechanism);
    if (const auto other = document.comparisonResult()) {
        const AttentionSpec &otherSpec = wholeSpec(other->input->blocks[static_cast<std::size_t>(document.head().block)], other->spec);
        const auto [first, second] = mechanismTitles(spec, otherSpec, whole);
        content.panels.front().title = first.title;
        content.panels.front().subtitle = first.subtitle;
        mechanism = QObject::tr("%1 and %2").arg(first.title.toLower(), second.title.toLower());
        const MapFieldPtr comparison = document.field(Side::Comparison);
        // The other mechanism may lack the stage or have outputs of another size: then there is one map, and that is said.
        const bool isComparable = hasStage(document, other->spec)
            && (!comparison || (comparison->rows() == main->rows() && comparison->cols() == main->cols()));
        if (isComparable && !comparison)
            return std::nullopt;
        if (!isComparable)
            content.panels.front().subtitle = QObject::tr("%1 has no such map").arg(second.title);
        else
            content.panels.push_back({ Side::Comparison, comparison, *colors, foldOf(comparison), second.title, second.subtitle, isByRow });
        const MapFieldPtr difference = isComparable && view.showsDifference ? document.field(Side::Difference) : nullptr;
        if (difference) {
            const auto differences = differenceColors(document, difference, ranges, content.isRangeSampled);
            if (!differences)
                return std::nullopt;
            content.panels.push_back(
                { Side::Difference, difference, *differences, view.fold == Fold::Mean ? Fold::Mean : Fold::MaxMagnitude,
                    QObject::tr("Difference"), first.title.toLower() + QStringLiteral(" − ") + second.title.toLower() });
        }
    }
    // Shares of a row never exceed 1.
    if (block.hasWeightsOnly() && !isByRow)
        noteOutside(content, *colors, ranges);
    content.scaleTitle
        = isByRow ? QObject::tr("÷ largest of the row") : stageNoun(content.stage, hasOutputProjection(block, content.head.layer));
    // Its powers of ten say so too; the longer title would take its room from the map.
    if (colors->isLogarithmic() && !isByRow)
        content.scaleTitle += QObject::tr(", logarithmic");
    content.title = QStringLiteral("%1 — %2, %3").arg(QString::fromStdString(document.session().name), shownWords(document), mechanism);
    return content;
}

} // namespace attenscope
