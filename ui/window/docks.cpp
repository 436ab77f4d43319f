// SPDX-License-Identifier: GPL-3.0-or-later
// Docks: places, folding and gathering.
#include "window/docks.h"

#include <QEvent>
#include <QMainWindow>
#include <QTabBar>

#include <algorithm>

namespace attenscope {

namespace {

/// Docks of a side that have room enough.
constexpr int mostAboveEachOther = 2;
/// Of stored layouts: another number for other docks.
constexpr int layoutVersion = 1;

/// Of the height, for the upper dock, in percent.
int defaultShare(DockSide side)
{
    return side == DockSide::Left ? 45 : 56;
}

} // namespace

Docks::Docks(QMainWindow *window, std::vector<Dock *> left, std::vector<Dock *> right)
    : QObject(window)
    , m_window(window)
    , m_docks{ std::move(left), std::move(right) }
{
    m_window->setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    for (const DockSide side : { DockSide::Left, DockSide::Right }) {
        auto *rail = new Rail(side, m_window);
        m_rails[index(side)] = rail;
        connect(rail, &Rail::clicked, this, [this, side](int entry) { focus(onRail(side)[static_cast<std::size_t>(entry)]); });
    }
    m_window->installEventFilter(this);
    place();
}

bool Docks::eventFilter(QObject *watched, QEvent *event)
{
    // The window makes the tab bars of docks itself, and cuts their titles until two of them read alike.
    if (event->type() == QEvent::ChildPolished) {
        if (auto *tabs = qobject_cast<QTabBar *>(static_cast<QChildEvent *>(event)->child())) {
            tabs->setElideMode(Qt::ElideNone);
            tabs->setUsesScrollButtons(true);
        }
    }
    return QObject::eventFilter(watched, event);
}

std::vector<Dock *> Docks::onRail(DockSide side) const
{
    std::vector<Dock *> docks = m_docks[index(side)];
    if (m_isGathered && side == DockSide::Left)
        docks.insert(docks.end(), m_docks[1].begin(), m_docks[1].end());
    std::erase_if(docks, [this](Dock *dock) { return !isThere(dock); });
    return docks;
}

void Docks::place()
{
    for (const DockSide side : { DockSide::Left, DockSide::Right }) {
        const auto area = side == DockSide::Left ? Qt::LeftDockWidgetArea : Qt::RightDockWidgetArea;
        for (Dock *dock : m_docks[index(side)])
            m_window->addDockWidget(area, dock, Qt::Vertical);
    }
}

void Docks::arrange()
{
    if (!isPlain())
        return;
    m_window->resizeDocks(
        { firstThere(DockSide::Left), firstThere(DockSide::Right) }, { m_leftWidth, m_rightWidths[m_isWide ? 1 : 0] }, Qt::Horizontal);
    for (const DockSide side : { DockSide::Left, DockSide::Right })
        setShare(side, defaultShare(side));
}

void Docks::setWide(bool isWide)
{
    if (m_isWide == isWide)
        return;
    m_rightWidths = rightWidths();
    // In a narrow window the right side takes some of its width from the left one, which gets that back.
    m_leftWidth = isWide ? openWidth(DockSide::Left, m_leftWidth) : std::max(m_leftWidth, openWidth(DockSide::Left, m_leftWidth));
    m_isWide = isWide;
    if (isPlain())
        m_window->resizeDocks(
            { firstThere(DockSide::Left), firstThere(DockSide::Right) }, { m_leftWidth, m_rightWidths[m_isWide ? 1 : 0] }, Qt::Horizontal);
}

int Docks::openWidth(DockSide side, int otherwise) const
{
    const auto &docks = m_docks[index(side)];
    const auto open = std::find_if(docks.begin(), docks.end(), [](const Dock *dock) { return dock->isVisible(); });
    return isPlain() && open != docks.end() ? (*open)->width() : otherwise;
}

std::array<int, 2> Docks::rightWidths() const
{
    std::array<int, 2> widths = m_rightWidths;
    int &width = widths[m_isWide ? 1 : 0];
    width = openWidth(DockSide::Right, width);
    return widths;
}

void Docks::setRightWidths(const std::array<int, 2> &widths)
{
    m_rightWidths = widths;
    if (isPlain())
        m_window->resizeDocks({ firstThere(DockSide::Right) }, { m_rightWidths[m_isWide ? 1 : 0] }, Qt::Horizontal);
}

void Docks::setShare(DockSide side, int percent)
{
    QList<QDockWidget *> open;
    for (Dock *dock : m_docks[index(side)])
        if (isThere(dock))
            open.append(dock);
    if (!isPlain() || open.size() < 2)
        return;
    if (side == DockSide::Right && open.size() > mostAboveEachOther) {
        // The last two share a place.
        open.removeLast();
        constexpr std::array<int, 3> crowded{ 50, 28, 22 };
        QList<int> shares;
        for (qsizetype dock = 0; dock < open.size(); ++dock)
            shares.append(open.size() == 2 ? 50 : crowded[std::min(static_cast<std::size_t>(dock), crowded.size() - 1)]);
        m_window->resizeDocks(open, shares, Qt::Vertical);
        return;
    }
    // Those below the upper one share what is left.
    QList<int> shares{ percent };
    for (qsizetype dock = 1; dock < open.size(); ++dock)
        shares.append((100 - percent) / static_cast<int>(open.size() - 1));
    m_window->resizeDocks(open, shares, Qt::Vertical);
}

bool Docks::isPlain() const
{
    return !m_isFolded[0] && !m_isFolded[1] && !m_isGathered && !m_isHidden;
}

bool Docks::isThere(Dock *dock) const
{
    return !isClosed(dock) && std::find(m_away.begin(), m_away.end(), dock) == m_away.end();
}

Dock *Docks::firstThere(DockSide side) const
{
    const auto &docks = m_docks[index(side)];
    const auto found = std::find_if(docks.begin(), docks.end(), [this](Dock *dock) { return isThere(dock); });
    return found == docks.end() ? docks.front() : *found;
}

void Docks::setAway(const std::vector<Dock *> &docks, bool isAway)
{
    const std::vector<Dock *> next = isAway ? docks : std::vector<Dock *>();
    if (m_away == next)
        return;
    if (!m_window->isVisible()) {
        // There is no layout yet that could be kept.
        m_away = next;
        stackRight();
        for (Dock *dock : docks)
            dock->setVisible(isThere(dock));
        return;
    }
    keepLayout();
    m_away = next;
    updateVisible();
    setShare(DockSide::Right, defaultShare(DockSide::Right));
}

/// Three docks above each other leave none enough room: then the lower two share a place.
void Docks::stackRight()
{
    const auto &docks = m_docks[1];
    if (m_isGathered || docks.size() <= mostAboveEachOther)
        return;
    Dock *upper = docks[docks.size() - 2];
    Dock *lower = docks.back();
    const bool areTabs = m_window->tabifiedDockWidgets(upper).contains(lower);
    const bool areMany = std::count_if(docks.begin(), docks.end(), [this](Dock *dock) { return isThere(dock); }) > mostAboveEachOther;
    if (areMany == areTabs)
        return;
    if (areTabs) {
        // Splitting the place of tabs would add another tab.
        m_window->addDockWidget(Qt::RightDockWidgetArea, lower, Qt::Vertical);
    } else {
        m_window->tabifyDockWidget(upper, lower);
        upper->raise();
    }
}

QByteArray Docks::state() const
{
    return isPlain() ? m_window->saveState(layoutVersion) : m_plainState;
}

void Docks::keepLayout()
{
    if (!isPlain())
        return;
    m_plainState = m_window->saveState(layoutVersion);
    m_isPlainStateWide = m_isWide;
}

void Docks::restore(const QByteArray &state)
{
    m_plainState = state;
    if (isPlain())
        updateVisible();
}

void Docks::setFolded(DockSide side, bool isFolded)
{
    if (m_isFolded[index(side)] == isFolded)
        return;
    keepLayout();
    m_isFolded[index(side)] = isFolded;
    updateVisible();
}

void Docks::toggleFolded()
{
    const bool fold = !(m_isFolded[0] && m_isFolded[1]);
    setFolded(DockSide::Left, fold);
    setFolded(DockSide::Right, fold);
}

void Docks::focus(Dock *dock)
{
    for (const DockSide side : { DockSide::Left, DockSide::Right }) {
        const auto &docks = m_docks[index(side)];
        if (std::find(docks.begin(), docks.end(), dock) != docks.end() || m_isGathered)
            setFolded(side, false);
    }
    setClosed(dock, false);
    dock->focusContent();
}

void Docks::startClosed(Dock *dock)
{
    m_closed.append(dock->objectName());
    dock->hide();
}

void Docks::setClosed(Dock *dock, bool isClosed)
{
    if (isClosed == this->isClosed(dock))
        return;
    keepLayout();
    if (isClosed)
        m_closed.append(dock->objectName());
    else
        m_closed.removeAll(dock->objectName());
    updateVisible();
    // One that comes back shares the height as at first.
    const DockSide side = std::find(m_docks[0].begin(), m_docks[0].end(), dock) != m_docks[0].end() ? DockSide::Left : DockSide::Right;
    if (!isClosed)
        setShare(side, defaultShare(side));
}

bool Docks::isClosed(Dock *dock) const
{
    return m_closed.contains(dock->objectName());
}

void Docks::setClosed(const QStringList &names)
{
    if (m_closed == names)
        return;
    keepLayout();
    m_closed = names;
    updateVisible();
}

void Docks::setGathered(bool isGathered)
{
    if (m_isGathered == isGathered)
        return;
    m_isGathered = isGathered;
    updateVisible();
    // They were gathered from the start.
    if (!isGathered && m_plainState.isEmpty()) {
        place();
        arrange();
    }
}

void Docks::setHidden(bool isHidden)
{
    if (m_isHidden == isHidden)
        return;
    keepLayout();
    m_isHidden = isHidden;
    updateVisible();
}

void Docks::updateVisible()
{
    const auto names = [](const std::vector<Dock *> &docks) {
        QStringList titles;
        for (const Dock *dock : docks)
            titles << dock->windowTitle();
        return titles;
    };
    m_window->restoreState(m_plainState, layoutVersion);
    stackRight();
    // Gathered docks are all at the left, so they fold with the left side.
    Dock *first = nullptr;
    for (const DockSide side : { DockSide::Left, DockSide::Right }) {
        for (Dock *dock : m_docks[index(side)]) {
            // A place first, then whether it is seen there.
            if (m_isGathered && first && isThere(dock))
                m_window->tabifyDockWidget(first, dock);
            if (!first && isThere(dock))
                first = dock;
            dock->setVisible(!m_isHidden && isThere(dock) && !m_isFolded[m_isGathered ? 0 : index(side)]);
        }
    }
    if (m_isGathered && first && first->isVisibleTo(m_window)) {
        first->raise();
        m_window->resizeDocks({ first }, { m_leftWidth }, Qt::Horizontal);
    }
    for (const DockSide side : { DockSide::Left, DockSide::Right }) {
        Rail *rail = m_rails[index(side)];
        const bool isShown = !m_isHidden && m_isFolded[index(side)] && !(m_isGathered && side == DockSide::Right) && !onRail(side).empty();
        if (isShown)
            rail->setEntries(names(onRail(side)));
        rail->setVisible(isShown);
    }
    if (isPlain() && m_isPlainStateWide != m_isWide)
        m_window->resizeDocks({ firstThere(DockSide::Right) }, { m_rightWidths[m_isWide ? 1 : 0] }, Qt::Horizontal);
}

} // namespace attenscope
