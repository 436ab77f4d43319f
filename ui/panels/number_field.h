// SPDX-License-Identifier: GPL-3.0-or-later
// NumberField: a number typed into a field, checked when it is entered, stepped by keys and wheel.
#pragma once

#include <QElapsedTimer>
#include <QLineEdit>

#include <optional>

namespace attenscope {

/// Tells a double click that brings the focus along, which asks for the default, from one that selects text.
class FocusClick {
public:
    void focusIn(Qt::FocusReason reason);
    /// Whether the focus came by a click of just now.
    [[nodiscard]] bool isRecent() const;

private:
    QElapsedTimer m_since;
};

/// What a field accepts. Steps keep inside the range.
struct NumberRange {
    QString name; ///< "Temperature", for the sentence about a bad text.
    double least = 0.0;
    double most = 1.0;
    bool isWhole = true;
    double fallback = 0.0; ///< The default, which a double click on an unfocused field or on the label brings back; NaN: none.
    int decimals = 2; ///< Shown of numbers that are not whole; more are kept and shown while needed.
};

/// Commits on Enter and when the focus leaves; Up, Down and the wheel (focused only) commit at once. A bad text stays as typed, emits
/// badText() with one sentence and changes no value.
class NumberField : public QLineEdit {
    Q_OBJECT

public:
    explicit NumberField(NumberRange range, QWidget *parent = nullptr);

    /// Shows @p number without emitting anything; a bad text goes.
    void setNumber(double number);
    [[nodiscard]] double number() const { return m_number; }
    [[nodiscard]] const NumberRange &range() const { return m_range; }
    void setRange(double least, double most);
    void setFallback(double fallback) { m_range.fallback = fallback; }
    /// A word inside the field at its left, in the secondary colour; italic for a symbol.
    void setPrefix(const QString &text, bool isSymbol = false);
    /// "Heads: a whole number from 1 to 64."
    [[nodiscard]] QString rangeSentence() const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    /// The user entered another number; within the range.
    void edited(double number);
    /// The text is no number of the range; an empty sentence when that has passed.
    void badText(const QString &sentence);

protected:
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void commit();
    void step(int steps);
    void fitPrefix();
    [[nodiscard]] int widthFor(qsizetype digits) const;
    [[nodiscard]] QString textOf(double number) const;

    NumberRange m_range;
    double m_number = 0.0;
    bool m_isBad = false;
    FocusClick m_focusClick;
    QString m_prefix;
    bool m_isSymbol = false;
};

} // namespace attenscope
