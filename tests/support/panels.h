// SPDX-License-Identifier: GPL-3.0-or-later
// What tests of panels share: finding a control, its row, and typing into it.
#pragma once

#include "panels/controls.h"

#include <QLineEdit>
#include <QtTest>

namespace attenscope::test {

/// The control of that name; a test that asks for one which is not there fails at once.
template <typename Widget>
Widget *control(const QWidget &panel, const char *name)
{
    auto *widget = panel.findChild<Widget *>(QLatin1String(name));
    if (!widget)
        qFatal("There is no control %s.", name);
    return widget;
}

/// The row that @p widget is in.
inline PanelRow *rowOf(QWidget *widget)
{
    while (widget && !qobject_cast<PanelRow *>(widget))
        widget = widget->parentWidget();
    return qobject_cast<PanelRow *>(widget);
}

/// Replaces the text of a field as a user does, and presses Enter.
inline void enterText(QLineEdit *field, const QString &text)
{
    field->setFocus();
    field->selectAll();
    QTest::keyClicks(field, text);
    QTest::keyClick(field, Qt::Key_Return);
}

/// Clicks the link with that text inside @p parent; false if there is none to be seen.
inline bool clickLink(const QWidget *parent, const QString &text)
{
    for (LinkButton *link : parent->findChildren<LinkButton *>()) {
        if (link->text() == text && !link->isHidden()) {
            link->click();
            return true;
        }
    }
    return false;
}

} // namespace attenscope::test
