// SPDX-License-Identifier: GPL-3.0-or-later
// MainWindow: the gallery, presets and the mask editor as actions.
#include "window/main_window.h"

#include "panels/mechanism/gallery.h"
#include "panels/mechanism/mechanism_edit.h"
#include "panels/mechanism/mechanism_panel.h"
#include "window/mask_control.h"

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
            [this, &preset](bool) { usePreset(m_document, preset); },
            preset.group == PresetGroup::Whole ? tr("Presets") : groupTitle(preset.group), true });
        if (preset.group == PresetGroup::Whole)
            m_actions->add({ compareId(preset), MenuId::Compare, menuText(preset), {}, {}, tipOf(preset), false, false,
                [this, &preset](bool) { compareWithPreset(preset); }, tr("With a preset"), true });
    }
}

void MainWindow::compareWithPreset(const Preset &preset)
{
    const AppliedPreset result = applied(preset, m_document.session(), m_document.block());
    m_masks->compareWith(result.session.mechanism, tr("compare with %1").arg(QString::fromStdString(preset.name)));
}

void MainWindow::updatePresetActions()
{
    const bool isRecorded = m_document.block().isRecorded();
    const QString reason = tr("Recorded weights cannot be computed anew");
    for (const Preset &preset : presets()) {
        m_actions->setEnabled(useId(preset), !isRecorded || preset.group == PresetGroup::Mask, reason);
        if (preset.group == PresetGroup::Whole)
            m_actions->setEnabled(compareId(preset), !isRecorded, reason);
    }
    (*m_actions)[QStringLiteral("mechanism.paint")]->setChecked(m_selection.isPaintingMask());
}

} // namespace attenscope
