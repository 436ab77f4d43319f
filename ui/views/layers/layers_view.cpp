// SPDX-License-Identifier: GPL-3.0-or-later
// Decides what is computed at once, in a job, or on request, and shows what there is.
#include "views/layers/layers_view.h"

#include "views/exact_line.h"
#include "views/layers/layers_bar.h"
#include "views/layers/layers_canvas.h"
#include "views/nothing_here.h"
#include "views/origin.h"
#include "views/token_part.h"
#include "views/work_row.h"

#include <QStackedWidget>
#include <QVBoxLayout>

#include <map>

namespace attenscope {

namespace {

/// Estimated seconds of what the window may wait for.
constexpr double atOnce = 0.01;

/// Whether the same values are drawn alike in both.
bool looksAlike(const ViewState &a, const ViewState &b)
{
    return a.layersShown == b.layersShown && a.colors == b.colors && a.scale == b.scale && a.numbers == b.numbers;
}

} // namespace

struct LayersView::Parts {
    using Made = Result<std::shared_ptr<const LayersValues>>;

    Document &document;
    Selection &selection;
    double mostSeconds = mostSecondsUnasked;
    LayersBar *bar = nullptr;
    ExactLine *line = nullptr;
    WorkRow *work = nullptr;
    LayersCanvas *canvas = nullptr;
    NothingHere *why = nullptr;
    QStackedWidget *pages = nullptr;
    std::optional<LayersRequest> wanted; ///< What the document asked for last.
    std::map<LayersShown, std::shared_ptr<const LayersValues>> made; ///< The last ones of each kind.
    ViewState look; ///< Of what is shown.
    QString failure; ///< Why wanted could not be made.
    bool isTooMuch = false; ///< There is no picture, but of a part there could be one.
    bool isMaking = false; ///< In the job.
    Job job; ///< Last: stopped before what it delivers to goes.

    Parts(Document &shownDocument, Selection &sharedSelection)
        : document(shownDocument)
        , selection(sharedSelection)
    {
    }

    void refresh(LayersView *view)
    {
        bar->refresh();
        canvas->setPickedHead(document.head());
        if (const QString reason = reasonForNoLayers(document); !reason.isEmpty()) {
            job.cancel();
            isMaking = false;
            work->rest();
            wanted.reset();
            made.clear();
            return showWhy(reason, view);
        }
        const LayersRequest now = layersRequest(document);
        if (wanted && *wanted == now)
            return show(view);
        job.cancel();
        isMaking = false;
        work->rest();
        failure.clear();
        wanted = now;
        const auto found = made.find(now.shown);
        if (found != made.end() && found->second->request == now)
            return show(view);
        // How long it would take says nothing where there is no room for it.
        if (Result<void> fits = checkMemoryOf(now); !fits)
            return take(fits.error(), view);
        if (!now.stack.attentionBlock().hasWeightsOnly() && document.isComputing()) {
            // Its heads are on their way.
            wanted.reset();
            return show(view);
        }
        if (auto known = knownLayersValues(now))
            return take(std::move(known), view);
        const double seconds = secondsOf(now);
        if (seconds <= atOnce)
            return take(layersValues(now), view);
        if (seconds <= mostSeconds)
            return compute(view);
        work->offer(costSentence(now));
        show(view);
    }

    void compute(LayersView *view)
    {
        if (!wanted)
            return;
        isMaking = true;
        work->run(tr("Computing %1…").arg(layersNoun(document.session().view.layersShown)));
        job.start([this, request = *wanted, view](const Run &run, const Job::Deliver &deliver) {
            auto result = std::make_shared<Made>(layersValues(request, run));
            deliver([this, result, view] { take(std::move(*result), view); });
        });
        show(view);
    }

    void cancel(LayersView *view)
    {
        job.cancel();
        isMaking = false;
        if (wanted)
            work->offer(costSentence(*wanted));
        show(view);
    }

    void take(Made result, LayersView *view)
    {
        isMaking = false;
        work->rest();
        if (result) {
            made[(*result)->request.shown] = *result;
        } else {
            // An older picture would look like the answer.
            failure = QString::fromStdString(result.error().sentence());
            made.erase(wanted->shown);
        }
        show(view);
    }

    /// What there is of the kind that is asked for, perhaps of an earlier request.
    void show(LayersView *view)
    {
        const auto found = made.find(layersRequest(document).shown);
        // While the new one waits for the button, that of another input would look like the answer.
        const auto isOther
            = [this](const LayersValues &values) { return values.request.stack.attentionBlock().queries != document.block().queries; };
        if (found == made.end() || (!isMaking && isOther(*found->second)))
            return showWhy(document.isComputing() && !wanted ? tr("computing…") : failure, view);
        const ViewState &shown = document.session().view;
        const bool isSame = canvas->content() && canvas->content()->values == found->second && looksAlike(shown, look);
        if (!isSame) {
            auto content = std::make_shared<LayersContent>(layersContent(found->second, shown));
            if (document.comparisonResult())
                content->notes.push_front(sideNote(document));
            canvas->setContent(std::move(content));
        }
        look = shown;
        pages->setCurrentWidget(canvas);
        view->setFocusProxy(canvas);
        speak();
    }

    void showWhy(const QString &reason, LayersView *view)
    {
        canvas->setContent(nullptr);
        // It would not fit, or waits for the button because it takes long.
        isTooMuch = reason == failure && !isMaking;
        why->setWhy(reason);
        offerPart();
        pages->setCurrentWidget(why);
        view->setFocusProxy(why);
        line->setText({});
    }

    /// Beside why there is nothing: what there could be, which follows the zoom of the map.
    void offerPart()
    {
        const auto part = isTooMuch ? smallPart(document, selection) : std::nullopt;
        why->setOffer(part ? tr("Only %1").arg(partWords(*part)) : QString(),
            tr("All other tokens are left out of every view, until Undo or Tokens, Show every token"));
    }

    /// The hovered cell or head, else the picked one.
    void speak()
    {
        const auto &content = canvas->content();
        if (!content)
            return line->setText({});
        if (const auto heads = canvas->spokenHeads()) {
            line->setText(heads->first == heads->second ? nearestSentence(*content, heads->first)
                                                        : headsSentence(*content, heads->first, heads->second));
            return;
        }
        const auto current = selection.current();
        const bool isHere = !content->showsHeads() && current && current->row < content->map.rows() && current->col < content->map.cols();
        line->setText(isHere ? cellSentence(*content, current->row, current->col) : tr("Hover a cell for its numbers."));
    }
};

LayersView::LayersView(Document &document, Selection &selection, QWidget *parent)
    : DocumentView(document, selection, parent)
    , m_parts(std::make_unique<Parts>(document, selection))
{
    Parts &parts = *m_parts;
    parts.bar = new LayersBar(document, selection);
    parts.line = new ExactLine;
    parts.work = new WorkRow;
    parts.canvas = new LayersCanvas(selection);
    parts.why = new NothingHere;
    parts.pages = new QStackedWidget;
    parts.pages->addWidget(parts.canvas);
    parts.pages->addWidget(parts.why);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->setSpacing(0);
    column->addWidget(parts.bar);
    column->addWidget(parts.line);
    column->addWidget(parts.work);
    column->addWidget(parts.pages, 1);
    setFocusProxy(parts.canvas);
    connect(&document, &Document::progressChanged, this, [this] {
        if (!m_parts->wanted)
            refreshIfSeen();
    });
    connect(&selection, &Selection::hoveredChanged, this, [this] { m_parts->speak(); });
    connect(&selection, &Selection::pickedChanged, this, [this] {
        m_parts->speak();
        m_parts->offerPart();
    });
    connect(&selection, &Selection::visibleChanged, this, [this] { m_parts->offerPart(); });
    connect(parts.why, &NothingHere::accepted, this, [this] {
        if (const auto part = smallPart(m_parts->document, m_parts->selection))
            showPart(*part, m_parts->document, m_parts->selection);
    });
    connect(parts.canvas, &LayersCanvas::hoveredChanged, this, [this] { m_parts->speak(); });
    connect(parts.canvas, &LayersCanvas::headPicked, this, [&document](const HeadRef &head) { document.pickHead(head); });
    connect(parts.bar, &LayersBar::fitRequested, parts.canvas, &LayersCanvas::fit);
    connect(parts.work, &WorkRow::computeRequested, this, [this] { m_parts->compute(this); });
    connect(parts.work, &WorkRow::cancelRequested, this, [this] { m_parts->cancel(this); });
    connect(&parts.job, &Job::progressed, parts.work, &WorkRow::setProgress);
}

LayersView::~LayersView() = default;

void LayersView::setMostSeconds(double seconds)
{
    m_parts->mostSeconds = seconds;
}

void LayersView::refresh()
{
    m_parts->refresh(this);
}

} // namespace attenscope
