// SPDX-License-Identifier: GPL-3.0-or-later
// StepsList: the steps of a walk, the active one marked; and how one is painted, for figures too.
#pragma once

#include "views/steps/steps_scene.h"

#include <QListWidget>

namespace attenscope {

/// One step in @p box: its number, its name and what it does. Steps that are still to come are pale.
void paintStepItem(QPainter &painter, const StepStyle &style, const QRectF &box, int number, const std::pair<QString, QString> &title,
    bool isActive, bool isToCome);
/// Height of one.
[[nodiscard]] double stepItemHeight(const StepStyle &style);
/// Width of the list.
[[nodiscard]] double stepListWidth(const StepStyle &style);

class StepsList : public QListWidget {
    Q_OBJECT

public:
    explicit StepsList(QWidget *parent = nullptr);

    void setSteps(const std::vector<std::pair<QString, QString>> &titles, int active);
    /// Instead of the letters of the font.
    void setStepStyle(const StepStyle &style);
    [[nodiscard]] StepStyle stepStyle() const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

private:
    StepStyle m_style; ///< All but the colours.
};

} // namespace attenscope
