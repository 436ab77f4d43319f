// SPDX-License-Identifier: GPL-3.0-or-later
// Words and button of a zoom.
#include "views/zoom_note.h"

#include "views/exact_line.h"
#include "views/readout_text.h"

#include <QHBoxLayout>
#include <QPushButton>

#include <algorithm>
#include <cmath>

namespace attenscope {

CellRect cellsInSight(const std::optional<QRectF> &visible, Index rows, Index cols)
{
    if (!visible)
        return { { 0, rows }, { 0, cols } };
    const auto outward = [](double first, double end, Index count) {
        const Index from = std::clamp<Index>(static_cast<Index>(std::floor(first)), 0, std::max<Index>(0, count - 1));
        return Range{ from, std::clamp<Index>(static_cast<Index>(std::ceil(end)), std::min(from + 1, count), count) };
    };
    return { outward(visible->top(), visible->bottom(), rows), outward(visible->left(), visible->right(), cols) };
}

std::optional<QRectF> visibleWith(const std::optional<QRectF> &visible, const CellRef &cell)
{
    if (!visible)
        return visible;
    QRectF cells = *visible;
    const auto moved = [](double first, double length, Index at) {
        const auto place = static_cast<double>(at);
        return place < first ? place : std::max(first, place + 1.0 - length);
    };
    if (cell.row >= 0)
        cells.moveTop(moved(cells.top(), cells.height(), cell.row));
    if (cell.col >= 0)
        cells.moveLeft(moved(cells.left(), cells.width(), cell.col));
    return cells;
}

QString zoomWords(const CellRect &shown, const AttentionBlock &block)
{
    QStringList parts;
    const auto say = [&](const QString &words, const QString &first, const QString &last, const Range &range, Index count) {
        // Positions are those of the whole input, which a count of what is left would not fit.
        const QString all = block.isReduced() ? QString() : QObject::tr(" of %1").arg(readout::counted(count));
        if (range.size() < count)
            parts.push_back(words.arg(first, last) + all);
    };
    say(QObject::tr("queries %1 to %2"), readout::queryPosition(block, shown.rows.first), readout::queryPosition(block, shown.rows.end - 1),
        shown.rows, block.queries);
    say(QObject::tr("keys %1 to %2"), readout::keyPosition(block, shown.cols.first), readout::keyPosition(block, shown.cols.end - 1),
        shown.cols, block.keys);
    return parts.isEmpty() ? QString() : QObject::tr("Zoomed: %1").arg(parts.join(QStringLiteral(", ")));
}

ZoomNote::ZoomNote(Selection &selection, QWidget *parent)
    : QWidget(parent)
    , m_line(new ExactLine)
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 16, 0);
    row->addWidget(m_line, 1);
    auto *all = new QPushButton(tr("Show all"));
    all->setToolTip(tr("Every query and key, here and on the map (0)"));
    connect(all, &QPushButton::clicked, &selection, [&selection] { selection.setVisible(std::nullopt); });
    row->addWidget(all);
    hide();
}

void ZoomNote::setWords(const QString &words, const QStringList &more)
{
    m_line->setText((QStringList{ words } + more).join(QStringLiteral("  ·  ")));
    setVisible(!words.isEmpty());
}

QString ZoomNote::words() const
{
    return m_line->text();
}

} // namespace attenscope
