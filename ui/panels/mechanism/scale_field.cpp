// SPDX-License-Identifier: GPL-3.0-or-later
// ScaleField: the factor on the scores.
#include "panels/mechanism/scale_field.h"

#include "core/text.h"
#include "panels/controls.h"
#include "state/number_text.h"
#include "state/theme.h"

#include <QKeyEvent>
#include <QPainter>
#include <QRegularExpression>

#include <cmath>

namespace attenscope {

std::optional<double> parseScale(const QString &text)
{
    static const QRegularExpression root(QStringLiteral("^1\\s*/\\s*(?:√|sqrt)\\s*\\(?\\s*([^()]+?)\\s*\\)?$"));
    static const QRegularExpression fraction(QStringLiteral("^([^/]+)/([^/]+)$"));
    const QString plain = text.trimmed();
    if (const auto match = root.match(plain); match.hasMatch()) {
        const auto under = typedNumber(match.captured(1));
        return under && *under > 0.0 ? std::optional(1.0 / std::sqrt(*under)) : std::nullopt;
    }
    if (const auto match = fraction.match(plain); match.hasMatch()) {
        const auto top = typedNumber(match.captured(1));
        const auto bottom = typedNumber(match.captured(2));
        return top && bottom && *bottom != 0.0 ? std::optional(*top / *bottom) : std::nullopt;
    }
    const auto number = typedNumber(plain);
    return number && std::isfinite(*number) ? number : std::nullopt;
}

ScaleField::ScaleField(QWidget *parent)
    : QLineEdit(parent)
{
    setMinimumHeight(controlHeight);
    setFocusPolicy(Qt::StrongFocus);
    connect(this, &QLineEdit::returnPressed, this, &ScaleField::commit);
}

QString ScaleField::ruleText() const
{
    return m_dimension > 0 ? QStringLiteral("1 / √%1").arg(m_dimension) : QStringLiteral("1 / √d");
}

void ScaleField::setScale(std::optional<double> factor, long dimension)
{
    m_factor = factor;
    m_dimension = dimension;
    const QString shown = factor ? QString::fromStdString(exactNumber(*factor)) : ruleText();
    if (text() != shown) {
        setText(shown);
        setCursorPosition(0);
    }
    setModified(false);
    if (m_isBad) {
        m_isBad = false;
        emit badText({});
    }
    update();
}

void ScaleField::commit()
{
    if (!isModified())
        return;
    setModified(false);
    const QString typed = text().trimmed();
    const bool isDefault = typed.isEmpty() || typed == ruleText();
    const std::optional<double> factor = isDefault ? std::nullopt : parseScale(typed);
    if (!isDefault && !factor) {
        m_isBad = true;
        emit badText(tr("Scale: a number such as 0.5, or 1/√8. An empty field means 1/√d_k."));
        update();
        return;
    }
    const bool isOther = factor != m_factor;
    setScale(factor, m_dimension);
    if (isOther)
        emit edited(factor);
}

bool ScaleField::event(QEvent *event)
{
    return leavesUndoToTheDocument(event, isModified()) || QLineEdit::event(event);
}

void ScaleField::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape && (isModified() || m_isBad)) {
        setScale(m_factor, m_dimension);
        return;
    }
    QLineEdit::keyPressEvent(event);
}

void ScaleField::focusInEvent(QFocusEvent *event)
{
    m_focusClick.focusIn(event->reason());
    QLineEdit::focusInEvent(event);
}

void ScaleField::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (!m_focusClick.isRecent() || isModified())
        return QLineEdit::mouseDoubleClickEvent(event);
    if (!m_factor)
        return;
    setScale(std::nullopt, m_dimension);
    emit edited(std::nullopt);
}

void ScaleField::focusOutEvent(QFocusEvent *event)
{
    commit();
    QLineEdit::focusOutEvent(event);
}

void ScaleField::paintEvent(QPaintEvent *event)
{
    QLineEdit::paintEvent(event);
    if (m_factor || isModified() || m_isBad || m_dimension < 1)
        return;
    QPainter painter(this);
    painter.setPen(Theme::of(palette()).secondaryText);
    const double value = 1.0 / std::sqrt(static_cast<double>(m_dimension));
    painter.drawText(rect().adjusted(0, 0, -8, 0), Qt::AlignRight | Qt::AlignVCenter, QString::fromStdString(displayNumber(value, 4)));
}

} // namespace attenscope
