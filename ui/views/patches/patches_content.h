// SPDX-License-Identifier: GPL-3.0-or-later
// PatchesContent: tokens that are patches of an image, with the colours of weights, as a value; made from a Document for the screen and for figures alike.
#pragma once

#include "views/text/text_content.h"

#include <QImage>

namespace attenscope {

/// A picture under the patches.
struct PatchPicture {
    std::string path; ///< Empty: none.
    QImage image; ///< Null where it cannot be read.
    QString problem; ///< Why: one sentence.
};
/// Any format that Qt reads; large ones are made smaller while they are read.
[[nodiscard]] PatchPicture readPicture(const std::string &path);

/// Ways to lay @p tokens out as patches, most likely first: squares, after no token, a class token, or one and registers or a distillation token; then
/// rectangles at most three times as wide as high or as high as wide.
[[nodiscard]] std::vector<PatchGrid> patchGrids(Index tokens);
/// "14 × 14", "14 × 14 after 1 token".
[[nodiscard]] QString gridText(const PatchGrid &grid);

struct PatchesContent {
    TextContent weights; ///< Whose tints the patches have.
    TokenSide side = TokenSide::Keys; ///< Which tokens the patches are: those that are tinted; keys while nothing is.
    PatchGrid grid;
    QImage picture;

    /// The token of a patch.
    [[nodiscard]] Index token(Index row, Index col) const { return grid.first + row * grid.cols + col; }
    [[nodiscard]] Index tokens() const { return side == TokenSide::Keys ? weights.weights.cols() : weights.weights.rows(); }
    /// The weight of a token of side(); absent while nothing is picked.
    [[nodiscard]] double weight(Index token) const;
    /// What the patches show, with the exact weight of the hovered one.
    [[nodiscard]] QString caption() const;
};

/// What @p document shows of patches under @p picture; nothing while its head is not ready, or where it has no patches: @p reason says so.
[[nodiscard]] std::optional<PatchesContent> patchesContent(
    const Document &document, const Selection &selection, FieldCache &fields, const QImage &picture, QString &reason);

} // namespace attenscope
