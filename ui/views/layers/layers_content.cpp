// SPDX-License-Identifier: GPL-3.0-or-later
// From a document to what is found across its layers.
#include "views/layers/layers_content.h"

#include "session/token_groups.h"
#include "state/number_text.h"
#include "views/origin.h"
#include "views/readout_text.h"

#include <QCoreApplication>
#include <QGuiApplication>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numbers>
#include <numeric>

namespace attenscope {

namespace {

QString tr(const char *words)
{
    return QCoreApplication::translate("Layers", words);
}

QString number(double value)
{
    return shownNumber(value, 4);
}

/// What views and figures hold at present, so that one does not compute what the other has.
struct HeldValues {
    std::mutex mutex;
    std::vector<std::weak_ptr<const LayersValues>> values;
};
HeldValues heldValues;

std::optional<Error> whyNot(const LayersRequest &request)
{
    return request.shown == LayersShown::Similarity ? whyNoDivergences(request.stack) : whyNoRollout(request.stack);
}

QString queryPlace(const AttentionBlock &block, Index row)
{
    const QString token = readout::queryText(block, row);
    const QString place = tr("position %1").arg(readout::queryPosition(block, row));
    return token == QString::number(wholeQuery(block, row)) ? place : place + u' ' + token;
}

QString keyPlace(const AttentionBlock &block, Index col)
{
    const QString token = readout::keyText(block, col);
    const QString place = tr("input %1").arg(readout::keyPosition(block, col));
    return token == QString::number(wholeKey(block, col)) ? place : place + u' ' + token;
}

QString layersText(const LayerStack &stack)
{
    return stack.lastLayer == 0 ? tr("layer 0") : tr("layers 0 to %1").arg(stack.lastLayer);
}

/// Names of heads as the tokens of both axes.
std::shared_ptr<const AttentionInput> namesOfHeads(const LayersContent &content)
{
    AttentionBlock block;
    block.queries = block.keys = static_cast<Index>(content.heads.size());
    for (std::size_t head = 0; head < content.heads.size(); ++head)
        block.queryTokens.push_back(content.nameOf(head).toStdString());
    block.keyTokens = block.queryTokens;
    return std::make_shared<AttentionInput>(AttentionInput{ { std::move(block) } });
}

void addMap(LayersContent &content, const ViewState &view)
{
    const LayersRequest &request = content.values->request;
    MapPanel panel;
    panel.field = matrixField(content.values->values);
    if (content.shown == LayersShown::Similarity) {
        const double largest = content.values->values.maxCoeff<Eigen::PropagateNumbers>();
        panel.colors = ColorMap(colorTable(view.colors), 0.0, largest > 0.0 ? largest : std::numbers::ln2, false);
        content.map.input = namesOfHeads(content);
        content.map.scaleTitle = tr("nats");
    } else {
        panel.colors = weightColors(view, panel.field->cols());
        content.map.input = request.stack.result->input;
        content.map.head.block = request.stack.block;
        content.map.scaleTitle = content.shown == LayersShown::Rollout ? tr("rollout") : tr("flow");
    }
    content.map.panels.push_back(std::move(panel));
    content.map.hasNumbers = view.numbers == CellNumbers::WhenTheyFit;
}

void addNotes(LayersContent &content)
{
    const LayerStack &stack = content.values->request.stack;
    QStringList &notes = content.notes;
    if (content.showsHeads()) {
        notes << (content.shown == LayersShown::Similarity
                ? tr("mean Jensen-Shannon divergence of the rows, 0 to ln 2 = 0.693 nats")
                : tr("classical scaling of √ of the mean Jensen-Shannon divergence: these two directions have %1 % of the spread")
                      .arg(100.0 * content.values->points.share, 0, 'f', 1));
    } else {
        const QString share = QStringLiteral("%1").arg(residualShare, 0, 'f', 1);
        notes << (stack.lastLayer == 0
                ? tr("one layer: %1 × mean of its heads + %1 × identity, rows ÷ their sum").arg(share)
                : tr("%1, each %2 × mean of its heads + %2 × identity, rows ÷ their sum").arg(layersText(stack), share));
        const auto sums = content.values->values.rowwise().sum().array();
        const Index odd = sums.isNaN().count();
        if (odd > 0)
            notes << tr("%1 of %2 rows are NaN (crosses), from weights that are NaN or infinite").arg(odd).arg(sums.size());
        if (content.shown == LayersShown::Flow)
            notes << tr("maximum flow from each position to each input");
        else if (odd < sums.size())
            notes << (odd == 0 ? tr("rows sum to 1") : tr("the other rows sum to 1"));
    }
    if (stack.attentionBlock().isUntrained)
        notes << tr("untrained, random weights");
    if (stack.attentionBlock().isReduced())
        notes << QString::fromStdString(reductionWords(stack.attentionBlock(), stack.block, content.showsHeads()));
    // In the model the tokens that are gone carry weight from layer to layer.
    if (stack.attentionBlock().isReduced() && !content.showsHeads())
        notes << tr("across layers this is not what the model mixes");
}

} // namespace

bool operator==(const LayersRequest &a, const LayersRequest &b)
{
    if (!a.stack.result || !b.stack.result)
        return a.stack.result == b.stack.result;
    return a.shown == b.shown && a.stack.block == b.stack.block && a.stack.element == b.stack.element
        && a.stack.lastLayer == b.stack.lastLayer && a.stack.result->input == b.stack.result->input
        && a.stack.result->spec == b.stack.result->spec;
}

LayersRequest layersRequest(const Document &document)
{
    const ViewState &view = document.session().view;
    const HeadRef head = document.head();
    const bool comparesHeads = view.layersShown == LayersShown::Similarity || view.layersShown == LayersShown::Embedding;
    const int last = document.block().layers - 1;
    const bool isAll = comparesHeads || view.layersUpTo < 0;
    return { comparesHeads ? LayersShown::Similarity : view.layersShown,
        { document.result(), head.block, head.element, isAll ? last : std::min(view.layersUpTo, last) } };
}

double secondsOf(const LayersRequest &request)
{
    switch (request.shown) {
    case LayersShown::Rollout:
        return rolloutSeconds(request.stack);
    case LayersShown::Flow:
        return flowSeconds(request.stack);
    default:
        return divergenceSeconds(request.stack);
    }
}

Result<void> checkMemoryOf(const LayersRequest &request)
{
    switch (request.shown) {
    case LayersShown::Rollout:
        return checkRolloutMemory(request.stack);
    case LayersShown::Flow:
        return checkFlowMemory(request.stack);
    default:
        // A row of each head at a time.
        return {};
    }
}

QString reasonForNoLayers(const Document &document)
{
    if (const QString blank = reasonForBlank(document); !blank.isEmpty())
        return blank;
    const auto error = whyNot(layersRequest(document));
    return error ? QString::fromStdString(error->sentence()) : QString();
}

Result<std::shared_ptr<const LayersValues>> layersValues(const LayersRequest &request, const Run &run)
{
    auto found = std::make_shared<LayersValues>();
    found->request = request;
    if (request.shown == LayersShown::Similarity) {
        Result<HeadDivergences> divergences = stackDivergences(request.stack, run);
        if (!divergences)
            return divergences.error();
        found->values = divergences->mean();
        found->rows = std::move(divergences->rows);
        Result<ScaledPoints> points = classicalScaling(found->values.cwiseSqrt(), 2, run);
        if (!points)
            return points.error();
        found->points = std::move(points).value();
    } else {
        Result<Matrix> values = request.shown == LayersShown::Rollout ? stackRollout(request.stack, run) : stackFlow(request.stack, run);
        if (!values)
            return values.error();
        found->values = std::move(values).value();
    }
    const std::lock_guard lock(heldValues.mutex);
    std::erase_if(heldValues.values, [](const auto &held) { return held.expired(); });
    heldValues.values.push_back(found);
    return std::shared_ptr<const LayersValues>(std::move(found));
}

std::shared_ptr<const LayersValues> knownLayersValues(const LayersRequest &request)
{
    const std::lock_guard lock(heldValues.mutex);
    for (const auto &held : heldValues.values) {
        auto values = held.lock();
        if (values && values->request == request)
            return values;
    }
    return nullptr;
}

QString LayersContent::nameOf(std::size_t head) const
{
    const HeadRef &ref = heads[head];
    const bool hasLayers = values->request.stack.attentionBlock().layers > 1;
    return hasLayers ? QStringLiteral("%1·%2").arg(ref.layer).arg(ref.head) : QString::number(ref.head);
}

std::optional<std::size_t> LayersContent::placeOf(const HeadRef &head) const
{
    const auto found = std::find(heads.begin(), heads.end(), head);
    return found == heads.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - heads.begin()));
}

LayersContent layersContent(std::shared_ptr<const LayersValues> values, const ViewState &view)
{
    LayersContent content;
    content.shown = view.layersShown;
    content.values = std::move(values);
    content.colors = view.colors;
    if (content.showsHeads())
        content.heads = content.values->request.stack.allHeads();
    if (content.shown != LayersShown::Embedding)
        addMap(content, view);
    addNotes(content);
    return content;
}

Result<LayersContent> shownLayers(const Document &document, const Run &run)
{
    if (const QString reason = reasonForNoLayers(document); !reason.isEmpty())
        return Error{ reason.toStdString(), "", "", "" };
    const LayersRequest request = layersRequest(document);
    std::shared_ptr<const LayersValues> values = knownLayersValues(request);
    if (Result<void> fits = checkMemoryOf(request); !values && !fits)
        return fits.error();
    if (!values && secondsOf(request) > mostSecondsUnasked && !QGuiApplication::allWindows().isEmpty())
        return Error{ "It has not been computed, as it takes long.", "", "Choose Compute in the view Layers first.", "" };
    if (!values) {
        const auto made = layersValues(request, run);
        if (!made)
            return made.error();
        values = *made;
    }
    LayersContent content = layersContent(std::move(values), document.session().view);
    if (document.comparisonResult())
        content.notes.push_front(sideNote(document));
    return content;
}

QString cellSentence(const LayersContent &content, Index row, Index col)
{
    const LayerStack &stack = content.values->request.stack;
    const AttentionBlock &block = stack.attentionBlock();
    const Matrix &values = content.values->values;
    QString where;
    if (row >= 0)
        where = queryPlace(block, row);
    if (row >= 0 && col >= 0)
        where += QStringLiteral(" → ");
    if (col >= 0)
        where += keyPlace(block, col);
    const QString noun = content.map.scaleTitle;
    if (row >= 0 && col >= 0)
        return tr("%1, through %2: %3 %4").arg(where, layersText(stack), noun, number(values(row, col)));
    Index largest = 0;
    const double most = row >= 0 ? values.row(row).maxCoeff<Eigen::PropagateNumbers>(&largest)
                                 : values.col(col).maxCoeff<Eigen::PropagateNumbers>(&largest);
    const QString other = row >= 0 ? keyPlace(block, largest) : queryPlace(block, largest);
    return tr("%1, through %2: largest %3 %4, %5").arg(where, layersText(stack), noun, number(most), other);
}

QString headsSentence(const LayersContent &content, std::size_t first, std::size_t second)
{
    const auto a = static_cast<Index>(first);
    const auto b = static_cast<Index>(second);
    const double divergence = content.values->values(a, b);
    return tr("head %1 and head %2: mean divergence %3 nats over %4 rows, √ %5")
        .arg(content.nameOf(first), content.nameOf(second), number(divergence),
            readout::counted(static_cast<Index>(content.values->rows(a, b))), number(std::sqrt(divergence)));
}

QString nearestSentence(const LayersContent &content, std::size_t head)
{
    constexpr std::size_t named = 3;
    const Matrix &values = content.values->values;
    std::vector<std::size_t> others(content.heads.size());
    std::iota(others.begin(), others.end(), std::size_t{ 0 });
    std::erase(others, head);
    const auto distance = [&](std::size_t other) { return values(static_cast<Index>(head), static_cast<Index>(other)); };
    std::stable_sort(others.begin(), others.end(), [&](std::size_t a, std::size_t b) { return distance(a) < distance(b); });
    // The map shows divergences, points stand as far apart as their roots.
    const bool isMap = content.shown == LayersShown::Similarity;
    QStringList nearest;
    for (std::size_t place = 0; place < std::min(named, others.size()); ++place)
        nearest << (isMap ? tr("%1 at %2 nats").arg(content.nameOf(others[place]), number(distance(others[place])))
                          : tr("%1 at %2").arg(content.nameOf(others[place]), number(std::sqrt(distance(others[place])))));
    return (isMap ? tr("head %1, nearest by mean divergence: %2") : tr("head %1, nearest by √ of the mean divergence: %2"))
        .arg(content.nameOf(head), nearest.join(QStringLiteral(", ")));
}

QString layersNoun(LayersShown shown)
{
    switch (shown) {
    case LayersShown::Rollout:
        return tr("attention rollout");
    case LayersShown::Flow:
        return tr("attention flow");
    case LayersShown::Similarity:
        return tr("head similarity");
    case LayersShown::Embedding:
        break;
    }
    return tr("heads by similarity");
}

QString costSentence(const LayersRequest &request)
{
    const LayerStack &stack = request.stack;
    const double seconds = secondsOf(request);
    const QString time = seconds < 90.0 ? tr("%1 s").arg(std::ceil(seconds))
        : seconds < 5400.0              ? tr("%1 minutes").arg(std::ceil(seconds / 60.0))
                           : tr("%1 hours").arg(readout::counted(static_cast<Index>(std::ceil(std::min(seconds / 3600.0, 1e9)))));
    const QString positions = readout::counted(stack.attentionBlock().queries);
    if (request.shown == LayersShown::Similarity)
        return tr("Comparing %1 heads over %2 rows takes about %3.")
            .arg(readout::counted(static_cast<Index>(stack.allHeads().size())), positions, time);
    const QString what = request.shown == LayersShown::Rollout ? tr("Attention rollout") : tr("Attention flow");
    return stack.lastLayer == 0
        ? tr("%1 through one layer of %2 positions takes about %3.").arg(what, positions, time)
        : tr("%1 through %2 layers of %3 positions takes about %4.").arg(what, QString::number(stack.lastLayer + 1), positions, time);
}

} // namespace attenscope
