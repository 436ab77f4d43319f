// SPDX-License-Identifier: GPL-3.0-or-later
// PlayerBar: goes through the states of a walk by button, slider and by itself.
#pragma once

#include "state/settings.h"

#include <QWidget>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QSlider;
class QTimer;
class QToolButton;

namespace attenscope {

/// Knows only how many steps there are and where it is; the walk itself is whoever answers the signals with setState(). The same for every walk.
class PlayerBar : public QWidget {
    Q_OBJECT

public:
    explicit PlayerBar(QWidget *parent = nullptr);

    struct State {
        int step = 0;
        int steps = 1;
        QString text; ///< "Step 2 of 9"
        QString place; ///< "key 3 of 3"
        bool isFirst = true; ///< There is nothing to go back to.
        bool isLast = true;
    };
    void setState(const State &state);
    [[nodiscard]] bool isPlaying() const;
    void setPlaying(bool isPlaying);
    /// "1 step / 2 s" with what is called a step.
    void setUnit(const QString &unit);
    /// Puts @p widget at the right end.
    void addControl(QWidget *widget);

    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void backRequested();
    void onRequested();
    /// On, because it plays by itself.
    void playedOn();
    void firstRequested();
    void lastRequested();
    void stepRequested(int step);

protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void resizeControls();
    /// Leaves out words where there is no room for them.
    void arrange();
    void showPlaying();

    Settings m_settings;
    State m_state;
    QTimer *m_timer;
    QHBoxLayout *m_row;
    QToolButton *m_first = nullptr;
    QToolButton *m_back = nullptr;
    QToolButton *m_play = nullptr;
    QToolButton *m_on = nullptr;
    QToolButton *m_last = nullptr;
    QSlider *m_slider = nullptr;
    QLabel *m_text = nullptr;
    QLabel *m_place = nullptr;
    QComboBox *m_speed = nullptr;
};

} // namespace attenscope
