// SPDX-License-Identifier: GPL-3.0-or-later
// NumberEntry: a number field of a view bar that says why it does not take something, and gives it up with Escape.
#pragma once

#include <QKeyEvent>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QValidator>

#include <functional>
#include <utility>

namespace attenscope {

/// A QSpinBox or QDoubleSpinBox in which anything can be typed. What is no number in its range when Return is pressed or the focus leaves is refused: the number
/// stays what it was, and refused() is called with what was typed. Escape gives back the number, and the key goes on to the window, which focuses the view.
template <typename Box>
class NumberEntry : public Box {
public:
    explicit NumberEntry(QWidget *parent = nullptr)
        : Box(parent)
    {
        Box::setKeyboardTracking(false);
    }

    void setRefused(std::function<void(const QString &)> refused) { m_refused = std::move(refused); }

    [[nodiscard]] QValidator::State validate(QString &text, int &position) const override
    {
        const QValidator::State state = Box::validate(text, position);
        return state == QValidator::Invalid ? QValidator::Intermediate : state;
    }

    void fixup(QString &text) const override
    {
        const QString typed = std::exchange(text, this->textFromValue(this->value()));
        if (m_refused)
            m_refused(typed);
    }

protected:
    void keyPressEvent(QKeyEvent *event) override
    {
        if (event->key() != Qt::Key_Escape)
            return Box::keyPressEvent(event);
        const QSignalBlocker blocker(Box::lineEdit());
        Box::lineEdit()->setText(this->textFromValue(this->value()));
        event->ignore();
    }

private:
    std::function<void(const QString &)> m_refused;
};

} // namespace attenscope
