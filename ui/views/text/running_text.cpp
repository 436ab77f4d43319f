// SPDX-License-Identifier: GPL-3.0-or-later
// What tokenizers do to words, undone; breaking lines.
#include "views/text/running_text.h"

#include "session/token_groups.h"
#include "views/map/token_ticker.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attenscope {

namespace {

constexpr int mostCharacters = 64;
/// Between the letters of a piece and its edges.
constexpr double inner = 3.0;
/// Between two pieces of a word: each has a tint of its own.
constexpr double seam = 1.0;

bool isBlank(const std::string &token)
{
    return !token.empty() && std::all_of(token.begin(), token.end(), [](char byte) { return byte == ' ' || byte == '\n' || byte == '\t'; });
}

bool isLineBreak(const std::string &token)
{
    return token == "Ċ" || token == "<0x0A>" || (isBlank(token) && token.find('\n') != std::string::npos);
}

bool isPunctuation(const QString &text)
{
    return text.size() == 1 && QStringLiteral(".,;:!?)]}’%").contains(text.front());
}

bool isArabic(QChar letter)
{
    return letter.direction() == QChar::DirAL;
}

QChar::Direction directionOf(const QString &text)
{
    for (const QChar letter : text) {
        const QChar::Direction direction = letter.direction();
        if (direction == QChar::DirL || direction == QChar::DirR || direction == QChar::DirAL)
            return direction;
    }
    return QChar::DirON;
}

} // namespace

std::vector<TextPiece> runningText(const std::vector<std::string> &tokens)
{
    const bool hasMarks
        = std::any_of(tokens.begin(), tokens.end(), [](const std::string &token) { return wordStartMark(token) > 0 || isBlank(token); });
    const bool hasPieces
        = std::any_of(tokens.begin(), tokens.end(), [](const std::string &token) { return token.size() > 2 && token.starts_with("##"); });
    std::vector<TextPiece> pieces;
    pieces.reserve(tokens.size());
    for (const std::string &token : tokens) {
        TextPiece piece;
        piece.endsLine = isLineBreak(token);
        std::size_t mark = 0;
        if (hasPieces && token.size() > 2 && token.starts_with("##")) {
            mark = 2;
            piece.startsWord = false;
        } else if (hasMarks && !hasPieces) {
            mark = wordStartMark(token);
            piece.startsWord = mark > 0;
        }
        // A mark alone is a token too, and has to be seen.
        piece.text = tokenText(mark < token.size() ? token.substr(mark) : token, mostCharacters);
        if (isPunctuation(piece.text) && mark == 0)
            piece.startsWord = false;
        if (pieces.empty() || pieces.back().endsLine)
            piece.startsWord = true;
        pieces.push_back(std::move(piece));
    }
    // Letters that are written joined stay joined across the pieces of a word.
    constexpr QChar joiner(0x200d);
    for (std::size_t place = 1; place < pieces.size(); ++place) {
        QString &before = pieces[place - 1].text;
        QString &after = pieces[place].text;
        if (pieces[place].startsWord || before.isEmpty() || after.isEmpty() || !isArabic(before.back()) || !isArabic(after.front()))
            continue;
        before.append(joiner);
        after.prepend(joiner);
    }
    return pieces;
}

bool isRightToLeft(const std::vector<TextPiece> &pieces)
{
    std::ptrdiff_t balance = 0;
    for (const TextPiece &piece : pieces) {
        const QChar::Direction direction = directionOf(piece.text);
        balance += direction == QChar::DirR || direction == QChar::DirAL ? 1 : direction == QChar::DirL ? -1 : 0;
    }
    return balance > 0;
}

TextFlow::TextFlow(const std::vector<TextPiece> &pieces, const QFont &font, double width, double leastWidth, double rowHeight)
    : m_rowHeight(rowHeight)
{
    const QFontMetricsF metrics(font);
    const double space = metrics.horizontalAdvance(u' ');
    m_boxes.reserve(pieces.size());
    double x = 0.0;
    double y = 0.0;
    const auto widthOf = [&](const TextPiece &piece) {
        return std::min(width, std::max(leastWidth, metrics.horizontalAdvance(piece.text) + 2.0 * inner));
    };
    for (std::size_t word = 0; word < pieces.size();) {
        std::size_t end = word + 1;
        while (end < pieces.size() && !pieces[end].startsWord)
            ++end;
        double length = -seam;
        for (std::size_t place = word; place < end; ++place)
            length += widthOf(pieces[place]) + seam;
        if (x > 0.0 && x + space + length > width) {
            x = 0.0;
            y += rowHeight;
        } else if (x > 0.0) {
            x += space;
        }
        for (std::size_t place = word; place < end; ++place) {
            const double own = widthOf(pieces[place]);
            if (x > 0.0 && x + own > width) {
                x = 0.0;
                y += rowHeight;
            }
            m_boxes.emplace_back(x, y, own, rowHeight);
            x += own + seam;
            if (pieces[place].endsLine) {
                x = 0.0;
                y += rowHeight;
            }
        }
        word = end;
    }
    m_height = m_boxes.empty() ? 0.0 : m_boxes.back().bottom();
    if (!isRightToLeft(pieces))
        return;
    for (QRectF &box : m_boxes)
        box.moveLeft(width - box.right());
}

Range TextFlow::between(double top, double bottom) const
{
    const auto first = std::lower_bound(m_boxes.begin(), m_boxes.end(), top, [](const QRectF &box, double y) { return box.bottom() <= y; });
    const auto end = std::lower_bound(first, m_boxes.end(), bottom, [](const QRectF &box, double y) { return box.top() < y; });
    return { first - m_boxes.begin(), end - m_boxes.begin() };
}

Index TextFlow::at(QPointF point) const
{
    const Range line = between(point.y(), point.y() + 0.01);
    for (Index piece = line.first; piece < line.end; ++piece) {
        if (box(piece).contains(point))
            return piece;
    }
    return -1;
}

Index TextFlow::inNextLine(Index piece, int direction) const
{
    const QRectF &here = box(piece);
    const double y = here.center().y() + direction * m_rowHeight;
    const Range line = between(y, y + 0.01);
    Index nearest = piece;
    double least = std::numeric_limits<double>::infinity();
    for (Index other = line.first; other < line.end; ++other) {
        const double distance = std::abs(box(other).center().x() - here.center().x());
        if (distance < least) {
            least = distance;
            nearest = other;
        }
    }
    return nearest;
}

} // namespace attenscope
