// SPDX-License-Identifier: GPL-3.0-or-later
// The formula of scaled dot-product attention and its relatives.
#include "state/formula.h"

#include "state/number_text.h"

namespace attenscope {

namespace {

using Kind = MathBox::Kind;

MathBox word(const QString &text, Symbol symbol = Symbol::None)
{
    return { .kind = Kind::Word, .text = text, .parts = {}, .symbol = symbol };
}

MathBox letter(const QString &text, Symbol symbol = Symbol::None)
{
    return { .kind = Kind::Letter, .text = text, .parts = {}, .symbol = symbol };
}

MathBox nest(Kind kind, std::vector<MathBox> parts, Symbol symbol = Symbol::None)
{
    return { .kind = kind, .text = {}, .parts = std::move(parts), .symbol = symbol };
}

bool hasInputMask(const AttentionBlock &block)
{
    return !block.masks.empty() || !block.keyPadding.empty();
}

} // namespace

Formula formulaOf(const AttentionBlock &block, const AttentionSpec &spec)
{
    const MaskSpec &mask = spec.mask;
    return { .isDividedByRoot = spec.score == ScoreFunction::ScaledDot,
        .factor = spec.scale,
        .temperature = spec.temperature,
        .hasMask
        = mask.rule != MaskRule::None || mask.paddedKeys > 0 || !mask.allowed.isEmpty() || (mask.usesInputMask && hasInputMask(block)),
        .hasValues = block.hasValues() };
}

MathBox mathBox(const Formula &formula)
{
    MathBox keys = nest(Kind::Superscript, { letter(QStringLiteral("K")), word(QStringLiteral("T")) });
    MathBox scores = nest(Kind::Row, { letter(QStringLiteral("Q")), std::move(keys) }, Symbol::Score);
    if (formula.factor) {
        MathBox factor = word(cellText(*formula.factor), Symbol::Scale);
        scores = nest(Kind::Row, { std::move(factor), word(QStringLiteral(" ")), std::move(scores) });
    }

    std::vector<MathBox> divisors;
    if (formula.isDividedByRoot && !formula.factor)
        divisors.push_back(
            nest(Kind::Root, { nest(Kind::Subscript, { letter(QStringLiteral("d")), letter(QStringLiteral("k")) }) }, Symbol::Scale));
    if (formula.temperature != 1.0) {
        if (!divisors.empty())
            divisors.push_back(word(QStringLiteral(" ")));
        divisors.push_back(letter(QStringLiteral("T"), Symbol::Temperature));
    }
    if (!divisors.empty())
        scores = nest(Kind::Fraction, { std::move(scores), nest(Kind::Row, std::move(divisors)) });

    std::vector<MathBox> inner{ std::move(scores) };
    if (formula.hasMask) {
        inner.push_back(word(QStringLiteral(" + ")));
        inner.push_back(letter(QStringLiteral("M"), Symbol::Mask));
    }
    std::vector<MathBox> all{ word(QStringLiteral("softmax"), Symbol::Softmax), word(QStringLiteral(" ")),
        nest(Kind::Parentheses, { nest(Kind::Row, std::move(inner)) }) };
    if (formula.hasValues) {
        all.push_back(word(QStringLiteral(" ")));
        all.push_back(letter(QStringLiteral("V"), Symbol::Values));
    }
    return nest(Kind::Row, std::move(all));
}

QString plainFormula(const Formula &formula)
{
    QString text = QStringLiteral("QKᵀ");
    if (formula.factor)
        text = cellText(*formula.factor) + QLatin1Char(' ') + text;
    else if (formula.isDividedByRoot)
        text += QStringLiteral(" / √d_k");
    if (formula.temperature != 1.0)
        text += QStringLiteral(" / T");
    if (formula.hasMask)
        text += QStringLiteral(" + M");
    return QStringLiteral("softmax(%1)%2").arg(text, formula.hasValues ? QStringLiteral(" V") : QString());
}

} // namespace attenscope
