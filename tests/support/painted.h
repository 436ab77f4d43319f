// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of views, painted.
#pragma once

#include "state/theme.h"
#include "views/picture.h"

#include <QFont>
#include <QImage>
#include <QPainter>

namespace attenscope {

/// The letters that pictures are made for.
[[nodiscard]] inline QFont pictureFont()
{
    QFont font(QStringLiteral("DejaVu Sans"));
    font.setPixelSize(13);
    return font;
}

/// @p picture on a ground.
[[nodiscard]] inline QImage painted(const Picture &picture, const Theme &theme = Theme::light(), const QColor &ground = Qt::white)
{
    QImage image(picture.size.toSize(), QImage::Format_ARGB32_Premultiplied);
    image.fill(ground);
    QPainter painter(&image);
    painter.setFont(pictureFont());
    picture.paint(painter, theme);
    return image;
}

} // namespace attenscope
