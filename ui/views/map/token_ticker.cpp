// SPDX-License-Identifier: GPL-3.0-or-later
// Strides of token axes and one-line token names.
#include "views/map/token_ticker.h"

#include "core/text.h"

#include <QCoreApplication>
#include <QGlyphRun>
#include <QTextBoundaryFinder>
#include <QTextLayout>

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace attenscope {

Index labelStride(double cell, double least)
{
    for (Index decade = 1; decade < Index(1) << 50; decade *= 10) {
        for (const Index step : { 1, 2, 5 }) {
            if (static_cast<double>(decade * step) * cell >= least)
                return decade * step;
        }
    }
    return Index(1) << 50;
}

namespace {

/// What stands for a character that would not be seen.
QString visibleCharacter(QChar character)
{
    switch (character.unicode()) {
    case u' ':
        return QStringLiteral("␣");
    case u'\n':
        return QStringLiteral("↵");
    case u'\t':
        return QStringLiteral("⇥");
    case 0x7f:
        return QStringLiteral("␡");
    default:
        break;
    }
    if (character.unicode() < 0x20)
        return QChar(0x2400 + character.unicode());
    if (character == QChar::ByteOrderMark || character.unicode() == 0x200b)
        return QStringLiteral("∅");
    return character;
}

bool isSpace(QChar character)
{
    return character == u' ' || character.unicode() == 0x2581;
}

} // namespace

QString tokenText(const std::string &token, int most)
{
    // A long token is not read to its end: twelve characters may be many code units (emoji), but not thousands.
    constexpr std::size_t mostBytes = 4096;
    const QString all = QString::fromUtf8(token.data(), static_cast<qsizetype>(std::min(token.size(), mostBytes)));
    if (all.isEmpty())
        return QStringLiteral("∅");
    const bool isBlank = std::all_of(all.cbegin(), all.cend(), isSpace);
    QString text;
    for (qsizetype index = 0; index < all.size(); ++index) {
        const QChar character = all.at(index);
        // Tokenizers mark the start of a word by a space or by U+2581.
        if (isSpace(character) && !isBlank)
            text += index == 0 ? QChar(u'·') : QChar(u' ');
        else if (isSpace(character))
            text += u'␣';
        else
            text += visibleCharacter(character);
    }
    QTextBoundaryFinder finder(QTextBoundaryFinder::Grapheme, text);
    qsizetype keptEnd = 0;
    for (int count = 0; count < most; ++count) {
        const qsizetype next = finder.toNextBoundary();
        if (next < 0 || next >= text.size())
            return text;
        if (count < most - 1)
            keptEnd = next;
    }
    return text.first(keptEnd) + u'…';
}

namespace {

/// Whether a font has a glyph for @p character; the fallback of Qt looks through all that are installed.
bool hasGlyph(char32_t character, const QFont &font)
{
    const QString text = QString::fromUcs4(&character, 1);
    QTextLayout layout(text, font);
    layout.beginLayout();
    layout.createLine();
    layout.endLayout();
    const QList<QGlyphRun> runs = layout.glyphRuns();
    return std::none_of(runs.begin(), runs.end(), [](const QGlyphRun &run) { return run.glyphIndexes().contains(0); });
}

bool isDrawn(char32_t character)
{
    const QChar::Category category = QChar::category(character);
    return character >= 0x80 && category != QChar::Other_Format && category != QChar::Other_Control
        && !(character >= 0xfe00 && character <= 0xfe0f);
}

} // namespace

Index unreadableTokens(const std::vector<std::string> &tokens, const QString &fontFamily)
{
    const QFont font(fontFamily);
    std::unordered_map<char32_t, bool> known;
    Index count = 0;
    for (const std::string &token : tokens) {
        if (std::all_of(token.begin(), token.end(), [](char byte) { return static_cast<unsigned char>(byte) < 0x80; }))
            continue;
        const QList<uint> characters = tokenText(token).toUcs4();
        count += std::any_of(characters.begin(), characters.end(), [&](char32_t character) {
            if (!isDrawn(character))
                return false;
            const auto [place, isNew] = known.try_emplace(character, true);
            if (isNew)
                place->second = hasGlyph(character, font);
            return !place->second;
        });
    }
    return count;
}

QString unreadableText(Index tokens)
{
    return tokens == 1 ? QCoreApplication::translate("TokenTicker", "1 token has characters that no installed font has")
                       : QCoreApplication::translate("TokenTicker", "%1 tokens have characters that no installed font has")
                             .arg(QString::fromStdString(groupedCount(tokens)));
}

AxisLabel axisLabel(const std::vector<std::string> *tokens, Index index, Index position, bool withPosition, int most)
{
    const QString place = QString::number(position);
    if (!tokens || index < 0 || index >= static_cast<Index>(tokens->size()))
        return { place, {} };
    const QString token = tokenText((*tokens)[static_cast<std::size_t>(index)], most);
    // Rows without names are named by their position.
    if (token == place)
        return { place, {} };
    return withPosition ? AxisLabel{ place, u'‘' + token + u'’' } : AxisLabel{ {}, token };
}

void TokenTicker::setStride(Index stride, Index count)
{
    m_stride = std::max<Index>(1, stride);
    m_count = count;
}

std::vector<Index> TokenTicker::named(const QCPRange &range) const
{
    std::vector<Index> cells;
    const auto first = static_cast<Index>(std::ceil((range.lower - 0.5) / static_cast<double>(m_stride)));
    for (Index cell = std::max<Index>(0, first) * m_stride; cell < m_count && static_cast<double>(cell) + 0.5 <= range.upper;
         cell += m_stride)
        cells.push_back(cell);
    return cells;
}

void TokenTicker::generate(
    const QCPRange &range, const QLocale &, QChar, int, QVector<double> &ticks, QVector<double> *subTicks, QVector<QString> *tickLabels)
{
    ticks.clear();
    for (const Index cell : named(range))
        ticks.push_back(static_cast<double>(cell) + 0.5);
    if (subTicks)
        subTicks->clear();
    if (tickLabels)
        tickLabels->fill(QString(), ticks.size());
}

} // namespace attenscope
