// SPDX-License-Identifier: GPL-3.0-or-later
// The colours of both themes, and the palettes that carry them to Qt's own widgets.
#include "state/theme.h"

namespace attenscope {

namespace {

Theme lightTheme()
{
    Theme theme;
    theme.window = "#F3F4F5";
    theme.panel = "#FFFFFF";
    theme.view = "#FFFFFF";
    theme.line = "#D5D8DC";
    theme.faintLine = "#E6E8EB";
    theme.hover = "#E9EBEE";
    theme.text = "#1B1F24";
    theme.secondaryText = "#555D66";
    theme.accent = "#1A5FB4";
    theme.accentGround = "#DCE8F7";
    theme.error = "#B3261E";
    theme.errorGround = "#FCEBE9";
    theme.notice = "#7A5200";
    theme.noticeGround = "#FFF4D6";
    theme.done = "#1B6E3C";
    theme.maskedGround = "#ECEEF0";
    theme.maskedHatch = "#C9CDD2";
    return theme;
}

Theme darkTheme()
{
    Theme theme;
    theme.isDark = true;
    theme.window = "#1E2125";
    theme.panel = "#262A2F";
    theme.view = "#1B1E22";
    theme.line = "#3C4249";
    theme.faintLine = "#32373D";
    theme.hover = "#31363C";
    theme.text = "#EDEFF1";
    theme.secondaryText = "#A9B1BA";
    theme.accent = "#7FB2F0";
    theme.accentGround = "#27415F";
    theme.error = "#FF8A80";
    theme.errorGround = "#43211F";
    theme.notice = "#FFD479";
    theme.noticeGround = "#40351A";
    theme.done = "#7BD39A";
    theme.maskedGround = "#2C3137";
    theme.maskedHatch = "#4A5159";
    return theme;
}

} // namespace

const Theme &Theme::light()
{
    static const Theme theme = lightTheme();
    return theme;
}

const Theme &Theme::dark()
{
    static const Theme theme = darkTheme();
    return theme;
}

const Theme &Theme::of(const QPalette &palette)
{
    return palette.color(QPalette::Window).lightness() < 128 ? dark() : light();
}

QPalette Theme::palette() const
{
    QPalette palette;
    palette.setColor(QPalette::Window, window);
    palette.setColor(QPalette::WindowText, text);
    palette.setColor(QPalette::Base, panel);
    palette.setColor(QPalette::AlternateBase, window);
    palette.setColor(QPalette::Text, text);
    palette.setColor(QPalette::PlaceholderText, secondaryText);
    palette.setColor(QPalette::Button, panel);
    palette.setColor(QPalette::ButtonText, text);
    palette.setColor(QPalette::BrightText, error);
    palette.setColor(QPalette::ToolTipBase, panel);
    palette.setColor(QPalette::ToolTipText, text);
    palette.setColor(QPalette::Highlight, accent);
    palette.setColor(QPalette::HighlightedText, panel);
    palette.setColor(QPalette::Link, accent);
    palette.setColor(QPalette::LinkVisited, accent);
    palette.setColor(QPalette::Light, isDark ? line : panel);
    palette.setColor(QPalette::Midlight, faintLine);
    palette.setColor(QPalette::Mid, line);
    palette.setColor(QPalette::Dark, isDark ? view : secondaryText);
    palette.setColor(QPalette::Shadow, isDark ? view : text);
    for (const auto role : { QPalette::WindowText, QPalette::Text, QPalette::ButtonText })
        palette.setColor(QPalette::Disabled, role, secondaryText);
    palette.setColor(QPalette::Disabled, QPalette::Highlight, line);
    palette.setColor(QPalette::Disabled, QPalette::HighlightedText, secondaryText);
    return palette;
}

} // namespace attenscope
