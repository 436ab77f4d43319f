// SPDX-License-Identifier: GPL-3.0-or-later
// The frame of a demonstration and its slider.
#include "demonstrations/demonstration.h"

#include "state/wheel.h"

#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>

#include <cmath>

namespace attenscope {

namespace {

constexpr int sliderSteps = 200;
constexpr int padding = 16;
constexpr int controlHeight = 28;
constexpr double titleScale = 18.0 / 13.0;

} // namespace

LogSlider::LogSlider(const QString &label, Range range, const QString &help, QWidget *parent)
    : QWidget(parent)
    , m_range(range)
    , m_slider(new QSlider(Qt::Horizontal))
    , m_field(new QDoubleSpinBox)
{
    auto *name = new QLabel(label);
    m_slider->setRange(0, sliderSteps);
    m_slider->setPageStep(sliderSteps / 10);
    m_slider->setMinimumSize(96, controlHeight);
    m_slider->setMaximumWidth(240);
    m_slider->installEventFilter(this);
    keepWheelForFocus(m_slider);
    keepWheelForFocus(m_field);
    m_field->setLocale(QLocale::c());
    m_field->setRange(range.least, range.most);
    m_field->setDecimals(range.decimals);
    m_field->setSingleStep(range.decimals > 0 ? 0.1 : 1.0);
    m_field->setKeyboardTracking(false);
    m_field->setMinimumHeight(controlHeight);
    name->setBuddy(m_field);
    for (QWidget *control : { static_cast<QWidget *>(m_slider), static_cast<QWidget *>(m_field), static_cast<QWidget *>(name) }) {
        control->setToolTip(help);
        control->setAccessibleName(label);
    }
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins({});
    row->setSpacing(8);
    row->addWidget(name);
    row->addWidget(m_slider, 1);
    row->addWidget(m_field);
    setFocusProxy(m_slider);
    setValue(range.fallback);
    connect(m_slider, &QSlider::valueChanged, this, [this](int position) {
        const double exact = m_range.least * std::pow(m_range.most / m_range.least, static_cast<double>(position) / sliderSteps);
        const double unit = std::pow(10.0, m_range.decimals);
        m_field->setValue(std::round(exact * unit) / unit);
    });
    connect(m_field, &QDoubleSpinBox::valueChanged, this, [this](double number) {
        const QSignalBlocker quiet(m_slider);
        // A handle that is dragged stays under the mouse.
        if (!m_slider->isSliderDown())
            m_slider->setValue(positionOf(number));
        emit valueChanged(number);
    });
}

int LogSlider::positionOf(double value) const
{
    return static_cast<int>(std::lround(sliderSteps * std::log(value / m_range.least) / std::log(m_range.most / m_range.least)));
}

double LogSlider::value() const
{
    return m_field->value();
}

void LogSlider::setValue(double value)
{
    m_field->setValue(value);
    const QSignalBlocker quiet(m_slider);
    m_slider->setValue(positionOf(m_field->value()));
}

bool LogSlider::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_slider && event->type() == QEvent::MouseButtonDblClick) {
        setValue(m_range.fallback);
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

Demonstration::Demonstration(const QString &title, const QString &sentences, QWidget *parent)
    : QWidget(parent)
    , m_title(title)
    , m_heading(new QLabel(title))
    , m_finding(new QLabel)
    , m_controls(new QHBoxLayout)
    , m_chart(new Chart)
{
    auto *head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(m_heading, 1);
    const auto addButton = [&](const QString &text, const QString &help, void (Demonstration::*signal)()) {
        auto *button = new QPushButton(text);
        button->setToolTip(help);
        button->setMinimumHeight(controlHeight);
        connect(button, &QPushButton::clicked, this, signal);
        head->addWidget(button);
        return button;
    };
    addButton(tr("Copy picture"), tr("Copies the plots, on white"), &Demonstration::copyRequested);
    addButton(tr("Export…"), tr("Saves the plots as PNG, SVG or PDF"), &Demonstration::exportRequested);
    addButton(tr("Close"), tr("Brings the view back (Escape)"), &Demonstration::closeRequested)->setObjectName(QStringLiteral("close"));
    auto *words = new QLabel(sentences);
    words->setWordWrap(true);
    words->setForegroundRole(QPalette::PlaceholderText);
    m_finding->setWordWrap(true);
    m_finding->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_finding->hide();
    m_controls->setSpacing(24);
    m_chart->setHeading(title);
    m_chart->setAccessibleName(title);
    m_chart->setMinimumSize(480, 280);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(padding, 8, padding, 8);
    column->setSpacing(8);
    column->addLayout(head);
    column->addWidget(words);
    column->addLayout(m_controls);
    column->addWidget(m_finding);
    column->addWidget(m_chart, 1);
    followFont();
}

void Demonstration::setFinding(const QString &text)
{
    m_finding->setText(text);
    m_finding->setVisible(!text.isEmpty());
}

QString Demonstration::powerText(double number, int decimals)
{
    static const QString raised = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
    if (number == 0.0)
        return QStringLiteral("0");
    const QStringList parts = QString::number(number, 'e', decimals).split(u'e');
    QString exponent;
    for (const QChar digit : QString::number(parts[1].toInt()))
        exponent += digit == u'-' ? QChar(u'⁻') : raised[digit.digitValue()];
    return QStringLiteral("%1 · 10%2").arg(QString(parts[0]).replace(u'-', QChar(0x2212)), exponent);
}

void Demonstration::followFont()
{
    QFont large = font();
    large.setPixelSize(qRound(QFontInfo(font()).pixelSize() * titleScale));
    m_heading->setFont(large);
}

void Demonstration::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::FontChange)
        followFont();
    QWidget::changeEvent(event);
}

void Demonstration::paintEvent(QPaintEvent *)
{
    QPainter(this).fillRect(rect(), Theme::of(palette()).view);
}

} // namespace attenscope
