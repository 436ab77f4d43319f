// SPDX-License-Identifier: GPL-3.0-or-later
// Reads and writes the row of the maps that are compared.
#include "views/map/compare_table.h"

#include "state/number_text.h"
#include "state/theme.h"
#include "views/map/token_ticker.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

constexpr int padding = 16;
constexpr int nameWidth = 168;
/// Of numbers from the right edges of their columns.
constexpr int inset = 8;

} // namespace

CompareTable::CompareTable(Selection &selection, QWidget *parent)
    : QWidget(parent)
    , m_selection(selection)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setMouseTracking(true);
    setAccessibleName(tr("Numbers of the row"));
    connect(&selection, &Selection::hoveredChanged, this, &CompareTable::followSelection);
    connect(&selection, &Selection::pickedChanged, this, &CompareTable::followSelection);
}

void CompareTable::setContent(const MapContent &content)
{
    m_content = content;
    m_job.cancel();
    m_lines = {};
    m_asked = -1;
    updateGeometry();
    followSelection();
}

int CompareTable::rowHeight() const
{
    return std::max(28, fontMetrics().height() + 10);
}

int CompareTable::leastColumn() const
{
    return std::max(80, fontMetrics().horizontalAdvance(tr("masked")) + 24);
}

QSize CompareTable::sizeHint() const
{
    return { nameWidth + 6 * leastColumn(), static_cast<int>(1 + m_content.panels.size()) * rowHeight() + 8 };
}

QSize CompareTable::minimumSizeHint() const
{
    return { nameWidth + 2 * leastColumn(), sizeHint().height() };
}

Index CompareTable::currentRow() const
{
    const auto current = m_selection.current();
    if (current && current->row >= 0 && current->row < m_content.rows())
        return current->row;
    // A column that is hovered has no row: the picked one stays.
    const auto picked = m_selection.picked();
    return picked && picked->row >= 0 && picked->row < m_content.rows() ? picked->row : -1;
}

Index CompareTable::currentCol() const
{
    const auto current = m_selection.current();
    const bool isKey = !m_content.hasDimensions() || m_selection.hovered().has_value();
    return current && isKey && current->col >= 0 && current->col < m_content.cols() ? current->col : -1;
}

bool CompareTable::hasSum() const
{
    return m_content.stage == Stage::Weights || m_content.stage == Stage::ValueWeighted;
}

QString CompareTable::sumTitle() const
{
    return m_content.stage == Stage::Weights ? tr("sum of weights") : tr("sum of the row");
}

int CompareTable::sumWidth() const
{
    return hasSum() ? fontMetrics().horizontalAdvance(sumTitle()) + 2 * inset : 0;
}

CompareTable::Window CompareTable::window() const
{
    const double room = width() - 2 * padding - nameWidth - sumWidth();
    const auto fitting = std::max<Index>(1, static_cast<Index>(room / leastColumn()));
    Window window;
    const Index count = std::min(fitting, m_content.cols());
    window.cols.first = std::clamp<Index>(m_firstCol, 0, m_content.cols() - count);
    window.cols.end = window.cols.first + count;
    window.left = padding + nameWidth;
    window.width = std::min<double>(1.5 * leastColumn(), room / static_cast<double>(std::max<Index>(1, count)));
    return window;
}

void CompareTable::followSelection()
{
    const Index col = currentCol();
    const Window shown = window();
    // The window moves only where the current column would be out of sight; not while the mouse chooses in the table itself.
    if (col >= 0 && !shown.cols.contains(col) && !underMouse())
        m_firstCol = std::clamp<Index>(col - shown.cols.size() / 2, 0, std::max<Index>(0, m_content.cols() - shown.cols.size()));
    update();
}

void CompareTable::readRow(Index row)
{
    // An exact row looks at all keys. Up to here the mouse does not feel it.
    constexpr Index mostAtOnce = 4096;
    if (row == m_asked)
        return;
    m_asked = row;
    m_job.cancel();
    if (row == m_lines.row)
        return;
    std::vector<MapFieldPtr> fields;
    for (const MapPanel &panel : m_content.panels)
        fields.push_back(panel.field);
    if (m_content.cols() <= mostAtOnce) {
        m_lines = linesOf(fields, row);
        return;
    }
    m_job.start([this, fields, row](const Run &, const Job::Deliver &deliver) {
        auto lines = std::make_shared<Lines>(linesOf(fields, row));
        deliver([this, lines] {
            m_lines = std::move(*lines);
            update();
        });
    });
}

CompareTable::Lines CompareTable::linesOf(const std::vector<MapFieldPtr> &fields, Index row)
{
    Lines lines;
    lines.row = row;
    for (const MapFieldPtr &field : fields) {
        std::vector<double> cells(static_cast<std::size_t>(field->cols()));
        field->row(row, 0, cells);
        double sum = 0.0;
        for (const double cell : cells)
            sum += cell::isHidden(cell) ? 0.0 : cell;
        lines.sums.push_back(sum);
        lines.cells.push_back(std::move(cells));
    }
    return lines;
}

QString CompareTable::cellText(double cell, bool isSigned)
{
    switch (cell::kind(cell)) {
    case cell::Kind::Masked:
        return tr("masked");
    case cell::Kind::Absent:
        return tr("absent");
    default:
        break;
    }
    return isSigned ? shownDifference(cell, 4) : shownNumber(cell, 4);
}

QString CompareTable::numberText(std::size_t line, Index col)
{
    const Index row = currentRow();
    if (row < 0 || line >= m_content.panels.size() || col < 0 || col >= m_content.cols())
        return {};
    readRow(row);
    if (m_lines.row != row)
        return QStringLiteral("…");
    return cellText(m_lines.cells[line][static_cast<std::size_t>(col)], m_content.panels[line].side == Side::Difference);
}

void CompareTable::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::of(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.view);
    painter.fillRect(QRect(0, 0, width(), 1), theme.faintLine);
    const Index row = currentRow();
    const int line = rowHeight();
    if (row < 0 || m_content.panels.empty()) {
        painter.setPen(theme.secondaryText);
        painter.drawText(
            QRect(padding, 0, width() - 2 * padding, line), Qt::AlignVCenter, tr("Pick a cell to see the numbers of its row here."));
        return;
    }
    readRow(row);
    const QFont plain = font();
    QFont bold = plain;
    bold.setBold(true);
    const Window shown = window();
    const Index current = currentCol();
    const auto columnRect = [&](Index col, int top) {
        return QRectF(shown.left + static_cast<double>(col - shown.cols.first) * shown.width, top, shown.width, line);
    };
    if (current >= 0 && shown.cols.contains(current))
        painter.fillRect(columnRect(current, line).adjusted(0.0, 0.0, 0.0, line * (static_cast<double>(m_content.panels.size()) - 1.0)),
            theme.accentGround);

    const AxisLabel name = m_content.rowLabel(row, false);
    painter.setPen(theme.secondaryText);
    painter.drawText(QRect(padding, 0, nameWidth - 8, line), Qt::AlignVCenter,
        fontMetrics().elidedText(
            tr("Row %1 “%2”").arg(QString::number(m_content.rowPosition(row)), name.text()), Qt::ElideRight, nameWidth - 8));
    const bool hasPositions = shown.cols.size() < m_content.cols();
    for (Index col = shown.cols.first; col < shown.cols.end; ++col) {
        const bool isCurrent = col == current;
        painter.setFont(isCurrent ? bold : plain);
        painter.setPen(isCurrent ? theme.accent : theme.secondaryText);
        const QRectF cell = columnRect(col, 0).adjusted(0.0, 0.0, -inset, 0.0);
        const QString text = m_content.colLabel(col, hasPositions).text();
        painter.drawText(cell, Qt::AlignVCenter | Qt::AlignRight,
            painter.fontMetrics().elidedText(text, Qt::ElideRight, static_cast<int>(cell.width())));
    }
    painter.setFont(plain);
    painter.setPen(theme.secondaryText);
    const QRectF sumHeader(shown.left + static_cast<double>(shown.cols.size()) * shown.width, 0.0, sumWidth(), line);
    if (hasSum())
        painter.drawText(sumHeader.adjusted(0.0, 0.0, -inset, 0.0), Qt::AlignVCenter | Qt::AlignRight, sumTitle());

    const bool isRead = m_lines.row == row;
    for (std::size_t index = 0; index < m_content.panels.size(); ++index) {
        const int top = static_cast<int>(index + 1) * line;
        painter.fillRect(QRect(padding, top, width() - 2 * padding, 1), theme.faintLine);
        const MapPanel &panel = m_content.panels[index];
        painter.setFont(plain);
        painter.setPen(theme.text);
        painter.drawText(QRect(padding, top, nameWidth - 8, line), Qt::AlignVCenter,
            fontMetrics().elidedText(panel.title, Qt::ElideRight, nameWidth - 8));
        for (Index col = shown.cols.first; col < shown.cols.end; ++col) {
            const bool isBright = isRead && !cell::isHidden(m_lines.cells[index][static_cast<std::size_t>(col)]);
            painter.setFont(col == current ? bold : plain);
            painter.setPen(isBright ? theme.text : theme.secondaryText);
            painter.drawText(
                columnRect(col, top).adjusted(0.0, 0.0, -inset, 0.0), Qt::AlignVCenter | Qt::AlignRight, numberText(index, col));
        }
        if (!hasSum() || !isRead)
            continue;
        const double sum = m_lines.sums[index];
        painter.setFont(plain);
        painter.setPen(theme.secondaryText);
        // A difference of weights sums to zero but for rounding.
        const bool isZero = panel.side == Side::Difference && std::abs(sum) < 1e-9;
        painter.drawText(sumHeader.adjusted(0.0, top, -inset, top), Qt::AlignVCenter | Qt::AlignRight,
            isZero ? QStringLiteral("0") : cellText(sum, panel.side == Side::Difference));
    }
}

Index CompareTable::colAt(QPointF point) const
{
    if (m_content.panels.empty() || currentRow() < 0)
        return -1;
    const Window shown = window();
    const auto col = static_cast<Index>(std::floor((point.x() - shown.left) / shown.width)) + shown.cols.first;
    return shown.cols.contains(col) ? col : -1;
}

void CompareTable::mouseMoveEvent(QMouseEvent *event)
{
    const Index col = colAt(event->position());
    // The row stays the picked one: the hovered cell is in it.
    const auto picked = m_selection.picked();
    if (col < 0 || !picked || picked->row < 0)
        m_selection.setHovered(std::nullopt);
    else
        m_selection.setHovered(CellRef{ picked->row, col });
}

void CompareTable::mouseReleaseEvent(QMouseEvent *event)
{
    const Index col = colAt(event->position());
    const auto picked = m_selection.picked();
    if (col >= 0 && picked && picked->row >= 0 && !m_content.hasDimensions())
        m_selection.setPicked(CellRef{ picked->row, col });
}

void CompareTable::leaveEvent(QEvent *)
{
    m_selection.setHovered(std::nullopt);
}

void CompareTable::wheelEvent(QWheelEvent *event)
{
    const int delta
        = std::abs(event->angleDelta().x()) > std::abs(event->angleDelta().y()) ? event->angleDelta().x() : event->angleDelta().y();
    const Window shown = window();
    const Index step = delta > 0 ? -1 : 1;
    m_firstCol = std::clamp<Index>(shown.cols.first + step, 0, std::max<Index>(0, m_content.cols() - shown.cols.size()));
    update();
    event->accept();
}

} // namespace attenscope
