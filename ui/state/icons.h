// SPDX-License-Identifier: GPL-3.0-or-later
// Icons: the symbolic drawings of resources/icons in the colours of the palette, sharp at any scale.
#pragma once

#include <QColor>
#include <QIcon>
#include <QPixmap>
#include <QString>

namespace attenscope {

/// The drawing resources/icons/@p name.svg. It has the text colour of the application's palette when it is painted (so it follows the theme), the
/// accent where it is on, and is faint where it is disabled. An unknown name is a bug (assert).
[[nodiscard]] QIcon icon(const QString &name);
/// The same drawing once, @p size logical pixels wide, in @p color.
[[nodiscard]] QPixmap iconPixmap(const QString &name, int size, const QColor &color, double devicePixelRatio);

} // namespace attenscope
