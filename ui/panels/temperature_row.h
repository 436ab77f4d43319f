// SPDX-License-Identifier: GPL-3.0-or-later
// TemperatureRow: a slider for the usual temperatures and a field for any.
#pragma once

#include "panels/controls.h"

class QSlider;

namespace attenscope {

class NumberField;

/// The slider is logarithmic from 0.1 to 10 with 1 in the middle; the field takes 0.001 to 1,000. Double click: 1.
class TemperatureRow : public LabelledRow {
    Q_OBJECT

public:
    explicit TemperatureRow(QWidget *parent = nullptr);

    /// Emits nothing.
    void show(double temperature, const QString &problem);
    void focusControl();

signals:
    void edited(double temperature);
    /// A drag or a row of key presses is over: what follows is another step.
    void editingEnded();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void enter(double temperature);

    QSlider *m_slider = nullptr;
    NumberField *m_field = nullptr;
};

} // namespace attenscope
