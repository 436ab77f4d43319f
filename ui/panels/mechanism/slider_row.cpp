// SPDX-License-Identifier: GPL-3.0-or-later
// A number as a slider and a field.
#include "panels/mechanism/slider_row.h"

#include "state/wheel.h"

#include <QEvent>
#include <QSignalBlocker>
#include <QSlider>

#include <cmath>

namespace attenscope {

namespace {

constexpr int stepsPerDecade = 50;

} // namespace

SliderRow::SliderRow(
    const QString &label, const QString &name, const NumberRange &range, SliderScale scale, double least, double most, QWidget *parent)
    : LabelledRow(label, sideBySide({ new QSlider(Qt::Horizontal), new NumberField(range) }, { 1 }), parent)
    , m_scale(scale)
    , m_slider(findChild<QSlider *>())
    , m_field(findChild<NumberField *>())
{
    m_slider->setObjectName(name + QStringLiteral("Slider"));
    m_field->setObjectName(name);
    m_slider->setMinimumHeight(controlHeight);
    m_slider->setMinimumWidth(48);
    m_slider->setAccessibleName(range.name);
    keepWheelForFocus(m_slider);
    m_slider->installEventFilter(this);
    setSlider(least, most);
    connect(m_slider, &QSlider::valueChanged, this, [this](int position) { emit edited(numberAt(position)); });
    connect(m_slider, &QSlider::sliderReleased, this, &SliderRow::editingEnded);
    connect(m_field, &NumberField::edited, this, &SliderRow::edited);
    connect(m_field, &NumberField::badText, this, [this](const QString &sentence) { setProblem(sentence); });
    connect(this, &LabelledRow::labelDoubleClicked, this, [this] { emit edited(m_field->range().fallback); });
}

double SliderRow::numberAt(int position) const
{
    if (m_scale == SliderScale::Linear)
        return position;
    // Finer ones could not be typed back.
    const double unit = m_field->range().isWhole ? 1.0 : std::pow(10.0, -m_field->range().decimals);
    const double number = std::pow(10.0, static_cast<double>(position) / stepsPerDecade);
    return std::clamp(std::round(number / unit) * unit, m_least, m_most);
}

int SliderRow::positionOf(double number) const
{
    const double inside = std::clamp(number, m_least, m_most);
    if (m_scale == SliderScale::Linear)
        return static_cast<int>(inside);
    return static_cast<int>(std::round(std::log10(inside) * stepsPerDecade));
}

void SliderRow::setSlider(double least, double most)
{
    const QSignalBlocker quiet(m_slider);
    m_least = least;
    m_most = most;
    m_slider->setRange(positionOf(least), positionOf(most));
    const int length = m_slider->maximum() - m_slider->minimum();
    m_slider->setPageStep(std::max(1, length / 10));
    m_slider->setEnabled(length > 0);
}

void SliderRow::setLimits(double least, double most)
{
    m_field->setRange(least, most);
    setSlider(least, most);
}

void SliderRow::show(double number, const QString &problem)
{
    const QSignalBlocker quiet(m_slider);
    // A drag rounds; moving the handle to the rounded place would fight the mouse.
    if (numberAt(m_slider->value()) != number)
        m_slider->setValue(positionOf(number));
    m_field->setNumber(number);
    setProblem(problem);
}

void SliderRow::focusControl()
{
    m_slider->setFocus(Qt::OtherFocusReason);
}

bool SliderRow::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_slider && event->type() == QEvent::MouseButtonDblClick) {
        emit edited(m_field->range().fallback);
        emit editingEnded();
        return true;
    }
    if (watched == m_slider && event->type() == QEvent::FocusOut)
        emit editingEnded();
    return LabelledRow::eventFilter(watched, event);
}

} // namespace attenscope
