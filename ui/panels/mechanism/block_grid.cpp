// SPDX-License-Identifier: GPL-3.0-or-later
// Painting a block layout with mouse and keys.
#include "panels/mechanism/block_grid.h"

#include "state/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

constexpr double largestCell = 20.0;
constexpr int frame = 2;

} // namespace

BlockGrid::BlockGrid(QWidget *parent)
    : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Block layout"));
    setToolTip(tr("Filled: this block of queries (row) sees this block of keys (column). Click or drag; arrows and Space."));
}

void BlockGrid::setLayoutBits(const BitMatrix &bits)
{
    const bool isResized = bits.rows() != m_bits.rows() || bits.cols() != m_bits.cols();
    m_bits = bits;
    m_row = std::clamp<Index>(m_row, 0, std::max<Index>(bits.rows() - 1, 0));
    m_col = std::clamp<Index>(m_col, 0, std::max<Index>(bits.cols() - 1, 0));
    if (isResized)
        updateGeometry();
    update();
}

double BlockGrid::side() const
{
    const double wide = (width() - 2.0 * frame) / static_cast<double>(std::max<Index>(m_bits.cols(), 1));
    const double high = (height() - 2.0 * frame) / static_cast<double>(std::max<Index>(m_bits.rows(), 1));
    return std::min({ largestCell, wide, high });
}

QSize BlockGrid::sizeHint() const
{
    const double cell = std::min(largestCell, 180.0 / static_cast<double>(std::max<Index>({ m_bits.rows(), m_bits.cols(), 1 })));
    return { qRound(cell * static_cast<double>(m_bits.cols())) + 2 * frame, qRound(cell * static_cast<double>(m_bits.rows())) + 2 * frame };
}

QSize BlockGrid::minimumSizeHint() const
{
    return { 60, sizeHint().height() };
}

QPoint BlockGrid::cellCenter(Index row, Index col) const
{
    return QPointF(frame + (static_cast<double>(col) + 0.5) * side(), frame + (static_cast<double>(row) + 0.5) * side()).toPoint();
}

std::optional<std::pair<Index, Index>> BlockGrid::cellAt(QPointF point) const
{
    const auto row = static_cast<Index>(std::floor((point.y() - frame) / side()));
    const auto col = static_cast<Index>(std::floor((point.x() - frame) / side()));
    if (row < 0 || col < 0 || row >= m_bits.rows() || col >= m_bits.cols())
        return std::nullopt;
    return std::pair(row, col);
}

void BlockGrid::paintCell(Index row, Index col)
{
    m_row = row;
    m_col = col;
    update();
    if (m_bits.at(row, col) == m_paints)
        return;
    BitMatrix next = m_bits;
    next.set(row, col, m_paints);
    emit painted(next);
}

void BlockGrid::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Theme &theme = Theme::of(palette());
    const double cell = side();
    const double gap = cell >= 6.0 ? 1.0 : 0.0;
    for (Index row = 0; row < m_bits.rows(); ++row) {
        for (Index col = 0; col < m_bits.cols(); ++col) {
            const QRectF place(frame + static_cast<double>(col) * cell, frame + static_cast<double>(row) * cell, cell - gap, cell - gap);
            painter.fillRect(place, m_bits.at(row, col) ? theme.secondaryText : theme.maskedGround);
        }
    }
    if (!hasFocus() || m_bits.isEmpty())
        return;
    painter.setPen(QPen(theme.accent, 2));
    painter.drawRect(QRectF(frame + static_cast<double>(m_col) * cell, frame + static_cast<double>(m_row) * cell, cell - gap, cell - gap));
}

void BlockGrid::mousePressEvent(QMouseEvent *event)
{
    const auto cell = cellAt(event->position());
    if (event->button() != Qt::LeftButton || !cell)
        return;
    m_paints = !m_bits.at(cell->first, cell->second);
    paintCell(cell->first, cell->second);
}

void BlockGrid::mouseMoveEvent(QMouseEvent *event)
{
    if (!(event->buttons() & Qt::LeftButton))
        return;
    if (const auto cell = cellAt(event->position()))
        paintCell(cell->first, cell->second);
}

void BlockGrid::mouseReleaseEvent(QMouseEvent *)
{
    emit strokeEnded();
}

void BlockGrid::keyPressEvent(QKeyEvent *event)
{
    const auto move = [this](Index rows, Index cols) {
        m_row = std::clamp<Index>(m_row + rows, 0, std::max<Index>(m_bits.rows() - 1, 0));
        m_col = std::clamp<Index>(m_col + cols, 0, std::max<Index>(m_bits.cols() - 1, 0));
        update();
    };
    switch (event->key()) {
    case Qt::Key_Up:
        return move(-1, 0);
    case Qt::Key_Down:
        return move(1, 0);
    case Qt::Key_Left:
        return move(0, -1);
    case Qt::Key_Right:
        return move(0, 1);
    case Qt::Key_Space:
        if (!m_bits.isEmpty()) {
            m_paints = !m_bits.at(m_row, m_col);
            paintCell(m_row, m_col);
            emit strokeEnded();
        }
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

void BlockGrid::focusInEvent(QFocusEvent *event)
{
    QWidget::focusInEvent(event);
    update();
}

} // namespace attenscope
