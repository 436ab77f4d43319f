// SPDX-License-Identifier: GPL-3.0-or-later
// Steps in words: their names, what they do, and how numbers are written in them.
#include "core/text.h"
#include "state/formula.h"
#include "state/number_text.h"
#include "views/readout_text.h"
#include "views/steps/steps_page.h"
#include "views/steps/steps_words.h"

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

QString scaleNote(const StepContent &content)
{
    if (!content.spec().scale)
        return QStringLiteral("÷ √d_k");
    return QStringLiteral("· %1").arg(stepNumber(*content.spec().scale, content.decimals));
}

QString scoreNote(const AttentionSpec &spec)
{
    switch (spec.score) {
    case ScoreFunction::ScaledDot:
    case ScoreFunction::Dot:
        return stepsWords("q · k for each key");
    case ScoreFunction::General:
        return stepsWords("q W · k for each key");
    case ScoreFunction::Concat:
    case ScoreFunction::Additive:
        return stepsWords("v · tanh for each key");
    case ScoreFunction::Linear:
        return stepsWords("log φ(q) · φ(k)");
    }
    return {};
}

QString preparedNote(const AttentionSpec &spec, bool isQuery)
{
    switch (spec.score) {
    case ScoreFunction::General:
        return QStringLiteral("q W");
    case ScoreFunction::Additive:
        return isQuery ? QStringLiteral("W_dec q") : QStringLiteral("W_enc k");
    case ScoreFunction::Concat:
        return isQuery ? stepsWords("left part of W, times q") : stepsWords("right part of W, times k");
    default:
        return isQuery ? stepsWords("φ(q) = elu(q) + 1") : stepsWords("φ(k) = elu(k) + 1");
    }
}

QString maskNote(const StepContent &content)
{
    const auto &visible = content.walk.visible;
    const auto count = static_cast<Index>(std::count(visible.begin(), visible.end(), true));
    if (count == static_cast<Index>(visible.size()))
        return stepsWords("nothing masked here");
    return stepsWords("%1 of %2 keys visible").arg(readout::counted(count), readout::counted(static_cast<Index>(visible.size())));
}

/// Whether @p exact has at most @p decimals digits after the point and no exponent.
bool isShort(const std::string &exact, int decimals)
{
    const auto point = exact.find('.');
    const auto digits = point == std::string::npos ? 0 : exact.size() - point - 1;
    return exact.find('e') == std::string::npos && static_cast<int>(digits) <= decimals && exact.size() <= 12;
}

} // namespace

std::pair<QString, QString> stepTitle(const StepContent &content, WalkStep step)
{
    const AttentionSpec &spec = content.spec();
    const auto isCross = [&content] { return !std::get<EmbeddedData>(content.block().data).y.empty(); };
    switch (step) {
    case WalkStep::Embedding:
        return { stepsWords("Query position"), stepsWords("+ its embedding") };
    case WalkStep::KeyEmbedding:
        return { stepsWords("Key positions"), stepsWords("+ their embeddings") };
    case WalkStep::Query:
        return { stepsWords("Query"), stepsWords("x W_q") };
    case WalkStep::Key:
        return { stepsWords("Keys"), isCross() ? stepsWords("y W_k") : stepsWords("x W_k") };
    case WalkStep::Value:
        return { stepsWords("Values"), isCross() ? stepsWords("y W_v") : stepsWords("x W_v") };
    case WalkStep::RotatedQuery:
        return { stepsWords("Turned query"), stepsWords("RoPE on q") };
    case WalkStep::RotatedKey:
        return { stepsWords("Turned keys"), stepsWords("RoPE on k") };
    case WalkStep::PreparedQuery:
        return { stepsWords("Query side"), preparedNote(spec, true) };
    case WalkStep::PreparedKey:
        return { stepsWords("Key side"), preparedNote(spec, false) };
    case WalkStep::Units:
        return { stepsWords("Tanh layer"), stepsWords("tanh of both sides") };
    case WalkStep::Scores:
        return { stepsWords("Scores"), scoreNote(spec) };
    case WalkStep::Recorded:
        return { stepsWords("Recorded"), stepsWords("weights as in the file") };
    case WalkStep::Scaled:
        return { stepsWords("Scale"), scaleNote(content) };
    case WalkStep::Capped:
        return { stepsWords("Soft cap"), stepsWords("cap · tanh(s / cap)") };
    case WalkStep::Biased:
        return { stepsWords("Bias"), spec.hasAlibi ? stepsWords("− slope · distance") : stepsWords("+ bias") };
    case WalkStep::Tempered:
        return { stepsWords("Temperature"), QStringLiteral("÷ %1").arg(stepNumber(spec.temperature, content.decimals)) };
    case WalkStep::Masked:
        return { stepsWords("Mask"), maskNote(content) };
    case WalkStep::Maximum:
        return { stepsWords("Maximum"), stepsWords("of the row") };
    case WalkStep::Exponentials:
        return { stepsWords("Exponentials"), stepsWords("exp(score − max)") };
    case WalkStep::Sum:
        if (content.walk.has(WalkStep::Recorded))
            return { stepsWords("Sum"), stepsWords("of the kept weights") };
        return { stepsWords("Sum"),
            spec.normalization == Normalization::Softmax1 ? stepsWords("of the exponentials, plus one")
                                                          : stepsWords("of the exponentials") };
    case WalkStep::Weights:
        return { stepsWords("Weights"),
            content.walk.has(WalkStep::Recorded) ? stepsWords("kept ÷ their sum") : stepsWords("exp ÷ their sum") };
    case WalkStep::WeightedValues:
        return { stepsWords("Weighted values"), stepsWords("weight × v") };
    case WalkStep::Output:
        return { stepsWords("Output"), stepsWords("their sum") };
    case WalkStep::Concatenation:
        return { stepsWords("All heads"), stepsWords("side by side") };
    case WalkStep::OutputProjection:
        return { stepsWords("Projection"), stepsWords("times W_o") };
    }
    return {};
}

QString stepFormula(const StepContent &content, WalkStep step)
{
    const RowWalk &walk = content.walk;
    const auto *data = std::get_if<EmbeddedData>(&content.block().data);
    const QString keys = data && !data->y.empty() ? QStringLiteral("y") : QStringLiteral("x");
    const auto projected = [](const QString &symbol, const QString &result, const QString &from, const WalkProjection &by) {
        const QString bias = by.bias.size() > 0 ? QStringLiteral(" + b_%1").arg(result) : QString();
        return QStringLiteral("%2 = \\%1{%3~W_%2%4}").arg(symbol, result, from, bias);
    };
    const QString heads = walk.heads == 1 ? QStringLiteral("'head'_0") : QStringLiteral("'head'_0, …, 'head'_{%1}").arg(walk.heads - 1);
    const QString bias = walk.bo.size() > 0 ? QStringLiteral(" + b_o") : QString();
    switch (step) {
    case WalkStep::Embedding:
        return QStringLiteral("x = \\score{'embedding' + 'position'}");
    case WalkStep::KeyEmbedding:
        return QStringLiteral("%1 = \\score{'embedding' + 'position'}").arg(keys);
    case WalkStep::Query:
        return projected(QStringLiteral("score"), QStringLiteral("q"), QStringLiteral("x"), walk.query);
    case WalkStep::Key:
        return projected(QStringLiteral("score"), QStringLiteral("k"), keys, walk.key);
    case WalkStep::Value:
        return projected(QStringLiteral("values"), QStringLiteral("v"), keys, walk.value);
    case WalkStep::Concatenation:
    case WalkStep::OutputProjection: {
        const QString all = QStringLiteral("'concat'(%1)").arg(heads);
        if (!walk.has(WalkStep::OutputProjection))
            return QStringLiteral("\\values{%1}").arg(all);
        return step == WalkStep::Concatenation ? QStringLiteral("\\values{%1}~W_o%2").arg(all, bias)
                                               : QStringLiteral("%1~\\values{W_o%2}").arg(all, bias);
    }
    default:
        return formulaOf(content.block(), content.spec()).markup;
    }
}

QString StepContent::queryName() const
{
    return readout::tokenText(block().queryTokens, walk.row);
}

QString StepContent::keyName(Index key) const
{
    return readout::tokenText(block().keyTokens, key);
}

QString stepPlaceText(const StepContent &content, const StepPosition &position)
{
    const StepAxis places = placesOf(position.step);
    if (places == StepAxis::None)
        return {};
    const bool isKey = places == StepAxis::Keys;
    const QString at = readout::counted((isKey ? position.key : position.dim) + 1);
    const QString count = readout::counted(placeCount(content, position.step));
    return isKey ? stepsWords("key %1 of %2").arg(at, count) : stepsWords("number %1 of %2").arg(at, count);
}

QString stepNumber(double number, int decimals)
{
    const std::string exact = exactNumber(number);
    if (std::isfinite(number) && isShort(exact, decimals))
        return QString::fromStdString(exact).replace(QLatin1Char('-'), QChar(0x2212));
    return shownNumber(number, decimals);
}

QString stepResult(double number, int decimals)
{
    const std::string exact = exactNumber(number);
    if (!std::isfinite(number) || !isShort(exact, decimals))
        return shownNumber(number, decimals);
    QString text = stepNumber(number, decimals);
    return text.contains(QLatin1Char('.')) ? text : text + QStringLiteral(".0");
}

} // namespace attenscope
