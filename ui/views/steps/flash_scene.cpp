// SPDX-License-Identifier: GPL-3.0-or-later
// Where the parts of the flash walk stand, its words and numbers, and what is at a point.
#include "views/steps/flash_scene.h"

#include "attention/flash_block.h"
#include "core/text.h"
#include "state/number_text.h"
#include "views/readout_text.h"
#include "views/steps/steps_words.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

/// Texels of the map at most on a side.
constexpr Index mostTexels = 1024;

} // namespace

QString partNote(const FlashContent &content)
{
    const Range &rows = content.walk.rows;
    const Index queries = content.block().queries;
    if (rows.size() == queries)
        return {};
    return stepsWords("queries %1 to %2 of %3: the states of all would take %4")
        .arg(readout::counted(rows.first), readout::counted(rows.end - 1), readout::counted(queries),
            QString::fromStdString(byteSize(flashBytes(*content.walk.operands, queries))));
}

std::vector<FlashLine> flashLines(const FlashContent &content, std::size_t tile, Index row)
{
    const FlashRow found = flashRow(content.walk, tile, row);
    const int decimals = content.decimals;
    const auto number = [decimals](double value) { return shownNumber(value, decimals); };
    if (found.tileMax == -std::numeric_limits<double>::infinity())
        return {};
    const auto paired = [&](const QString &text) { return text.startsWith(QChar(0x2212)) ? QStringLiteral("(%1)").arg(text) : text; };
    std::vector<FlashLine> lines{
        { QStringLiteral("m′"), stepsWords("max(m, tile)"),
            QStringLiteral("max(%1, %2) = ").arg(number(found.mBefore), number(found.tileMax)), number(found.mAfter) },
        { QStringLiteral("c"), stepsWords("exp(m − m′)"),
            QStringLiteral("exp(%1 − %2) = ").arg(number(found.mBefore), paired(number(found.mAfter))), number(found.correction) },
        { QStringLiteral("l′"), stepsWords("c·l + Σ exp(s − m′)"),
            QStringLiteral("%1·%2 + %3 = ").arg(number(found.correction), number(found.lBefore), number(found.tileSum)),
            number(found.lAfter) },
    };
    if (found.accAfter.size() > 0)
        lines.push_back({ QStringLiteral("a′"), stepsWords("c·a + Σ exp(s − m′)·v"),
            stepsWords("first number: %1 → ").arg(number(found.accBefore(0))), number(found.accAfter(0)) });
    return lines;
}

std::size_t flashStateOf(const FlashContent &content, Index row, Index key)
{
    const auto &tiles = content.walk.tiles;
    std::size_t best = tiles.size();
    Index nearest = std::numeric_limits<Index>::max();
    for (std::size_t at = 0; at < tiles.size(); ++at) {
        if (!tiles[at].rows.contains(row))
            continue;
        const Index distance
            = tiles[at].keys.contains(key) ? 0 : std::min(std::abs(tiles[at].keys.first - key), std::abs(tiles[at].keys.end - 1 - key));
        if (distance < nearest) {
            nearest = distance;
            best = at;
        }
    }
    return best;
}

FlashScene::FlashScene(std::shared_ptr<const FlashContent> content, std::size_t state, Index row, const StepStyle &style, QSizeF room)
    : m_content(std::move(content))
    , m_state(std::min(state, m_content->walk.tiles.size()))
    , m_row(row)
    , m_style(style)
{
    const Range &reach = isEnd() ? m_content->walk.rows : tile().rows;
    m_row = std::clamp(m_row, reach.first, reach.end - 1);
    const AttentionBlock &block = m_content->block();
    const double pad = style.size(16, 24);
    const QFontMetricsF notes(style.sized(12, 17));
    const double width = std::max(room.width(), leastSize(style).width());
    const double labels = notes.horizontalAdvance(QStringLiteral("00,000–00,000")) + style.size(8, 12);
    const double top = QFontMetricsF(style.sized(18, 26, true)).height() + notes.height() + style.size(20, 32);
    const double legend = style.size(20, 28) + 3.0 * (notes.height() + style.size(6, 10)) + style.size(8, 12);
    const double sideWidth = std::max(style.size(360, 520), width * 0.45);
    const double mapWidth = width - sideWidth - 3.0 * pad - labels;
    const double height = std::max(room.height(), leastSize(style).height());
    const double mapHeight = height - pad - top - legend - pad;
    // Cells are square unless the map would be a thread.
    const double rows = static_cast<double>(m_content->walk.rows.size());
    const double cols = static_cast<double>(block.keys);
    const double cell = std::min(mapWidth / cols, mapHeight / rows);
    const double mapW = std::max(std::floor(cell * cols), std::min(mapWidth, 64.0));
    const double mapH = std::max(std::floor(cell * rows), std::min(mapHeight, 64.0));
    m_map = QRectF(std::floor(pad + labels), std::floor(pad + top), std::floor(mapW), std::floor(mapH));
    m_side = QRectF(width - sideWidth - pad, pad, sideWidth, height - 2.0 * pad);
    m_legend = m_map.bottom() + style.size(12, 18);
    m_size = { width, height };
    makeImages();
    // The table folds to what fits; the marked row is always there.
    if (isEnd())
        return;
    const double line = std::ceil(style.size(28, 44));
    const double tableTop = m_side.top() + QFontMetricsF(style.sized(18, 26, true)).height() + 4.0 * line + style.size(24, 36) + 2.0 * line;
    const double tail = 3.0 * notes.height();
    const auto most = static_cast<std::size_t>(std::max(3.0, std::floor((m_side.bottom() - tail - tableTop) / line) - 1.0));
    const FoldedAxis shown = folded(tile().rows.size(), most, m_row - tile().rows.first);
    double y = tableTop;
    for (std::size_t place = 0; place < shown.shown.size(); ++place) {
        if (shown.hiddenBefore(place) > 0)
            y += line;
        m_tableRows.emplace_back(QRectF(m_side.left(), y, m_side.width(), line), tile().rows.first + shown.shown[place]);
        y += line;
    }
}

bool FlashScene::isRuleShown(const FlashLine &line) const
{
    const double used = QFontMetricsF(m_style.sized(14, 20, true)).horizontalAdvance(line.result)
        + QFontMetricsF(m_style.sized(14, 20)).horizontalAdvance(line.numbers);
    const double rule = QFontMetricsF(m_style.sized(13, 18)).horizontalAdvance(line.rule);
    return m_style.size(32, 48) + rule + m_style.size(8, 12) + used <= m_side.width();
}

bool FlashScene::hasRules() const
{
    const std::vector<FlashLine> lines = isEnd() ? std::vector<FlashLine>() : flashLines(*m_content, m_state, m_row);
    return std::all_of(lines.begin(), lines.end(), [this](const FlashLine &line) { return isRuleShown(line); });
}

QString FlashScene::title() const
{
    if (isEnd())
        return stepsWords("Result");
    return stepsWords("Tile %1 of %2")
        .arg(readout::counted(static_cast<Index>(m_state) + 1), readout::counted(static_cast<Index>(m_content->walk.tiles.size())));
}

QString FlashScene::description() const
{
    QString text = title();
    if (isEnd()) {
        text += stepsWords(": largest difference to the exact result %1").arg(shownNumber(m_content->walk.largestDifference, 4));
        return text;
    }
    for (const FlashLine &line : flashLines(*m_content, m_state, m_row))
        text += QStringLiteral(". %1: %2%3").arg(line.symbol, line.numbers, line.result);
    return text;
}

QRectF FlashScene::rectOf(const Range &rows, const Range &keys) const
{
    const auto share = [](Index at, Index count) { return static_cast<double>(at) / static_cast<double>(count); };
    const Range &walked = m_content->walk.rows;
    const auto x = [&](Index key) { return std::round(m_map.left() + m_map.width() * share(key, m_content->block().keys)); };
    const auto y = [&](Index row) { return std::round(m_map.top() + m_map.height() * share(row - walked.first, walked.size())); };
    return { QPointF(x(keys.first), y(rows.first)), QPointF(x(keys.end), y(rows.end)) };
}

void FlashScene::makeImages()
{
    const AttentionBlock &block = m_content->block();
    const Range &walked = m_content->walk.rows;
    while ((std::max(walked.size(), block.keys) >> m_level) > mostTexels)
        ++m_level;
    const Index finished = isEnd() ? walked.end : tile().rows.first;
    if (m_content->weights)
        m_finished = m_content->finished->image(*m_content->weights, { walked.first, finished }, m_level, m_content->colors);
    if (isEnd())
        return;
    const MapFieldPtr soFar = matrixField(flashWeights(m_content->walk, m_state));
    m_current = texelsOf(*soFar, { { 0, soFar->rows() }, { 0, soFar->cols() } }, m_level, m_content->colors);
}

std::optional<FlashHit> FlashScene::hitAt(QPointF point) const
{
    for (const auto &[rect, row] : m_tableRows) {
        if (rect.contains(point))
            return FlashHit{ std::nullopt, row };
    }
    if (!m_map.contains(point))
        return std::nullopt;
    const AttentionBlock &block = m_content->block();
    const Range &walked = m_content->walk.rows;
    const Index row = walked.first + static_cast<Index>((point.y() - m_map.top()) / m_map.height() * static_cast<double>(walked.size()));
    const auto key = static_cast<Index>((point.x() - m_map.left()) / m_map.width() * static_cast<double>(block.keys));
    const auto &tiles = m_content->walk.tiles;
    const auto found = std::find_if(
        tiles.begin(), tiles.end(), [&](const FlashTile &tile) { return tile.rows.contains(row) && tile.keys.contains(key); });
    if (found == tiles.end())
        return std::nullopt;
    return FlashHit{ static_cast<std::size_t>(found - tiles.begin()), row };
}

} // namespace attenscope
