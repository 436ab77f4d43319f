// SPDX-License-Identifier: GPL-3.0-or-later
// MainWindow: the gallery, presets and the mask editor as actions.
#include "window/main_window.h"

#include "panels/mechanism/gallery.h"
#include "panels/mechanism/mechanism_edit.h"
#include "panels/mechanism/mechanism_panel.h"
#include "window/mask_control.h"
#include "window/message_bar.h"

namespace attenscope {

namespace {

QString useId(const Preset &preset)
{
    return QStringLiteral("use.") + QString::fromStdString(preset.id);
}

QString compareId(const Preset &preset)
{
    return QStringLiteral("compare.preset.") + QString::fromStdString(preset.id);
}

/// "ALiBi (BLOOM)" for a menu, where & marks a key.
QString menuText(const Preset &preset)
{
    return QString::fromStdString(preset.name).replace(QLatin1Char('&'), QStringLiteral("&&"));
}

QString tipOf(const Preset &preset)
{
    const QString paper = paperText(preset);
    return QString::fromStdString(preset.sentence) + (paper.isEmpty() ? QString() : QLatin1Char('\n') + paper);
}

} // namespace

void MainWindow::addPresetActions()
{
    m_actions->add({ "mechanism.gallery", MenuId::Mechanism, tr("&Gallery of mechanisms…"), { Qt::CTRL | Qt::Key_G }, {},
        tr("Every mechanism with its formula and its paper"), false, true, [this](bool) { m_mechanismPanel->showGallery(); } });
    m_actions->add({ "mechanism.paint", MenuId::Mechanism, tr("&Edit the mask on the map"), {}, {},
        tr("Drag over cells to show and hide keys; Escape ends"), true, false, [this](bool isOn) { m_selection.setPaintingMask(isOn); } });
    for (const Preset &preset : presets()) {
        m_actions->add({ useId(preset), MenuId::Mechanism, menuText(preset), {}, {}, tipOf(preset), false, false,
            [this, &preset](bool) { choosePreset(preset); }, preset.group == PresetGroup::Whole ? tr("Presets") : groupTitle(preset.group),
            true });
        if (preset.group == PresetGroup::Whole)
            m_actions->add({ compareId(preset), MenuId::Compare, menuText(preset), {}, {}, tipOf(preset), false, false,
                [this, &preset](bool) { compareWithPreset(preset); }, tr("With a preset"), true });
    }
}

void MainWindow::choosePreset(const Preset &preset)
{
    const AppliedPreset result = usePreset(m_document, preset);
    // The panel says it of a whole mechanism, where it is to be seen.
    const bool isSaid = result.isUsable && preset.group == PresetGroup::Whole && m_mechanismPanel->isVisible();
    if (result.notes.empty() || isSaid)
        return;
    Error what{ preset.name + (result.isUsable ? " is used." : " is not used."), {}, {}, {} };
    for (const std::string &note : result.notes)
        what.where += (what.where.empty() ? "" : " ") + note;
    std::vector<MessageAction> actions;
    for (const PresetOffer &offer : result.offers)
        actions.push_back({ QString::fromStdString(offer.label), [this, offer] {
                               takeOffer(m_document, offer);
                               m_messages->clear();
                           } });
    m_messages->showMessage({ result.isUsable ? Message::Kind::Notice : Message::Kind::Error, what, {} }, std::move(actions));
}

void MainWindow::compareWithPreset(const Preset &preset)
{
    const AppliedPreset result = applied(preset, m_document.session(), m_document.wholeBlock());
    m_masks->compareWith(result.session.mechanism, tr("compare with %1").arg(QString::fromStdString(preset.name)));
}

void MainWindow::updatePresetActions()
{
    for (const Preset &preset : presets()) {
        QString reason = QString::fromStdString(presetRefusal(preset, m_document.wholeBlock()));
        const bool isOn = reason.isEmpty();
        reason.chop(isOn ? 0 : 1); // a tooltip has no full stop
        m_actions->setEnabled(useId(preset), isOn, reason);
        if (preset.group == PresetGroup::Whole)
            m_actions->setEnabled(compareId(preset), isOn, reason);
    }
    (*m_actions)[QStringLiteral("mechanism.paint")]->setChecked(m_selection.isPaintingMask());
}

} // namespace attenscope
