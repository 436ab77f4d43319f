// SPDX-License-Identifier: GPL-3.0-or-later
// SliderRow: a slider for the usual numbers and a field for any.
#pragma once

#include "panels/controls.h"
#include "panels/number_field.h"

class QSlider;

namespace attenscope {

/// Numbers along a slider: whole numbers one by one, or logarithmic.
enum class SliderScale { Linear, Logarithmic };

/// Dragging and keys emit live; double click: the default. Logarithmic sliders round to what the field shows.
class SliderRow : public LabelledRow {
    Q_OBJECT

public:
    /// The slider goes from @p least to @p most, the field takes all of @p range. Object names: @p name for the field, with "Slider" for the
    /// slider.
    SliderRow(const QString &label, const QString &name, const NumberRange &range, SliderScale scale, double least, double most,
        QWidget *parent = nullptr);

    /// Emits nothing.
    void show(double number, const QString &problem);
    /// What slider and field take from now on, whole numbers @p least to @p most.
    void setLimits(double least, double most);
    void focusControl();

signals:
    void edited(double number);
    /// A drag or a row of key presses is over: what follows is another step.
    void editingEnded();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    [[nodiscard]] double numberAt(int position) const;
    [[nodiscard]] int positionOf(double number) const;
    void setSlider(double least, double most);

    SliderScale m_scale;
    double m_least = 0.0;
    double m_most = 1.0;
    QSlider *m_slider = nullptr;
    NumberField *m_field = nullptr;
};

} // namespace attenscope
