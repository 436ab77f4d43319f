// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of Style share: theme of an option, boxes, chevrons, segments.
#pragma once

#include "state/theme.h"

#include <QPainter>
#include <QStyleOption>
#include <QWidget>

namespace attenscope::styling {

inline constexpr int controlHeight = 28;
inline constexpr int toolButtonHeight = 32;
inline constexpr qreal radius = 4.0;
inline constexpr int chevronWidth = 16;

[[nodiscard]] const Theme &themeOf(const QStyleOption *option);
[[nodiscard]] bool isEnabled(const QStyleOption *option);
[[nodiscard]] bool isHovered(const QStyleOption *option);
[[nodiscard]] bool isFlagged(const QWidget *widget, const char *property);

/// A rounded rectangle whose line of @p width lies inside @p rect on whole pixels; an invalid colour leaves out that part.
void drawBox(QPainter *painter, const QRectF &rect, const QColor &fill, const QColor &line, qreal width = 1.0);
/// A field's box: panel, line, and the accent ring where it has the focus.
void drawField(QPainter *painter, const QStyleOption *option);
/// The icon of that name centred in @p rect.
void drawSymbol(QPainter *painter, const QRect &rect, const char *name, int size, const QColor &color);

/// The "segment" property, or empty.
[[nodiscard]] QString segmentOf(const QWidget *widget);
/// One part of a segmented control, without its text.
void drawSegment(QPainter *painter, const QStyleOption *option, const QString &segment);
[[nodiscard]] QColor segmentText(const QStyleOption *option);

} // namespace attenscope::styling
