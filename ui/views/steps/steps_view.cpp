// SPDX-License-Identifier: GPL-3.0-or-later
// Which walk is shown, and what the player does with it.
#include "views/steps/steps_view.h"

#include "state/settings.h"
#include "views/exact_line.h"
#include "views/nothing_here.h"
#include "views/origin.h"
#include "views/steps/flash_walk_page.h"
#include "views/steps/row_walk_page.h"
#include "views/steps/steps_bar.h"

#include <QComboBox>
#include <QKeyEvent>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace attenscope {

namespace {

constexpr std::array decimalChoices{ 1, 2, 3, 4, 6, 8 };

} // namespace

struct StepsView::Parts {
    Document &document;
    Selection &selection;
    Settings settings;
    StepsBar *bar = nullptr;
    ExactLine *side = nullptr;
    QStackedWidget *pages = nullptr;
    NothingHere *why = nullptr;
    RowWalkPage *rowWalk = nullptr;
    FlashWalkPage *flashWalk = nullptr;
    WalkPage *walk = nullptr; ///< The one of the mechanism at hand; null until it is first shown.
    PlayerBar *player = nullptr;
    QComboBox *decimals = nullptr;

    Parts(Document &shownDocument, Selection &sharedSelection)
        : document(shownDocument)
        , selection(sharedSelection)
    {
    }

    void refresh(StepsView *view)
    {
        bar->refresh(rowWalk->pickedRow());
        const bool isFlash = !document.block().hasWeightsOnly() && document.result()->spec.algorithm == Algorithm::Flash;
        WalkPage *next = isFlash ? static_cast<WalkPage *>(flashWalk) : rowWalk;
        if (next != walk) {
            player->setPlaying(false);
            if (walk)
                walk->leave();
            walk = next;
            player->setUnit(walk == flashWalk ? StepsView::tr("tile") : StepsView::tr("step"));
        }
        walk->refresh();
        follow(view);
    }

    void follow(StepsView *view)
    {
        QStringList notes{ document.comparisonResult() ? sideNote(document) : QString(), walk->note() };
        notes.removeAll(QString());
        side->setVisible(!notes.isEmpty());
        side->setText(notes.join(QStringLiteral("  ·  ")));
        const QString reason = walk->why();
        why->setWhy(reason);
        // Flash attention goes through all queries; one of them may fit where they do not.
        why->setOffer(walk == flashWalk && flashWalk->hasFailed() ? StepsView::tr("Steps of one query") : QString(),
            StepsView::tr("The picked query without tiles: the algorithm of the mechanism becomes the usual one"));
        QWidget *page = reason.isEmpty() ? static_cast<QWidget *>(walk) : why;
        pages->setCurrentWidget(page);
        view->setFocusProxy(page);
        player->setVisible(reason.isEmpty());
        bar->setFolding(walk->isUnfolded(), walk->isFolded());
        player->setState(walk->playerState());
        if (!reason.isEmpty())
            player->setPlaying(false);
    }

    void moveQuery(Index by)
    {
        selection.setHovered(std::nullopt);
        pickQuery(rowWalk->pickedRow() + by);
    }

    void pickQuery(Index query)
    {
        query = std::clamp<Index>(query, 0, document.block().queries - 1);
        const auto picked = selection.picked();
        const Index key = picked ? picked->col : 0;
        selection.setPicked(CellRef{ query, std::clamp<Index>(key, 0, document.block().keys - 1) });
    }
};

StepsView::StepsView(Document &document, Selection &selection, QWidget *parent)
    : QWidget(parent)
    , m_parts(std::make_unique<Parts>(document, selection))
{
    Parts &parts = *m_parts;
    const int decimals = parts.settings.stepDecimals();
    parts.bar = new StepsBar(document);
    parts.side = new ExactLine;
    parts.side->hide();
    parts.rowWalk = new RowWalkPage(document, selection, decimals);
    parts.flashWalk = new FlashWalkPage(document, selection, decimals);
    parts.why = new NothingHere;
    parts.pages = new QStackedWidget;
    parts.player = new PlayerBar;
    parts.decimals = new QComboBox;
    for (const int choice : decimalChoices)
        parts.decimals->addItem(choice == 1 ? tr("1 decimal") : tr("%1 decimals").arg(choice), choice);
    parts.decimals->setCurrentIndex(parts.decimals->findData(decimals));
    parts.decimals->setAccessibleName(tr("Decimals"));
    parts.decimals->setToolTip(tr("Digits after the point of results; numbers that go into them have one fewer, cells of matrices two"));
    parts.player->addControl(parts.decimals);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->setSpacing(0);
    column->addWidget(parts.bar);
    column->addWidget(parts.side);
    column->addWidget(parts.flashWalk->work());
    column->addWidget(parts.pages, 1);
    column->addWidget(parts.player);

    for (WalkPage *page : { static_cast<WalkPage *>(parts.rowWalk), static_cast<WalkPage *>(parts.flashWalk) }) {
        parts.pages->addWidget(page);
        page->focusProxy()->installEventFilter(this);
        connect(page, &WalkPage::changed, this, [this, page] {
            if (page == m_parts->walk)
                m_parts->follow(this);
        });
    }
    parts.pages->addWidget(parts.why);
    connect(parts.why, &NothingHere::accepted, this, [&document] {
        Session next = document.session();
        next.mechanism.algorithm = Algorithm::Exact;
        document.edit(std::move(next), tr("change algorithm"));
    });
    const auto refresh = [this] {
        // Nothing is computed for a view that nobody sees.
        if (isVisible())
            m_parts->refresh(this);
    };
    connect(&document, &Document::changed, this, refresh);
    connect(&document, &Document::resultChanged, this, refresh);
    connect(&selection, &Selection::pickedChanged, this, refresh);
    connect(parts.rowWalk, &RowWalkPage::queryClicked, this, [this](Index query) { m_parts->pickQuery(query); });
    connect(parts.bar, &StepsBar::queryChosen, this, [this](Index query) { m_parts->pickQuery(query); });
    connect(parts.bar, &StepsBar::foldRequested, this, [this] {
        if (m_parts->walk)
            m_parts->walk->foldAll();
    });
    connect(parts.bar, &StepsBar::unfoldRequested, this, [this] {
        if (m_parts->walk)
            m_parts->walk->unfold();
    });
    const auto walk = [this](void (WalkPage::*act)()) {
        return [this, act] {
            if (m_parts->walk)
                (m_parts->walk->*act)();
        };
    };
    connect(parts.player, &PlayerBar::backRequested, this, &StepsView::back);
    connect(parts.player, &PlayerBar::onRequested, this, &StepsView::on);
    connect(parts.player, &PlayerBar::playedOn, this, walk(&WalkPage::play));
    connect(parts.player, &PlayerBar::firstRequested, this, walk(&WalkPage::first));
    connect(parts.player, &PlayerBar::lastRequested, this, walk(&WalkPage::last));
    connect(parts.player, &PlayerBar::stepRequested, this, [this](int step) {
        if (m_parts->walk)
            m_parts->walk->goToStep(step);
    });
    connect(parts.decimals, &QComboBox::currentIndexChanged, this, [this] {
        const int chosen = m_parts->decimals->currentData().toInt();
        m_parts->settings.setStepDecimals(chosen);
        m_parts->rowWalk->setDecimals(chosen);
        m_parts->flashWalk->setDecimals(chosen);
    });
}

StepsView::~StepsView() = default;

std::optional<WalkPicture> StepsView::picture() const
{
    if (!m_parts->walk || !m_parts->walk->why().isEmpty())
        return std::nullopt;
    auto picture = m_parts->walk->picture();
    if (!picture)
        return picture;
    picture->title = walkTitle(m_parts->document, *picture);
    return picture;
}

bool StepsView::isPlaying() const
{
    return m_parts->player->isPlaying();
}

void StepsView::togglePlaying()
{
    if (m_parts->player->isVisible())
        m_parts->player->setPlaying(!isPlaying());
}

void StepsView::back()
{
    if (m_parts->walk)
        m_parts->walk->move(-1);
}

void StepsView::on()
{
    if (m_parts->walk)
        m_parts->walk->move(1);
}

void StepsView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    m_parts->refresh(this);
}

void StepsView::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_parts->player->setPlaying(false);
    if (m_parts->walk)
        m_parts->walk->leave();
    m_parts->selection.setHovered(std::nullopt);
}

bool StepsView::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::KeyPress || !m_parts->walk)
        return QWidget::eventFilter(watched, event);
    switch (static_cast<QKeyEvent *>(event)->key()) {
    case Qt::Key_Left:
        back();
        return true;
    case Qt::Key_Right:
        on();
        return true;
    case Qt::Key_Up:
        m_parts->moveQuery(-1);
        return true;
    case Qt::Key_Down:
        m_parts->moveQuery(1);
        return true;
    case Qt::Key_Home:
        m_parts->walk->first();
        return true;
    case Qt::Key_End:
        m_parts->walk->last();
        return true;
    default:
        return QWidget::eventFilter(watched, event);
    }
}

} // namespace attenscope
