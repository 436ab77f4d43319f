// SPDX-License-Identifier: GPL-3.0-or-later
// Widths from the letters, heights from the room.
#include "views/lines/lines_layout.h"

#include "session/token_groups.h"
#include "state/number_text.h"
#include "views/map/token_ticker.h"

#include <QFontInfo>
#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

constexpr double padding = 16.0;
constexpr double gap = 8.0;
constexpr double mostRowHeight = 28.0;
constexpr double leastRowHeight = 20.0;
/// Lines that are shorter cannot be told apart, longer ones are hard to follow.
constexpr double leastLines = 96.0;
constexpr double mostLines = 640.0;
constexpr double mostTokenWidth = 150.0;
/// Names of so many tokens are measured; the others are like them.
constexpr std::size_t mostMeasured = 4096;
constexpr double swatch = 12.0;

QFont sized(QFont font, double factor)
{
    font.setPixelSize(std::max(1, static_cast<int>(std::lround(QFontInfo(font).pixelSize() * factor))));
    return font;
}

/// Whether row and column number i are one token of the whole input, for all that there are of both.
bool faceEachOther(const AttentionBlock &block)
{
    if (!block.isReduced())
        return true;
    for (Index token = 0; token < std::min(block.queries, block.keys); ++token) {
        if (wholeQuery(block, token) != wholeKey(block, token))
            return false;
    }
    return true;
}

double widest(const std::vector<std::string> &tokens, const QFontMetricsF &metrics, double scale)
{
    double width = metrics.horizontalAdvance(QStringLiteral("query"));
    const auto measure = [&](const std::string &token) { width = std::max(width, metrics.horizontalAdvance(tokenText(token))); };
    for (std::size_t place = 0; place < tokens.size(); place += std::max<std::size_t>(1, tokens.size() / mostMeasured))
        measure(tokens[place]);
    // Of names that are positions the last is the widest.
    if (!tokens.empty())
        measure(tokens.back());
    return std::min(width, mostTokenWidth * scale);
}

} // namespace

double LinesStyle::scale() const
{
    constexpr double bodyPixels = 13.0;
    return std::max(1.0, QFontInfo(font).pixelSize() / bodyPixels);
}

QFont LinesStyle::tokenFont() const
{
    return sized(font, 15.0 / 13.0);
}

QFont LinesStyle::noteFont() const
{
    return sized(font, 12.0 / 13.0);
}

LinesLayout::LinesLayout(const LinesContent &content, const LinesStyle &style, QSizeF room)
    : scale(style.scale())
    , rows(content.rows())
    , cols(content.cols())
    , queries(content.queries)
    , keys(content.keys)
    , heads(content.heads.size())
{
    const QFontMetricsF tokens(style.tokenFont());
    const QFontMetricsF notes(style.noteFont());
    const AttentionBlock &block = content.block();
    const double margin = padding * scale;
    const double space = gap * scale;
    const double positions = notes.horizontalAdvance(QString::number(std::max(wholeQuery(block, rows - 1), wholeKey(block, cols - 1))));
    const double queryNames = widest(block.queryTokens, tokens, scale);
    const double keyNames = widest(block.keyTokens, tokens, scale);
    // Facing tokens have one position, unless the zoom or what is left out has other queries than keys.
    const double positionsOfKeys = queries.first != keys.first || !faceEachOther(block) ? positions + space : 0.0;
    QFont bold = style.tokenFont();
    bold.setBold(true);
    const QFontMetricsF digits(bold);
    // An exponent takes a little of the space at the sides.
    const QString widest = content.isDifference() ? u'+' + widestWeight() : widestWeight();
    numberWidth = std::ceil(
        std::max(digits.horizontalAdvance(QStringLiteral("0.0000")) + 2.0 * space, digits.horizontalAdvance(widest) + 0.5 * space));
    // Names have room for the ground of a pick around them, dots stand a little off.
    const double names = queryNames + keyNames + 4.0 * space + 4.0 * space;
    const double fixed = 2.0 * margin + positions + 2.0 * space + 20.0 * scale + names + positionsOfKeys;
    leastWidth = fixed + leastLines * scale + 2.0 * numberWidth;
    const auto columnsThatFit = (room.width() - fixed - leastLines * scale) / (2.0 * numberWidth);
    numberColumns = static_cast<std::size_t>(std::clamp(columnsThatFit, 1.0, static_cast<double>(content.heads.size())));
    const double numbers = static_cast<double>(numberColumns) * numberWidth;
    const double length = std::clamp(room.width() - fixed - 2.0 * numbers, leastLines * scale, mostLines * scale);
    left = margin + std::max(0.0, std::floor((room.width() - fixed - 2.0 * numbers - length) / 2.0));
    leftNumbers = left + positions + space;
    queryLeft = leftNumbers + numbers + space + 20.0 * scale;
    queryRight = queryLeft + queryNames + 2.0 * space;
    leftDot = std::floor(queryRight + 2.0 * space);
    rightDot = std::floor(leftDot + length);
    keyPositions = positionsOfKeys > 0.0 ? rightDot + 2.0 * space : 0.0;
    keyLeft = rightDot + 2.0 * space + positionsOfKeys;
    rightNumbers = keyLeft + keyNames + 2.0 * space;
    right = rightNumbers + numbers;

    double top = space;
    if (!content.sideTitle.isEmpty()) {
        titles = top;
        top += std::ceil(tokens.height()) + space;
    }
    if (content.heads.size() > 1) {
        double x = margin;
        const double line = notes.height() + space;
        for (const LinesHead &head : content.heads) {
            const double width = (swatch + 4.0) * scale + notes.horizontalAdvance(head.name) + 2.0 * space;
            if (x > margin && x + width > room.width() - margin) {
                x = margin;
                top += line;
            }
            legend.emplace_back(x, top, width, line);
            x += width;
        }
        top += line;
    }
    captions = top;
    headHeight = std::ceil(top + notes.height() + space);
    const double least = std::max(leastRowHeight * scale, std::ceil(tokens.height()));
    rowHeight = std::clamp(
        std::floor((room.height() - headHeight - space) / static_cast<double>(std::max<Index>({ queries.size(), keys.size(), 1 }))), least,
        std::max(least, mostRowHeight * scale));
    leastHeight = headHeight + least * static_cast<double>(std::max(queries.size(), keys.size())) + space;
}

double LinesLayout::offset(std::size_t head) const
{
    const auto count = static_cast<double>(heads);
    const double step = std::min(4.0 * scale, 0.7 * rowHeight / count);
    return (static_cast<double>(head) - (count - 1.0) / 2.0) * step;
}

QRectF LinesLayout::query(Index token) const
{
    return { queryLeft, top(TokenSide::Queries, token), queryRight - queryLeft, rowHeight };
}

QRectF LinesLayout::key(Index token) const
{
    return { keyLeft, top(TokenSide::Keys, token), rightNumbers - keyLeft, rowHeight };
}

QRectF LinesLayout::number(TokenSide side, Index token, std::size_t column) const
{
    const double first = side == TokenSide::Keys ? rightNumbers : leftNumbers;
    return { first + static_cast<double>(column) * numberWidth, top(side, token), numberWidth, rowHeight };
}

LinesPart LinesLayout::part(double top, double bottom) const
{
    const auto first = static_cast<Index>(std::floor(top / rowHeight));
    const auto end = static_cast<Index>(std::ceil(bottom / rowHeight));
    const auto inView = [&](const Range &shown) {
        const Index from = std::clamp(shown.first + first, shown.first, shown.end);
        return Range{ from, std::clamp(shown.first + end, from, shown.end) };
    };
    return { queries, keys, inView(queries), inView(keys) };
}

std::optional<LinesHit> LinesLayout::hit(QPointF point) const
{
    const auto place = static_cast<Index>(std::floor(point.y() / rowHeight));
    const Index query = queries.first + place;
    const Index key = keys.first + place;
    const double reach = gap * scale;
    if (point.x() < leftDot + reach) {
        if (!queries.contains(query) || point.x() < left - reach)
            return std::nullopt;
        return LinesHit{ TokenSide::Queries, query, point.x() >= leftNumbers && point.x() < queryLeft - 20.0 * scale };
    }
    if (point.x() < rightDot - reach || !keys.contains(key) || point.x() > right)
        return std::nullopt;
    return LinesHit{ TokenSide::Keys, key, point.x() >= rightNumbers };
}

} // namespace attenscope
