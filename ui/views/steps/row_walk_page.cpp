// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps a row's walk, its list and its page as document and selection have them.
#include "views/steps/row_walk_page.h"

#include "views/readout_text.h"
#include "views/steps/steps_canvas.h"
#include "views/steps/steps_list.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QScopedValueRollback>

#include <algorithm>

namespace attenscope {

namespace {

/// Products above which a walk is made off the window's thread.
constexpr double mostAtOnce = 4e6;

double products(const AttentionBlock &block, const AttentionSpec &spec)
{
    double numbers = 0.0;
    if (const auto *data = std::get_if<EmbeddedData>(&block.data)) {
        const auto d = static_cast<double>(data->x.front().cols());
        numbers = d * (spec.rope ? d : 3.0);
    } else if (const auto *given = std::get_if<ProjectedData>(&block.data)) {
        numbers = 2.0 * static_cast<double>(given->q.front().cols());
    }
    return numbers * static_cast<double>(block.keys);
}

} // namespace

RowWalkPage::RowWalkPage(Document &document, Selection &selection, int decimals, QWidget *parent)
    : WalkPage(parent)
    , m_document(document)
    , m_selection(selection)
    , m_list(new StepsList)
    , m_canvas(new StepsCanvas)
    , m_decimals(decimals)
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins({});
    row->setSpacing(0);
    row->addWidget(m_list);
    row->addWidget(m_canvas, 1);
    setFocusProxy(m_canvas);
    connect(m_list, &QListWidget::currentRowChanged, this, &RowWalkPage::goToStep);
    connect(m_canvas, &StepsCanvas::positionClicked, this, &RowWalkPage::goTo);
    connect(m_canvas, &StepsCanvas::queryClicked, this, &RowWalkPage::queryClicked);
    connect(m_canvas, &StepsCanvas::foldsChanged, this, &RowWalkPage::show);
    connect(m_canvas, &StepsCanvas::positionHovered, this, [this](const std::optional<StepPosition> &at) {
        m_selection.setHovered(at && m_content ? std::optional(CellRef{ m_content->walk.row, at->key }) : std::nullopt);
    });
}

Index RowWalkPage::pickedRow() const
{
    const auto picked = m_selection.picked();
    return picked && picked->row >= 0 && picked->row < m_document.block().queries ? picked->row : 0;
}

void RowWalkPage::refresh()
{
    const auto result = m_document.result();
    const Wanted now{ m_document.input(), result->spec, m_document.head(), pickedRow() };
    if (now == m_wanted) {
        followPick();
        return;
    }
    m_wanted = now;
    make(result);
}

void RowWalkPage::make(const std::shared_ptr<const AttentionResult> &result)
{
    m_job.cancel();
    if (products(m_document.block(), result->spec) <= mostAtOnce) {
        take(explainWalk(*result, m_wanted.head, m_wanted.row));
        return;
    }
    // The old page stays until the new one is ready.
    if (!m_content)
        m_why = tr("computing…");
    emit changed();
    m_job.start([this, result, ref = m_wanted.head, row = m_wanted.row](const Run &run, const Job::Deliver &deliver) {
        auto walk = std::make_shared<Result<RowWalk>>(explainWalk(*result, ref, row, run));
        deliver([this, walk] { take(std::move(*walk)); });
    });
}

void RowWalkPage::take(Result<RowWalk> walk)
{
    m_content.reset();
    m_why.clear();
    if (!walk) {
        m_why = QString::fromStdString(walk.error().sentence());
        emit changed();
        return;
    }
    m_content = std::make_shared<StepContent>(StepContent{ m_wanted.input, std::move(walk).value(), m_decimals });
    fitLetters();
    followPick();
}

void RowWalkPage::followPick()
{
    if (!m_content)
        return;
    if (const auto picked = m_selection.picked(); picked && picked->col >= 0 && !m_isMovingPick)
        m_position.key = picked->col;
    show();
}

void RowWalkPage::goTo(const StepPosition &position)
{
    if (!m_content)
        return;
    m_position = clamped(*m_content, position);
    if (placesOf(m_position.step) == StepAxis::Keys) {
        const QScopedValueRollback moving(m_isMovingPick, true);
        m_selection.setPicked(CellRef{ m_content->walk.row, m_position.key });
    }
    show();
}

void RowWalkPage::show()
{
    if (!m_content)
        return;
    m_position = clamped(*m_content, m_position);
    m_canvas->setContent(m_content, m_position);
    std::vector<std::pair<QString, QString>> titles;
    for (const WalkStep step : m_content->walk.steps)
        titles.push_back(stepTitle(*m_content, step));
    m_list->setSteps(titles, playerState().step);
    emit changed();
}

PlayerBar::State RowWalkPage::playerState() const
{
    PlayerBar::State state;
    if (!m_content)
        return state;
    const StepFolds &folds = m_canvas->scene().folds();
    const std::vector<WalkStep> &steps = m_content->walk.steps;
    state.step = static_cast<int>(std::find(steps.begin(), steps.end(), m_position.step) - steps.begin());
    state.steps = static_cast<int>(steps.size());
    state.text = tr("Step %1 of %2").arg(state.step + 1).arg(state.steps);
    state.place = stepPlaceText(*m_content, m_position);
    state.isFirst = !nextPosition(*m_content, m_position, folds, -1);
    state.isLast = !nextPosition(*m_content, m_position, folds, 1);
    return state;
}

void RowWalkPage::move(int direction)
{
    if (!m_content)
        return;
    if (const auto next = nextPosition(*m_content, m_position, m_canvas->scene().folds(), direction))
        goTo(*next);
}

void RowWalkPage::play()
{
    if (!m_content)
        return;
    if (const auto next = playedPosition(*m_content, m_position, m_canvas->scene().folds()))
        goTo(*next);
}

void RowWalkPage::first()
{
    if (m_content)
        goTo({ m_content->walk.steps.front(), 0, 0 });
}

void RowWalkPage::last()
{
    if (!m_content)
        return;
    const WalkStep step = m_content->walk.steps.back();
    goTo({ step, m_position.key, placeCount(*m_content, step) - 1 });
}

void RowWalkPage::goToStep(int step)
{
    if (m_content && step >= 0 && step < static_cast<int>(m_content->walk.steps.size()))
        goTo({ m_content->walk.steps[static_cast<std::size_t>(step)], m_position.key, 0 });
}

void RowWalkPage::setDecimals(int decimals)
{
    m_decimals = decimals;
    if (!m_content)
        return;
    StepContent next = *m_content;
    next.decimals = decimals;
    m_content = std::make_shared<StepContent>(std::move(next));
    fitLetters();
    show();
}

bool RowWalkPage::isUnfolded() const
{
    return m_canvas->isUnfolded();
}

bool RowWalkPage::isFolded() const
{
    return m_canvas->isFolded();
}

void RowWalkPage::foldAll()
{
    m_canvas->foldAll();
}

void RowWalkPage::unfold()
{
    m_canvas->unfold();
}

std::optional<WalkPicture> RowWalkPage::picture() const
{
    if (!m_content)
        return std::nullopt;
    WalkPicture picture;
    picture.steps = m_content;
    picture.folds = m_canvas->folds();
    picture.state.position = m_position;
    return picture;
}

void RowWalkPage::fitLetters()
{
    StepStyle style{ Theme::of(palette()), font() };
    if (m_content && style.letters() >= projectorLetters) {
        // No letter is under 17; what is larger gives way to a page that is seen as a whole.
        style.least = projectorLetters;
        int most = style.letters();
        const auto steps = static_cast<double>(m_content->walk.steps.size());
        while (most > windowLetters && stepItemHeight(style.withLetters(most)) * steps > height())
            --most;
        const auto roomOf = [this](const StepStyle &at) { return QSizeF(width() - stepListWidth(at), height()); };
        style = style.withLetters(fittingLetters(*m_content, m_canvas->folds(), style, windowLetters, most, roomOf));
    }
    m_list->setStepStyle(style);
    m_canvas->setStepStyle(style);
}

void RowWalkPage::changeEvent(QEvent *event)
{
    WalkPage::changeEvent(event);
    if (event->type() != QEvent::FontChange)
        return;
    fitLetters();
    if (isVisible())
        show();
}

void RowWalkPage::resizeEvent(QResizeEvent *event)
{
    WalkPage::resizeEvent(event);
    fitLetters();
}

} // namespace attenscope
