// SPDX-License-Identifier: GPL-3.0-or-later
// StepsCanvas: shows a step's page and scrolls it where it does not fit.
#pragma once

#include "views/steps/steps_scene.h"
#include "views/steps/walk_canvas.h"

#include <memory>

namespace attenscope {

/// Folds the page to its own size. Knows nothing but content and position.
class StepsCanvas : public WalkCanvas {
    Q_OBJECT

public:
    explicit StepsCanvas(QWidget *parent = nullptr);

    void setContent(std::shared_ptr<const StepContent> content, const StepPosition &position);
    /// Instead of the letters of the font.
    void setStepStyle(const StepStyle &style);
    [[nodiscard]] const StepFolds &folds() const { return m_folds; }
    [[nodiscard]] const StepScene &scene() const { return m_scene; }
    [[nodiscard]] bool isUnfolded() const { return !m_folds.more.empty(); }
    [[nodiscard]] bool isFolded() const { return m_content && !m_scene.page().foldedAxes().empty(); }
    void foldAll();
    /// Shows more of every axis of the page that is folded.
    void unfold();

signals:
    void positionClicked(const attenscope::StepPosition &position);
    void queryClicked(attenscope::Index query);
    /// A place under the mouse; nothing when it leaves.
    void positionHovered(const std::optional<attenscope::StepPosition> &position);
    /// More or fewer places of an axis are shown.
    void foldsChanged();

protected:
    QSizeF layOutScene(QSizeF room) override;
    void paintScene(QPainter &painter, const QRectF &visible) override;
    [[nodiscard]] QString description() const override;
    bool viewportEvent(QEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;

private:
    void unfoldAxis(StepAxis axis);
    /// Scrolls to the key that is walked through.
    void followPosition(bool isOtherStep);

    std::shared_ptr<const StepContent> m_content;
    StepPosition m_position;
    StepFolds m_folds;
    StepStyle m_style; ///< All but the colours.
    StepScene m_scene;
};

} // namespace attenscope
