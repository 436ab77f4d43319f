// SPDX-License-Identifier: GPL-3.0-or-later
// Theme: the colours of the window and of maps, light and dark.
#pragma once

#include <QColor>
#include <QPalette>

namespace attenscope {

/// Colour roles of the interface; see docs for contrast. A plain value.
struct Theme {
    bool isDark = false;
    QColor window, panel, view;
    QColor line, faintLine, hover;
    QColor text, secondaryText;
    QColor accent, accentGround;
    QColor error, errorGround;
    QColor notice, noticeGround, done;
    QColor maskedGround, maskedHatch;

    [[nodiscard]] static const Theme &light();
    [[nodiscard]] static const Theme &dark();
    /// The theme whose palette() is in force in @p palette (by the lightness of the window colour).
    [[nodiscard]] static const Theme &of(const QPalette &palette);
    [[nodiscard]] QPalette palette() const;
};

} // namespace attenscope
