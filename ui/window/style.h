// SPDX-License-Identifier: GPL-3.0-or-later
// Style: the flat look of every control, drawn on top of Fusion in the colours of the theme.
#pragma once

#include "state/settings.h"

#include <QProxyStyle>
#include <QStyleOption>

class QApplication;

namespace attenscope {

/// Controls 28 high (tool buttons 32), radius 4, lines of 1, focus as a ring of 2 in the accent. Widgets say what they are by dynamic properties:
/// "segment": "first", "middle", "last" or "only" makes a checkable button a part of a segmented control; "primary": true is the accented
/// button; "link": true a button that looks like a link.
class Style : public QProxyStyle {
    Q_OBJECT

public:
    Style();

    int pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const override;
    int styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget, QStyleHintReturn *data) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption *option, const QSize &size, const QWidget *widget) const override;
    QRect subElementRect(SubElement element, const QStyleOption *option, const QWidget *widget) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex *option, SubControl part, const QWidget *widget) const override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const override;
    void drawControl(ControlElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const override;
    void drawComplexControl(
        ComplexControl control, const QStyleOptionComplex *option, QPainter *painter, const QWidget *widget) const override;

private:
    void drawButton(const QStyleOption *option, QPainter *painter, const QWidget *widget, bool isFlat) const;
    void drawToolButton(const QStyleOptionToolButton &option, QPainter *painter, const QWidget *widget) const;
    void drawToolButtonLabel(const QStyleOptionToolButton &option, const QRect &inside, const QColor &color, QPainter *painter) const;
    void drawComboBox(const QStyleOptionComboBox &option, QPainter *painter) const;
    void drawSpinBox(const QStyleOptionSpinBox &option, QPainter *painter, const QWidget *widget) const;
    void drawSlider(const QStyleOptionSlider &option, QPainter *painter, const QWidget *widget) const;
    void drawScrollBar(const QStyleOptionSlider &option, QPainter *painter, const QWidget *widget) const;
};

/// Sets style, palette and font of the program. System: light or dark as the desktop's own palette was the first time.
void applyTheme(QApplication &application, ThemeChoice choice);

} // namespace attenscope
