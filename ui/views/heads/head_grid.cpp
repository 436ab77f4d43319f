// SPDX-License-Identifier: GPL-3.0-or-later
// HeadGrid: the bar, the field of thumbnails, and what stands there for one head alone.
#include "state/icons.h"
#include "state/theme.h"
#include "views/heads/grid_bar.h"
#include "views/heads/head_field.h"
#include "views/heads/heads.h"
#include "views/heads/pattern_rules_dialog.h"

#include <QEvent>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QStackedLayout>
#include <QTimer>
#include <QVBoxLayout>

namespace attenscope {

namespace {

/// Why there is nothing to see, and what to do about it.
class OneHead : public QWidget {
public:
    explicit OneHead(HeadGrid &grid)
        : m_picture(new QLabel)
        , m_button(new QPushButton(icon(QStringLiteral("add")), HeadGrid::tr("Add a head")))
    {
        auto *words = new QLabel(HeadGrid::tr("One head: it is in the middle.\nMore heads would appear here."));
        words->setAlignment(Qt::AlignCenter);
        words->setWordWrap(true);
        words->setForegroundRole(QPalette::PlaceholderText);
        m_picture->setAlignment(Qt::AlignCenter);
        auto *column = new QVBoxLayout(this);
        column->setContentsMargins(16, 16, 16, 16);
        column->setSpacing(16);
        column->addStretch(2);
        column->addWidget(m_picture);
        column->addWidget(words);
        column->addWidget(m_button, 0, Qt::AlignHCenter);
        column->addStretch(3);
        connect(m_button, &QPushButton::clicked, &grid, &HeadGrid::addHeadRequested);
        setAutoFillBackground(true);
        setBackgroundRole(QPalette::Base);
        drawPicture();
    }

    void setCanAdd(bool canAdd) { m_button->setVisible(canAdd); }

protected:
    void changeEvent(QEvent *event) override
    {
        if (event->type() == QEvent::PaletteChange)
            drawPicture();
        QWidget::changeEvent(event);
    }

private:
    void drawPicture()
    {
        m_picture->setPixmap(iconPixmap(QStringLiteral("map"), 32, Theme::of(palette()).maskedHatch, devicePixelRatioF()));
    }

    QLabel *m_picture;
    QPushButton *m_button;
};

} // namespace

struct HeadGrid::Parts {
    Document &document;
    GridBar *bar;
    HeadField *field;
    OneHead *oneHead;
    QStackedLayout *pages;
    HeadList list;
    QTimer later; ///< While heads arrive in quick succession.

    Parts(Document &theDocument, HeadGrid &grid)
        : document(theDocument)
        , bar(new GridBar(document))
        , field(new HeadField(document))
        , oneHead(new OneHead(grid))
        , pages(new QStackedLayout(&grid))
    {
    }
};

HeadGrid::HeadGrid(Document &document, Selection &, QWidget *parent)
    : QWidget(parent)
    , m_parts(std::make_unique<Parts>(document, *this))
{
    auto *several = new QWidget;
    several->setAutoFillBackground(true);
    several->setBackgroundRole(QPalette::Base);
    auto *column = new QVBoxLayout(several);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_parts->bar);
    column->addWidget(m_parts->field, 1);
    m_parts->pages->addWidget(several);
    m_parts->pages->addWidget(m_parts->oneHead);
    setFocusProxy(m_parts->field);
    const auto refresh = [this] {
        Parts &parts = *m_parts;
        parts.later.stop();
        parts.list = listHeads(parts.document);
        parts.pages->setCurrentIndex(parts.list.all == 1 ? 1 : 0);
        parts.oneHead->setCanAdd(!std::holds_alternative<FileSource>(parts.document.session().source));
        parts.bar->follow(parts.list);
        parts.field->refresh(parts.list);
        emit titleNoteChanged();
    };
    constexpr int betweenHeads = 50;
    m_parts->later.setInterval(betweenHeads);
    m_parts->later.setSingleShot(true);
    connect(&m_parts->later, &QTimer::timeout, this, refresh);
    // A thousand heads that arrive one by one need not be laid out a thousand times.
    const auto refreshSoon = [this, refresh] {
        const bool isBusy = m_parts->document.isComputing() || m_parts->document.isSummarizing();
        if (!isBusy || m_parts->list.result->input != m_parts->document.input())
            refresh();
        else if (!m_parts->later.isActive())
            m_parts->later.start();
    };
    connect(&document, &Document::changed, this, [this, refresh](const Session &before, const Session &after) {
        if (before.view.heads != after.view.heads || before.view.head.element != after.view.head.element)
            refresh();
        else
            m_parts->field->follow();
    });
    connect(&document, &Document::resultChanged, this, refreshSoon);
    connect(&document, &Document::summariesChanged, this, refreshSoon);
    connect(&document, &Document::progressChanged, this, refreshSoon);
    connect(m_parts->field, &HeadField::contextMenuRequested, this, [this](const QPoint &point) {
        QMenu menu(this);
        menu.addAction(tr("Pattern &rules…"), this, [this] { PatternRulesDialog::open(m_parts->document, window()); });
        menu.exec(point);
    });
    refresh();
}

HeadGrid::~HeadGrid() = default;

QString HeadGrid::titleNote() const
{
    const Document &document = m_parts->document;
    const AttentionResult &result = *document.result();
    const std::size_t all = m_parts->list.all;
    if (result.heads.size() < all) {
        const bool hasStopped = document.hasPicture() && !document.isComputing();
        return (hasStopped ? tr("%1 of %2, stopped") : tr("%1 of %2 ready")).arg(result.heads.size()).arg(all);
    }
    if (m_parts->list.heads.size() < all || document.input()->blocks.size() > 1)
        return m_parts->list.countText();
    const AttentionBlock &block = document.input()->blocks.front();
    const int heads = headCount(block, result.spec);
    const QString headText = heads == 1 ? tr("1 head") : tr("%1 heads").arg(heads);
    const QString layerText = block.layers == 1 ? tr("1 layer") : tr("%1 layers").arg(block.layers);
    return all == 1 ? headText : layerText + QStringLiteral(" × ") + headText;
}

} // namespace attenscope
