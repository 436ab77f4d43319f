// SPDX-License-Identifier: GPL-3.0-or-later
// BlockGrid: the layout of a block-sparse mask as cells to click.
#pragma once

#include "attention/spec.h"

#include <QWidget>

#include <optional>

namespace attenscope {

/// Filled: this block of queries sees this block of keys. A click or a drag paints, arrows move and Space changes.
class BlockGrid : public QWidget {
    Q_OBJECT

public:
    explicit BlockGrid(QWidget *parent = nullptr);

    /// Emits nothing.
    void setLayoutBits(const BitMatrix &bits);
    /// The middle of a cell, widget coordinates.
    [[nodiscard]] QPoint cellCenter(Index row, Index col) const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void painted(const attenscope::BitMatrix &bits);
    /// A stroke is over: what follows is another step.
    void strokeEnded();

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;

private:
    [[nodiscard]] double side() const;
    [[nodiscard]] std::optional<std::pair<Index, Index>> cellAt(QPointF point) const;
    void paintCell(Index row, Index col);

    BitMatrix m_bits;
    bool m_paints = true; ///< What the stroke makes of a cell.
    Index m_row = 0;
    Index m_col = 0;
};

} // namespace attenscope
