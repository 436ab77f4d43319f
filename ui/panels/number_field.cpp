// SPDX-License-Identifier: GPL-3.0-or-later
// NumberField: a number typed into a field.
#include "panels/number_field.h"

#include "core/text.h"
#include "panels/controls.h"
#include "state/number_text.h"
#include "state/theme.h"

#include <QApplication>
#include <QKeyEvent>
#include <QPainter>
#include <QStyle>

#include <cmath>

namespace attenscope {

namespace {

/// An icon inside the field.
constexpr int actionRoom = 24;
/// Room for numbers like 1000000 and 1000.00; larger ones are the exception.
constexpr qsizetype fewestDigits = 4;
constexpr qsizetype mostDigits = 7;

QString boundText(double number)
{
    if (std::floor(number) == number && std::abs(number) < 1e15)
        return QString::fromStdString(groupedCount(static_cast<std::int64_t>(number)));
    return QString::fromStdString(exactNumber(number));
}

} // namespace

void FocusClick::focusIn(Qt::FocusReason reason)
{
    if (reason == Qt::MouseFocusReason)
        m_since.start();
    else
        m_since.invalidate();
}

bool FocusClick::isRecent() const
{
    return m_since.isValid() && m_since.elapsed() <= QApplication::doubleClickInterval();
}

NumberField::NumberField(NumberRange range, QWidget *parent)
    : QLineEdit(parent)
    , m_range(std::move(range))
{
    setMinimumHeight(controlHeight);
    setAlignment(Qt::AlignRight);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAccessibleName(m_range.name);
    connect(this, &QLineEdit::returnPressed, this, &NumberField::commit);
    setNumber(std::isnan(m_range.fallback) ? m_range.least : m_range.fallback);
}

QString NumberField::textOf(double number) const
{
    if (m_range.isWhole)
        return QString::number(number, 'f', 0);
    const QString fixed = QString::number(number, 'f', m_range.decimals);
    return fixed.toDouble() == number ? fixed : QString::fromStdString(exactNumber(number));
}

void NumberField::setNumber(double number)
{
    m_number = number;
    const QString shown = textOf(number);
    if (text() != shown) {
        setText(shown);
        updateGeometry();
    }
    setModified(false);
    if (m_isBad) {
        m_isBad = false;
        emit badText({});
    }
}

void NumberField::setRange(double least, double most)
{
    m_range.least = least;
    m_range.most = most;
    updateGeometry();
}

void NumberField::setPrefix(const QString &text, bool isSymbol)
{
    m_prefix = text;
    m_isSymbol = isSymbol;
    fitPrefix();
}

void NumberField::fitPrefix()
{
    if (!m_prefix.isEmpty())
        setTextMargins(fontMetrics().horizontalAdvance(m_prefix) + 6, 0, 0, 0);
}

QString NumberField::rangeSentence() const
{
    const QString kind = m_range.isWhole ? tr("a whole number") : tr("a number");
    return tr("%1: %2 from %3 to %4.").arg(m_range.name, kind, boundText(m_range.least), boundText(m_range.most));
}

QSize NumberField::sizeHint() const
{
    // By the range, so that the width does not change with the number.
    const auto digits = std::clamp(std::max(textOf(m_range.least).size(), textOf(m_range.most).size()), fewestDigits, mostDigits);
    return { widthFor(digits) + 10, qMax(controlHeight, QLineEdit::sizeHint().height()) };
}

QSize NumberField::minimumSizeHint() const
{
    // What it shows is never cut as long as it is no longer than usual.
    const auto digits = std::clamp(textOf(m_number).size(), fewestDigits / 2, mostDigits);
    return { widthFor(digits), sizeHint().height() };
}

int NumberField::widthFor(qsizetype digits) const
{
    return fontMetrics().horizontalAdvance(QString(digits, QLatin1Char('0'))) + textMargins().left() + 10
        + (actions().isEmpty() ? 0 : actionRoom);
}

void NumberField::commit()
{
    if (!isModified())
        return;
    setModified(false);
    const std::optional<double> typed = typedNumber(text());
    const bool isGood = typed && *typed >= m_range.least && *typed <= m_range.most && (!m_range.isWhole || std::floor(*typed) == *typed);
    if (!isGood) {
        m_isBad = true;
        emit badText(rangeSentence());
        return;
    }
    const bool isOther = *typed != m_number;
    setNumber(*typed);
    if (isOther)
        emit edited(*typed);
}

void NumberField::step(int steps)
{
    const double size = m_range.isWhole ? 1.0 : std::pow(10.0, -m_range.decimals + 1);
    const double next = std::clamp(std::round((m_number + steps * size) / size) * size, m_range.least, m_range.most);
    if (next == m_number)
        return;
    setNumber(next);
    emit edited(next);
}

bool NumberField::event(QEvent *event)
{
    return leavesUndoToTheDocument(event, isModified()) || QLineEdit::event(event);
}

void NumberField::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Up:
        step(1);
        return;
    case Qt::Key_Down:
        step(-1);
        return;
    case Qt::Key_Escape:
        if (isModified() || m_isBad) {
            setNumber(m_number);
            return;
        }
        break;
    default:
        break;
    }
    QLineEdit::keyPressEvent(event);
}

void NumberField::wheelEvent(QWheelEvent *event)
{
    if (!hasFocus() || event->angleDelta().y() == 0) {
        event->ignore();
        return;
    }
    step(event->angleDelta().y() > 0 ? 1 : -1);
    event->accept();
}

void NumberField::focusInEvent(QFocusEvent *event)
{
    m_focusClick.focusIn(event->reason());
    QLineEdit::focusInEvent(event);
}

void NumberField::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (!m_focusClick.isRecent() || isModified() || std::isnan(m_range.fallback))
        return QLineEdit::mouseDoubleClickEvent(event);
    const double fallback = m_range.fallback;
    if (fallback == m_number)
        return;
    setNumber(fallback);
    emit edited(fallback);
}

void NumberField::focusOutEvent(QFocusEvent *event)
{
    commit();
    QLineEdit::focusOutEvent(event);
}

void NumberField::changeEvent(QEvent *event)
{
    QLineEdit::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fitPrefix();
}

void NumberField::paintEvent(QPaintEvent *event)
{
    QLineEdit::paintEvent(event);
    if (m_prefix.isEmpty() && !m_isBad)
        return;
    QPainter painter(this);
    const Theme &theme = Theme::of(palette());
    if (!m_prefix.isEmpty()) {
        QFont prefixFont = font();
        if (m_isSymbol) {
            prefixFont.setFamily(QStringLiteral("serif"));
            prefixFont.setItalic(true);
        }
        painter.setFont(prefixFont);
        painter.setPen(theme.secondaryText);
        painter.drawText(rect().adjusted(8, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, m_prefix);
    }
    if (m_isBad) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme.error, 1.0));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    }
}

} // namespace attenscope
