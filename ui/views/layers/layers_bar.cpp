// SPDX-License-Identifier: GPL-3.0-or-later
// Choosing what is shown across layers.
#include "views/layers/layers_bar.h"

#include "state/icons.h"
#include "views/head_selector.h"
#include "views/menu_button.h"
#include "views/tokens_button.h"

#include <QActionGroup>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>

#include <algorithm>
#include <array>

namespace attenscope {

namespace {

struct Segment {
    LayersShown shown;
    const char *text;
    const char *tip;
    const char *place;
};

constexpr std::array segments{
    Segment{ LayersShown::Rollout, QT_TRANSLATE_NOOP("attenscope::LayersBar", "Rollout"),
        QT_TRANSLATE_NOOP("attenscope::LayersBar",
            "How much of each input position is in each position above, if every layer is half the mean over its heads and half the "
            "residual "
            "connection: their product. Abnar & Zuidema 2020."),
        "first" },
    Segment{ LayersShown::Flow, QT_TRANSLATE_NOOP("attenscope::LayersBar", "Flow"),
        QT_TRANSLATE_NOOP("attenscope::LayersBar",
            "The most that can flow from a position above to each input position, with half the mean over the heads of each layer and half "
            "the "
            "residual connection as capacities. Abnar & Zuidema 2020."),
        "middle" },
    Segment{ LayersShown::Similarity, QT_TRANSLATE_NOOP("attenscope::LayersBar", "Head similarity"),
        QT_TRANSLATE_NOOP("attenscope::LayersBar", "Mean Jensen-Shannon divergence of every two heads. Clark et al. 2019."), "middle" },
    Segment{ LayersShown::Embedding, QT_TRANSLATE_NOOP("attenscope::LayersBar", "Embedding"),
        QT_TRANSLATE_NOOP("attenscope::LayersBar", "Heads as points, as far apart as they differ. Clark et al. 2019."), "last" },
};

} // namespace

LayersBar::LayersBar(Document &document, Selection &selection, QWidget *parent)
    : ViewBar(parent)
    , m_document(document)
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(16, 8, 16, 8);
    row->setSpacing(8);
    auto *choice = new QHBoxLayout;
    choice->setSpacing(0);
    for (const Segment &segment : segments) {
        auto *button = new QToolButton;
        button->setText(tr(segment.text));
        button->setToolTip(tr(segment.tip));
        button->setToolButtonStyle(Qt::ToolButtonTextOnly);
        button->setCheckable(true);
        button->setProperty("segment", segment.place);
        connect(button, &QToolButton::clicked, this, [this, shown = segment.shown] {
            Session next = m_document.session();
            next.view.layersShown = shown;
            m_document.edit(std::move(next), tr("change what is shown across layers"));
            refresh();
        });
        choice->addWidget(button);
        m_segments.push_back(button);
    }
    row->addLayout(choice);
    m_upTo = menuButton(tr("The last layer that is taken"), [this](QMenu *menu) { fillLayers(menu); });
    row->addWidget(m_upTo);
    row->addStretch(1);
    row->addWidget(new HeadSelector(document, HeadSelector::Offers::Blocks));
    m_fit = new QToolButton;
    m_fit->setIcon(icon(QStringLiteral("fit")));
    m_fit->setAutoRaise(true);
    m_fit->setText(tr("Fit"));
    m_fit->setToolButtonStyle(Qt::ToolButtonIconOnly);
    m_fit->setToolTip(tr("Show the whole map (0)"));
    QSizePolicy policy = m_fit->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    m_fit->setSizePolicy(policy);
    connect(m_fit, &QToolButton::clicked, this, &LayersBar::fitRequested);
    row->addWidget(new TokensButton(m_document, selection));
    row->addWidget(m_fit);
    refresh();
}

void LayersBar::refresh()
{
    const ViewState &view = m_document.session().view;
    for (std::size_t place = 0; place < segments.size(); ++place)
        m_segments[place]->setChecked(segments[place].shown == view.layersShown);
    const int last = m_document.block().layers - 1;
    const bool takesLayers = view.layersShown == LayersShown::Rollout || view.layersShown == LayersShown::Flow;
    m_upTo->setVisible(takesLayers && last > 0);
    m_upTo->setText(view.layersUpTo < 0 || view.layersUpTo >= last ? tr("All layers") : tr("Layers 0 to %1").arg(view.layersUpTo));
    m_fit->setVisible(view.layersShown != LayersShown::Embedding);
}

void LayersBar::fillLayers(QMenu *menu)
{
    auto *group = new QActionGroup(menu);
    const int last = m_document.block().layers - 1;
    const int chosen = m_document.session().view.layersUpTo;
    const auto add = [&](const QString &text, int upTo, bool isChosen) {
        addChoice(menu, group, text, isChosen, [this, upTo] {
            Session next = m_document.session();
            next.view.layersUpTo = upTo;
            m_document.edit(std::move(next), tr("change the last layer"));
        });
    };
    add(tr("All layers"), -1, chosen < 0 || chosen >= last);
    for (int layer = 0; layer < last; ++layer)
        add(layer == 0 ? tr("Layer 0 alone") : tr("Layers 0 to %1").arg(layer), layer, chosen == layer);
}

} // namespace attenscope
