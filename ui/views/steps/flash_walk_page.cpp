// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the walk of flash attention as document and selection have it.
#include "views/steps/flash_walk_page.h"

#include "views/readout_text.h"

#include <QMouseEvent>
#include <QScopedValueRollback>
#include <QVBoxLayout>

namespace attenscope {

namespace {

/// Products above which a walk is made off the window's thread.
constexpr double mostProductsAtOnce = 2e6;

} // namespace

FlashCanvas::FlashCanvas(QWidget *parent)
    : WalkCanvas(tr("Tiles of flash attention"), parent)
{
}

void FlashCanvas::setContent(std::shared_ptr<const FlashContent> content, std::size_t state, Index row)
{
    m_content = std::move(content);
    m_state = state;
    m_row = row;
    layOut();
}

QSizeF FlashCanvas::layOutScene(QSizeF room)
{
    if (!m_content)
        return {};
    StepStyle style{ Theme::of(palette()), font() };
    if (style.letters() >= projectorLetters) {
        style.least = projectorLetters;
        const auto fits = [&] {
            const QSizeF least = FlashScene::leastSize(style);
            return least.width() <= room.width() && least.height() <= room.height();
        };
        while (style.letters() > windowLetters && !fits())
            style = style.withLetters(style.letters() - 1);
    }
    m_scene = FlashScene(m_content, m_state, m_row, style, room);
    return m_scene.size();
}

void FlashCanvas::paintScene(QPainter &painter, const QRectF &)
{
    if (m_content)
        m_scene.paint(painter);
}

QString FlashCanvas::description() const
{
    return m_content ? m_scene.description() : QString();
}

void FlashCanvas::mousePressEvent(QMouseEvent *event)
{
    if (!m_content || event->button() != Qt::LeftButton)
        return;
    const auto hit = m_scene.hitAt(inScene(event->position()));
    if (!hit)
        return;
    if (hit->row)
        emit rowClicked(*hit->row);
    if (hit->state)
        emit stateClicked(*hit->state);
}

void FlashCanvas::mouseMoveEvent(QMouseEvent *event)
{
    viewport()->setCursor(m_content && m_scene.hitAt(inScene(event->position())) ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

FlashWalkPage::FlashWalkPage(Document &document, Selection &selection, int decimals, QWidget *parent)
    : WalkPage(parent)
    , m_document(document)
    , m_selection(selection)
    , m_canvas(new FlashCanvas)
    , m_work(new WorkRow(this))
    , m_decimals(decimals)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->addWidget(m_canvas);
    setFocusProxy(m_canvas);
    connect(m_canvas, &FlashCanvas::stateClicked, this, &FlashWalkPage::goTo);
    connect(m_canvas, &FlashCanvas::rowClicked, this, &FlashWalkPage::mark);
    connect(m_work, &WorkRow::computeRequested, this, &FlashWalkPage::compute);
    connect(m_work, &WorkRow::cancelRequested, this, &FlashWalkPage::cancel);
    connect(&m_job, &Job::progressed, m_work, &WorkRow::setProgress);
}

void FlashWalkPage::refresh()
{
    const auto result = m_document.result();
    const auto head = result->find(m_document.head());
    if (!head || !head->operands) {
        // The old page stays until the new one is ready.
        if (!m_content)
            m_why = tr("computing…");
        return;
    }
    const auto picked = m_selection.picked();
    const Index queries = head->operands->scoreQ.rows();
    const Range rows = flashRows(*head->operands, std::clamp<Index>(picked ? picked->row : 0, 0, queries - 1));
    if (head == m_head && rows == m_rows) {
        if (isCurrent() && picked != m_picked) {
            m_picked = picked;
            if (m_picked && m_picked->row >= 0 && !m_isMovingPick) {
                m_row = m_picked->row;
                if (m_picked->col >= 0)
                    m_state = flashStateOf(*m_content, m_row, m_picked->col);
            }
        }
        show();
        return;
    }
    m_head = head;
    m_rows = rows;
    m_hasFailed = false;
    compute();
}

void FlashWalkPage::compute()
{
    m_job.cancel();
    m_work->rest();
    const HeadOperands &operands = *m_head->operands;
    const double products = static_cast<double>(m_rows.size()) * static_cast<double>(operands.scoreK.rows())
        * static_cast<double>(operands.scoreQ.cols() + operands.v.cols());
    if (products <= mostProductsAtOnce) {
        take(explainFlashWalk(m_head->operands, m_rows));
        return;
    }
    if (!m_content)
        m_why = tr("computing…");
    m_work->run(tr("Walking queries %1 to %2…").arg(readout::counted(m_rows.first), readout::counted(m_rows.end - 1)));
    emit changed();
    m_job.start([this, operands = m_head->operands, rows = m_rows](const Run &run, const Job::Deliver &deliver) {
        auto walk = std::make_shared<Result<FlashWalk>>(explainFlashWalk(operands, rows, run));
        deliver([this, walk] { take(std::move(*walk)); });
    });
}

void FlashWalkPage::cancel()
{
    m_job.cancel();
    if (!m_content)
        m_why = tr("The tiles have not been walked.");
    m_work->offer(tr("Queries %1 to %2 have not been walked.").arg(readout::counted(m_rows.first), readout::counted(m_rows.end - 1)));
    emit changed();
}

void FlashWalkPage::leave()
{
    m_job.cancel();
    m_work->rest();
    if (!isCurrent())
        m_head.reset();
}

bool FlashWalkPage::isCurrent() const
{
    return m_content && m_head && m_content->walk.operands == m_head->operands && m_content->walk.rows == m_rows;
}

QString FlashWalkPage::note() const
{
    return m_content ? partNote(*m_content) : QString();
}

void FlashWalkPage::take(Result<FlashWalk> walk)
{
    m_content.reset();
    m_why.clear();
    m_work->rest();
    m_hasFailed = !walk;
    if (!walk) {
        m_why = QString::fromStdString(walk.error().sentence());
    } else if (walk->tiles.empty()) {
        m_why = tr("No query may see any key, so that every tile is skipped.");
    } else {
        const auto input = m_document.input();
        const HeadRef &ref = m_head->ref;
        const Index keys = input->blocks[static_cast<std::size_t>(ref.block)].keys;
        m_content = std::make_shared<FlashContent>(FlashContent{ input, ref, std::move(walk).value(), m_head->field(Stage::Weights),
            weightColors(m_document.session().view, keys), std::max(1, m_decimals - 1) });
        m_state = std::min(m_state, m_content->states() - 1);
        m_picked.reset();
        refresh();
        return;
    }
    emit changed();
}

void FlashWalkPage::goTo(std::size_t state)
{
    if (!m_content)
        return;
    m_state = std::min(state, m_content->states() - 1);
    const auto &tiles = m_content->walk.tiles;
    const Range rows = m_state < tiles.size() ? tiles[m_state].rows : m_content->walk.rows;
    mark(std::clamp(m_row, rows.first, rows.end - 1));
}

void FlashWalkPage::mark(Index row)
{
    m_row = row;
    const auto &tiles = m_content->walk.tiles;
    const auto picked = m_selection.picked();
    Index key = picked && picked->col >= 0 ? picked->col : 0;
    if (m_state < tiles.size())
        key = std::clamp(key, tiles[m_state].keys.first, tiles[m_state].keys.end - 1);
    {
        const QScopedValueRollback moving(m_isMovingPick, true);
        m_selection.setPicked(CellRef{ row, key });
    }
    show();
}

void FlashWalkPage::show()
{
    if (m_content) {
        // What is marked is the picked query, whatever its tiles are.
        const auto &tiles = m_content->walk.tiles;
        if (m_state < tiles.size() && !tiles[m_state].rows.contains(m_row))
            m_state = flashStateOf(*m_content, m_row, 0);
        m_canvas->setContent(m_content, m_state, m_row);
    }
    emit changed();
}

PlayerBar::State FlashWalkPage::playerState() const
{
    PlayerBar::State state;
    if (!m_content)
        return state;
    state.step = static_cast<int>(m_state);
    state.steps = static_cast<int>(m_content->states());
    state.text = m_canvas->scene().title();
    state.isFirst = m_state == 0;
    state.isLast = m_state + 1 == m_content->states();
    return state;
}

void FlashWalkPage::move(int direction)
{
    if (direction > 0 || m_state > 0)
        goTo(direction > 0 ? m_state + 1 : m_state - 1);
}

void FlashWalkPage::first()
{
    goTo(0);
}

void FlashWalkPage::last()
{
    if (m_content)
        goTo(m_content->states() - 1);
}

void FlashWalkPage::goToStep(int step)
{
    goTo(static_cast<std::size_t>(std::max(0, step)));
}

void FlashWalkPage::setDecimals(int decimals)
{
    m_decimals = decimals;
    if (!m_content)
        return;
    FlashContent next = *m_content;
    next.decimals = std::max(1, decimals - 1);
    m_content = std::make_shared<FlashContent>(std::move(next));
    show();
}

std::optional<WalkPicture> FlashWalkPage::picture() const
{
    if (!m_content)
        return std::nullopt;
    WalkPicture picture;
    picture.flash = m_content;
    picture.row = m_row;
    picture.state.flash = m_state;
    return picture;
}

} // namespace attenscope
