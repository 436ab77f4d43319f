// SPDX-License-Identifier: GPL-3.0-or-later
// Places and painting of tinted tokens, their numbers and the scale.
#include "views/text/text_scene.h"

#include "state/number_text.h"
#include "views/map/color_scale.h"

#include <QFontInfo>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

constexpr double padding = 16.0;
constexpr double gap = 8.0;
constexpr double mostWidth = 960.0;
constexpr double scaleWidth = 200.0;
constexpr double scaleHeight = 10.0;
constexpr double radius = 3.0;
constexpr double besideLetters = 2.0;

bool contains(const std::vector<Index> &tokens, Index token)
{
    return std::find(tokens.begin(), tokens.end(), token) != tokens.end();
}

/// Where a piece has more room than its letters, for the number under it, they stand at the side of the next piece of their word.
Qt::Alignment towardsWord(const std::vector<TextPiece> &pieces, const TextFlow &flow, Index piece)
{
    const auto joins = [&](Index first, Index second) {
        return first >= 0 && second < flow.count() && !pieces[static_cast<std::size_t>(second)].startsWord
            && flow.box(first).top() == flow.box(second).top();
    };
    const bool goesBefore = joins(piece, piece + 1);
    if (goesBefore == joins(piece - 1, piece))
        return Qt::AlignHCenter;
    const QRectF &other = flow.box(goesBefore ? piece + 1 : piece - 1);
    return other.left() < flow.box(piece).left() ? Qt::AlignLeft : Qt::AlignRight;
}

} // namespace

TextScene::TextScene(const LinesContent &weights, const LinesStyle &style, double width, bool hasNumbers, TokenSide picks)
    : m_input(weights.input)
    , m_style(style)
    , m_width(width)
    , m_picks(picks)
{
    const AttentionBlock &block = weights.block();
    const double scale = style.scale();
    const QFont font = style.tokenFont();
    const QFontMetricsF letters(font);
    const QFontMetricsF notes(style.noteFont());
    m_left = padding * scale;
    m_lettersHeight = std::ceil(letters.height() + 6.0 * scale);
    const double room = std::clamp(width - 2.0 * m_left, 40.0 * scale, mostWidth * scale);
    const double numbers = hasNumbers ? notes.height() : 0.0;
    const double leastWidth = hasNumbers ? notes.horizontalAdvance(widestWeight()) + 4.0 * scale : 0.0;
    const double rowHeight = std::ceil(m_lettersHeight + numbers + 6.0 * scale);
    // The caption and the scale stand above the text.
    double top = std::ceil(2.0 * padding * scale + notes.height() + (scaleHeight + 2.0 * gap) * scale + notes.height());
    const auto add = [&](TokenSide side, const QString &caption, const std::vector<std::string> &tokens, const Range &shown) {
        Part part{ side, caption, top, shown.first, runningText(tokens), {} };
        // How pieces are joined is seen from all of them.
        part.pieces.erase(part.pieces.begin() + shown.end, part.pieces.end());
        part.pieces.erase(part.pieces.begin(), part.pieces.begin() + shown.first);
        if (!caption.isEmpty())
            part.top += std::ceil(notes.height() + gap * scale);
        part.flow = TextFlow(part.pieces, font, room, leastWidth, rowHeight);
        top = part.top + part.flow.height() + padding * scale;
        m_parts.push_back(std::move(part));
    };
    if (block.queryTokens == block.keyTokens) {
        add(TokenSide::Queries, {}, block.queryTokens,
            { std::min(weights.queries.first, weights.keys.first), std::max(weights.queries.end, weights.keys.end) });
    } else {
        add(TokenSide::Queries, QObject::tr("queries"), block.queryTokens, weights.queries);
        add(TokenSide::Keys, QObject::tr("keys"), block.keyTokens, weights.keys);
    }
    m_height = top;
}

const TextScene::Part *TextScene::part(TokenSide side) const
{
    if (m_parts.empty())
        return nullptr;
    return m_parts.size() > 1 && side == TokenSide::Keys ? &m_parts[1] : &m_parts[0];
}

std::optional<TextHit> TextScene::hit(QPointF point) const
{
    for (const Part &one : m_parts) {
        const Index piece = one.flow.at(point - QPointF(m_left, one.top));
        if (piece >= 0)
            return TextHit{ m_parts.size() > 1 ? one.side : m_picks, one.first + piece };
    }
    return std::nullopt;
}

QRectF TextScene::box(TokenSide side, Index token) const
{
    const Part *one = part(side);
    if (!one || token < one->first || token - one->first >= one->flow.count())
        return {};
    QRectF box = one->flow.box(token - one->first).translated(m_left, one->top);
    box.setHeight(m_lettersHeight);
    return box;
}

Range TextScene::tokens(TokenSide side, double top, double bottom) const
{
    const Part *one = part(side);
    const Range pieces = one ? one->flow.between(top - one->top, bottom - one->top) : Range{};
    return one ? Range{ one->first + pieces.first, one->first + pieces.end } : pieces;
}

Index TextScene::inNextLine(TokenSide side, Index token, int direction) const
{
    const Part *one = part(side);
    const bool isShown = one && token >= one->first && token - one->first < one->flow.count();
    return isShown ? one->first + one->flow.inNextLine(token - one->first, direction) : token;
}

void TextScene::paint(QPainter &painter, const TextContent &content, double top, double bottom) const
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const double scale = m_style.scale();
    painter.setFont(m_style.noteFont());
    painter.setPen(m_style.theme.text);
    painter.drawText(QRectF(m_left, padding * scale, m_width - 2.0 * m_left, QFontMetricsF(m_style.noteFont()).height()),
        Qt::AlignLeft | Qt::AlignTop | Qt::TextSingleLine, content.caption());
    if (content.tinted() != TokenSide::Neither)
        paintScale(painter, content);
    for (const Part &one : m_parts)
        paintPart(painter, content, one, top, bottom);
    painter.restore();
}

void TextScene::paintScale(QPainter &painter, const TextContent &content) const
{
    const double scale = m_style.scale();
    const QFontMetricsF notes(m_style.noteFont());
    MapStyle style;
    style.theme = m_style.theme;
    style.fontFamily = QFontInfo(m_style.font).family();
    style.scale = scale;
    const QString title = content.colors.isLogarithmic() ? QObject::tr("weight, logarithmic") : QObject::tr("weight");
    const double left = m_left + notes.horizontalAdvance(title) + 12.0 * scale;
    const QRectF bar(left, std::round(padding * scale + notes.height() + gap * scale), scaleWidth * scale, scaleHeight * scale);
    // Sums of several queries may be more than 1.
    const bool hasAbove = std::any_of(content.tints.begin(), content.tints.end(),
        [&](double tint) { return cell::kind(tint) == cell::Kind::Number && tint > content.colors.upper() + 1e-4; });
    paintColorScale(painter, bar, content.colors, scaleTicks(content.colors, false), title, { false, hasAbove }, style);
}

void TextScene::paintPart(QPainter &painter, const TextContent &content, const Part &one, double top, double bottom) const
{
    const Theme &theme = m_style.theme;
    const double scale = m_style.scale();
    const bool isOneText = m_parts.size() == 1;
    const QFont letters = m_style.tokenFont();
    const QFont notes = m_style.noteFont();
    const QFontMetricsF noteMetrics(notes);
    if (!one.caption.isEmpty()) {
        painter.setFont(notes);
        painter.setPen(theme.secondaryText);
        painter.drawText(QPointF(m_left, one.top - gap * scale - noteMetrics.descent()), one.caption);
    }
    const TokenSide tinted = content.tinted();
    const bool isTinted = tinted != TokenSide::Neither && (isOneText || tinted == one.side);
    const LineEnds &ends = content.ends;
    const Range seen = one.flow.between(top - one.top, bottom - one.top);
    for (Index piece = seen.first; piece < seen.end; ++piece) {
        const Index token = one.first + piece;
        QRectF box = one.flow.box(piece).translated(m_left, one.top);
        box.setHeight(m_lettersHeight);
        const auto place = static_cast<std::size_t>(token);
        const double tint = isTinted && place < content.tints.size() ? content.tints[place] : cell::absent<double>();
        const bool isExact = isTinted && ends.tokens.contains(token);
        const auto exactPlace = static_cast<std::size_t>(token - ends.tokens.first);
        const bool isHidden = isExact && ends.heads.front().isHidden[exactPlace] && cell::kind(tint) == cell::Kind::Number
            && content.weights.filter.hides();
        QColor ink = theme.text;
        painter.setPen(Qt::NoPen);
        switch (cell::kind(tint)) {
        case cell::Kind::Number:
            if (isHidden) {
                ink = theme.secondaryText;
                break;
            }
            painter.setBrush(QColor(content.colors.color(static_cast<float>(tint))));
            painter.drawRoundedRect(box, radius, radius);
            ink = content.colors.textColor(static_cast<float>(tint));
            break;
        case cell::Kind::Masked:
            painter.setBrush(theme.maskedGround);
            painter.drawRoundedRect(box, radius, radius);
            painter.setBrush(QBrush(theme.maskedHatch, Qt::BDiagPattern));
            painter.drawRoundedRect(box, radius, radius);
            ink = theme.secondaryText;
            break;
        case cell::Kind::Nan:
            painter.setPen(QPen(theme.secondaryText, 1.0));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
            painter.drawLine(box.topLeft(), box.bottomRight());
            painter.drawLine(box.bottomLeft(), box.topRight());
            break;
        case cell::Kind::Absent:
            break;
        }
        const bool isQuery = isOneText || one.side == TokenSide::Queries;
        const bool isKey = isOneText || one.side == TokenSide::Keys;
        const bool isSource = contains(ends.lit.tokens, token) && (isOneText || ends.lit.side == one.side);
        const bool isPickedToo = !isSource
            && ((isQuery && tinted != TokenSide::Keys && contains(content.pickedQueries, token))
                || (isKey && tinted == TokenSide::Keys && contains(content.pickedKeys, token)));
        const bool isHovered = content.hovered
            && ((isQuery && tinted == TokenSide::Queries && content.hovered->row == token)
                || (isKey && tinted == TokenSide::Keys && content.hovered->col == token));
        painter.setBrush(Qt::NoBrush);
        if (isSource) {
            painter.setPen(QPen(theme.accent, 2.0 * scale));
            painter.drawRoundedRect(box.adjusted(-1.0, -1.0, 1.0, 1.0), radius, radius);
        } else if (isPickedToo || isHovered) {
            painter.setPen(QPen(theme.text, 1.0 * scale));
            painter.drawRoundedRect(box.adjusted(-0.5, -0.5, 0.5, 0.5), radius, radius);
        }
        QFont font = letters;
        font.setUnderline(isSource);
        painter.setFont(font);
        painter.setPen(ink);
        painter.drawText(box.adjusted(besideLetters, 0.0, -besideLetters, 0.0),
            towardsWord(one.pieces, one.flow, piece) | Qt::AlignVCenter | Qt::TextSingleLine,
            one.pieces[static_cast<std::size_t>(piece)].text);
        if (!content.hasNumbers || !isExact || cell::isHidden(tint))
            continue;
        painter.setFont(notes);
        painter.setPen(isHidden ? theme.secondaryText : theme.text);
        painter.drawText(QRectF(box.left() - 4.0, box.bottom() + 1.0, box.width() + 8.0, noteMetrics.height()),
            Qt::AlignHCenter | Qt::AlignTop | Qt::TextSingleLine, endText(ends.heads.front().cells[exactPlace]));
    }
}

} // namespace attenscope
