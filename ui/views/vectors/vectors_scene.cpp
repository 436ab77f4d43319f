// SPDX-License-Identifier: GPL-3.0-or-later
// Laying vectors out and finding what is under a point.
#include "views/vectors/vectors_scene.h"

#include "views/map/map_content.h"
#include "views/readout_terms.h"
#include "views/readout_text.h"

#include <QCoreApplication>
#include <QFontInfo>
#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

constexpr double bodyPixels = 13.0;
constexpr double gap = 24.0; ///< Between columns.
constexpr double leastCell = 2.0;
constexpr double leastStrip = 96.0; ///< Unless its cells are large anyway.
constexpr double comfortableCell = 12.0;
constexpr double widestCell = 40.0;
constexpr std::size_t measuredTokens = 256;

double widestToken(const std::vector<std::string> &tokens, const QFontMetricsF &metrics)
{
    double widest = 0.0;
    for (std::size_t place = 0; place < std::min(tokens.size(), measuredTokens); ++place)
        widest = std::max(widest, metrics.horizontalAdvance(readout::tokenText(tokens, static_cast<Index>(place))));
    return widest;
}

} // namespace

QString vectorsWords(const char *words)
{
    return QCoreApplication::translate("Vectors", words);
}

VectorsScene::VectorsScene(const VectorsContent &content, const QFont &font, double width)
    : m_content(&content)
    , m_font(font)
    , m_notes(font)
    , m_unit(std::max(1, QFontInfo(font).pixelSize()) / bodyPixels)
{
    m_notes.setPixelSize(std::max(1, qRound(12.0 * m_unit)));
    const QFontMetricsF metrics(m_font);
    const QFontMetricsF notes(m_notes);
    m_rowHeight = std::ceil(std::max(metrics.height() + 8.0 * m_unit, 24.0 * m_unit));
    m_scaleHeight = std::ceil(2.0 * notes.height() + 16.0 * m_unit);
    m_titleHeight = std::ceil(metrics.height() + notes.height() + 12.0 * m_unit);
    m_headerHeight = m_scaleHeight + m_titleHeight + m_rowHeight + std::ceil(8.0 * m_unit);
    const QString last = QString::number(content.terms->keys() - 1);
    const double names
        = metrics.horizontalAdvance(last) + 8.0 * m_unit + std::min(widestToken(content.block().keyTokens, metrics), 160.0 * m_unit);
    QFont bold = m_font;
    bold.setBold(true);
    const double query = std::min(QFontMetricsF(bold).horizontalAdvance(queryTitle()), 200.0 * m_unit);
    m_labelWidth = std::ceil(padding * m_unit + std::max(names, query) + gap * m_unit);
    placeColumns(width);
}

QString VectorsScene::queryTitle() const
{
    return QCoreApplication::translate("Vectors", "%1 of %2")
        .arg(m_content->names.query, readout::tokenText(m_content->block().queryTokens, m_content->terms->row));
}

void VectorsScene::placeColumns(double width)
{
    const ScoreTerms &terms = *m_content->terms;
    const QFontMetricsF metrics(m_font);
    const double space = gap * m_unit;
    const double numbers = metrics.horizontalAdvance(QStringLiteral("−00.0000"));
    for (const Stage stage : scoreStages(terms)) {
        Column column{ stage, 0.0, 0.0, stageNoun(stage, false) };
        column.width = std::ceil(std::max(numbers, metrics.horizontalAdvance(column.title)));
        m_columns.push_back(std::move(column));
    }
    m_strips = { { VectorPart::Key, 0.0, 0.0, terms.units(), m_content->names.key },
        { VectorPart::Term, 0.0, 0.0, terms.units(), m_content->names.term } };
    if (terms.values() > 0)
        m_strips.push_back({ VectorPart::Value, 0.0, 0.0, terms.values(), QStringLiteral("v") });
    double taken = m_labelWidth + padding * m_unit;
    for (const Column &column : m_columns)
        taken += column.width + space;
    Index cells = 0;
    for (const Strip &strip : m_strips) {
        taken += space;
        cells += strip.count;
    }
    const double least
        = std::clamp(std::floor(leastStrip * m_unit / static_cast<double>(terms.units())), leastCell, comfortableCell * m_unit);
    const double cell
        = std::clamp(std::floor((width - taken + space) / static_cast<double>(std::max<Index>(cells, 1))), least, widestCell * m_unit);
    placeInOrder(cell);
    constexpr double nearly = 1.0;
    if (m_width <= width + nearly)
        return;
    constexpr double mostPinned = 0.6; // Of the width: strips must be seen beside it.
    double pinned = m_labelWidth;
    for (const Column &column : m_columns)
        pinned += column.width + space;
    for (Column &column : m_columns)
        column.isPinned = pinned <= mostPinned * width || column.stage == Stage::Weights;
    placeInOrder(cell);
}

void VectorsScene::placeInOrder(double cell)
{
    const QFontMetricsF metrics(m_font);
    const double space = gap * m_unit;
    double x = m_labelWidth;
    const auto placeStrip = [&](Strip &strip) {
        strip.cell = cell;
        strip.left = x;
        x += std::ceil(std::max(strip.width(), metrics.horizontalAdvance(strip.title))) + space;
    };
    const auto placeNumbers = [&](bool isPinned) {
        for (Column &column : m_columns) {
            if (column.isPinned != isPinned)
                continue;
            column.right = x + column.width;
            x = column.right + space;
        }
    };
    placeNumbers(true);
    m_pinnedWidth = x;
    placeStrip(m_strips[0]);
    placeStrip(m_strips[1]);
    placeNumbers(false);
    if (m_strips.size() > 2)
        placeStrip(m_strips[2]);
    m_width = x - space + padding * m_unit;
}

QSizeF VectorsScene::size() const
{
    return isEmpty() ? QSizeF()
                     : QSizeF(m_width, m_headerHeight + m_rowHeight * static_cast<double>(m_content->keys.size()) + padding * m_unit);
}

QRectF VectorsScene::rowRect(Index key) const
{
    return { 0.0, m_headerHeight + m_rowHeight * static_cast<double>(m_content->placeOf(key)), m_width, m_rowHeight };
}

std::optional<VectorHit> VectorsScene::hitAt(QPointF point, QSizeF room, QPointF scrolled) const
{
    if (isEmpty() || !QRectF(QPointF(), room).contains(point))
        return std::nullopt;
    const double queryTop = m_scaleHeight + m_titleHeight;
    const bool isHeader = point.y() < m_headerHeight;
    if (isHeader && (point.y() < queryTop || point.y() >= queryTop + m_rowHeight))
        return std::nullopt;
    VectorHit hit;
    if (!isHeader) {
        const auto place = static_cast<std::size_t>((point.y() + scrolled.y() - m_headerHeight) / m_rowHeight);
        if (place >= m_content->keys.size())
            return std::nullopt;
        hit.key = m_content->keys[place];
    }
    if (point.x() < m_labelWidth)
        return hit;
    if (point.x() < m_pinnedWidth) {
        hit.part = isHeader ? VectorPart::Label : VectorPart::Number;
        return hit;
    }
    const double x = point.x() + scrolled.x();
    for (const Strip &strip : m_strips) {
        if (x < strip.left || x >= strip.left + strip.width())
            continue;
        if (isHeader && strip.part != VectorPart::Key)
            return std::nullopt;
        const auto cell = static_cast<std::size_t>((x - strip.left) / strip.cell);
        hit.part = isHeader ? VectorPart::Query : strip.part;
        hit.unit = strip.part == VectorPart::Value ? static_cast<Index>(cell) : m_content->units[cell];
        return hit;
    }
    hit.part = isHeader ? VectorPart::Label : VectorPart::Number;
    return hit;
}

} // namespace attenscope
