// SPDX-License-Identifier: GPL-3.0-or-later
// MainWindow: what keys do that move through stages, heads and panes, and how the view changes.
#include "window/main_window.h"

#include "state/theme.h"
#include "window/docks.h"
#include "window/message_bar.h"
#include "window/style.h"
#include "window/view_stack.h"

#include <QApplication>

#include <algorithm>
#include <vector>

namespace attenscope {

void MainWindow::editView(const QString &name, const std::function<void(ViewState &)> &change)
{
    Session next = m_document.session();
    change(next.view);
    m_document.edit(std::move(next), name);
    updateActions();
}

void MainWindow::stepStage(int step)
{
    const std::vector<Stage> stages = stagesOf(m_document.block(), m_document.result()->spec);
    const auto now = std::find(stages.begin(), stages.end(), m_document.stage()) - stages.begin();
    const auto next = now + step;
    if (next < 0 || next >= static_cast<std::ptrdiff_t>(stages.size()))
        return;
    editView(tr("change stage"), [stage = stages[static_cast<std::size_t>(next)]](ViewState &view) { view.stage = stage; });
}

void MainWindow::stepHead(int step)
{
    const HeadRef head = m_document.head();
    const AttentionBlock &block = m_document.block();
    const int heads = headCount(block, m_document.result()->spec);
    const int next = head.layer * heads + head.head + step;
    if (heads < 1 || next < 0 || next >= heads * block.layers)
        return;
    m_document.pickHead({ head.block, next / heads, next % heads, head.element });
}

void MainWindow::stepLayer(int step)
{
    HeadRef head = m_document.head();
    head.layer += step;
    if (head.layer >= 0 && head.layer < m_document.block().layers)
        m_document.pickHead(head);
}

void MainWindow::stepPane(int step)
{
    std::vector<std::pair<QWidget *, std::function<void()>>> panes;
    for (Dock *dock : { m_inputDock, m_mechanismDock })
        panes.emplace_back(dock, [dock] { dock->focusContent(); });
    panes.emplace_back(m_views, [this] { m_views->setFocus(Qt::TabFocusReason); });
    for (Dock *dock : { m_headsDock, m_tableDock })
        panes.emplace_back(dock, [dock] { dock->focusContent(); });
    std::erase_if(panes, [](const auto &pane) { return !pane.first->isVisible(); });
    if (panes.empty())
        return;
    const QWidget *focus = QApplication::focusWidget();
    const auto now = std::find_if(
        panes.begin(), panes.end(), [focus](const auto &pane) { return pane.first == focus || pane.first->isAncestorOf(focus); });
    const auto count = static_cast<std::ptrdiff_t>(panes.size());
    const auto next = now == panes.end() ? 0 : (now - panes.begin() + step + count) % count;
    panes[static_cast<std::size_t>(next)].second();
}

void MainWindow::toggleScale()
{
    const bool isLogarithmic = (*m_actions)[QStringLiteral("view.logarithmic")]->isChecked();
    editView(tr("change scale"),
        [isLogarithmic](ViewState &view) { view.scale = isLogarithmic ? ColorScale::Logarithmic : ColorScale::Linear; });
}

void MainWindow::setTheme(ThemeChoice choice)
{
    m_settings.setTheme(choice);
    applyTheme(*qApp, choice);
    updateActions();
}

void MainWindow::escape()
{
    if (m_isPresenting)
        setPresenting(false);
    else if (m_selection.isPaintingMask())
        m_selection.setPaintingMask(false);
    else if (m_messages->isShown())
        m_messages->clear();
    else if (m_demonstration)
        closeDemonstration();
    else
        m_selection.setPicked(std::nullopt);
}

} // namespace attenscope
