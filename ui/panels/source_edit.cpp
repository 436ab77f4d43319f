// SPDX-License-Identifier: GPL-3.0-or-later
// What every tab does when its kind of input takes the place of another.
#include "panels/source_edit.h"

namespace attenscope {

void startOtherSource(Session &session, const QString &name)
{
    session.name = name.toStdString();
    const auto forget = [](MaskSpec &mask) {
        mask.allowed = {};
        mask.paddedKeys = 0;
    };
    forget(session.mechanism.mask);
    if (session.comparison)
        forget(session.comparison->mask);
}

} // namespace attenscope
