// SPDX-License-Identifier: GPL-3.0-or-later
// Docks: the panels at the left and right of the view, and how they fold to rails.
#pragma once

#include "window/dock.h"
#include "window/rail.h"

#include <QObject>

#include <array>
#include <vector>

class QMainWindow;

namespace attenscope {

/// Least widths of the docks at the left and at the right.
inline constexpr int leftMinimum = 264;
inline constexpr int rightMinimum = 232;

/// Places the docks, folds them to rails and gathers them as tabs at the left where the window is narrow.
class Docks : public QObject {
    Q_OBJECT

public:
    /// Top to bottom. The rails are put into the window's centre by the caller.
    Docks(QMainWindow *window, std::vector<Dock *> left, std::vector<Dock *> right);

    [[nodiscard]] Rail *rail(DockSide side) const { return m_rails[index(side)]; }
    [[nodiscard]] bool isFolded(DockSide side) const { return m_isFolded[index(side)]; }
    void setFolded(DockSide side, bool isFolded);
    /// Both, unless both are folded already: then both come back.
    void toggleFolded();
    /// Unfolds, opens and gives the focus.
    void focus(Dock *dock);

    /// Closes a dock before the window is first shown: there is no layout yet to keep.
    void startClosed(Dock *dock);
    /// A closed dock is seen nowhere, not even on a rail, until it is opened again.
    void setClosed(Dock *dock, bool isClosed);
    [[nodiscard]] bool isClosed(Dock *dock) const;
    /// The object names of the closed ones.
    [[nodiscard]] QStringList closed() const { return m_closed; }
    void setClosed(const QStringList &names);

    /// Docks that have nothing to show are as if they did not exist; where all are there, the lower two of the right side share a place as tabs.
    void setAway(const std::vector<Dock *> &docks, bool isAway);

    /// All docks as tabs at the left.
    void setGathered(bool isGathered);
    /// Nothing at the sides, not even rails.
    void setHidden(bool isHidden);

    /// Default places and widths; after the window's first show.
    void arrange();
    /// The right side has one width beside most views and another, wider one beside those that look at many heads; each is remembered.
    void setWide(bool isWide);
    /// Both widths of the right side, the usual one first.
    [[nodiscard]] std::array<int, 2> rightWidths() const;
    void setRightWidths(const std::array<int, 2> &widths);
    /// How much of the height the upper dock of a side has; the others share the rest.
    void setShare(DockSide side, int percent);
    /// The layout as it is when nothing is folded, gathered or hidden.
    [[nodiscard]] QByteArray state() const;
    /// Called before the window changes its size: the present layout, if that is it, is what comes back when the docks are no longer gathered.
    void keepLayout();
    void restore(const QByteArray &state);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    /// The width of the docks of a side, or @p otherwise where none of them is in its place.
    [[nodiscard]] int openWidth(DockSide side, int otherwise) const;
    [[nodiscard]] static std::size_t index(DockSide side) { return side == DockSide::Left ? 0 : 1; }
    [[nodiscard]] bool isPlain() const;
    /// Neither closed nor away: to be seen unless its side is folded or hidden.
    [[nodiscard]] bool isThere(Dock *dock) const;
    /// The first that is there, else the first.
    [[nodiscard]] Dock *firstThere(DockSide side) const;
    void stackRight();
    /// What the rail of a side stands for.
    [[nodiscard]] std::vector<Dock *> onRail(DockSide side) const;
    void place();
    void updateVisible();

    QMainWindow *m_window;
    std::array<std::vector<Dock *>, 2> m_docks;
    std::array<Rail *, 2> m_rails{};
    std::array<bool, 2> m_isFolded{};
    int m_leftWidth = 320; ///< Beside the usual right side.
    std::array<int, 2> m_rightWidths{ 296, 592 }; ///< The usual one and the wide one.
    bool m_isWide = false;
    QStringList m_closed;
    std::vector<Dock *> m_away;
    bool m_isGathered = false;
    bool m_isHidden = false;
    QByteArray m_plainState; ///< Kept while the docks are not in their own places.
    bool m_isPlainStateWide = false;
};

} // namespace attenscope
