// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the fonts and letters of an SVG and builds fonts of those letters alone.
#include "state/svg_fonts.h"

#include <QFont>
#include <QFontInfo>
#include <QRawFont>
#include <QRegularExpression>
#include <QString>
#include <QtEndian>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace attenscope {

namespace {

using Glyphs = std::set<quint32>;

quint16 read16(const QByteArray &table, qsizetype at)
{
    return at >= 0 && at + 2 <= table.size() ? qFromBigEndian<quint16>(table.constData() + at) : 0;
}

quint32 read32(const QByteArray &table, qsizetype at)
{
    return at >= 0 && at + 4 <= table.size() ? qFromBigEndian<quint32>(table.constData() + at) : 0;
}

void append16(QByteArray &bytes, quint16 number)
{
    const quint16 big = qToBigEndian(number);
    bytes.append(reinterpret_cast<const char *>(&big), sizeof big);
}

void append32(QByteArray &bytes, quint32 number)
{
    const quint32 big = qToBigEndian(number);
    bytes.append(reinterpret_cast<const char *>(&big), sizeof big);
}

/// Where the outlines of glyphs are.
struct Outlines {
    QByteArray glyf;
    std::vector<quint32> offsets; ///< One more than there are glyphs.

    [[nodiscard]] QByteArray of(quint32 glyph) const
    {
        if (glyph + 1 >= offsets.size() || offsets[glyph + 1] <= offsets[glyph])
            return {};
        return glyf.mid(offsets[glyph], offsets[glyph + 1] - offsets[glyph]);
    }
};

Outlines outlinesOf(const QRawFont &font)
{
    constexpr qsizetype longOffsetsAt = 50; // in head: indexToLocFormat
    Outlines outlines{ font.fontTable("glyf"), {} };
    const QByteArray loca = font.fontTable("loca");
    const bool isLong = read16(font.fontTable("head"), longOffsetsAt) != 0;
    for (qsizetype at = 0; at < loca.size(); at += isLong ? 4 : 2)
        outlines.offsets.push_back(isLong ? read32(loca, at) : 2U * read16(loca, at));
    return outlines;
}

/// Adds the glyphs that composite ones are made of (glyf, composite glyph description).
void addComponents(const Outlines &outlines, Glyphs &glyphs)
{
    enum Flags : quint16 { WordArguments = 0x1, HasScale = 0x8, MoreComponents = 0x20, HasTwoScales = 0x40, HasMatrix = 0x80 };
    std::vector<quint32> open(glyphs.begin(), glyphs.end());
    while (!open.empty()) {
        const QByteArray outline = outlines.of(open.back());
        open.pop_back();
        const auto contours = static_cast<qint16>(read16(outline, 0));
        if (outline.isEmpty() || contours >= 0)
            continue;
        qsizetype at = 10;
        quint16 flags = MoreComponents;
        while ((flags & MoreComponents) != 0 && at + 4 <= outline.size()) {
            flags = read16(outline, at);
            const quint32 component = read16(outline, at + 2);
            if (glyphs.insert(component).second)
                open.push_back(component);
            at += 4 + ((flags & WordArguments) ? 4 : 2)
                + ((flags & HasScale)            ? 2
                        : (flags & HasTwoScales) ? 4
                        : (flags & HasMatrix)    ? 8
                                                 : 0);
        }
    }
}

quint32 checksum(const QByteArray &table)
{
    quint32 sum = 0;
    for (qsizetype at = 0; at < table.size(); at += 4)
        sum += qFromBigEndian<quint32>(table.mid(at, 4).leftJustified(4, '\0').constData());
    return sum;
}

/// A font file of @p tables (OpenType, table directory).
QByteArray fontFile(const std::map<QByteArray, QByteArray> &tables, bool isTrueType)
{
    const auto count = static_cast<quint16>(tables.size());
    quint16 power = 0;
    while ((2 << power) <= count)
        ++power;
    QByteArray file;
    append32(file, isTrueType ? 0x00010000U : 0x4f54544fU);
    append16(file, count);
    append16(file, static_cast<quint16>(16 << power));
    append16(file, power);
    append16(file, static_cast<quint16>(16 * count - (16 << power)));
    quint32 offset = 12 + 16U * count;
    QByteArray body;
    for (const auto &[tag, table] : tables) {
        file.append(tag);
        append32(file, checksum(table));
        append32(file, offset + static_cast<quint32>(body.size()));
        append32(file, static_cast<quint32>(table.size()));
        body.append(table);
        body.append((4 - table.size() % 4) % 4, '\0');
    }
    return file + body;
}

/// @p font with the outlines of @p text alone.
QByteArray subset(const QRawFont &font, const QString &text)
{
    std::map<QByteArray, QByteArray> tables;
    for (const char *tag : { "OS/2", "cmap", "cvt ", "fpgm", "head", "hhea", "hmtx", "maxp", "name", "prep", "CFF " }) {
        if (const QByteArray table = font.fontTable(tag); !table.isEmpty())
            tables[tag] = table;
    }
    // Without the names of glyphs: version 3.
    QByteArray post = font.fontTable("post").left(32);
    if (post.size() == 32)
        tables["post"] = post.replace(0, 4, QByteArray("\0\3\0\0", 4));
    const Outlines outlines = outlinesOf(font);
    if (outlines.glyf.isEmpty())
        return fontFile(tables, false);
    const QList<quint32> used = font.glyphIndexesForString(text);
    Glyphs glyphs(used.begin(), used.end());
    glyphs.insert(0);
    addComponents(outlines, glyphs);
    QByteArray glyf;
    QByteArray loca;
    for (quint32 glyph = 0; glyph + 1 < outlines.offsets.size(); ++glyph) {
        append32(loca, static_cast<quint32>(glyf.size()));
        if (!glyphs.contains(glyph))
            continue;
        glyf.append(outlines.of(glyph));
        glyf.append((4 - glyf.size() % 4) % 4, '\0');
    }
    append32(loca, static_cast<quint32>(glyf.size()));
    tables["glyf"] = glyf;
    tables["loca"] = loca;
    tables["head"].replace(50, 2, QByteArray("\0\1", 2)); // long offsets
    return fontFile(tables, true);
}

QString unescaped(QString text)
{
    const std::array<std::pair<const char *, const char *>, 5> entities{ { { "&lt;", "<" }, { "&gt;", ">" }, { "&quot;", "\"" },
        { "&apos;", "'" }, { "&amp;", "&" } } };
    for (const auto &[entity, character] : entities)
        text.replace(QLatin1String(entity), QLatin1String(character));
    return text;
}

/// A font as the file names it.
struct Face {
    QString family;
    int weight = 400;
    bool isItalic = false;

    bool operator<(const Face &other) const
    {
        return std::tie(family, weight, isItalic) < std::tie(other.family, other.weight, other.isItalic);
    }
};

} // namespace

QByteArray withEmbeddedFonts(QByteArray svg)
{
    static const QRegularExpression texts(
        QStringLiteral("<text [^>]*font-family=\"([^\"]*)\"[^>]*font-weight=\"(\\d+)\"[^>]*font-style=\"([a-z]+)\"[^>]*>([^<]*)</text>"));
    const QString all = QString::fromUtf8(svg);
    std::map<Face, QString> used;
    for (auto match = texts.globalMatch(all); match.hasNext();) {
        const QRegularExpressionMatch text = match.next();
        used[{ text.captured(1), text.captured(2).toInt(), text.captured(3) != QLatin1String("normal") }] += unescaped(text.captured(4));
    }
    const qsizetype place = svg.indexOf("<defs>");
    if (used.empty() || place < 0)
        return svg;
    QByteArray rules;
    std::map<QString, QString> realNames;
    for (const auto &[face, text] : used) {
        QFont font(unescaped(face.family));
        font.setWeight(static_cast<QFont::Weight>(std::clamp(face.weight, 1, 1000)));
        font.setItalic(face.isItalic);
        const QRawFont raw = QRawFont::fromFont(font);
        if (!raw.isValid())
            continue;
        const QString real = QFontInfo(font).family();
        realNames[face.family] = real;
        rules += QStringLiteral("@font-face{font-family:\"%1\";font-weight:%2;font-style:%3;src:url(data:font/ttf;base64,")
                     .arg(real)
                     .arg(face.weight)
                     .arg(face.isItalic ? QStringLiteral("italic") : QStringLiteral("normal"))
                     .toUtf8()
            + subset(raw, text).toBase64() + ")}\n";
    }
    for (const auto &[written, real] : realNames)
        svg.replace("font-family=\"" + written.toUtf8() + '"', "font-family=\"" + real.toHtmlEscaped().toUtf8() + ", sans-serif\"");
    return svg.insert(svg.indexOf("<defs>") + 6, "\n<style type=\"text/css\"><![CDATA[\n" + rules + "]]></style>");
}

} // namespace attenscope
