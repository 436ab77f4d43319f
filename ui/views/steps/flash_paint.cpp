// SPDX-License-Identifier: GPL-3.0-or-later
// Painting the walk of flash attention.
#include "state/number_text.h"
#include "views/steps/flash_scene.h"

#include "core/text.h"
#include "views/readout_text.h"
#include "views/steps/steps_paint.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace attenscope {

namespace {

QString tr(const char *words)
{
    return QCoreApplication::translate("Flash", words);
}

QString rangeText(const Range &range)
{
    if (range.size() == 1)
        return QString::number(range.first);
    return QStringLiteral("%1–%2").arg(range.first).arg(range.end - 1);
}

} // namespace

void FlashScene::paint(QPainter &painter) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme &theme = m_style.theme;
    const double pad = m_style.size(16, 24);
    const QFont titleFont = m_style.sized(18, 26, true);
    const QFontMetricsF titles(titleFont);
    const QFont noteFont = m_style.sized(12, 17);
    painter.setFont(titleFont);
    painter.setPen(theme.text);
    painter.drawText(QPointF(pad, pad + titles.ascent()), title());
    painter.setFont(noteFont);
    painter.setPen(theme.secondaryText);
    const QString where = !isEnd()       ? tr("queries %1, keys %2").arg(rangeText(tile().rows), rangeText(tile().keys))
        : partNote(*m_content).isEmpty() ? tr("every query block is finished")
                                         : tr("queries %1 are finished").arg(rangeText(m_content->walk.rows));
    painter.drawText(QPointF(pad + titles.horizontalAdvance(title()) + m_style.size(10, 16), pad + titles.ascent()), where);
    paintMap(painter);
    paintLegend(painter);

    double y = m_side.top();
    painter.setFont(titleFont);
    painter.setPen(theme.text);
    const QString query = tr("Query %1").arg(m_row);
    painter.drawText(QPointF(m_side.left(), y + titles.ascent()), query);
    painter.setFont(noteFont);
    painter.setPen(theme.secondaryText);
    painter.drawText(QPointF(m_side.left() + titles.horizontalAdvance(query) + m_style.size(10, 16), y + titles.ascent()),
        readout::tokenText(m_content->block().queryTokens, m_row));
    y += titles.height() + m_style.size(8, 12);
    if (isEnd()) {
        paintResult(painter, y);
        return;
    }
    paintLines(painter, y);
    y = paintTable(painter, m_tableRows.front().first.top());
    paintNote(painter, y + m_style.size(8, 12), tileNote());
}

QString FlashScene::tileNote() const
{
    constexpr double none = -std::numeric_limits<double>::infinity();
    const auto &blocks = m_content->walk.states.blocks;
    const auto place = static_cast<std::size_t>(tile().keyBlock);
    Index begun = 0;
    Index moved = 0;
    for (Index row = tile().rows.first; row < tile().rows.end; ++row) {
        const Index at = row - m_content->walk.rows.first;
        const double after = blocks[place].m(at);
        const double before = place == 0 ? none : blocks[place - 1].m(at);
        if (after > before)
            ++(before == none ? begun : moved);
    }
    const Index rows = tile().rows.size();
    QStringList sentences;
    if (begun > 0)
        sentences << tr("%1 of %2 rows see their first keys in this tile: they had gathered nothing, c = 0.").arg(begun).arg(rows);
    if (moved > 0)
        sentences << tr("%1 of %2 rows found a larger score: what they had gathered is multiplied by c.").arg(moved).arg(rows);
    if (begun + moved < rows)
        sentences << (begun + moved > 0 ? tr("The others keep c = 1.") : tr("No row found a larger score: all keep c = 1."));
    if (const Index folded = m_content->walk.operands->v.cols() - 1; folded > 0)
        sentences << tr("%1 more numbers of each accumulator are folded.").arg(folded);
    return sentences.join(QLatin1Char(' '));
}

void FlashScene::paintMap(QPainter &painter) const
{
    const Theme &theme = m_style.theme;
    const AttentionBlock &block = m_content->block();
    const FlashWalk &walk = m_content->walk;
    const Range &walked = walk.rows;
    const QFont noteFont = m_style.sized(12, 17);
    const QFont boldNotes = m_style.sized(12, 17, true);
    const QFontMetricsF notes(noteFont);
    painter.setRenderHint(QPainter::Antialiasing, false);
    paintMaskedGround(painter, theme, m_map);
    // Images have whole texels; the last one may reach over the edge.
    const auto scaled = [this](Index cells, Index count, double length) {
        const Index texel = Index{ 1 } << m_level;
        return length * static_cast<double>((cells + texel - 1) / texel * texel) / static_cast<double>(count);
    };
    painter.save();
    painter.setClipRect(m_map);
    const auto draw = [&](const QImage &image, Index firstRow, Index rows, Index cols) {
        if (!image.isNull())
            painter.drawImage(QRectF(m_map.left(), rectOf({ firstRow, firstRow }, { 0, 0 }).top(), scaled(cols, block.keys, m_map.width()),
                                  scaled(rows, walked.size(), m_map.height())),
                image);
    };
    draw(m_finished, walked.first, (isEnd() ? walked.end : tile().rows.first) - walked.first, block.keys);
    if (!isEnd())
        draw(m_current, tile().rows.first, tile().rows.size(), tile().keys.end);
    painter.restore();
    for (std::size_t at = 0; at < walk.tiles.size(); ++at) {
        const QRectF rect = rectOf(walk.tiles[at].rows, walk.tiles[at].keys);
        if (at > m_state)
            painter.fillRect(rect, theme.view);
        painter.setPen(QPen(at > m_state ? theme.line : theme.view, 1));
        painter.setBrush(Qt::NoBrush);
        if (rect.width() >= 4.0 && rect.height() >= 4.0)
            painter.drawRect(rect.adjusted(0, 0, -1, -1));
    }
    painter.setPen(QPen(theme.line, 1));
    painter.drawRect(m_map.adjusted(-1, -1, 0, 0));
    // Names of blocks, thinned where they would touch.
    const auto drawLabels = [&](Index first, Index blocks, Index size, Index count, bool isRow, Index active) {
        const double step = (isRow ? m_map.height() : m_map.width()) / static_cast<double>(blocks);
        const double needed = isRow ? notes.height() : notes.horizontalAdvance(rangeText({ count - 1, count + 1 })) + 8.0;
        const Index stride = std::max<Index>(1, static_cast<Index>(std::ceil(needed / step)));
        for (Index at = first; at < first + blocks; ++at) {
            const bool isActive = !isEnd() && at == active;
            if (!isActive && ((at - first) % stride != 0 || (!isEnd() && std::abs(at - active) < stride)))
                continue;
            const Range range{ at * size, std::min(count, (at + 1) * size) };
            painter.setFont(isActive ? boldNotes : noteFont);
            painter.setPen(isActive ? theme.accent : theme.secondaryText);
            if (isRow) {
                const QRectF rect = rectOf(range, { 0, 0 });
                painter.drawText(QRectF(0.0, rect.center().y() - notes.height() / 2.0, m_map.left() - m_style.size(8, 12), notes.height()),
                    Qt::AlignRight | Qt::AlignVCenter, rangeText(range));
            } else {
                const QRectF rect = rectOf({ 0, 0 }, range);
                painter.drawText(QRectF(rect.center().x() - 100.0, m_map.top() - notes.height() - 4.0, 200.0, notes.height()),
                    Qt::AlignCenter, rangeText(range));
            }
        }
    };
    const Index rowsOfBlock = walk.operands->spec.queryBlock;
    drawLabels(walked.first / rowsOfBlock, walk.queryBlocks, rowsOfBlock, block.queries, true, tile().queryBlock);
    drawLabels(0, walk.keyBlocks, walk.operands->spec.keyBlock, block.keys, false, tile().keyBlock);
    if (isEnd())
        return;
    const QRectF marked = rectOf({ m_row, m_row + 1 }, { 0, tile().keys.end });
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(Qt::white, 3));
    painter.drawRect(marked);
    painter.setPen(QPen(Qt::black, 1));
    painter.drawRect(marked);
    painter.setPen(QPen(theme.view, m_style.size(6, 8), Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(rectOf(tile().rows, tile().keys));
    painter.setPen(QPen(theme.accent, m_style.size(3, 4), Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(rectOf(tile().rows, tile().keys));
    painter.setRenderHint(QPainter::Antialiasing);
}

void FlashScene::paintLegend(QPainter &painter) const
{
    const Theme &theme = m_style.theme;
    const QFont noteFont = m_style.sized(12, 17);
    const QFontMetricsF notes(noteFont);
    painter.setFont(noteFont);
    // The scale of the weights.
    const ColorMap &colors = m_content->colors;
    const QRectF bar(m_map.left(), m_legend, std::max(m_map.width(), m_style.size(160, 240)), m_style.size(8, 12));
    for (int entry = 0; entry < 256; ++entry) {
        const double left = std::floor(bar.left() + bar.width() * entry / 256.0);
        const double right = std::floor(bar.left() + bar.width() * (entry + 1) / 256.0);
        painter.fillRect(
            QRectF(left, bar.top(), right - left, bar.height()), QColor::fromRgb(colors.table()[static_cast<std::size_t>(entry)]));
    }
    painter.setPen(theme.secondaryText);
    const double base = bar.bottom() + notes.ascent() + 2.0;
    painter.drawText(QPointF(bar.left(), base), shownNumber(colors.lower(), 0));
    const QString upper = shownNumber(colors.upper(), 0);
    painter.drawText(QPointF(bar.right() - notes.horizontalAdvance(upper), base), upper);
    const QString name = colors.isLogarithmic() ? tr("weight so far, logarithmic") : tr("weight so far");
    painter.drawText(QPointF(bar.center().x() - notes.horizontalAdvance(name) / 2.0, base), name);
    const Index tiles = static_cast<Index>(m_content->walk.tiles.size());
    const auto done = static_cast<Index>(std::min<std::size_t>(m_state, m_content->walk.tiles.size()));
    const Index current = isEnd() ? 0 : 1;
    const std::array<std::pair<QString, Index>, 4> counts{ std::pair{ tr("done"), done }, { tr("current"), current },
        { tr("to do"), tiles - done - current }, { tr("skipped, wholly masked"), m_content->walk.skipped() } };
    double x = m_style.size(16, 24);
    double y = base + notes.descent() + m_style.size(10, 16);
    const double side = notes.height() * 0.8;
    for (std::size_t at = 0; at < counts.size(); ++at) {
        const QString text = QStringLiteral("%1 %2").arg(readout::counted(counts[at].second), counts[at].first);
        if (x + side + m_style.size(6, 10) + notes.horizontalAdvance(text) > m_side.left() - m_style.size(16, 24)) {
            x = m_style.size(16, 24);
            y += notes.height() + m_style.size(6, 10);
        }
        const QRectF swatch(std::round(x) + 0.5, std::round(y) + 0.5, std::round(side), std::round(side));
        if (at == 3)
            paintMaskedGround(painter, theme, swatch);
        else if (at == 0)
            painter.fillRect(swatch, QColor::fromRgb(colors.table()[120]));
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(at == 1 ? theme.accent : theme.line, at == 1 ? 2 : 1));
        painter.drawRect(swatch);
        painter.setPen(theme.secondaryText);
        painter.drawText(QPointF(swatch.right() + m_style.size(6, 10), y + notes.ascent()), text);
        x = swatch.right() + m_style.size(22, 34) + notes.horizontalAdvance(text);
    }
}

double FlashScene::paintLines(QPainter &painter, double y) const
{
    const Theme &theme = m_style.theme;
    const double line = std::ceil(m_style.size(28, 44));
    const std::vector<FlashLine> lines = flashLines(*m_content, m_state, m_row);
    if (lines.empty()) {
        paintNote(painter, y, tr("This query sees no key of the tile: m, l and a stay as they are."));
        return y + 4.0 * line;
    }
    QFont symbolFont = m_style.sized(15, 22);
    symbolFont.setItalic(true);
    for (const FlashLine &one : lines) {
        const QRectF box(m_side.left(), y, m_side.width(), line);
        painter.setFont(symbolFont);
        painter.setPen(theme.text);
        painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, one.symbol);
        const QFont bold = m_style.sized(14, 20, true);
        painter.setFont(bold);
        painter.setPen(one.symbol == QLatin1String("c") ? theme.accent : theme.text);
        painter.drawText(box, Qt::AlignRight | Qt::AlignVCenter, one.result);
        painter.setFont(m_style.sized(14, 20));
        painter.setPen(theme.text);
        painter.drawText(
            box.adjusted(0, 0, -QFontMetricsF(bold).horizontalAdvance(one.result), 0), Qt::AlignRight | Qt::AlignVCenter, one.numbers);
        // The rule, where there is room beside its numbers.
        if (isRuleShown(one)) {
            painter.setFont(m_style.sized(13, 18));
            painter.setPen(theme.secondaryText);
            painter.drawText(box.adjusted(m_style.size(32, 48), 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, one.rule);
        }
        y += line;
    }
    return y;
}

double FlashScene::paintTable(QPainter &painter, double y) const
{
    const Theme &theme = m_style.theme;
    const double line = std::ceil(m_style.size(28, 44));
    const double width = m_side.width();
    const auto right = [&](int at) { return m_side.left() + width * (0.12 + 0.88 * (at + 1) / 7.0) - m_style.size(4, 8); };
    const QFont noteFont = m_style.sized(12, 17);
    painter.setFont(noteFont);
    painter.setPen(theme.secondaryText);
    const auto cell = [&](int at, double where, const QString &text) {
        painter.drawText(QRectF(right(at) - width, where, width, line), Qt::AlignRight | Qt::AlignVCenter, text);
    };
    const double top = y - 2.0 * line;
    const QFontMetricsF notes(noteFont);
    const double column = right(1) - right(0);
    // Fewer digits where the columns are narrow.
    int decimals = m_content->decimals;
    while (
        decimals > 1 && notes.horizontalAdvance(QStringLiteral("−0.") + QString(decimals, QLatin1Char('0'))) + m_style.size(6, 10) > column)
        --decimals;
    const auto group = [&](int last, int columns, const QString &text) {
        const double from = right(last) - columns * column;
        painter.drawText(QRectF(from, top, columns * column, line), Qt::AlignHCenter | Qt::AlignVCenter, text);
        if (columns > 1)
            painter.fillRect(QRectF(from + m_style.size(8, 12), top + line - 2.0, columns * column - m_style.size(8, 12), 1.0), theme.line);
    };
    group(1, 2, tr("maximum m"));
    group(2, 1, tr("factor c"));
    const QString sum = tr("sum of exponentials l");
    group(4, 2, notes.horizontalAdvance(sum) <= 2.0 * column - 8.0 ? sum : tr("Σ exp, l"));
    const QString whole = tr("accumulator a[0]");
    group(6, 2, notes.horizontalAdvance(whole) <= 2.0 * column - 8.0 ? whole : QStringLiteral("a[0]"));
    const std::array names{ tr("before"), tr("after"), QString(), tr("before"), tr("after"), tr("before"), tr("after") };
    for (int at = 0; at < 7; ++at)
        cell(at, top + line, names[static_cast<std::size_t>(at)]);
    painter.drawText(QRectF(m_side.left(), top + line, width, line), Qt::AlignLeft | Qt::AlignVCenter, tr("query"));
    painter.fillRect(QRectF(m_side.left(), y - 1.0, width, 1.0), theme.line);
    Index last = tile().rows.first - 1;
    const auto paintFolded = [&](double at, Index hidden) {
        painter.setFont(noteFont);
        painter.setPen(theme.secondaryText);
        painter.drawText(
            QRectF(m_side.left(), at, width, line), Qt::AlignLeft | Qt::AlignVCenter, tr("… %1 more").arg(readout::counted(hidden)));
    };
    for (const auto &[rect, row] : m_tableRows) {
        if (row - last - 1 > 0)
            paintFolded(rect.top() - line, row - last - 1);
        last = row;
        const FlashRow found = flashRow(m_content->walk, m_state, row);
        if (row == m_row)
            painter.fillRect(rect, theme.accentGround);
        const bool hasMoved = found.mAfter > found.mBefore;
        const bool hasValues = found.accAfter.size() > 0;
        const std::array numbers{ found.mBefore, found.mAfter, found.correction, found.lBefore, found.lAfter,
            hasValues ? found.accBefore(0) : 0.0, hasValues ? found.accAfter(0) : 0.0 };
        for (int at = 0; at < (hasValues ? 7 : 5); ++at) {
            const bool isFactor = at == 2 && found.correction != 1.0;
            const bool isBold = (at == 1 && hasMoved) || isFactor;
            painter.setFont(m_style.sized(12, 17, isBold));
            painter.setPen(isFactor ? theme.accent : at == 0 || at == 3 || at == 5 ? theme.secondaryText : theme.text);
            cell(at, rect.top(), stepNumber(numbers[static_cast<std::size_t>(at)], decimals));
        }
        painter.setFont(m_style.sized(12, 17, row == m_row));
        painter.setPen(theme.text);
        painter.drawText(rect.adjusted(m_style.size(4, 8), 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, QString::number(row));
        y = rect.bottom();
    }
    if (tile().rows.end - 1 > last) {
        paintFolded(y, tile().rows.end - 1 - last);
        y += line;
    }
    return y;
}

double FlashScene::paintResult(QPainter &painter, double y) const
{
    const Theme &theme = m_style.theme;
    const FlashWalk &walk = m_content->walk;
    const double line = std::ceil(m_style.size(28, 44));
    const Index numbers = walk.exact.cols();
    const double width = m_side.width();
    const QFont noteFont = m_style.sized(12, 17);
    if (numbers > 0) {
        const auto cell = [&](double share, double top, const QString &text) {
            painter.drawText(QRectF(m_side.left(), top, width * share, line), Qt::AlignRight | Qt::AlignVCenter, text);
        };
        painter.setFont(noteFont);
        painter.setPen(theme.secondaryText);
        painter.drawText(QRectF(m_side.left(), y, width, line), Qt::AlignLeft | Qt::AlignVCenter, tr("number"));
        cell(0.45, y, tr("flash, a / l"));
        cell(0.72, y, tr("exact"));
        cell(1.0, y, tr("difference"));
        y += line;
        painter.fillRect(QRectF(m_side.left(), y - 1.0, width, 1.0), theme.line);
        const auto most = static_cast<std::size_t>(std::max(3.0, std::floor((m_side.bottom() - y) / line) - 8.0));
        const FoldedAxis shown = folded(numbers, most, m_row == walk.differentRow ? walk.differentCol : 0);
        for (std::size_t place = 0; place <= shown.shown.size(); ++place) {
            if (const Index hidden = shown.hiddenBefore(place); hidden > 0) {
                painter.setFont(noteFont);
                painter.setPen(theme.secondaryText);
                painter.drawText(
                    QRectF(m_side.left(), y, width, line), Qt::AlignLeft | Qt::AlignVCenter, tr("… %1 more").arg(readout::counted(hidden)));
                y += line;
            }
            if (place == shown.shown.size())
                break;
            const Index col = shown.shown[place];
            const Index row = m_row - walk.rows.first;
            const double flash = walk.states.output(row, col);
            const double exact = walk.exact(row, col);
            painter.setFont(m_style.sized(13, 18));
            painter.setPen(theme.text);
            painter.drawText(QRectF(m_side.left(), y, width, line), Qt::AlignLeft | Qt::AlignVCenter, QString::number(col));
            cell(0.45, y, shownNumber(flash, 6));
            cell(0.72, y, shownNumber(exact, 6));
            painter.setPen(theme.secondaryText);
            cell(1.0, y, shownNumber(flash - exact, 6));
            y += line;
        }
        y += m_style.size(12, 18);
        painter.setFont(m_style.sized(14, 20, true));
        painter.setPen(theme.accent);
        QRectF used;
        painter.drawText(QRectF(m_side.left(), y, width, 3.0 * line), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
            walk.largestDifference == 0.0 ? tr("Largest difference: 0")
                                          : tr("Largest difference: %1, query %2, number %3")
                                                .arg(shownNumber(walk.largestDifference, 4))
                                                .arg(walk.differentRow)
                                                .arg(walk.differentCol),
            &used);
        y = std::ceil(used.bottom());
    }
    const AttentionBlock &block = m_content->block();
    const AttentionSpec &spec = walk.operands->spec;
    const std::array<Index, 2> tileShape{ std::min(spec.queryBlock, block.queries), std::min(spec.keyBlock, block.keys) };
    const std::array<Index, 2> mapShape{ block.queries, block.keys };
    paintNote(painter, y + m_style.size(8, 12),
        tr("Flash saves memory traffic, not multiply-adds: beside Q, K, V and the output it holds one tile of %1 and m and l of its rows; "
           "the %2 "
           "matrix never exists. Only skipped tiles are work that is not done. Training recomputes the tiles in the backward pass instead "
           "of "
           "keeping them.")
            .arg(QString::fromStdString(shapeText(tileShape)), QString::fromStdString(shapeText(mapShape))));
    return y;
}

void FlashScene::paintNote(QPainter &painter, double y, const QString &text) const
{
    painter.setFont(m_style.sized(12, 17));
    painter.setPen(m_style.theme.secondaryText);
    painter.drawText(
        QRectF(m_side.left(), y, m_side.width(), m_side.bottom() - y + 100.0), Qt::TextWordWrap | Qt::AlignLeft | Qt::AlignTop, text);
}

} // namespace attenscope
