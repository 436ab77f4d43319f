// SPDX-License-Identifier: GPL-3.0-or-later
// The words of Steps outside of its widgets, for translation.
#pragma once

#include <QCoreApplication>

namespace attenscope {

[[nodiscard]] inline QString stepsWords(const char *words)
{
    return QCoreApplication::translate("Steps", words);
}

} // namespace attenscope
