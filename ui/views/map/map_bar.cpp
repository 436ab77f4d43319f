// SPDX-License-Identifier: GPL-3.0-or-later
// Stage selector, head selectors, colours, fit.
#include "views/map/map_bar.h"

#include "session/color_table_names.h"
#include "state/icons.h"
#include "state/stage_names.h"
#include "views/head_selector.h"
#include "views/map/map_content.h"
#include "views/menu_button.h"
#include "views/tokens_button.h"

#include <QActionGroup>
#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>

#include <algorithm>

namespace attenscope {

namespace {

constexpr int barPadding = 16;
constexpr int spacing = 8;

QString stageTip(Stage stage)
{
    switch (stage) {
    case Stage::Scores:
        return QObject::tr("What the score function makes of a query and a key. Only differences within a row matter.");
    case Stage::Scaled:
        return QObject::tr("Scores times the scale, usually 1/√d_k.");
    case Stage::Capped:
        return QObject::tr("Scaled scores under the soft cap.");
    case Stage::Biased:
        return QObject::tr("With the bias added.");
    case Stage::Tempered:
        return QObject::tr("Divided by the temperature.");
    case Stage::Masked:
        return QObject::tr("What goes into the softmax: keys that a query may not see are out.");
    case Stage::Weights:
        return QObject::tr("How much of each key's value goes into the query's output.");
    case Stage::ValueWeighted:
        return QObject::tr(
            "Weight times the length of the value vector (after W_O, where that is known): what really arrives. Kobayashi et al. 2020.");
    case Stage::Output:
        return QObject::tr("The weighted sum of values. Columns are dimensions, not keys.");
    }
    return {};
}

} // namespace

MapBar::MapBar(Document &document, Selection &selection, QWidget *parent)
    : ViewBar(parent)
    , m_document(document)
    , m_selection(selection)
{
    m_row = new QHBoxLayout(this);
    m_row->setContentsMargins(barPadding, spacing, barPadding, spacing);
    m_row->setSpacing(spacing);
    m_segments = new QWidget;
    auto *segments = new QHBoxLayout(m_segments);
    segments->setContentsMargins({});
    segments->setSpacing(0);
    m_row->addWidget(m_segments);
    m_stageMenu = addMenuButton(tr("Which stage of the computation is shown (S, Shift+S)"), &MapBar::fillStages);
    m_row->addStretch(1);
    m_row->addWidget(new HeadSelector(m_document, HeadSelector::Offers::CombinedToo));
    m_difference = new QCheckBox(tr("Difference"));
    m_difference->setToolTip(tr("Show the difference of both maps too (D)"));
    connect(m_difference, &QCheckBox::clicked, this,
        [this](bool isOn) { edit(tr("change difference map"), [isOn](ViewState &view) { view.showsDifference = isOn; }); });
    m_row->addWidget(m_difference);
    m_row->addWidget(new TokensButton(m_document, m_selection));
    QToolButton *colors = addMenuButton(tr("Colours, scale and numbers in cells"), &MapBar::fillColors);
    colors->setText(tr("Colours"));
    auto *fit = new QToolButton;
    fit->setIcon(icon(QStringLiteral("fit")));
    fit->setAutoRaise(true);
    fit->setText(tr("Fit"));
    fit->setToolButtonStyle(Qt::ToolButtonIconOnly);
    fit->setToolTip(tr("Show the whole map (0)"));
    connect(fit, &QToolButton::clicked, this, &MapBar::fitRequested);
    m_row->addWidget(fit);
    connect(&m_document, &Document::changed, this, &MapBar::refresh);
    connect(&m_document, &Document::resultChanged, this, &MapBar::refresh);
    refresh();
}

QToolButton *MapBar::addMenuButton(const QString &tip, void (MapBar::*fill)(QMenu *))
{
    QToolButton *button = menuButton(tip, [this, fill](QMenu *menu) { (this->*fill)(menu); });
    m_row->addWidget(button);
    return button;
}

template <typename Change>
void MapBar::edit(const QString &name, Change change)
{
    Session next = m_document.session();
    change(next.view);
    m_document.edit(std::move(next), name);
}

void MapBar::chooseStage(Stage stage)
{
    edit(tr("change stage"), [stage](ViewState &view) { view.stage = stage; });
    refresh();
}

void MapBar::refresh()
{
    const AttentionBlock &block = m_document.block();
    const AttentionSpec &spec = m_document.result()->spec;
    const HeadRef head = m_document.head();
    const std::vector<Stage> stages = stagesOf(block, spec);
    const bool hasProjection = hasOutputProjection(block, head.layer);
    if (stages != m_stages || hasProjection != m_hasOutputProjection) {
        m_hasOutputProjection = hasProjection;
        rebuildStages(stages);
    }
    const Stage shown = m_document.stage();
    for (std::size_t index = 0; index < m_stages.size(); ++index)
        m_stageButtons[index]->setChecked(m_stages[index] == shown);
    m_stageMenu->setText(stageTitle(shown, m_hasOutputProjection));

    m_difference->setVisible(m_document.session().comparison.has_value());
    m_difference->setChecked(m_document.session().view.showsDifference);
    arrange();
}

void MapBar::rebuildStages(const std::vector<Stage> &stages)
{
    for (QToolButton *button : m_stageButtons) {
        // One of them may be the sender.
        button->hide();
        button->deleteLater();
    }
    m_stageButtons.clear();
    m_stages = stages;
    for (std::size_t index = 0; index < stages.size(); ++index) {
        const Stage stage = stages[index];
        auto *button = new QToolButton;
        button->setText(stageTitle(stage, m_hasOutputProjection));
        button->setToolButtonStyle(Qt::ToolButtonTextOnly);
        button->setCheckable(true);
        button->setProperty("segment", stages.size() == 1 ? "only" : index == 0 ? "first" : index + 1 == stages.size() ? "last" : "middle");
        button->setToolTip(stageTip(stage));
        connect(button, &QToolButton::clicked, this, [this, stage] { chooseStage(stage); });
        button->installEventFilter(this);
        m_segments->layout()->addWidget(button);
        // At once, so that arrange() can ask how wide it is.
        button->show();
        m_stageButtons.push_back(button);
    }
}

bool MapBar::eventFilter(QObject *watched, QEvent *event)
{
    const auto button = std::find(m_stageButtons.begin(), m_stageButtons.end(), watched);
    if (event->type() == QEvent::Enter && button != m_stageButtons.end())
        m_selection.setHoveredStage(m_stages[static_cast<std::size_t>(button - m_stageButtons.begin())]);
    else if (event->type() == QEvent::Leave || event->type() == QEvent::Hide)
        m_selection.setHoveredStage(std::nullopt);
    return QWidget::eventFilter(watched, event);
}

void MapBar::arrange()
{
    int others = 0;
    for (int index = 0; index < m_row->count(); ++index) {
        const QWidget *widget = m_row->itemAt(index)->widget();
        if (widget && widget != m_segments && widget != m_stageMenu && !widget->isHidden())
            others += widget->sizeHint().width() + spacing;
    }
    // Right after "Weights" its first word can be left out.
    const auto setShort = [this](bool isShort) {
        for (std::size_t index = 0; index < m_stages.size(); ++index) {
            if (m_stages[index] != Stage::ValueWeighted)
                continue;
            const QString title = stageTitle(m_stages[index], m_hasOutputProjection);
            m_stageButtons[index]->setText(isShort ? title.sliced(title.indexOf(u'×')) : title);
        }
    };
    const auto fitsNow = [&] {
        m_segments->layout()->activate();
        return m_segments->sizeHint().width() + others + 2 * barPadding <= width();
    };
    setShort(false);
    bool fits = fitsNow();
    if (!fits) {
        setShort(true);
        fits = fitsNow();
    }
    m_segments->setVisible(fits);
    m_stageMenu->setVisible(!fits);
}

void MapBar::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    arrange();
}

QSize MapBar::minimumSizeHint() const
{
    // The stages can be listed by a button.
    const int row = QWidget::minimumSizeHint().width() - (m_segments->isHidden() ? 0 : m_segments->minimumSizeHint().width());
    return { row, QWidget::minimumSizeHint().height() };
}

void MapBar::fillStages(QMenu *menu)
{
    auto *group = new QActionGroup(menu);
    for (const Stage stage : m_stages) {
        QAction *action = addChoice(
            menu, group, stageTitle(stage, m_hasOutputProjection), stage == m_document.stage(), [this, stage] { chooseStage(stage); });
        action->setToolTip(stageTip(stage));
        connect(action, &QAction::hovered, this, [this, stage] { m_selection.setHoveredStage(stage); });
    }
    menu->installEventFilter(this);
}

void MapBar::fillColors(QMenu *menu)
{
    const ViewState view = m_document.session().view;
    const Stage stage = m_document.stage();
    menu->setToolTipsVisible(true);
    const auto addTitle = [menu](const QString &text) { menu->addSection(text); };
    const auto addGroup
        = [&](const QString &title, const auto &entries, auto current, auto member, const QString &undoName, const auto &reasonOff) {
              addTitle(title);
              auto *group = new QActionGroup(menu);
              for (const auto &[text, number] : entries) {
                  const auto chosen = number;
                  QAction *action = addChoice(menu, group, text, chosen == current,
                      [this, undoName, member, chosen] { edit(undoName, [member, chosen](ViewState &next) { next.*member = chosen; }); });
                  if (const QString reason = reasonOff(chosen); !reason.isEmpty()) {
                      action->setEnabled(false);
                      action->setToolTip(reason);
                  }
              }
          };
    const auto diverges = [stage](auto) { return isDiverging(stage) ? tr("This stage has numbers on both sides of zero.") : QString(); };
    std::vector<std::pair<QString, ColorTable>> tables;
    for (const std::string_view name : colorTableNames) {
        QString text = QLatin1String(name.data());
        text.front() = text.front().toUpper();
        tables.emplace_back(text, static_cast<ColorTable>(tables.size()));
    }
    addGroup(tr("Colours"), tables, view.colors, &ViewState::colors, tr("change colours"), diverges);
    addGroup(tr("Scale"),
        std::initializer_list<std::pair<QString, ColorScale>>{ { tr("Automatic: logarithmic above 128 keys"), ColorScale::Automatic },
            { tr("Linear"), ColorScale::Linear }, { tr("Logarithmic"), ColorScale::Logarithmic } },
        view.scale, &ViewState::scale, tr("change scale"), diverges);
    addGroup(tr("Range"),
        std::initializer_list<std::pair<QString, ColorRange>>{
            { stage == Stage::Weights ? tr("0 to 1 for all heads") : tr("One for all heads of the layer"), ColorRange::Shared },
            { tr("Own range of this map"), ColorRange::Own }, { tr("Each row up to its largest weight"), ColorRange::Row } },
        view.range, &ViewState::range, tr("change colour range"), [&](ColorRange range) {
            if (range == ColorRange::Own && m_document.session().comparison)
                return tr("Maps that are compared share one range.");
            return range == ColorRange::Row && stage != Stage::Weights ? tr("Only weights have rows that share 1.") : QString();
        });
    addGroup(tr("Where a pixel has several cells"),
        std::initializer_list<std::pair<QString, Fold>>{ { tr("Largest"), Fold::Max }, { tr("Mean"), Fold::Mean } }, view.fold,
        &ViewState::fold, tr("change folding"), [](Fold) { return QString(); });
    menu->addSeparator();
    addChoice(menu, nullptr, tr("Numbers in cells, where they fit"), view.numbers == CellNumbers::WhenTheyFit, [this] {
        edit(tr("change numbers in cells"),
            [](ViewState &next) { next.numbers = next.numbers == CellNumbers::Never ? CellNumbers::WhenTheyFit : CellNumbers::Never; });
    });
}

} // namespace attenscope
