// SPDX-License-Identifier: GPL-3.0-or-later
// WalkPage: one kind of walk under the player of the Steps view.
#pragma once

#include "views/steps/player_bar.h"
#include "views/steps/walk_figure.h"

#include <QWidget>

namespace attenscope {

/// Makes its walk of Document and Selection when asked to, and moves in it.
class WalkPage : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;

    /// Makes and shows what document and selection ask for; called while it is seen.
    virtual void refresh() = 0;
    /// It is not seen any more: nothing is made for it.
    virtual void leave() { }
    /// What is left out of the walk, in words; empty: nothing.
    [[nodiscard]] virtual QString note() const { return {}; }
    /// Why there is no walk; empty: there is one.
    [[nodiscard]] virtual QString why() const = 0;
    [[nodiscard]] virtual PlayerBar::State playerState() const = 0;
    /// One state on (1) or back (-1).
    virtual void move(int direction) = 0;
    /// The next state while playing: passes over what is folded.
    virtual void play() { move(1); }
    virtual void first() = 0;
    virtual void last() = 0;
    /// To the first state of a step of the slider.
    virtual void goToStep(int step) = 0;
    virtual void setDecimals(int decimals) = 0;
    /// Whether axes show more than fits, which foldAll() ends, or fewer than there are, which unfold() ends.
    [[nodiscard]] virtual bool isUnfolded() const { return false; }
    [[nodiscard]] virtual bool isFolded() const { return false; }
    virtual void foldAll() { }
    virtual void unfold() { }
    /// What is shown, to be painted elsewhere; nothing while there is no walk.
    [[nodiscard]] virtual std::optional<WalkPicture> picture() const = 0;

signals:
    /// Another state, another walk, or none.
    void changed();
};

} // namespace attenscope
