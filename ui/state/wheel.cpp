// SPDX-License-Identifier: GPL-3.0-or-later
// The filter of the wheel. Focus and its policy are properties of every widget, so that this layer need not know them.
#include "state/wheel.h"

#include <QEvent>
#include <QObject>
#include <QVariant>

namespace attenscope {

namespace {

class WheelGuard : public QObject {
public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() != QEvent::Wheel || watched->property("focus").toBool())
            return false;
        // Unaccepted, so that the page behind scrolls.
        event->ignore();
        return true;
    }
};

} // namespace

void keepWheelForFocus(QObject *control)
{
    control->setProperty("focusPolicy", Qt::StrongFocus);
    control->installEventFilter(new WheelGuard(control));
}

} // namespace attenscope
