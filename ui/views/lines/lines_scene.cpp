// SPDX-License-Identifier: GPL-3.0-or-later
// Painting of the page around the lines.
#include "views/lines/lines_scene.h"

#include "session/token_groups.h"
#include "state/color_map.h"
#include "views/map/token_ticker.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

constexpr double dotRadius = 2.5;
constexpr double groundRadius = 3.0;

bool contains(const std::vector<Index> &tokens, Index token)
{
    return std::find(tokens.begin(), tokens.end(), token) != tokens.end();
}

void drawText(QPainter &painter, const QRectF &box, Qt::Alignment alignment, const QString &text)
{
    painter.drawText(box, static_cast<int>(alignment | Qt::AlignVCenter) | Qt::TextSingleLine, text);
}

/// A pin seen from the side, so that colour is not the only sign of a pick.
void drawPin(QPainter &painter, QPointF middle, double scale, const QColor &color)
{
    painter.save();
    painter.translate(middle);
    painter.scale(scale, scale);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    QPainterPath path;
    path.moveTo(-3.5, -5.5);
    path.lineTo(3.5, -5.5);
    path.moveTo(-2.0, -5.5);
    path.lineTo(-2.0, -1.5);
    path.lineTo(-4.0, 1.0);
    path.lineTo(4.0, 1.0);
    path.lineTo(2.0, -1.5);
    path.lineTo(2.0, -5.5);
    path.moveTo(0.0, 1.0);
    path.lineTo(0.0, 6.0);
    painter.drawPath(path);
    painter.restore();
}

} // namespace

double opacityBesideLit(const LinesContent &content)
{
    return content.heads.size() > 1 ? 0.25 : 0.6;
}

namespace {

/// The ends of the scale of differences; on a dark ground lighter ones of the same scheme.
QColor signColor(bool isNegative, const Theme &theme)
{
    if (theme.isDark)
        return isNegative ? QColor(0x67, 0xA9, 0xCF) : QColor(0xEF, 0x8A, 0x62);
    return QColor(isNegative ? divergingTable().front() : divergingTable().back());
}

} // namespace

QColor lineColor(const LinesContent &content, std::size_t head, const Theme &theme, bool isNegative)
{
    if (content.isDifference())
        return signColor(isNegative, theme);
    return content.heads.size() > 1 ? headColor(head, theme) : theme.secondaryText;
}

QColor litLineColor(const LinesContent &content, std::size_t head, const Theme &theme, bool isNegative)
{
    if (content.isDifference())
        return signColor(isNegative, theme);
    return content.heads.size() > 1 ? headColor(head, theme) : theme.accent;
}

void LinesScene::paintHead(QPainter &painter) const
{
    const Theme &theme = style.theme;
    const double scale = layout.scale;
    if (!content.sideTitle.isEmpty()) {
        const QFontMetricsF letters(style.tokenFont());
        const double x = layout.left;
        const double baseline = layout.titles + letters.ascent();
        painter.setFont(style.tokenFont());
        painter.setPen(theme.text);
        painter.drawText(QPointF(x, baseline), content.sideTitle);
        const double next = x + letters.horizontalAdvance(content.sideTitle) + 12.0 * scale;
        painter.setFont(style.noteFont());
        painter.setPen(theme.secondaryText);
        painter.drawText(QPointF(next, baseline),
            QFontMetricsF(style.noteFont()).elidedText(content.sideSubtitle, Qt::ElideRight, std::max(0.0, layout.right - next)));
    }
    painter.setFont(style.noteFont());
    for (std::size_t place = 0; place < layout.legend.size(); ++place) {
        const QRectF &entry = layout.legend[place];
        const double side = 12.0 * scale;
        const QRectF swatch(entry.left(), entry.center().y() - side / 2.0, side, side);
        painter.setPen(Qt::NoPen);
        painter.setBrush(headColor(place, theme));
        painter.drawRect(swatch);
        painter.setPen(theme.text);
        drawText(painter, entry.adjusted(side + 4.0 * scale, 0.0, 0.0, 0.0), Qt::AlignLeft, content.heads[place].name);
    }
    const double height = layout.headHeight - layout.captions;
    const auto caption = [&](double left, double right, Qt::Alignment alignment, const QString &text) {
        drawText(painter, QRectF(left, layout.captions, right - left, height), alignment, text);
    };
    const double inner = 8.0 * scale;
    painter.setPen(theme.secondaryText);
    caption(layout.queryLeft - 40.0 * scale, layout.queryRight - inner, Qt::AlignRight, QObject::tr("query"));
    caption(layout.keyLeft + inner, layout.rightNumbers, Qt::AlignLeft, QObject::tr("key"));
    if (ends.lit.side == TokenSide::Neither)
        return;
    const TokenSide other = ends.lit.side == TokenSide::Queries ? TokenSide::Keys : TokenSide::Queries;
    const bool isSum = ends.lit.tokens.size() > 1;
    const QString single = content.isDifference() ? QObject::tr("difference") : QObject::tr("weight");
    for (std::size_t column = 0; column < layout.numberColumns; ++column) {
        const QRectF box = layout.number(other, 0, column);
        QString text = isSum ? QObject::tr("sum of %1").arg(ends.lit.tokens.size()) : single;
        if (content.heads.size() > 1) {
            // Beside several columns there is no room for more than the name.
            text = content.heads[column].name;
            painter.setPen(theme.text);
        }
        const double right = other == TokenSide::Keys ? box.right() : box.right() - inner;
        caption(box.left(), right, Qt::AlignRight, text);
        if (content.heads.size() > 1) {
            // Not the letters: some of the colours are too dark or too light for those.
            const double width = painter.fontMetrics().horizontalAdvance(text);
            painter.fillRect(QRectF(right - width, layout.headHeight - 3.0 * scale, width, 2.0 * scale), headColor(column, theme));
        }
    }
}

void LinesScene::paintLineNames(QPainter &painter, const std::vector<HeadLines> &lines) const
{
    if (ends.lit.side == TokenSide::Neither)
        return;
    painter.setFont(style.noteFont());
    const QFontMetricsF metrics(style.noteFont());
    for (std::size_t head = safeHeadColors; head < ends.heads.size(); ++head) {
        double strongest = 0.0;
        QPointF middle;
        forEachLitLine(ends, lines, head, layout.part(), [&](Index query, Index key, double weight) {
            if (weight <= strongest)
                return;
            strongest = weight;
            // Lines of several heads often go the same way: their names stand one after the other.
            const double part = 0.3 + 0.08 * static_cast<double>(head % safeHeadColors);
            middle = QPointF(layout.leftDot, layout.middle(TokenSide::Queries, query)) * (1.0 - part)
                + QPointF(layout.rightDot, layout.middle(TokenSide::Keys, key)) * part + QPointF(0.0, layout.offset(head));
        });
        if (strongest <= 0.0)
            continue;
        const QString &name = content.heads[head].name;
        QRectF box(QPointF(), QSizeF(metrics.horizontalAdvance(name) + 4.0 * layout.scale, metrics.height()));
        box.moveCenter(middle);
        painter.fillRect(box, style.theme.view);
        painter.setPen(headColor(head, style.theme));
        painter.drawText(box, Qt::AlignCenter | Qt::TextSingleLine, name);
    }
}

void LinesScene::paintTokens(QPainter &painter, const LinesPart &part) const
{
    const Theme &theme = style.theme;
    const double scale = layout.scale;
    const double inner = 8.0 * scale;
    const AttentionBlock &block = content.block();
    const QFont tokenFont = style.tokenFont();
    const QFont noteFont = style.noteFont();
    QFont bold = tokenFont;
    bold.setBold(true);
    const TokenSide numbered = ends.lit.side == TokenSide::Queries ? TokenSide::Keys
        : ends.lit.side == TokenSide::Keys                         ? TokenSide::Queries
                                                                   : TokenSide::Neither;
    const auto cellOf = [&](std::size_t head, Index token) -> std::optional<double> {
        const auto place = token - ends.tokens.first;
        if (!ends.tokens.contains(token) || head >= ends.heads.size())
            return std::nullopt;
        return ends.heads[head].cells[static_cast<std::size_t>(place)];
    };
    const auto drawNumbers = [&](TokenSide side, Index token) {
        for (std::size_t head = 0; head < layout.numberColumns; ++head) {
            const auto cell = cellOf(head, token);
            if (!cell)
                continue;
            QRectF box = layout.number(side, token, head);
            box.setRight(side == TokenSide::Keys ? box.right() : box.right() - inner);
            const bool isGone = cell::isHidden(*cell);
            const bool isHidden = ends.heads[head].isHidden[static_cast<std::size_t>(token - ends.tokens.first)];
            const bool isLargest
                = ends.isWhole && cell::kind(*cell) == cell::Kind::Number && *cell != 0.0 && std::abs(*cell) == ends.heads[head].largest;
            painter.setFont(isGone ? noteFont : isLargest ? bold : tokenFont);
            painter.setPen(isGone || isHidden ? theme.secondaryText : theme.text);
            drawText(painter, box, Qt::AlignRight, endText(*cell, content.isDifference()));
        }
    };
    const auto drawBar = [&](TokenSide side, Index token) {
        if (content.heads.size() > 1)
            return;
        const auto cell = cellOf(0, token);
        if (!cell || cell::kind(*cell) != cell::Kind::Number || !(content.isDifference() ? *cell != 0.0 : *cell > 0.0))
            return;
        // A weight of 1 reaches across name and number, whatever the largest is.
        const double whole = side == TokenSide::Keys ? layout.right - layout.keyLeft : layout.queryRight - layout.leftNumbers;
        const double length = whole * std::min(1.0, std::abs(*cell));
        const double margin = std::max(1.0, layout.rowHeight / 12.0);
        const double x = side == TokenSide::Keys ? layout.keyLeft : layout.queryRight - length;
        QColor ground = theme.accentGround;
        if (content.isDifference()) {
            ground = signColor(*cell < 0.0, theme);
            ground.setAlphaF(0.25F);
        }
        painter.fillRect(QRectF(x, layout.top(side, token) + margin, length, layout.rowHeight - 2.0 * margin), ground);
    };
    const auto drawName = [&](TokenSide side, Index token) {
        const bool isQuery = side == TokenSide::Queries;
        const QRectF box = isQuery ? layout.query(token) : layout.key(token);
        const bool isLit = side == ends.lit.side && contains(ends.lit.tokens, token);
        const bool isPicked = contains(isQuery ? pickedQueries : pickedKeys, token);
        const auto &tokens = isQuery ? block.queryTokens : block.keyTokens;
        const QString name = tokenText(tokens[static_cast<std::size_t>(token)]);
        const QFontMetricsF metrics(tokenFont);
        const double width = std::min(box.width(), metrics.horizontalAdvance(name) + 2.0 * inner);
        const double margin = std::max(1.0, layout.rowHeight / 12.0);
        const QRectF ground(isQuery ? box.right() - width : box.left(), box.top() + margin, width, box.height() - 2.0 * margin);
        painter.setRenderHint(QPainter::Antialiasing);
        if (isLit) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme.accent);
            painter.drawRoundedRect(ground, groundRadius, groundRadius);
        } else if (isPicked) {
            painter.setPen(QPen(theme.accent, 1.5));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(ground.adjusted(0.5, 0.5, -0.5, -0.5), groundRadius, groundRadius);
        }
        if (isPicked) {
            const double x = isQuery ? ground.left() - 12.0 * scale : ground.right() + 12.0 * scale;
            if (isQuery || x < layout.rightNumbers)
                drawPin(painter, QPointF(x, ground.center().y()), scale, theme.accent);
        }
        bool isMasked = numbered == side;
        for (std::size_t head = 0; head < ends.heads.size() && isMasked; ++head) {
            const auto cell = cellOf(head, token);
            isMasked = cell && cell::isHidden(*cell);
        }
        const bool isMarked = !isQuery && markedKey == token && ends.lit.side == TokenSide::Queries;
        painter.setFont(isMarked ? bold : tokenFont);
        painter.setPen(isLit ? theme.panel : isMasked ? theme.secondaryText : theme.text);
        painter.save();
        painter.setClipRect(box, Qt::IntersectClip);
        drawText(painter, box.adjusted(inner, 0.0, -inner, 0.0), isQuery ? Qt::AlignRight : Qt::AlignLeft, name);
        painter.restore();
        painter.setPen(Qt::NoPen);
        painter.setBrush(isLit ? theme.accent : theme.secondaryText);
        painter.drawEllipse(
            QPointF(isQuery ? layout.leftDot : layout.rightDot, layout.middle(side, token)), dotRadius * scale, dotRadius * scale);
    };
    const auto drawToken = [&](TokenSide side, Index token, double positions) {
        const bool isQuery = side == TokenSide::Queries;
        const QString position = QString::number(isQuery ? wholeQuery(block, token) : wholeKey(block, token));
        // Where the input has no names they are the positions already.
        if (positions > 0.0 && tokenText((isQuery ? block.queryTokens : block.keyTokens)[static_cast<std::size_t>(token)]) != position) {
            painter.setFont(noteFont);
            painter.setPen(theme.secondaryText);
            drawText(painter, QRectF(positions, layout.top(side, token), layout.leftNumbers - layout.left, layout.rowHeight), Qt::AlignLeft,
                position);
        }
        if (numbered == side) {
            drawBar(side, token);
            drawNumbers(side, token);
        }
        drawName(side, token);
    };
    for (Index query = part.queriesInView.first; query < part.queriesInView.end; ++query)
        drawToken(TokenSide::Queries, query, layout.left);
    // Keys that face a query have its position; those below the last one their own, in the same place.
    for (Index key = part.keysInView.first; key < part.keysInView.end; ++key)
        drawToken(TokenSide::Keys, key, layout.keyPositions > 0.0 ? layout.keyPositions : layout.queries.contains(key) ? 0.0 : layout.left);
}

} // namespace attenscope
