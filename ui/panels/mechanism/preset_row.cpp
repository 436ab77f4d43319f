// SPDX-License-Identifier: GPL-3.0-or-later
// The presets in a box, with notes and offers under it.
#include "panels/mechanism/preset_row.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QListView>
#include <QStandardItemModel>

namespace attenscope {

namespace {

/// The entry above the presets that says what is not one of them.
constexpr int stateEntry = 0;

std::vector<const Preset *> wholePresets()
{
    std::vector<const Preset *> whole;
    for (const Preset &preset : presets())
        if (preset.group == PresetGroup::Whole)
            whole.push_back(&preset);
    return whole;
}

/// In one line under the box.
QString shortPaper(const Preset &preset)
{
    return QStringLiteral("%1 %2").arg(QString::fromStdString(preset.paper)).arg(preset.year);
}

} // namespace

PresetRow::PresetRow(QWidget *parent)
    : LabelledRow(tr("Preset"), choiceBox({}), parent)
    , m_box(findChild<QComboBox *>())
{
    m_box->setObjectName(QStringLiteral("preset"));
    m_box->addItem(QString());
    for (const Preset *preset : wholePresets()) {
        m_box->addItem(QString::fromStdString(preset->name));
        m_box->setItemData(m_box->count() - 1, QString::fromStdString(preset->sentence), Qt::ToolTipRole);
    }
    m_box->insertSeparator(m_box->count());
    m_box->addItem(tr("Gallery…"));
    setHelp(tr("A mechanism that a paper or a model made known. The gallery has all parts with their formulas and papers."));
    auto *links = new QVBoxLayout;
    links->setContentsMargins(labelColumn, 0, 0, 0);
    links->setSpacing(0);
    m_linkColumn = links;
    // Under the notes.
    auto *column = static_cast<QBoxLayout *>(layout());
    column->addLayout(links);
    column->addStretch(1);
    fitList(*m_box);
    connect(m_box, &QComboBox::activated, this, [this](int entry) {
        const std::vector<const Preset *> whole = wholePresets();
        if (entry == m_box->count() - 1)
            emit galleryRequested();
        else if (entry > stateEntry && entry <= static_cast<int>(whole.size()))
            emit chosen(*whole[static_cast<std::size_t>(entry - 1)]);
    });
}

void PresetRow::show(const Session &session, const AttentionBlock &block)
{
    const PresetState state = presetOf(session, block);
    const std::vector<const Preset *> whole = wholePresets();
    const auto place = std::find(whole.begin(), whole.end(), state.preset);
    const bool isOne = state.preset && !state.isChanged;
    // What is shown for a mechanism that is none of them cannot be chosen.
    const QString name = state.preset ? QString::fromStdString(state.preset->name) : tr("own settings");
    m_box->setItemText(stateEntry, name);
    if (auto *model = qobject_cast<QStandardItemModel *>(m_box->model()))
        model->item(stateEntry)->setEnabled(false);
    if (auto *list = qobject_cast<QListView *>(m_box->view()))
        list->setRowHidden(stateEntry, isOne);
    m_box->setCurrentIndex(isOne ? 1 + static_cast<int>(place - whole.begin()) : stateEntry);

    // In a line of its own: names are as long as the box.
    QStringList notes{ !state.preset ? tr("none of the presets") : isOne ? shortPaper(*state.preset) : tr("changed") };
    m_offers.clear();
    if (isOne) {
        AppliedPreset result = applied(*state.preset, session, block);
        for (const std::string &note : result.notes)
            notes << QString::fromStdString(note);
        m_offers = std::move(result.offers);
    }
    setNote(notes.join(QLatin1Char('\n')));
    // What was said of the preset goes when it is edited; the controls below stay where they are.
    const bool isSame = state.preset && state.preset == m_shown;
    m_shown = state.preset;
    setMinimumHeight(isSame && state.isChanged ? std::max(minimumHeight(), height()) : 0);
    while (m_links.size() < m_offers.size()) {
        const std::size_t link = m_links.size();
        auto *button = new LinkButton({}, this);
        connect(button, &LinkButton::clicked, this, [this, link] {
            // The row is shown anew by what follows.
            const PresetOffer offer = m_offers.at(link);
            emit offerTaken(offer);
        });
        m_linkColumn->addWidget(button, 0, Qt::AlignLeft);
        m_links.push_back(button);
    }
    for (std::size_t link = 0; link < m_links.size(); ++link) {
        m_links[link]->setVisible(link < m_offers.size());
        if (link < m_offers.size())
            m_links[link]->setText(QString::fromStdString(m_offers[link].label));
    }
}

} // namespace attenscope
