// SPDX-License-Identifier: GPL-3.0-or-later
// Fonts inside SVG files, so that their letters are the same everywhere.
#pragma once

#include <QByteArray>

namespace attenscope {

/// @p svg as QSvgGenerator writes it, with the fonts of its texts inside as @font-face rules: of each font the glyphs that the texts have (OpenType 1.9,
/// tables glyf and loca), under the family's real name. Fonts without TrueType outlines are put in whole. Characters that a font lacks are left to the
/// viewer. What is no such file comes back as it is.
[[nodiscard]] QByteArray withEmbeddedFonts(QByteArray svg);

} // namespace attenscope
