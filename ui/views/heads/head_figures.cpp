// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of all heads.
#include "views/heads/head_figures.h"

#include "core/text.h"
#include "views/heads/head_paint.h"
#include "views/heads/thumbnails.h"
#include "views/origin.h"

#include <QFont>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace attenscope {

namespace {

constexpr int letterPixels = 13;

QFont figureFont()
{
    QFont font;
    font.setPixelSize(letterPixels);
    return font;
}

QString orderWords(const HeadOrder &order)
{
    if (order.by == HeadColumn::Head && !order.isDescending)
        return {};
    const QString name = QString::fromStdString(columnName(order.by));
    return QObject::tr(", by %1, %2")
        .arg(name.contains(u'/') ? name : name.toLower(), order.isDescending ? QObject::tr("high first") : QObject::tr("low first"));
}

QString titleOf(const Document &document, const QString &noun)
{
    return QObject::tr("%1 — %2%3, %4")
        .arg(QString::fromStdString(document.session().name), noun, orderWords(document.session().view.heads), mechanismWords(document));
}

/// What is left out, and whose numbers they are.
QStringList notesOf(const Document &document, const HeadList &list)
{
    QStringList notes;
    const HeadOrder &order = document.session().view.heads;
    if (list.heads.size() < list.all) {
        QStringList filters;
        if (order.only)
            filters << QString::fromStdString(patternName(*order.only)).toLower();
        if (!order.filter.empty())
            filters << QString::fromStdString(order.filter);
        notes << list.countText() + QStringLiteral(": ") + filters.join(QStringLiteral(", "));
    }
    const auto ready = static_cast<std::size_t>(
        std::count_if(list.heads.begin(), list.heads.end(), [](const ListedHead &head) { return head.summary != nullptr; }));
    if (ready < list.heads.size())
        notes << QObject::tr("%1 of %2 heads not computed yet").arg(list.heads.size() - ready).arg(list.heads.size());
    notes << originNotes(document);
    return notes;
}

/// A thumbnail of the grid and how it is coloured.
struct GridHead {
    std::shared_ptr<const HeadResult> head; ///< Null: not ready.
    ColorMap colors;
};

void paintScale(QPainter &painter, const ColorMap &colors, const QRect &place, const Theme &theme)
{
    const QString low = colors.isLogarithmic() ? QStringLiteral("≤ 10⁻⁶") : QString::fromStdString(exactNumber(colors.lower()));
    const QString high = QString::fromStdString(exactNumber(colors.upper()));
    const QString title = colors.isLogarithmic() ? QObject::tr("weight, logarithmic") : QObject::tr("weight");
    constexpr int barWidth = 128;
    constexpr int barHeight = 8;
    const QFontMetrics letters(painter.font());
    painter.setPen(theme.secondaryText);
    int x = place.left();
    const auto write = [&](const QString &text) {
        const int width = letters.horizontalAdvance(text);
        painter.drawText(QRect(x, place.top(), width + 1, place.height()), Qt::AlignLeft | Qt::AlignVCenter, text);
        x += width + 8;
    };
    write(title);
    write(low);
    QImage bar(static_cast<int>(colors.table().size()), 1, QImage::Format_RGB32);
    for (int entry = 0; entry < bar.width(); ++entry)
        bar.setPixel(entry, 0, colors.table()[static_cast<std::size_t>(entry)]);
    painter.drawImage(QRectF(x, place.center().y() - barHeight / 2, barWidth, barHeight), bar);
    x += barWidth + 8;
    write(high);
}

/// One line of the table: text per column.
struct TableLine {
    QStringList cells;
    bool isSecondary = false;
};

struct TableContent {
    std::vector<TableLine> lines; ///< The header first.
    std::vector<double> widths;
    double lineHeight = 24.0;
};

/// What even weights would have, once per block and mask: the same for all heads of a block but where rows have NaN.
void addUniformLines(const Document &document, const HeadList &list, TableContent &content)
{
    const AttentionInput &input = *document.input();
    for (int place = 0; place < static_cast<int>(input.blocks.size()); ++place) {
        const auto head = std::find_if(list.heads.begin(), list.heads.end(),
            [place](const ListedHead &one) { return one.ref.block == place && one.summary && one.summary->isComplete; });
        if (head == list.heads.end())
            continue;
        TableLine line;
        line.isSecondary = true;
        for (const HeadColumn column : allHeadColumns)
            line.cells << uniformText(*head->summary, column);
        if (input.blocks.size() > 1)
            line.cells[0] = QString::fromStdString(blockName(input, place));
        content.lines.push_back(std::move(line));
    }
}

TableContent tableContent(const Document &document, const HeadList &list)
{
    TableContent content;
    TableLine header;
    header.isSecondary = true;
    for (const HeadColumn column : allHeadColumns)
        header.cells << QString::fromStdString(columnName(column));
    content.lines.push_back(std::move(header));
    for (const ListedHead &head : list.heads) {
        TableLine line;
        for (const HeadColumn column : allHeadColumns)
            line.cells << columnText(head, column);
        content.lines.push_back(std::move(line));
    }
    addUniformLines(document, list, content);
    const QFontMetricsF letters(figureFont());
    content.widths.assign(allHeadColumns.size(), 0.0);
    for (const TableLine &line : content.lines) {
        for (std::size_t column = 0; column < content.widths.size(); ++column)
            content.widths[column]
                = std::max(content.widths[column], std::ceil(letters.horizontalAdvance(line.cells[static_cast<int>(column)])));
    }
    content.lineHeight = std::max(24.0, std::ceil(letters.height()) + 6.0);
    return content;
}

constexpr double columnGap = 20.0;

void paintTable(QPainter &painter, const TableContent &content, std::size_t headLines, const Theme &theme)
{
    double width = 0.0;
    for (const double column : content.widths)
        width += column + columnGap;
    double y = 0.0;
    for (std::size_t place = 0; place < content.lines.size(); ++place) {
        const TableLine &line = content.lines[place];
        painter.setPen(line.isSecondary ? theme.secondaryText : theme.text);
        double x = 0.0;
        for (std::size_t column = 0; column < content.widths.size(); ++column) {
            const bool isNumber = columnMean(allHeadColumns[column]) != nullptr;
            painter.drawText(QRectF(x, y, content.widths[column] + 1.0, content.lineHeight),
                (isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter | Qt::TextDontClip, line.cells[static_cast<int>(column)]);
            x += content.widths[column] + columnGap;
        }
        y += content.lineHeight;
        // Under the header and over what uniform attention would have.
        if (place == 0 || place == headLines)
            painter.fillRect(QRectF(0.0, y - 1.0, width - columnGap, 1.0), theme.line);
    }
}

Error noHeads()
{
    return { "No head fits the filter.", "", "Show all patterns and clear the filter of the head table.", "" };
}

} // namespace

Result<Picture> gridPicture(const Document &document, const Selection &)
{
    const HeadList list = listHeads(document);
    if (!document.hasPicture() || list.heads.empty())
        return list.heads.empty() && document.hasPicture() ? noHeads() : nothingToDraw(document);
    constexpr int side = 96;
    constexpr int gap = 8;
    constexpr int mostCols = 16;
    const AttentionInput &input = *document.input();
    const AttentionSpec &spec = list.result->spec;
    const HeadColumn by = document.session().view.heads.by;
    const bool isSquare = by != HeadColumn::Head || list.heads.size() < list.all;
    int cols = isSquare ? static_cast<int>(std::ceil(std::sqrt(1.5 * static_cast<double>(list.heads.size())))) : 1;
    for (const AttentionBlock &block : input.blocks)
        cols = isSquare ? cols : std::max(cols, headCount(block, spec));
    cols = std::clamp(cols, 4, mostCols);
    const QFontMetrics letters(figureFont());
    const int least = std::max(side, leastThumbnail(list, by, letters));
    const int width = 32 + cols * (least + gap) - gap;
    HeadLayout layout = layOutHeads(input, spec, list, by, width, letters.height(), least);
    // The notes of the picture have it.
    if (!layout.note.text.isEmpty())
        layout.height -= letters.height() + 8;
    layout.note = {};
    std::vector<GridHead> heads;
    for (const HeadPlace &place : layout.heads) {
        const AttentionBlock &block = input.blocks[static_cast<std::size_t>(place.head.block)];
        heads.push_back({ list.result->find(place.head), weightColors(document.session().view, block.keys) });
    }
    const QRect scale(16, layout.height, width - 32, letters.height() + 4);
    Picture picture;
    picture.title = titleOf(document, QObject::tr("all heads"));
    picture.notes = notesOf(document, list);
    picture.size = QSizeF(width, scale.bottom() + 17);
    picture.paint = [layout = std::move(layout), heads = std::move(heads), scale, picked = document.head(),
                        more = document.session().view.moreHeads](QPainter &painter, const Theme &theme) {
        paintCaptions(painter, layout, QRect(QPoint(0, 0), QPoint(1 << 20, 1 << 20)), theme);
        for (std::size_t index = 0; index < heads.size(); ++index) {
            const HeadPlace &place = layout.heads[index];
            painter.drawImage(
                QRectF(place.thumbnail), figureThumbnail(heads[index].head.get(), heads[index].colors, place.thumbnail.size(), theme));
            paintFrame(painter, picked, more, place, false, theme);
            paintName(painter, place, place.head == picked, theme);
        }
        if (!heads.empty())
            paintScale(painter, heads.front().colors, scale, theme);
    };
    return picture;
}

Result<Picture> tablePicture(const Document &document, const Selection &)
{
    const HeadList list = listHeads(document);
    if (!document.hasPicture() || list.heads.empty())
        return list.heads.empty() && document.hasPicture() ? noHeads() : nothingToDraw(document);
    TableContent content = tableContent(document, list);
    double width = -columnGap;
    for (const double column : content.widths)
        width += column + columnGap;
    constexpr double margin = 16.0;
    Picture picture;
    picture.title = titleOf(document, QObject::tr("head table"));
    picture.notes = notesOf(document, list);
    picture.notes << QObject::tr(
        "means over rows, entropy in nats; between masks or lengths compare H/ln alone; patterns describe this input");
    picture.size = QSizeF(width + 2.0 * margin, static_cast<double>(content.lines.size()) * content.lineHeight + 2.0 * margin);
    picture.paint = [content = std::move(content), headLines = list.heads.size()](QPainter &painter, const Theme &theme) {
        painter.save();
        painter.translate(margin, margin);
        paintTable(painter, content, headLines, theme);
        painter.restore();
    };
    return picture;
}

} // namespace attenscope
