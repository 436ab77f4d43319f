// SPDX-License-Identifier: GPL-3.0-or-later
// Buttons, slider, clock and speed of the player.
#include "views/steps/player_bar.h"

#include "state/icons.h"
#include "state/theme.h"

#include <QComboBox>
#include <QEvent>
#include <QFontInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSignalBlocker>
#include <QSlider>
#include <QTimer>
#include <QToolButton>

#include <array>

namespace attenscope {

namespace {

constexpr std::array speeds{ 0.5, 1.0, 2.0, 4.0 };

} // namespace

PlayerBar::PlayerBar(QWidget *parent)
    : QWidget(parent)
    , m_timer(new QTimer(this))
    , m_row(new QHBoxLayout(this))
{
    setAccessibleName(tr("Player"));
    m_row->setContentsMargins(16, 8, 16, 8);
    m_row->setSpacing(8);
    const auto button = [this](const QString &iconName, const QString &name, const QString &tip) {
        auto *made = new QToolButton;
        made->setIcon(icon(iconName));
        made->setText(name);
        made->setToolButtonStyle(Qt::ToolButtonIconOnly);
        made->setAutoRaise(true);
        made->setToolTip(tip);
        made->setAccessibleName(name);
        made->setFocusPolicy(Qt::TabFocus);
        m_row->addWidget(made);
        return made;
    };
    m_first = button(QStringLiteral("first"), tr("First"), tr("To the first state"));
    m_back = button(QStringLiteral("chevron-left"), tr("Back"), tr("Back (,)"));
    m_play = button(QStringLiteral("play"), tr("Play"), {});
    m_on = button(QStringLiteral("chevron-right"), tr("On"), tr("On (.)"));
    m_last = button(QStringLiteral("last"), tr("Last"), tr("To the last state"));
    m_slider = new QSlider(Qt::Horizontal);
    m_slider->setFocusPolicy(Qt::TabFocus);
    m_slider->setMinimumWidth(80);
    m_slider->setPageStep(1);
    m_slider->setAccessibleName(tr("Step"));
    m_slider->setToolTip(tr("Which step is shown"));
    m_row->addSpacing(8);
    m_row->addWidget(m_slider, 1);
    m_row->addSpacing(8);
    m_text = new QLabel;
    m_place = new QLabel;
    m_place->setForegroundRole(QPalette::PlaceholderText);
    m_speed = new QComboBox;
    m_speed->setToolTip(tr("How long each state stays while playing"));
    m_speed->setAccessibleName(tr("Speed"));
    for (QWidget *widget : { static_cast<QWidget *>(m_text), static_cast<QWidget *>(m_place), static_cast<QWidget *>(m_speed) })
        m_row->addWidget(widget);
    setUnit(tr("step"));

    connect(m_first, &QToolButton::clicked, this, &PlayerBar::firstRequested);
    connect(m_back, &QToolButton::clicked, this, &PlayerBar::backRequested);
    connect(m_on, &QToolButton::clicked, this, &PlayerBar::onRequested);
    connect(m_last, &QToolButton::clicked, this, &PlayerBar::lastRequested);
    connect(m_play, &QToolButton::clicked, this, [this] { setPlaying(!isPlaying()); });
    connect(m_slider, &QSlider::valueChanged, this, &PlayerBar::stepRequested);
    connect(m_timer, &QTimer::timeout, this, [this] {
        if (m_state.isLast)
            setPlaying(false);
        else
            emit playedOn();
    });
    connect(m_speed, &QComboBox::currentIndexChanged, this, [this](int index) {
        const double seconds = speeds[static_cast<std::size_t>(std::max(index, 0))];
        m_settings.setSecondsPerStep(seconds);
        m_timer->setInterval(qRound(1000.0 * seconds));
    });
    m_row->setSizeConstraint(QLayout::SetNoConstraint);
    resizeControls();
    showPlaying();
}

void PlayerBar::setUnit(const QString &unit)
{
    const QSignalBlocker blocker(m_speed);
    m_speed->clear();
    for (const double seconds : speeds)
        m_speed->addItem(tr("1 %1 / %2 s").arg(unit).arg(seconds));
    const auto found = std::find(speeds.begin(), speeds.end(), m_settings.secondsPerStep());
    const auto index = found == speeds.end() ? 1 : found - speeds.begin();
    m_speed->setCurrentIndex(static_cast<int>(index));
    m_timer->setInterval(qRound(1000.0 * speeds[static_cast<std::size_t>(index)]));
}

void PlayerBar::addControl(QWidget *widget)
{
    m_row->addWidget(widget);
    resizeControls();
}

void PlayerBar::setState(const State &state)
{
    m_state = state;
    const QSignalBlocker blocker(m_slider);
    m_slider->setRange(0, std::max(0, state.steps - 1));
    m_slider->setValue(state.step);
    m_text->setText(state.text);
    m_place->setText(state.place);
    arrange();
    for (QToolButton *button : { m_first, m_back })
        button->setEnabled(!state.isFirst);
    for (QToolButton *button : { m_on, m_last })
        button->setEnabled(!state.isLast);
    if (state.isLast && isPlaying())
        setPlaying(false);
    showPlaying();
}

bool PlayerBar::isPlaying() const
{
    return m_timer->isActive();
}

void PlayerBar::setPlaying(bool isPlaying)
{
    if (isPlaying == m_timer->isActive())
        return;
    if (!isPlaying) {
        m_timer->stop();
    } else {
        // At the end it plays from the start.
        if (m_state.isLast)
            emit firstRequested();
        m_timer->start();
    }
    showPlaying();
}

void PlayerBar::showPlaying()
{
    m_play->setIcon(icon(isPlaying() ? QStringLiteral("pause") : QStringLiteral("play")));
    m_play->setToolTip(isPlaying() ? tr("Pause (Space)") : tr("Play (Space)"));
    m_play->setAccessibleName(isPlaying() ? tr("Pause") : tr("Play"));
}

void PlayerBar::resizeControls()
{
    // 32 high in the window, 48 for a projector.
    const int pixels = QFontInfo(font()).pixelSize();
    const int side = std::max(32, 32 + (pixels - 13) * 16 / 7);
    for (QToolButton *button : { m_first, m_back, m_play, m_on, m_last }) {
        button->setFixedSize(side, side);
        button->setIconSize(QSize(side * 5 / 8, side * 5 / 8));
    }
    for (QWidget *child : findChildren<QWidget *>(Qt::FindDirectChildrenOnly)) {
        if (qobject_cast<QComboBox *>(child))
            child->setMinimumHeight(pixels > 13 ? side : 28);
    }
    const int vertical = pixels > 13 ? 16 : 8;
    m_row->setContentsMargins(16, vertical, 16, vertical);
}

void PlayerBar::arrange()
{
    int width = m_row->contentsMargins().left() + m_row->contentsMargins().right();
    for (int index = 0; index < m_row->count(); ++index) {
        const QWidget *widget = m_row->itemAt(index)->widget();
        if (widget != m_text && widget != m_place)
            width += m_row->spacing() + (widget == m_slider ? m_slider->minimumWidth() : m_row->itemAt(index)->sizeHint().width());
    }
    width += m_text->sizeHint().width() + m_row->spacing();
    m_text->setVisible(width <= this->width());
    width += m_place->sizeHint().width() + m_row->spacing();
    m_place->setVisible(width <= this->width() && !m_place->text().isEmpty());
}

QSize PlayerBar::minimumSizeHint() const
{
    return { 320, QWidget::minimumSizeHint().height() };
}

void PlayerBar::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    arrange();
}

void PlayerBar::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::FontChange && m_speed)
        resizeControls();
    QWidget::changeEvent(event);
}

void PlayerBar::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::of(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.window);
    painter.fillRect(QRect(0, 0, width(), 1), theme.line);
}

} // namespace attenscope
