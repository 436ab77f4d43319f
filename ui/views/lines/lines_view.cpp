// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps bar, lines and footer as the document has them.
#include "views/lines/lines_view.h"

#include "views/lines/lines_bar.h"
#include "views/lines/lines_canvas.h"
#include "views/map/map_content.h"
#include "views/readout_text.h"
#include "views/waiting_row.h"
#include "views/zoom_note.h"

#include <QGridLayout>
#include <QLabel>
#include <QScrollBar>
#include <QVBoxLayout>

#include <array>

namespace attenscope {

namespace {

constexpr std::array sides{ Side::Main, Side::Comparison, Side::Difference };

} // namespace

struct LinesView::Parts {
    Document &document;
    Selection &selection;
    FieldCache fields;
    LinesBar *bar = nullptr;
    std::array<LinesCanvas *, sides.size()> pages{}; ///< One for each side; the first is always seen.
    QGridLayout *grid = nullptr; ///< Of the pages.
    WaitingRow *waiting = nullptr; ///< For heads,
    WorkRow *work = nullptr; ///< for their lines.
    ZoomNote *zoom = nullptr;
    QLabel *footer = nullptr;
    std::shared_ptr<const AttentionInput> input;
    bool lacksRoom = false; ///< For the difference.

    Parts(Document &shownDocument, Selection &sharedSelection)
        : document(shownDocument)
        , selection(sharedSelection)
    {
    }

    [[nodiscard]] LinesCanvas *main() const { return pages.front(); }

    void refresh(QSize room)
    {
        auto content = linesContent(document, fields);
        const QString reason = reasonForBlank(document);
        waiting->setReady(content.has_value() || !reason.isEmpty());
        if (!content) {
            // The old picture stays until the new one is ready.
            if (!reason.isEmpty() || !input) {
                main()->setContent(std::nullopt, reason.isEmpty() ? waitingWords(document) : reason);
                for (std::size_t page = 1; page < pages.size(); ++page) {
                    pages[page]->hide();
                    pages[page]->clear();
                }
                zoom->setWords({});
            }
            return;
        }
        if (content->input != input)
            selection.follow(document.input(), document.head().block);
        input = content->input;
        zoomTo(*content, selection.visible());
        main()->setContent(std::move(content));
        refreshOthers(room);
        describe();
    }

    /// @p room: of the pages.
    void refreshOthers(QSize room)
    {
        lacksRoom = false;
        const LinesLayout &layout = main()->scene().layout;
        const bool fitsBeside = room.width() >= static_cast<double>(pages.size()) * layout.leastWidth;
        const bool fitsBelow = room.width() >= 2.0 * layout.leastWidth && room.height() >= 2.0 * layout.leastHeight;
        for (std::size_t page = 1; page < pages.size(); ++page) {
            auto content = linesContent(document, fields, sides[page]);
            bool isShown = content.has_value();
            if (isShown && sides[page] == Side::Difference) {
                const bool isWanted = document.session().view.showsDifference;
                lacksRoom = isWanted && !fitsBeside && !fitsBelow;
                isShown = isWanted && !lacksRoom;
                grid->addWidget(pages[page], fitsBeside ? 0 : 1, fitsBeside ? 2 : 0, 1, fitsBeside ? 1 : 2);
            }
            if (isShown) {
                zoomTo(*content, selection.visible());
                pages[page]->setContent(std::move(content));
            } else {
                pages[page]->clear();
            }
            pages[page]->setVisible(isShown);
        }
        // A column that is stretched takes room even where its page is hidden.
        const bool isThird = !pages[2]->isHidden();
        grid->setColumnStretch(1, pages[1]->isHidden() ? 0 : 1);
        grid->setColumnStretch(2, isThird && fitsBeside ? 1 : 0);
        grid->setRowStretch(1, isThird && !fitsBeside ? 1 : 0);
    }

    void stop()
    {
        for (LinesCanvas *page : pages)
            page->stopRows();
    }

    void resume()
    {
        for (LinesCanvas *page : pages)
            page->resumeRows();
    }

    /// How far the lines of all pages are.
    void followWork()
    {
        Index there = 0;
        Index all = 0;
        bool isRunning = false;
        for (const LinesCanvas *page : pages) {
            const auto [rows, of] = page->rows().progress();
            there += rows;
            all += of;
            isRunning |= page->rows().isRunning();
        }
        if (there == all) {
            work->rest();
        } else if (isRunning) {
            work->run(LinesView::tr("Computing the lines of %1 rows…").arg(readout::counted(all)));
            work->setProgress(static_cast<double>(there) / static_cast<double>(all));
        } else {
            work->offer(LinesView::tr("Stopped: the lines of %1 of %2 rows are there.").arg(readout::counted(there), readout::counted(all)),
                LinesView::tr("Continue"));
        }
    }

    void describe()
    {
        followWork();
        if (main()->scene().content.heads.empty())
            return;
        QStringList sentences;
        QStringList outOfSight;
        for (const LinesCanvas *page : pages) {
            const LinesScene &scene = page->scene();
            if (page->isHidden() || scene.content.heads.empty())
                continue;
            const auto say = [&](QStringList &said, const QString &text) {
                if (!text.isEmpty())
                    said.push_back(scene.content.sideTitle.isEmpty() ? text : scene.content.sideTitle + QStringLiteral(" – ") + text);
            };
            say(sentences, hiddenText(scene.content, scene.ends, page->lines(), HiddenThings::Lines, !page->rows().isRunning()));
            say(outOfSight, outOfSightText(scene.content, scene.ends));
        }
        if (lacksRoom)
            sentences.push_back(LinesView::tr("the difference (D) needs a larger window"));
        const LinesContent &content = main()->scene().content;
        sentences.append(content.notes);
        footer->setText(sentences.join(QStringLiteral("  ·  ")));
        footer->setVisible(!sentences.isEmpty());
        zoom->setWords(zoomWords({ content.queries, content.keys }, content.block()), outOfSight);
    }
};

LinesView::LinesView(Document &document, Selection &selection, QWidget *parent)
    : DocumentView(document, selection, parent)
    , m_parts(std::make_unique<Parts>(document, selection))
{
    m_parts->bar = new LinesBar(document, selection);
    m_parts->grid = new QGridLayout;
    m_parts->grid->setContentsMargins({});
    m_parts->grid->setSpacing(0);
    m_parts->grid->setRowStretch(0, 1);
    m_parts->grid->setColumnStretch(0, 1);
    for (LinesCanvas *&page : m_parts->pages) {
        page = new LinesCanvas(selection);
        page->setVisible(page == m_parts->main());
        const int place = static_cast<int>(&page - m_parts->pages.data());
        m_parts->grid->addWidget(page, 0, place);
        connect(page, &LinesCanvas::hiddenChanged, this, [this] { m_parts->describe(); });
        for (const LinesCanvas *other : m_parts->pages) {
            if (!other || other == page)
                continue;
            connect(page->verticalScrollBar(), &QScrollBar::valueChanged, other->verticalScrollBar(), &QScrollBar::setValue);
            connect(other->verticalScrollBar(), &QScrollBar::valueChanged, page->verticalScrollBar(), &QScrollBar::setValue);
        }
    }
    m_parts->waiting = new WaitingRow(document);
    m_parts->work = new WorkRow;
    connect(m_parts->work, &WorkRow::cancelRequested, this, [this] { m_parts->stop(); });
    connect(m_parts->work, &WorkRow::computeRequested, this, [this] { m_parts->resume(); });
    m_parts->zoom = new ZoomNote(selection);
    m_parts->footer = makeFooter();
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->setSpacing(0);
    column->addWidget(m_parts->bar);
    column->addWidget(m_parts->waiting);
    column->addWidget(m_parts->work);
    column->addLayout(m_parts->grid, 1);
    column->addWidget(m_parts->zoom);
    column->addWidget(m_parts->footer);
    setFocusProxy(m_parts->main());
    connect(&selection, &Selection::visibleChanged, this, &LinesView::refreshIfSeen);
}

LinesView::~LinesView() = default;

void LinesView::zoomIn()
{
    m_parts->main()->zoomIn();
}

void LinesView::zoomOut()
{
    m_parts->main()->zoomOut();
}

QSize LinesView::room() const
{
    int height = this->height() - m_parts->bar->height();
    for (const QWidget *row : { static_cast<QWidget *>(m_parts->waiting), static_cast<QWidget *>(m_parts->work),
             static_cast<QWidget *>(m_parts->zoom), static_cast<QWidget *>(m_parts->footer) })
        height -= row->isHidden() ? 0 : row->height();
    return { width(), height };
}

void LinesView::refresh()
{
    m_parts->refresh(room());
}

void LinesView::resizeEvent(QResizeEvent *event)
{
    DocumentView::resizeEvent(event);
    if (isVisible() && !m_parts->main()->scene().content.heads.empty()) {
        m_parts->refreshOthers(room());
        m_parts->describe();
    }
}

} // namespace attenscope
