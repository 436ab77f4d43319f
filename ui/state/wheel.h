// SPDX-License-Identifier: GPL-3.0-or-later
// Controls that the wheel passes by.
#pragma once

class QObject;

namespace attenscope {

/// The wheel moves @p control, a widget, only while it has the focus, which a click or Tab gives; else what is behind it scrolls.
void keepWheelForFocus(QObject *control);

} // namespace attenscope
