// SPDX-License-Identifier: GPL-3.0-or-later
// Painting vectors as strips of coloured cells with their scores beside them.
#include "state/number_text.h"
#include "views/map/color_scale.h"
#include "views/map/token_ticker.h"
#include "views/readout_text.h"
#include "views/steps/steps_paint.h"
#include "views/vectors/vectors_scene.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

constexpr double numberedCell = 32.0; ///< Cells from here on have their numbers in them.
constexpr double markedCell = 5.0; ///< Cells from here on show what kind of special number they have.

} // namespace

/// One call of paint().
struct VectorsScene::Painting {
    const VectorsScene &scene;
    const VectorsContent &content;
    QPainter &painter;
    const Theme &theme;
    QSizeF room;
    QPointF scrolled;
    const VectorMarks &marks;
    std::vector<double> units;
    std::vector<double> value;

    [[nodiscard]] double px(double length) const { return length * scene.m_unit; }

    void paintAll()
    {
        const double top = scene.m_headerHeight;
        const double left = scene.m_pinnedWidth;
        const auto clipped = [this](const QRectF &clip, QPointF moved, auto paint) {
            if (clip.isEmpty())
                return;
            painter.save();
            painter.setClipRect(clip, Qt::IntersectClip);
            painter.translate(moved);
            paint();
            painter.restore();
        };
        const QRectF whole(QPointF(), room);
        clipped(whole.adjusted(0.0, top, 0.0, 0.0), { 0.0, -scrolled.y() },
            [this] { forEachRow([this](Index key, double y) { paintGround(key, y); }); });
        clipped(whole.adjusted(left, top, 0.0, 0.0), -scrolled, [this] { forEachRow([this](Index key, double y) { paintRow(key, y); }); });
        clipped(whole.adjusted(0.0, top, left - room.width(), 0.0), { 0.0, -scrolled.y() }, [this] {
            forEachRow([this](Index key, double y) {
                paintLabel(key, y);
                paintNumbers(key, y, true);
            });
        });
        clipped(whole.adjusted(left - px(8.0), scene.m_scaleHeight, 0.0, top - room.height()), { -scrolled.x(), 0.0 }, [this] {
            paintHeader();
            paintTitles(false);
        });
        clipped(whole.adjusted(0.0, scene.m_scaleHeight, left - room.width(), top - room.height()), {}, [this] { paintTitles(true); });
        paintQueryLabel();
        paintScaleLine();
        painter.fillRect(QRectF(0.0, top - 1.0, room.width(), 1.0), theme.faintLine);
    }

    /// Calls @p use(key, top) for the rows in sight.
    template <typename Use>
    void forEachRow(const Use &use)
    {
        const double clipTop = painter.clipBoundingRect().top() - scene.m_headerHeight;
        const double clipEnd = painter.clipBoundingRect().bottom() - scene.m_headerHeight;
        const auto count = static_cast<Index>(content.keys.size());
        const Index first = std::clamp<Index>(static_cast<Index>(std::floor(clipTop / scene.m_rowHeight)), 0, count);
        const Index end = std::clamp<Index>(static_cast<Index>(std::ceil(clipEnd / scene.m_rowHeight)), 0, count);
        for (Index place = first; place < end; ++place)
            use(content.keys[static_cast<std::size_t>(place)], scene.m_headerHeight + scene.m_rowHeight * static_cast<double>(place));
    }

    void paintGround(Index key, double y)
    {
        if (marks.picked == key || marks.hovered == key)
            painter.fillRect(QRectF(0.0, y, room.width(), scene.m_rowHeight), marks.picked == key ? theme.accentGround : theme.hover);
    }

    void paintLabel(Index key, double y)
    {
        const QFontMetricsF metrics(scene.m_font);
        const bool isPicked = marks.picked == key;
        QFont font = scene.m_font;
        font.setBold(isPicked);
        painter.setFont(scene.m_font);
        const QString position = QString::number(key);
        const double positions = px(VectorsScene::padding) + metrics.horizontalAdvance(QString::number(content.terms->keys() - 1));
        painter.setPen(theme.secondaryText);
        painter.drawText(QRectF(0.0, y, positions, scene.m_rowHeight), Qt::AlignRight | Qt::AlignVCenter, position);
        const QString token = readout::tokenText(content.block().keyTokens, key);
        if (token == position)
            return;
        painter.setFont(font);
        painter.setPen(isPicked ? theme.accent : theme.text);
        const QRectF box(positions + px(8.0), y, scene.m_labelWidth - positions - px(16.0), scene.m_rowHeight);
        painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, QFontMetricsF(font).elidedText(token, Qt::ElideRight, box.width()));
    }

    [[nodiscard]] QRectF stripRect(const Strip &strip, double y) const
    {
        return { strip.left, y + px(3.0), strip.width(), scene.m_rowHeight - px(6.0) };
    }

    /// The numbers in sight; @p units says which of them each cell shows.
    void paintStrip(const Strip &strip, double y, std::span<const double> numbers, const std::vector<Index> *order)
    {
        const QRectF rect = stripRect(strip, y);
        const QRectF clip = painter.clipBoundingRect();
        const auto first = static_cast<Index>(std::max(0.0, std::floor((clip.left() - rect.left()) / strip.cell)));
        const Index end = std::min(strip.count, static_cast<Index>(std::max(0.0, std::ceil((clip.right() - rect.left()) / strip.cell))));
        const double cellGap = strip.cell >= 16.0 ? 1.0 : 0.0;
        for (Index cell = first; cell < end; ++cell) {
            const Index unit = order ? (*order)[static_cast<std::size_t>(cell)] : cell;
            const double number = numbers[static_cast<std::size_t>(unit)];
            const QRectF box(rect.left() + strip.cell * static_cast<double>(cell), rect.top(), strip.cell - cellGap, rect.height());
            if (std::isfinite(number))
                painter.fillRect(box, QColor(content.colors.color(static_cast<float>(number))));
            else
                paintSpecial(box, number);
            if (strip.cell >= px(numberedCell) && std::isfinite(number)) {
                painter.setFont(scene.m_notes);
                painter.setPen(content.colors.textColor(static_cast<float>(number)));
                painter.drawText(box, Qt::AlignCenter, shownNumber(number, 2));
            }
        }
        // White is a number too: the strip has to be seen on a white ground.
        painter.setPen(QPen(theme.line, 1.0));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect.adjusted(-0.5, -0.5, 0.5 - cellGap, 0.5));
    }

    /// NaN: white with a black cross; infinity: white with its sign.
    void paintSpecial(const QRectF &box, double number)
    {
        painter.fillRect(box, Qt::white);
        if (box.width() < markedCell)
            return;
        painter.setPen(QPen(Qt::black, 1.0));
        const QPointF middle = box.center();
        const double reach = std::min(box.width(), box.height()) / 2.0 - 1.0;
        if (std::isnan(number)) {
            painter.drawLine(middle + QPointF(-reach, -reach), middle + QPointF(reach, reach));
            painter.drawLine(middle + QPointF(-reach, reach), middle + QPointF(reach, -reach));
            return;
        }
        painter.drawLine(middle + QPointF(-reach, 0.0), middle + QPointF(reach, 0.0));
        if (number > 0.0)
            painter.drawLine(middle + QPointF(0.0, -reach), middle + QPointF(0.0, reach));
    }

    void paintRow(Index key, double y)
    {
        const bool isVisible = content.isVisible(key);
        for (const Strip &strip : scene.m_strips) {
            if (!isVisible) {
                paintMaskedGround(painter, theme, stripRect(strip, y));
                continue;
            }
            switch (strip.part) {
            case VectorPart::Value:
                content.terms->readValue(key, value);
                paintStrip(strip, y, value, nullptr);
                break;
            case VectorPart::Term:
                content.terms->readTerms(key, units);
                paintStrip(strip, y, units, &content.units);
                break;
            default:
                content.terms->readKey(key, units);
                paintStrip(strip, y, units, &content.units);
                break;
            }
            if (marks.unit && marks.unit->key == key)
                paintMark(strip, y, strip.part == VectorPart::Value);
        }
        paintNumbers(key, y, false);
    }

    /// Those that stay when strips are scrolled, or the others.
    void paintNumbers(Index key, double y, bool arePinned)
    {
        painter.setFont(scene.m_font);
        for (const Column &column : scene.m_columns) {
            if (column.isPinned == arePinned)
                paintNumber(column, key, y, content.isVisible(key));
        }
    }

    void paintNumber(const Column &column, Index key, double y, bool isVisible)
    {
        const QRectF box(column.right - column.width, y, column.width, scene.m_rowHeight);
        const bool isWeight = column.stage == Stage::Weights;
        if (!isVisible) {
            painter.setPen(theme.secondaryText);
            painter.drawText(box, Qt::AlignRight | Qt::AlignVCenter, isWeight ? vectorsWords("masked") : QStringLiteral("–"));
            return;
        }
        const double number = stageNumber(*content.terms, column.stage, key);
        if (isWeight && std::isfinite(number)) {
            const double share = std::clamp(number, 0.0, 1.0);
            painter.fillRect(QRectF(box.left(), box.bottom() - px(4.0), box.width(), px(2.0)), theme.faintLine);
            painter.fillRect(QRectF(box.left(), box.bottom() - px(4.0), box.width() * share, px(2.0)), theme.secondaryText);
        }
        QFont font = scene.m_font;
        font.setBold(isWeight && marks.picked == key);
        painter.setFont(font);
        painter.setPen(theme.text);
        painter.drawText(box, Qt::AlignRight | Qt::AlignVCenter, shownNumber(number, 4));
    }

    /// A frame around the marked number, black with a white edge as on maps.
    void paintMark(const Strip &strip, double y, bool isValue)
    {
        if (!marks.unit || marks.unit->unit < 0 || isValue != (marks.unit->part == VectorPart::Value))
            return;
        const Index unit = marks.unit->unit;
        const Index cell
            = isValue ? unit : static_cast<Index>(std::find(content.units.begin(), content.units.end(), unit) - content.units.begin());
        const QRectF box(
            strip.left + strip.cell * static_cast<double>(cell), stripRect(strip, y).top(), strip.cell, stripRect(strip, y).height());
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(Qt::white, 3.0));
        painter.drawRect(box.adjusted(-1.0, -1.0, 1.0, 1.0));
        painter.setPen(QPen(Qt::black, 1.0));
        painter.drawRect(box.adjusted(-1.0, -1.0, 1.0, 1.0));
    }

    void paintHeader()
    {
        const QFontMetricsF metrics(scene.m_font);
        const QFontMetricsF notes(scene.m_notes);
        const double top = scene.m_scaleHeight;
        const double numbersTop = top + metrics.height() + px(4.0);
        const double queryTop = top + scene.m_titleHeight;
        for (const Strip &strip : scene.m_strips) {
            painter.setFont(scene.m_font);
            painter.setPen(theme.text);
            painter.drawText(QPointF(strip.left, top + metrics.ascent()), strip.title);
            paintUnitNumbers(strip, numbersTop + notes.ascent());
            if (strip.part != VectorPart::Key)
                continue;
            const Vector &query = content.terms->query;
            paintStrip(strip, queryTop, { query.data(), static_cast<std::size_t>(query.size()) }, &content.units);
            paintMark(strip, queryTop, false);
        }
    }

    /// Above the columns of numbers.
    void paintTitles(bool arePinned)
    {
        const QFontMetricsF metrics(scene.m_font);
        painter.setFont(scene.m_font);
        painter.setPen(theme.text);
        for (const Column &column : scene.m_columns) {
            if (column.isPinned == arePinned)
                painter.drawText(
                    QRectF(column.right - column.width, scene.m_scaleHeight, column.width, metrics.height()), Qt::AlignRight, column.title);
        }
    }

    /// The number of every so many-th unit, as there is room.
    void paintUnitNumbers(const Strip &strip, double baseline)
    {
        painter.setFont(scene.m_notes);
        painter.setPen(theme.secondaryText);
        const QFontMetricsF notes(scene.m_notes);
        const Index stride = labelStride(strip.cell, notes.horizontalAdvance(QString::number(strip.count - 1)) + px(8.0));
        for (Index cell = 0; cell < strip.count; cell += stride) {
            const Index unit = strip.part == VectorPart::Value ? cell : content.units[static_cast<std::size_t>(cell)];
            const QString text = QString::number(unit);
            const double middle = strip.left + strip.cell * (static_cast<double>(cell) + 0.5);
            painter.drawText(QPointF(middle - notes.horizontalAdvance(text) / 2.0, baseline), text);
        }
    }

    void paintQueryLabel()
    {
        const QFontMetricsF metrics(scene.m_font);
        const double y = scene.m_scaleHeight + scene.m_titleHeight;
        const double baseline = scene.m_scaleHeight + metrics.ascent();
        painter.setFont(scene.m_font);
        painter.setPen(theme.secondaryText);
        painter.drawText(QPointF(px(VectorsScene::padding), baseline), vectorsWords("key ↓"));
        const QRectF box(px(VectorsScene::padding), y, scene.m_labelWidth - px(VectorsScene::padding) - px(8.0), scene.m_rowHeight);
        QFont bold = scene.m_font;
        bold.setBold(true);
        painter.setFont(bold);
        painter.setPen(theme.accent);
        painter.drawText(
            box, Qt::AlignLeft | Qt::AlignVCenter, QFontMetricsF(bold).elidedText(scene.queryTitle(), Qt::ElideRight, box.width()));
    }

    void paintScaleLine()
    {
        MapStyle style;
        style.theme = theme;
        style.fontFamily = scene.m_font.family();
        style.scale = scene.m_unit;
        const QFontMetricsF notes(scene.m_notes);
        const QString title = vectorsWords("all vectors, ±%1").arg(shownNumber(content.colors.upper(), 4));
        const double width = px(200.0);
        const QRectF bar(std::round(room.width() - px(VectorsScene::padding) - px(24.0) - width), px(8.0), width, px(10.0));
        painter.save();
        paintColorScale(painter, bar, content.colors, scaleTicks(content.colors, false), title, {}, style);
        painter.restore();
        const double left = px(VectorsScene::padding);
        const double end = bar.left() - px(32.0) - notes.horizontalAdvance(title);
        painter.setFont(scene.m_notes);
        painter.setPen(theme.secondaryText);
        painter.drawText(QPointF(left, px(8.0) + notes.ascent()),
            notes.elidedText(content.notes.join(QStringLiteral("  ·  ")), Qt::ElideRight, std::max(0.0, end - left)));
    }
};

void VectorsScene::paint(QPainter &painter, const Theme &theme, QSizeF room, QPointF scrolled, const VectorMarks &marks) const
{
    if (isEmpty())
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    Painting painting{ *this, *m_content, painter, theme, room, scrolled, marks,
        std::vector<double>(static_cast<std::size_t>(m_content->terms->units())),
        std::vector<double>(static_cast<std::size_t>(m_content->terms->values())) };
    painting.paintAll();
    painter.restore();
}

} // namespace attenscope
