// SPDX-License-Identifier: GPL-3.0-or-later
// The temperature as a slider and a field.
#include "panels/temperature_row.h"

#include "panels/number_field.h"

#include <QEvent>
#include <QSignalBlocker>
#include <QSlider>

#include <cmath>

namespace attenscope {

namespace {

constexpr int stepsPerDecade = 50;
constexpr double fallback = 1.0;

double temperatureAt(int position)
{
    // Two decimals are what the field shows; finer ones could not be typed back.
    return std::round(std::pow(10.0, static_cast<double>(position) / stepsPerDecade) * 100.0) / 100.0;
}

int positionOf(double temperature)
{
    if (!(temperature > 0.0))
        return -stepsPerDecade;
    return static_cast<int>(std::round(std::log10(std::clamp(temperature, 0.1, 10.0)) * stepsPerDecade));
}

} // namespace

TemperatureRow::TemperatureRow(QWidget *parent)
    : LabelledRow(tr("Temperature"),
        sideBySide(
            { new QSlider(Qt::Horizontal),
                new NumberField(
                    { .name = tr("Temperature"), .least = 0.001, .most = 1000.0, .isWhole = false, .fallback = fallback, .decimals = 2 }) },
            { 1 }),
        parent)
    , m_slider(findChild<QSlider *>())
    , m_field(findChild<NumberField *>())
{
    m_slider->setObjectName(QStringLiteral("temperatureSlider"));
    m_field->setObjectName(QStringLiteral("temperature"));
    m_slider->setRange(-stepsPerDecade, stepsPerDecade);
    m_slider->setPageStep(stepsPerDecade / 5);
    m_slider->setMinimumHeight(controlHeight);
    m_slider->setAccessibleName(tr("Temperature"));
    keepWheelForFocus(m_slider);
    m_slider->installEventFilter(this);
    setHelp(tr("T: scores are divided by it before the softmax; 0.001 to 1,000. Below 1 sharper, above 1 flatter. Default: 1."));
    connect(m_slider, &QSlider::valueChanged, this, [this](int position) { enter(temperatureAt(position)); });
    connect(m_slider, &QSlider::sliderReleased, this, &TemperatureRow::editingEnded);
    connect(m_field, &NumberField::edited, this, &TemperatureRow::enter);
    connect(m_field, &NumberField::badText, this, [this](const QString &sentence) { setProblem(sentence); });
    connect(this, &LabelledRow::labelDoubleClicked, this, [this] { enter(fallback); });
}

void TemperatureRow::show(double temperature, const QString &problem)
{
    const QSignalBlocker quiet(m_slider);
    // A drag rounds to two decimals; moving the handle to the rounded place would fight the mouse.
    if (temperatureAt(m_slider->value()) != temperature)
        m_slider->setValue(positionOf(temperature));
    m_field->setNumber(temperature);
    setProblem(problem);
}

void TemperatureRow::focusControl()
{
    m_slider->setFocus(Qt::OtherFocusReason);
}

void TemperatureRow::enter(double temperature)
{
    emit edited(temperature);
}

bool TemperatureRow::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_slider && event->type() == QEvent::MouseButtonDblClick) {
        enter(fallback);
        emit editingEnded();
        return true;
    }
    if (watched == m_slider && event->type() == QEvent::FocusOut)
        emit editingEnded();
    return LabelledRow::eventFilter(watched, event);
}

} // namespace attenscope
