// SPDX-License-Identifier: GPL-3.0-or-later
// Reading the markup of formulas, and writing them in one line.
#include "state/math_text.h"

#include <array>
#include <utility>

namespace attenscope {

namespace {

using Kind = MathBox::Kind;

constexpr QChar gapMark(u'~');

constexpr std::array symbolNames{ std::pair{ "score", Symbol::Score }, std::pair{ "scale", Symbol::Scale },
    std::pair{ "cap", Symbol::SoftCap }, std::pair{ "bias", Symbol::Bias }, std::pair{ "temperature", Symbol::Temperature },
    std::pair{ "mask", Symbol::Mask }, std::pair{ "softmax", Symbol::Softmax }, std::pair{ "rope", Symbol::Rope },
    std::pair{ "values", Symbol::Values } };

MathBox leaf(Kind kind, QString text)
{
    return { .kind = kind, .text = std::move(text), .parts = {} };
}

MathBox nest(Kind kind, std::vector<MathBox> parts)
{
    return { .kind = kind, .text = {}, .parts = std::move(parts) };
}

class Reader {
public:
    explicit Reader(const QString &text)
        : m_text(text)
    {
    }

    MathBox row(QChar end = {})
    {
        std::vector<MathBox> parts;
        while (!atEnd() && peek() != end) {
            if (peek() == u'^' || peek() == u'_') {
                const Kind kind = take() == u'^' ? Kind::Superscript : Kind::Subscript;
                MathBox base = parts.empty() ? leaf(Kind::Word, {}) : std::move(parts.back());
                if (!parts.empty())
                    parts.pop_back();
                MathBox script = atom();
                parts.push_back(nest(kind, { std::move(base), std::move(script) }));
            } else {
                parts.push_back(atom());
            }
        }
        if (!end.isNull()) {
            Q_ASSERT_X(!atEnd(), "parseMath", qPrintable(m_text));
            ++m_place;
        }
        if (parts.size() == 1)
            return std::move(parts.front());
        return nest(Kind::Row, std::move(parts));
    }

private:
    [[nodiscard]] bool atEnd() const { return m_place >= m_text.size(); }
    [[nodiscard]] QChar peek() const { return m_text[m_place]; }
    QChar take() { return m_text[m_place++]; }

    MathBox atom()
    {
        Q_ASSERT_X(!atEnd(), "parseMath", qPrintable(m_text));
        const QChar first = take();
        if (first == u'{')
            return row(u'}');
        if (first == u'(')
            return nest(Kind::Parentheses, { row(u')') });
        if (first == u'\\')
            return command();
        if (first == gapMark)
            return leaf(Kind::Word, QStringLiteral(" "));
        if (first == u'\'') {
            const auto end = m_text.indexOf(u'\'', m_place);
            Q_ASSERT_X(end >= 0, "parseMath", qPrintable(m_text));
            return leaf(Kind::Word, m_text.mid(std::exchange(m_place, end + 1), end - m_place));
        }
        if (first.isLetter())
            return leaf(Kind::Letter, first);
        return number(first);
    }

    /// Digits stay together.
    MathBox number(QChar first)
    {
        QString text(first);
        while (first.isDigit() && !atEnd() && (peek().isDigit() || peek() == u'.'))
            text += take();
        return leaf(Kind::Word, text);
    }

    MathBox command()
    {
        QString name;
        while (!atEnd() && peek() != u'{')
            name += take();
        const auto argument = [this] {
            Q_ASSERT_X(!atEnd() && peek() == u'{', "parseMath", qPrintable(m_text));
            ++m_place;
            return row(u'}');
        };
        if (name == QLatin1String("frac")) {
            MathBox top = argument();
            MathBox bottom = argument();
            return nest(Kind::Fraction, { std::move(top), std::move(bottom) });
        }
        if (name == QLatin1String("sqrt"))
            return nest(Kind::Root, { argument() });
        for (const auto &[word, symbol] : symbolNames) {
            if (name != QLatin1String(word))
                continue;
            MathBox box = nest(Kind::Row, { argument() });
            box.symbol = symbol;
            return box;
        }
        Q_ASSERT_X(false, "parseMath", qPrintable(name));
        return {};
    }

    QString m_text;
    qsizetype m_place = 0;
};

/// Whether @p text needs parentheses as a part of a product or fraction.
bool isSum(const QString &text)
{
    int depth = 0;
    for (const QChar character : text) {
        depth += character == u'(' ? 1 : character == u')' ? -1 : 0;
        if (depth == 0 && (character == u'+' || character == u'−'))
            return true;
    }
    return false;
}

QString inParentheses(const QString &text)
{
    return QLatin1Char('(') + text + QLatin1Char(')');
}

} // namespace

MathBox parseMath(const QString &markup)
{
    return Reader(markup).row();
}

QString plainMath(const MathBox &box)
{
    const auto part = [&box](std::size_t place) { return plainMath(box.parts[place]); };
    switch (box.kind) {
    case Kind::Word:
    case Kind::Letter:
        return box.text;
    case Kind::Row: {
        QString text;
        for (std::size_t place = 0; place < box.parts.size(); ++place)
            text += part(place);
        return text;
    }
    case Kind::Fraction: {
        const QString top = part(0);
        const QString bottom = part(1);
        const bool isProduct = bottom.contains(QLatin1Char(' ')) || isSum(bottom);
        return (isSum(top) ? inParentheses(top) : top) + QStringLiteral(" / ") + (isProduct ? inParentheses(bottom) : bottom);
    }
    case Kind::Root:
        return QStringLiteral("√") + (isSum(part(0)) ? inParentheses(part(0)) : part(0));
    case Kind::Superscript:
        if (part(1) == QLatin1String("T"))
            return part(0) + QStringLiteral("ᵀ");
        return part(0) + QLatin1Char('^') + (part(1).size() > 1 ? inParentheses(part(1)) : part(1));
    case Kind::Subscript:
        return part(0) + QLatin1Char('_') + (isSum(part(1)) || part(1).contains(QLatin1Char('(')) ? inParentheses(part(1)) : part(1));
    case Kind::Parentheses:
        return inParentheses(part(0));
    }
    return {};
}

} // namespace attenscope
