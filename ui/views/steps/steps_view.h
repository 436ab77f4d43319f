// SPDX-License-Identifier: GPL-3.0-or-later
// StepsView: walks through the arithmetic of the picked query step by step, or through flash attention tile by tile.
#pragma once

#include "state/document.h"
#include "state/selection.h"
#include "views/steps/walk_figure.h"

#include <QWidget>

namespace attenscope {

/// The row above, the walk of the mechanism at hand, and the player below. All lengths grow with its font: set a larger one to present.
class StepsView : public QWidget {
    Q_OBJECT

public:
    StepsView(Document &document, Selection &selection, QWidget *parent = nullptr);
    ~StepsView() override;

    /// What is shown, with its title; nothing where there is no walk or it is not ready.
    [[nodiscard]] std::optional<WalkPicture> picture() const;
    [[nodiscard]] bool isPlaying() const;

public slots:
    void togglePlaying();
    void back();
    void on();

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace attenscope
