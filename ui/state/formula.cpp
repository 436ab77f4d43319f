// SPDX-License-Identifier: GPL-3.0-or-later
// Writing the formula of a mechanism, step by step from the inside.
#include "state/formula.h"

#include "state/math_text.h"
#include "state/number_text.h"

#include <QStringList>

namespace attenscope {

namespace {

bool hasMask(const AttentionBlock &block, const MaskSpec &mask)
{
    return mask.rule != MaskRule::None || mask.paddedKeys > 0 || !mask.allowed.isEmpty()
        || (mask.usesInputMask && (!block.masks.empty() || !block.keyPadding.empty()));
}

QString scoreMarkup(const AttentionSpec &spec)
{
    const bool isTurned = spec.rope.has_value();
    const QString rope = isTurned ? QStringLiteral("\\rope{R}") : QString();
    const auto matrix = [&rope](const char *letter) { return rope + QLatin1String(letter); };
    const QString keys = isTurned ? QStringLiteral("(%1)^'T'").arg(matrix("K")) : QStringLiteral("K^'T'");
    switch (spec.score) {
    case ScoreFunction::ScaledDot:
    case ScoreFunction::Dot:
        return matrix("Q") + keys;
    case ScoreFunction::General:
        return matrix("Q") + QStringLiteral("W") + keys;
    case ScoreFunction::Concat:
        return QStringLiteral("v^'T''tanh'(W[%1;%2])").arg(matrix("q"), matrix("k"));
    case ScoreFunction::Additive:
        return QStringLiteral("v^'T''tanh'(W_{dec}~%1 + W_{enc}~%2)").arg(matrix("q"), matrix("k"));
    case ScoreFunction::Linear:
        return isTurned ? QStringLiteral("φ(%1)φ(%2)^'T'").arg(matrix("Q"), matrix("K")) : QStringLiteral("φ(Q)φ(K)^'T'");
    }
    return {};
}

/// Linear attention with nothing else is a quotient of sums; with more steps it is the softmax of a logarithm.
bool isPlainLinear(const AttentionSpec &spec)
{
    return spec.score == ScoreFunction::Linear && !spec.scale && !spec.softCap && spec.bias.isEmpty() && !spec.hasAlibi
        && spec.temperature == 1.0 && spec.normalization == Normalization::Softmax;
}

QString linearMarkup(const QString &score, bool isMasked, const QString &values)
{
    const QString top = QStringLiteral("\\score{%1}").arg(score) + (isMasked ? QStringLiteral(" ⊙ \\mask{M}") : QString());
    return QStringLiteral("\\frac{%1}{\\softmax{'sum of the row'}}").arg(top) + values;
}

} // namespace

Formula formulaOf(const AttentionBlock &block, const AttentionSpec &spec)
{
    const bool isMasked = hasMask(block, spec.mask);
    if (block.hasWeightsOnly())
        return { isMasked ? QStringLiteral("\\frac{\\mask{M}~\\score{A}}{\\softmax{Σ~M~A}}") : QStringLiteral("\\score{A}") };
    const QString values = block.hasValues() ? QStringLiteral("~\\values{V}") : QString();
    QString score = scoreMarkup(spec);
    if (isPlainLinear(spec))
        return { linearMarkup(score, isMasked, values) };
    if (spec.score == ScoreFunction::Linear)
        score = QStringLiteral("'ln'~") + score;
    QString x = QStringLiteral("\\score{%1}").arg(score);
    if (spec.scale)
        x = QStringLiteral("\\scale{'%1'}~").arg(cellText(*spec.scale)) + x;

    QStringList divisors;
    if (spec.score == ScoreFunction::ScaledDot && !spec.scale)
        divisors << QStringLiteral("\\scale{\\sqrt{d_k}}");
    if (spec.softCap)
        divisors << QStringLiteral("\\cap{c}");
    const bool isBiased = !spec.bias.isEmpty() || spec.hasAlibi;
    const QString temperature = spec.temperature != 1.0 ? QStringLiteral("\\temperature{T}") : QString();
    if (!temperature.isEmpty() && !spec.softCap && !isBiased)
        divisors << temperature;
    if (!divisors.isEmpty())
        x = QStringLiteral("\\frac{%1}{%2}").arg(x, divisors.join(QLatin1Char('~')));
    if (spec.softCap)
        x = QStringLiteral("\\cap{c}~'tanh'(%1)").arg(x);
    if (!spec.bias.isEmpty())
        x += QStringLiteral(" + \\bias{B}");
    if (spec.hasAlibi)
        x += QStringLiteral(" − \\bias{m|i − j|}");
    if (!temperature.isEmpty() && (spec.softCap || isBiased))
        x = QStringLiteral("\\frac{%1}{%2}").arg(x, temperature);
    if (isMasked)
        x += QStringLiteral(" + \\mask{M}");
    const QString softmax = spec.normalization == Normalization::Softmax1 ? QStringLiteral("'softmax'_1") : QStringLiteral("'softmax'");
    return { QStringLiteral("\\softmax{%1}(%2)%3").arg(softmax, x, values) };
}

MathBox mathBox(const Formula &formula)
{
    return parseMath(formula.markup);
}

QString plainFormula(const Formula &formula)
{
    return plainMath(mathBox(formula));
}

} // namespace attenscope
