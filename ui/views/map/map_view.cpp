// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps bar, maps and table as the document has them.
#include "views/map/map_view.h"

#include "views/map/compare_table.h"
#include "views/map/map_bar.h"
#include "views/map/map_interaction.h"
#include "views/map/map_menu.h"
#include "views/map/map_plot.h"
#include "views/map/map_progress.h"
#include "views/map/map_range.h"
#include "views/map/mask_painter.h"

#include <QFontInfo>
#include <QVBoxLayout>

#include <algorithm>

namespace attenscope {

namespace {

constexpr double buttonStep = 1.5;
/// What lengths are drawn for: 13 is the size of body text.
constexpr double bodyPixels = 13.0;
/// Notes are 12 and have to be 17 while presenting.
constexpr double presentingScale = 17.0 / 12.0;

} // namespace

struct MapView::Parts {
    Parts(Document &shownDocument, Selection &sharedSelection)
        : document(shownDocument)
        , selection(sharedSelection)
    {
    }

    Document &document;
    Selection &selection;
    TileCache tiles;
    RangeCache ranges;
    MapBar *bar = nullptr;
    MapPlot *plot = nullptr;
    MapInteraction *interaction = nullptr;
    CompareTable *table = nullptr;
    MapProgress *progress = nullptr;
    bool isPresenting = false;
    bool isReady = false; ///< What the document asks for can be drawn.

    void refresh()
    {
        if (const QString reason = reasonForBlank(document); !reason.isEmpty()) {
            showBlank(reason);
            return;
        }
        const auto source = [this](const std::vector<MapFieldPtr> &fields) { return ranges.range(fields); };
        const auto content = mapContent(document, source);
        // The old picture stays until the new one is ready.
        isReady = content.has_value();
        followProgress();
        if (!content || *content == plot->content())
            return;
        if (content->input != plot->content().input)
            selection.follow(document.input(), document.head().block);
        plot->setContent(*content);
        followProgress();
        interaction->followContent();
        table->setContent(*content);
        showTable();
    }

    void showBlank(const QString &reason)
    {
        MapContent blank;
        blank.notice = reason;
        isReady = true;
        followProgress();
        plot->setContent(blank);
        interaction->followContent();
        table->hide();
    }

    /// On a projector the readout has the numbers, and the maps the room.
    void showTable() { table->setVisible(plot->content().panels.size() > 1 && !isPresenting); }

    void followFont(const QFont &font)
    {
        plot->setScaleFactor(isPresenting ? presentingScale : std::max(1.0, QFontInfo(font).pixelSize() / bodyPixels));
        plot->setPadding(isPresenting ? MapStyle::leastPadding : MapStyle().padding);
    }

    void followProgress()
    {
        const auto &panels = plot->content().panels;
        const bool isPreview = std::any_of(panels.begin(), panels.end(),
            [](const MapPanel &panel) { return panel.field->isEstimate(TileCache::topLevel(panel.field->rows(), panel.field->cols())); });
        const bool isLacking = !(isReady && document.isCurrent() && !isPreview);
        progress->setWaiting(document.isComputing() && isLacking);
        progress->setStopped(document.isStopped() && isLacking);
    }
};

MapView::MapView(Document &document, Selection &selection, QWidget *parent)
    : QWidget(parent)
    , m_parts(std::make_unique<Parts>(document, selection))
{
    m_parts->bar = new MapBar(document, selection);
    m_parts->plot = new MapPlot(&m_parts->tiles);
    m_parts->interaction = new MapInteraction(*m_parts->plot, selection);
    m_parts->table = new CompareTable(selection);
    m_parts->progress = new MapProgress(document, m_parts->plot);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->setSpacing(0);
    column->addWidget(m_parts->bar);
    column->addWidget(m_parts->plot, 1);
    column->addWidget(m_parts->table);
    m_parts->table->hide();
    setFocusProxy(m_parts->plot);

    const auto refresh = [this] { m_parts->refresh(); };
    connect(&document, &Document::changed, this, refresh);
    connect(&document, &Document::resultChanged, this, refresh);
    connect(&document, &Document::progressChanged, this, [this] { m_parts->followProgress(); });
    connect(&m_parts->ranges, &RangeCache::ready, this, refresh);
    connect(m_parts->bar, &MapBar::fitRequested, this, &MapView::fit);
    connect(m_parts->progress, &MapProgress::slow, m_parts->plot, &MapPlot::setComputing);
    auto *painter = new MaskPainter(document, this);
    connect(m_parts->interaction, &MapInteraction::strokeBegan, painter, &MaskPainter::begin);
    connect(m_parts->interaction, &MapInteraction::strokeMoved, painter, &MaskPainter::drawTo);
    connect(m_parts->interaction, &MapInteraction::strokeEnded, painter, &MaskPainter::end);
    connect(m_parts->interaction, &MapInteraction::menuRequested, this,
        [this](const QPoint &position) { showMapMenu(m_parts->plot->content(), m_parts->document, m_parts->selection, position, this); });
    m_parts->refresh();
}

MapView::~MapView() = default;

void MapView::zoomIn()
{
    m_parts->interaction->zoomBy(buttonStep);
}

void MapView::zoomOut()
{
    m_parts->interaction->zoomBy(1.0 / buttonStep);
}

void MapView::fit()
{
    m_parts->interaction->fit();
}

void MapView::setPresenting(bool isPresenting)
{
    m_parts->isPresenting = isPresenting;
    m_parts->bar->setVisible(!isPresenting);
    m_parts->showTable();
    m_parts->followFont(font());
}

void MapView::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::FontChange)
        m_parts->followFont(font());
    QWidget::changeEvent(event);
}

} // namespace attenscope
