// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps bar, line and strips as document and selection have them.
#include "views/vectors/vectors_view.h"

#include "views/exact_line.h"
#include "views/head_selector.h"
#include "views/map/map_content.h"
#include "views/nothing_here.h"
#include "views/origin.h"
#include "views/query_choice.h"
#include "views/vectors/vectors_canvas.h"
#include "views/view_bar.h"
#include "views/waiting_row.h"
#include "views/zoom_note.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace attenscope {

namespace {

/// Numbers above which they are looked through off the window's thread.
constexpr double mostAtOnce = 4e6;

/// The row above: query, orders, head.
class VectorsBar : public ViewBar {
public:
    explicit VectorsBar(Document &document)
        : m_document(document)
        , m_query(new QueryChoice(document, VectorsView::tr("Whose scores are taken apart (Left, Right)")))
        , m_sortsKeys(new QCheckBox(VectorsView::tr("Sort keys")))
        , m_sortsDimensions(new QCheckBox(VectorsView::tr("Sort dimensions")))
    {
        m_sortsKeys->setToolTip(VectorsView::tr("By weight, the largest first; else in order"));
        m_sortsDimensions->setToolTip(VectorsView::tr("The dimension that adds most to the score of the picked key, or takes most from it, "
                                                      "first; without a pick of the key with the largest weight"));
        auto *row = new QHBoxLayout(this);
        row->setContentsMargins(16, 8, 16, 8);
        row->setSpacing(16);
        row->addWidget(m_query);
        row->addWidget(m_sortsKeys);
        row->addWidget(m_sortsDimensions);
        row->addStretch(1);
        row->addWidget(new HeadSelector(document, HeadSelector::Offers::SingleHeads));
        const auto follow = [this](QCheckBox *box, bool ViewState::*member, const QString &name) {
            connect(box, &QCheckBox::clicked, this, [this, member, name](bool isOn) {
                Session next = m_document.session();
                next.view.*member = isOn;
                m_document.edit(std::move(next), name);
            });
        };
        follow(m_sortsKeys, &ViewState::sortsKeys, VectorsView::tr("sort keys"));
        follow(m_sortsDimensions, &ViewState::sortsDimensions, VectorsView::tr("sort dimensions"));
    }

    [[nodiscard]] QueryChoice *query() const { return m_query; }

    void refresh(Index query)
    {
        m_query->refresh(query);
        m_sortsKeys->setChecked(m_document.session().view.sortsKeys);
        m_sortsDimensions->setChecked(m_document.session().view.sortsDimensions);
    }

    void setHasVectors(bool hasVectors)
    {
        for (QWidget *widget :
            { static_cast<QWidget *>(m_query), static_cast<QWidget *>(m_sortsKeys), static_cast<QWidget *>(m_sortsDimensions) })
            widget->setVisible(hasVectors);
    }

private:
    Document &m_document;
    QueryChoice *m_query;
    QCheckBox *m_sortsKeys;
    QCheckBox *m_sortsDimensions;
};

/// What the vectors that are there were made of.
struct Wanted {
    std::shared_ptr<const AttentionInput> input;
    HeadRef head;
    std::shared_ptr<const HeadOperands> operands;
    Index row = -1;

    friend bool operator==(const Wanted &, const Wanted &) = default;
};

double numbersOf(const HeadOperands &operands)
{
    return static_cast<double>(operands.scoreK.rows()) * static_cast<double>(2 * operands.scoreK.cols() + operands.v.cols());
}

} // namespace

struct VectorsView::Parts {
    Document &document;
    Selection &selection;
    VectorsBar *bar = nullptr;
    ExactLine *line = nullptr;
    WaitingRow *waiting = nullptr;
    ZoomNote *zoom = nullptr;
    VectorsCanvas *canvas = nullptr;
    NothingHere *nothing = nullptr;
    QStackedWidget *pages = nullptr;
    Wanted wanted;
    std::shared_ptr<const ScoreTerms> terms; ///< Of wanted; older ones while it is being made.
    Job job; ///< Last: stopped before what it delivers to goes.

    Parts(Document &shownDocument, Selection &sharedSelection)
        : document(shownDocument)
        , selection(sharedSelection)
    {
    }

    [[nodiscard]] Index row() const
    {
        const auto picked = selection.picked();
        return picked && picked->row >= 0 && picked->row < document.block().queries ? picked->row : 0;
    }

    [[nodiscard]] bool isRecorded() const { return document.wholeBlock().hasWeightsOnly(); }

    /// What is offered where there is nothing.
    void accept()
    {
        Session next = document.session();
        if (isRecorded()) {
            next.view.shown = ShownView::Map;
            document.edit(std::move(next), tr("change view"), QStringLiteral("view"));
        } else {
            next.view.tokens = {};
            document.edit(std::move(next), tr("show every token"));
        }
    }

    void refresh(VectorsView *view)
    {
        bar->refresh(row());
        const QString reason = reasonForNoVectors(document);
        bar->setHasVectors(reason.isEmpty());
        const auto head = document.result()->find(document.head());
        const bool isReady = head && head->operands;
        waiting->setReady(isReady || !reason.isEmpty());
        if (!reason.isEmpty())
            return showNothing(reason, view);
        if (!isReady) {
            // The old picture stays until the new one is ready.
            if (!terms)
                showNothing(waitingWords(document), view);
            return;
        }
        const Wanted now{ document.input(), document.head(), head->operands, row() };
        if (now == wanted)
            return show(view);
        wanted = now;
        job.cancel();
        if (numbersOf(*now.operands) <= mostAtOnce)
            return take(scoreTerms(now.operands, now.row), view);
        if (!terms)
            showNothing(tr("computing…"), view);
        job.start([this, now, view](const Run &run, const Job::Deliver &deliver) {
            auto made = std::make_shared<Result<ScoreTerms>>(scoreTerms(now.operands, now.row, run));
            deliver([this, made, view] { take(std::move(*made), view); });
        });
    }

    void take(Result<ScoreTerms> made, VectorsView *view)
    {
        if (!made)
            return showNothing(QString::fromStdString(made.error().sentence()), view);
        terms = std::make_shared<ScoreTerms>(std::move(made).value());
        show(view);
    }

    void show(VectorsView *view)
    {
        if (!terms || terms->operands != wanted.operands || terms->row != wanted.row)
            return;
        const auto picked = selection.picked();
        auto content = std::make_shared<VectorsContent>(vectorsContent(wanted.input, wanted.head, terms, document.session().view,
            picked && picked->col >= 0 ? std::optional(picked->col) : std::nullopt));
        const Index queries = document.block().queries;
        const CellRect shown = cellsInSight(selection.visible(), queries, terms->keys());
        std::erase_if(content->keys, [&](Index key) { return !shown.cols.contains(key); });
        zoom->setWords(zoomWords({ { 0, queries }, shown.cols }, document.block()));
        if (document.comparisonResult())
            content->notes.push_front(sideNote(document));
        canvas->setContent(std::move(content));
        pages->setCurrentWidget(canvas);
        view->setFocusProxy(canvas);
        line->show();
        speak();
    }

    void showNothing(const QString &why, VectorsView *view)
    {
        job.cancel();
        wanted = {};
        terms.reset();
        canvas->setContent(nullptr);
        line->hide();
        zoom->setWords({});
        nothing->setWhy(why);
        nothing->setOffer(!document.hasPicture() ? QString()
                : isRecorded()                   ? tr("Show the map")
                : document.block().isReduced()   ? tr("Show every token")
                                                 : QString());
        pages->setCurrentWidget(nothing);
        view->setFocusProxy(nothing);
    }

    /// The hovered number, else the hovered key, else the picked one.
    void speak()
    {
        const auto &content = canvas->content();
        if (!content)
            return;
        const auto hit = canvas->hovered();
        if (hit && hit->unit >= 0 && hit->part == VectorPart::Query)
            return line->setText(querySentence(*content, hit->unit));
        if (hit && hit->unit >= 0 && hit->part == VectorPart::Value)
            return line->setText(valueSentence(*content, hit->key, hit->unit));
        if (hit && hit->unit >= 0)
            return line->setText(termSentence(*content, hit->key, hit->unit));
        const auto current = selection.current();
        const bool hasKey = current && current->col >= 0 && current->col < content->terms->keys();
        line->setText(hasKey ? keySentence(*content, current->col) : tr("Hover a cell for its numbers."));
    }
};

VectorsView::VectorsView(Document &document, Selection &selection, QWidget *parent)
    : DocumentView(document, selection, parent)
    , m_parts(std::make_unique<Parts>(document, selection))
{
    Parts &parts = *m_parts;
    parts.bar = new VectorsBar(document);
    parts.line = new ExactLine;
    parts.waiting = new WaitingRow(document);
    parts.canvas = new VectorsCanvas(selection);
    parts.zoom = new ZoomNote(selection);
    parts.nothing = new NothingHere;
    parts.pages = new QStackedWidget;
    parts.pages->addWidget(parts.canvas);
    parts.pages->addWidget(parts.nothing);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->setSpacing(0);
    column->addWidget(parts.bar);
    column->addWidget(parts.line);
    column->addWidget(parts.waiting);
    column->addWidget(parts.pages, 1);
    column->addWidget(parts.zoom);
    setFocusProxy(parts.canvas);
    connect(&selection, &Selection::pickedChanged, this, &VectorsView::refreshIfSeen);
    connect(&selection, &Selection::visibleChanged, this, &VectorsView::refreshIfSeen);
    connect(&selection, &Selection::hoveredChanged, this, [this] { m_parts->speak(); });
    connect(parts.nothing, &NothingHere::accepted, this, [this] { m_parts->accept(); });
    connect(parts.canvas, &VectorsCanvas::hoveredChanged, this, [this] { m_parts->speak(); });
    connect(parts.bar->query(), &QueryChoice::chosen, this, [this](Index query) {
        const auto picked = m_parts->selection.picked();
        m_parts->selection.setPicked(CellRef{ query, picked ? picked->col : -1 });
    });
}

VectorsView::~VectorsView() = default;

void VectorsView::refresh()
{
    m_parts->refresh(this);
}

} // namespace attenscope
