// SPDX-License-Identifier: GPL-3.0-or-later
// attenscope render.
#include "window/render_command.h"

#include "io/atomic_file.h"
#include "session/token_groups.h"
#include "state/head_list.h"
#include "state/stage_names.h"
#include "state/tile_cache.h"
#include "views/layers/layers_content.h"
#include "views/patches/patches_content.h"
#include "window/numbers.h"
#include "window/render_session.h"
#include "window/render_steps.h"
#include "window/view_figure.h"

#include <QEventLoop>
#include <QFileInfo>
#include <QMetaObject>

namespace attenscope {

namespace {

/// "There is no head 9. Layer 0 has heads 0 to 3."
Error noSuch(const char *what, int number, const QString &owner, int count)
{
    const QString verb = !owner.isEmpty() ? owner + QStringLiteral(" has")
        : count == 1                      ? QStringLiteral("There is")
                                          : QStringLiteral("There are");
    const QString there = count == 1 ? QStringLiteral("%1 %2 0 only.").arg(verb, QLatin1String(what))
                                     : QStringLiteral("%1 %2s 0 to %3.").arg(verb, QLatin1String(what)).arg(count - 1);
    return { QStringLiteral("There is no %1 %2.").arg(QLatin1String(what)).arg(number).toStdString(), there.toStdString(), {}, {} };
}

/// @p head, that of the session, with what the request says otherwise.
Result<HeadRef> chosenHead(const RenderRequest &request, HeadRef head, const AttentionInput &input, const AttentionSpec &spec)
{
    const int blocks = static_cast<int>(input.blocks.size());
    if (!request.block.isEmpty()) {
        QStringList names;
        for (int place = 0; place < blocks; ++place)
            names << QString::fromStdString(blockName(input, place));
        bool isNumber = false;
        head = {};
        head.block = request.block.toInt(&isNumber);
        if (!isNumber) {
            const auto isMeant = [&](const QString &name) { return name.compare(request.block, Qt::CaseInsensitive) == 0; };
            head.block = static_cast<int>(std::find_if(names.cbegin(), names.cend(), isMeant) - names.cbegin());
        }
        if (head.block < 0 || head.block >= blocks) {
            return Error{ QStringLiteral("There is no block “%1”.").arg(request.block).toStdString(),
                QStringLiteral("There is %1.").arg(names.join(QStringLiteral(", "))).toStdString(), {}, {} };
        }
    }
    head.layer = request.layer.value_or(head.layer);
    head.head = request.head.value_or(head.head);
    head.element = request.element.value_or(head.element);
    const AttentionBlock &block = input.blocks[static_cast<std::size_t>(head.block)];
    const int heads = headCount(block, spec);
    if (head.layer >= block.layers)
        return noSuch("layer", head.layer, {}, block.layers);
    if (head.head >= heads)
        return noSuch("head", head.head, QStringLiteral("Layer %1").arg(head.layer), heads);
    if (head.element >= block.batch)
        return noSuch("element", head.element, {}, block.batch);
    return head;
}

/// Attention that was recorded causal is the same without a mask: the difference would be 0 everywhere, and false.
Result<void> checkComparison(const Document &document)
{
    const Session &session = document.session();
    const AttentionBlock &block = document.wholeBlock();
    if (!session.comparison || !block.hasWeightsOnly() || session.mechanism.mask.rule == session.comparison->mask.rule
        || withCausalMask(session.mechanism, true) != withCausalMask(*session.comparison, true) || !checkWeights(block).isCausal)
        return {};
    return Error{ "Comparing with unmasked needs Q and K.", "This file has only the weights, recorded causal.", "Leave the comparison out.",
        {} };
}

/// Leaves out and merges tokens; positions are those of the block that is shown.
Result<void> showTokens(const RenderRequest &request, Document &document)
{
    if (!request.tokens)
        return {};
    Session next = document.session();
    next.view.tokens = *request.tokens;
    const AttentionBlock &block = document.wholeBlock();
    for (TokenPlace &token : next.view.tokens.leftOut) {
        if (token.position >= std::max(block.queries, block.keys))
            return Error{ "There is no token " + std::to_string(token.position) + " to leave out.",
                QStringLiteral("There are %1 queries and %2 keys, from 0.").arg(block.queries).arg(block.keys).toStdString(), {}, {} };
        token.block = document.head().block;
    }
    document.edit(std::move(next), QStringLiteral("tokens"));
    return {};
}

/// The cell of the map that shows query and key @p whole of the whole input.
Result<CellRef> shownCell(const CellRef &whole, const Document &document)
{
    const AttentionBlock &all = document.wholeBlock();
    const QString name = QStringLiteral("There is no cell %1,%2.").arg(whole.row).arg(whole.col);
    if (whole.row >= all.queries || whole.col >= all.keys)
        return Error{ name.toStdString(),
            QStringLiteral("There are %1 queries and %2 keys, from 0.").arg(all.queries).arg(all.keys).toStdString(), {}, {} };
    const CellRef shown{ shownQuery(document.block(), whole.row), shownKey(document.block(), whole.col) };
    if (shown.row < 0 || shown.col < 0)
        return Error{ name.toStdString(),
            shown.row < 0 ? "Query " + std::to_string(whole.row) + " is left out." : "Key " + std::to_string(whole.col) + " is left out.",
            "Pick a token that is shown.", {} };
    return shown;
}

/// The rows and columns of the map that show the queries and keys @p whole of the whole input.
Result<CellRect> shownRegion(const CellRect &whole, const Document &document)
{
    const AttentionBlock &block = document.block();
    const ViewState &view = document.session().view;
    const bool isOfHeads
        = view.shown == ShownView::Layers && (view.layersShown == LayersShown::Similarity || view.layersShown == LayersShown::Embedding);
    if (!block.isReduced() || isOfHeads)
        return whole;
    if (const Result<void> there = checkRegion(whole, document.wholeBlock().queries, document.wholeBlock().keys); !there)
        return there.error();
    const auto places = [&](const Range &range, Index count, Index (*position)(const AttentionBlock &, Index)) {
        Index first = 0;
        for (; first < count && position(block, first) < range.first; ++first) { }
        Index end = first;
        for (; end < count && position(block, end) < range.end; ++end) { }
        return Range{ first, end };
    };
    const CellRect shown{ places(whole.rows, block.queries, &wholeQuery), places(whole.cols, block.keys, &wholeKey) };
    if (shown.rows.size() == 0 || shown.cols.size() == 0)
        return Error{ "Nothing of the region is shown.", "All of its queries or all of its keys are left out.", "Choose another region.",
            {} };
    return shown;
}

/// Of layers what is found in all of them.
bool needsAllHeads(const RenderRequest &request)
{
    return request.isOfAllHeads || request.subject == FigureSubject::Grid || request.subject == FigureSubject::Table
        || request.view == ShownView::Layers;
}

/// A picture that folds cells, which has to be drawn from more than an estimate.
bool needsOverview(const RenderRequest &request)
{
    return !numbersFormatOf(request.output) && !(request.region && request.figure.cellPixels);
}

/// Until everything that is to be drawn or written is there.
Result<void> waitFor(Document &document, const RenderRequest &request, const Run &run)
{
    std::optional<Error> failed;
    QObject::connect(&document, &Document::message, [&failed](const Message &message) {
        if (message.kind == Message::Kind::Error)
            failed = message.error;
    });
    const auto isReady = [&] {
        if (!document.isComputing())
            return true;
        const auto isThere = [&](Side side) {
            const MapFieldPtr field = document.field(side);
            return field && !(needsOverview(request) && field->isEstimate(TileCache::topLevel(field->rows(), field->cols())));
        };
        const bool isShown = document.isCurrent() && isThere(Side::Main) && (!document.session().comparison || isThere(Side::Difference));
        return !needsAllHeads(request) && isShown;
    };
    QEventLoop loop;
    const auto check = [&] {
        if (isReady())
            loop.quit();
    };
    QObject::connect(&document, &Document::resultChanged, &loop, check);
    QObject::connect(&document, &Document::progressChanged, &loop, [&] {
        run.report(document.progress());
        check();
    });
    const std::stop_callback leave(run.stop, [&loop] {
        QMetaObject::invokeMethod(
            &loop, [&loop] { loop.quit(); }, Qt::QueuedConnection);
    });
    if (!isReady())
        loop.exec();
    if (run.stopped())
        return Error::cancelled();
    if (document.problem())
        return document.problem()->error;
    if (failed)
        return *failed;
    return {};
}

/// As --patches has it: "14x14+1".
QString gridOption(const PatchGrid &grid)
{
    const QString size = QStringLiteral("%1x%2").arg(grid.rows).arg(grid.cols);
    return grid.first == 0 ? size : size + QStringLiteral("+%1").arg(grid.first);
}

/// Whether the patches and the tokens before them are all of the keys, or all of the queries.
Result<void> checkGrid(const PatchGrid &asked, const AttentionBlock &block)
{
    const auto fits = [&asked](Index tokens) {
        const Index patches = tokens - asked.first;
        return patches > 0 && patches % asked.cols == 0 && patches / asked.cols == asked.rows;
    };
    if (fits(block.keys) || fits(block.queries))
        return {};
    QStringList grids;
    for (const PatchGrid &grid : patchGrids(block.keys))
        grids << gridOption(grid);
    return Error{ QStringLiteral("--patches %1 does not fit %2 keys.").arg(gridOption(asked)).arg(block.keys).toStdString(), {},
        grids.isEmpty() ? "Rows × columns and the tokens before them, such as 14x14+1, must be as many."
                        : QStringLiteral("These do: %1.").arg(grids.join(QStringLiteral(", "))).toStdString(),
        {} };
}

/// Lays the keys out as patches: as asked for, as the session has them, else as is likeliest.
Result<void> showPatches(const RenderRequest &request, Document &document)
{
    if (request.subject != FigureSubject::Patches)
        return {};
    Session next = document.session();
    std::optional<PatchGrid> &patches = next.view.patches;
    const std::string picture = request.patches && !request.patches->picture.empty()
        ? QFileInfo(QString::fromStdString(request.patches->picture)).absoluteFilePath().toStdString()
        : patches ? patches->picture
                  : std::string();
    if (request.patches && request.patches->rows > 0) {
        if (const Result<void> possible = checkGrid(*request.patches, document.block()); !possible)
            return possible;
        patches = request.patches;
    }
    const Index keys = document.block().keys;
    if (!patches) {
        const std::vector<PatchGrid> grids = patchGrids(keys);
        if (grids.empty())
            return Error{ QStringLiteral("%1 keys are no image of patches.").arg(keys).toStdString(), {}, "Give --patches.", {} };
        patches = grids.front();
    }
    patches->picture = picture;
    if (const QString problem = readPicture(picture).problem; !problem.isEmpty())
        return Error{ problem.toStdString(), {}, {}, {} };
    document.edit(std::move(next), {});
    return {};
}

/// Text and patches show the weights of a token.
Result<void> checkPick(const RenderRequest &request, const Document &document, const Selection &selection)
{
    const bool isOfText = request.subject == FigureSubject::View && document.session().view.shown == ShownView::Text;
    if ((!isOfText && request.subject != FigureSubject::Patches) || !selection.pickedRows().empty() || !selection.pickedCols().empty())
        return {};
    return Error{ "Nothing is picked.",
        isOfText ? "Text has the colours of a token's weights." : "Patches have the colours of a query's weights.",
        "Give --pick QUERY,KEY, such as --pick 0,0.", {} };
}

Result<void> writeView(const Document &document, const Selection &selection, const RenderRequest &request, const QString &path,
    const std::function<void(const QString &)> &say, const Run &run)
{
    FigureOptions options = request.figure;
    if (const MapFieldPtr field = request.region ? document.field() : nullptr) {
        const Result<CellRect> region = shownRegion(*request.region, document);
        if (!region)
            return region.error();
        options.region = *region;
        if (const Result<void> there = checkRegion(*region, *field); !there)
            return there;
    }
    const Result<Figure> figure = viewFigure(document, selection, options, request.subject);
    if (!figure)
        return figure.error();
    if (const Result<void> possible = checkFigure(figure->pixels); !possible)
        return possible;
    if (say) {
        for (const QString &note : figureNotes(*figure))
            say(note);
    }
    if (run.stopped())
        return Error::cancelled();
    Result<void> written = writeFigure(path, *figure, run);
    if (written)
        run.report(1.0);
    return written;
}

} // namespace

Result<void> render(const RenderRequest &request, const std::function<void(const QString &)> &say, const Run &run)
{
    const Result<SessionFile> opened = sessionOf(request);
    if (!opened)
        return opened.error();
    Document document;
    document.reset(opened->session);
    // What is waited for, what is found across layers, and what is written: told as if each took as long.
    const bool waits = needsAllHeads(request) || needsOverview(request);
    const bool findsLayers = opened->session.view.shown == ShownView::Layers && request.subject == FigureSubject::View
        && !(request.isOfAllHeads && numbersFormatOf(request.output));
    const int parts = (waits ? 1 : 0) + (findsLayers ? 1 : 0) + 1;
    const Run computing = waits ? run.part(0, parts) : Run{ run.stop, {} };
    const Run writing = run.part(parts - 1, parts);
    if (const Result<void> computed = waitFor(document, request, computing); !computed)
        return computed;
    const Result<HeadRef> head = chosenHead(request, document.head(), *document.input(), document.result()->spec);
    if (!head)
        return head.error();
    document.pickHead(*head);
    if (const Result<void> possible = checkComparison(document); !possible)
        return possible;
    if (const Result<void> possible = showTokens(request, document); !possible)
        return possible;
    if (const Result<void> computed = waitFor(document, request, computing); !computed)
        return computed;
    if (request.stage && document.stage() != *request.stage)
        return Error{ QStringLiteral("There is no stage “%1”.").arg(stageKey(*request.stage)).toStdString(),
            document.wholeBlock().hasWeightsOnly() ? "The file has recorded weights only."
                : document.block().isReduced()     ? "Of tokens that are left out or merged there are weights only."
                                                   : "This input and mechanism do not have it.",
            {}, {} };
    if (const Result<void> possible = showPatches(request, document); !possible)
        return possible;
    Selection selection;
    selection.restore(opened->selection);
    if (request.pick) {
        const Result<CellRef> cell = shownCell(*request.pick, document);
        if (!cell)
            return cell.error();
        selection.setPicked(*cell);
    }
    // What is found across layers is found here, and held for what shows it.
    std::optional<LayersContent> layersFound;
    if (findsLayers) {
        Result<LayersContent> found = shownLayers(document, run.part(parts - 2, parts));
        if (!found)
            return found.error();
        layersFound = std::move(found).value();
    }
    const auto format = numbersFormatOf(request.output);
    if (format && request.subject == FigureSubject::Table)
        return writeText(request.output.toStdString(), headTableCsv(listHeads(document)).toStdString());
    if (format) {
        std::optional<CellRect> region;
        if (request.region) {
            const Result<CellRect> shown = shownRegion(*request.region, document);
            if (!shown)
                return shown.error();
            region = *shown;
        }
        const Result<MapNumbers> numbers = numbersOf(document, request.isOfAllHeads ? NumbersScope::AllHeads : NumbersScope::ShownMap,
            document.session().comparison ? Side::Difference : Side::Main, region, request.layer);
        if (!numbers)
            return numbers.error();
        // Rows are exact without the head, whose pass would take the threads meanwhile.
        document.cancel();
        return writeMap(request.output.toStdString(), *format, *numbers, writing);
    }
    if (const Result<void> there = checkPick(request, document, selection); !there)
        return there;
    if (document.session().view.shown == ShownView::Steps && request.subject == FigureSubject::View) {
        const FigureOptions &figure = request.figure;
        const QSize size = figure.pixels.height() > 0 ? figure.pixels : QSize(figure.pixels.width(), 900);
        const WalkFileOptions options{ size, figure.background, false, 1.0 };
        const CellRef picked = selection.picked().value_or(CellRef{});
        return renderSteps(
            document, std::max<Index>(picked.row, 0), std::max<Index>(picked.col, 0), request.step, request.output, options, writing);
    }
    if (!request.isOfAllHeads)
        return writeView(document, selection, request, request.output, say, writing);
    const int layers = document.block().layers;
    const int heads = headCount(document.block(), document.result()->spec);
    HeadRef each = document.head();
    const int total = (request.layer ? 1 : layers) * heads;
    int done = 0;
    for (each.layer = request.layer.value_or(0); each.layer < (request.layer ? *request.layer + 1 : layers); ++each.layer) {
        for (each.head = 0; each.head < heads; ++each.head) {
            document.pickHead(each);
            const QString path = headPath(request.output, each, layers, heads);
            if (const Result<void> written = writeView(document, selection, request, path, say, writing.part(done++, total)); !written)
                return written;
        }
    }
    return {};
}

} // namespace attenscope
