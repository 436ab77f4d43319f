// SPDX-License-Identifier: GPL-3.0-or-later
// PatchesScene: patches on a page; the same on the screen and in figures.
#pragma once

#include "views/lines/lines_layout.h"
#include "views/patches/patches_content.h"

#include <QRectF>

#include <optional>

class QPainter;

namespace attenscope {

/// Places and paints; for a page of a given size.
class PatchesScene {
public:
    PatchesScene() = default;
    /// The patches are squares as large as @p size allows: tokens before the first patch above them, in as many rows as
    /// they need, scale and caption below.
    PatchesScene(const PatchesContent &content, const LinesStyle &style, const QSizeF &size);

    [[nodiscard]] const QRectF &patches() const { return m_patches; }
    /// The token at @p point: a patch, or one of those before the first.
    [[nodiscard]] std::optional<Index> hit(QPointF point) const;
    [[nodiscard]] QRectF box(Index token) const;
    void paint(QPainter &painter, const PatchesContent &content) const;

private:
    void paintToken(QPainter &painter, const PatchesContent &content, Index token) const;
    void paintMarks(QPainter &painter, const PatchesContent &content) const;
    void paintScale(QPainter &painter, const PatchesContent &content) const;

    LinesStyle m_style;
    PatchGrid m_grid;
    double m_side = 0.0; ///< Of a patch.
    QRectF m_others; ///< Tokens before the first patch.
    QRectF m_patches;
    QRectF m_scale;
    QRectF m_caption;
};

} // namespace attenscope
