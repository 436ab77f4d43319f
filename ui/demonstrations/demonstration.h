// SPDX-License-Identifier: GPL-3.0-or-later
// Demonstration: what the live demonstrations have in common: a title, what one sees in a sentence or two, controls, a chart, and a way out.
#pragma once

#include "demonstrations/chart.h"
#include "state/document.h"
#include "state/selection.h"

#include <QWidget>

class QDoubleSpinBox;
class QHBoxLayout;
class QLabel;
class QSlider;

namespace attenscope {

/// A number on a logarithmic slider, and in a field for those who know it. Double click on the slider: the default.
class LogSlider : public QWidget {
    Q_OBJECT

public:
    struct Range {
        double least;
        double most;
        double fallback;
        int decimals;
    };
    LogSlider(const QString &label, Range range, const QString &help, QWidget *parent = nullptr);

    [[nodiscard]] double value() const;
    void setValue(double value);

signals:
    /// At every step of a drag.
    void valueChanged(double value);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    [[nodiscard]] int positionOf(double value) const;

    Range m_range;
    QSlider *m_slider;
    QDoubleSpinBox *m_field;
};

/// Shown in the centre in place of the view. Subclasses fill controls() and chart().
class Demonstration : public QWidget {
    Q_OBJECT

public:
    [[nodiscard]] QString title() const { return m_title; }
    [[nodiscard]] Chart &chart() { return *m_chart; }

signals:
    void closeRequested();
    void copyRequested();
    void exportRequested();

protected:
    Demonstration(const QString &title, const QString &sentences, QWidget *parent);

    /// The row between the sentences and the chart.
    [[nodiscard]] QHBoxLayout *controls() { return m_controls; }
    /// What has come out, in words, under the controls. Hidden while empty.
    void setFinding(const QString &text);
    /// "1.7 · 10⁻⁷"; "0".
    [[nodiscard]] static QString powerText(double number, int decimals);
    void changeEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void followFont();

    QString m_title;
    QLabel *m_heading;
    QLabel *m_finding;
    QHBoxLayout *m_controls;
    Chart *m_chart;
};

/// q·k for growing d_k, and what softmax makes of it with and without the scale.
[[nodiscard]] Demonstration *makeWhyScale(QWidget *parent = nullptr);
/// Whole matrices and one pass for growing n, with the picked head as far as it goes: times, memory, difference.
[[nodiscard]] Demonstration *makeExactAndTiled(Document &document, QWidget *parent = nullptr);
/// What other weights give the same output as the picked row.
[[nodiscard]] Demonstration *makeOtherWeights(Document &document, Selection &selection, QWidget *parent = nullptr);

} // namespace attenscope
