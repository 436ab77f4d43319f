// SPDX-License-Identifier: GPL-3.0-or-later
// What every tab does when its kind of input takes the place of another.
#pragma once

#include "session/session.h"

#include <QString>

namespace attenscope {

/// Prepares @p session for a source of another kind: names it, and drops the 0/1 masks and the padding, which are made for the size of the old input.
void startOtherSource(Session &session, const QString &name);

} // namespace attenscope
