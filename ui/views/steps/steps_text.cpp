// SPDX-License-Identifier: GPL-3.0-or-later
// Steps in words: their names, what they do, and how numbers are written in them.
#include "core/text.h"
#include "state/formula.h"
#include "views/readout_terms.h"
#include "views/readout_text.h"
#include "views/steps/steps_page.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

QString tr(const char *words)
{
    return QCoreApplication::translate("Steps", words);
}

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
        return tr("q · k for each key");
    case ScoreFunction::General:
        return tr("q W · k for each key");
    case ScoreFunction::Concat:
    case ScoreFunction::Additive:
        return tr("v · tanh for each key");
    case ScoreFunction::Linear:
        return tr("log φ(q) · φ(k)");
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
        return isQuery ? tr("left part of W, times q") : tr("right part of W, times k");
    default:
        return isQuery ? tr("φ(q) = elu(q) + 1") : tr("φ(k) = elu(k) + 1");
    }
}

QString maskNote(const StepContent &content)
{
    const auto &visible = content.walk.visible;
    const auto count = static_cast<Index>(std::count(visible.begin(), visible.end(), true));
    if (count == static_cast<Index>(visible.size()))
        return tr("nothing masked here");
    return tr("%1 of %2 keys visible").arg(readout::counted(count), readout::counted(static_cast<Index>(visible.size())));
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
        return { tr("Query position"), tr("+ its embedding") };
    case WalkStep::KeyEmbedding:
        return { tr("Key positions"), tr("+ their embeddings") };
    case WalkStep::Query:
        return { tr("Query"), tr("x W_q") };
    case WalkStep::Key:
        return { tr("Keys"), isCross() ? tr("y W_k") : tr("x W_k") };
    case WalkStep::Value:
        return { tr("Values"), isCross() ? tr("y W_v") : tr("x W_v") };
    case WalkStep::RotatedQuery:
        return { tr("Turned query"), tr("RoPE on q") };
    case WalkStep::RotatedKey:
        return { tr("Turned keys"), tr("RoPE on k") };
    case WalkStep::PreparedQuery:
        return { tr("Query side"), preparedNote(spec, true) };
    case WalkStep::PreparedKey:
        return { tr("Key side"), preparedNote(spec, false) };
    case WalkStep::Units:
        return { tr("Tanh layer"), tr("tanh of both sides") };
    case WalkStep::Scores:
        return { tr("Scores"), scoreNote(spec) };
    case WalkStep::Recorded:
        return { tr("Recorded"), tr("weights as in the file") };
    case WalkStep::Scaled:
        return { tr("Scale"), scaleNote(content) };
    case WalkStep::Capped:
        return { tr("Soft cap"), tr("cap · tanh(s / cap)") };
    case WalkStep::Biased:
        return { tr("Bias"), spec.hasAlibi ? tr("− slope · distance") : tr("+ bias") };
    case WalkStep::Tempered:
        return { tr("Temperature"), QStringLiteral("÷ %1").arg(stepNumber(spec.temperature, content.decimals)) };
    case WalkStep::Masked:
        return { tr("Mask"), maskNote(content) };
    case WalkStep::Maximum:
        return { tr("Maximum"), tr("of the row") };
    case WalkStep::Exponentials:
        return { tr("Exponentials"), tr("exp(score − max)") };
    case WalkStep::Sum:
        if (content.walk.has(WalkStep::Recorded))
            return { tr("Sum"), tr("of the kept weights") };
        return { tr("Sum"), spec.normalization == Normalization::Softmax1 ? tr("of the row, plus one") : tr("of the row") };
    case WalkStep::Weights:
        return { tr("Weights"), content.walk.has(WalkStep::Recorded) ? tr("kept ÷ their sum") : tr("exp ÷ sum") };
    case WalkStep::WeightedValues:
        return { tr("Weighted values"), tr("weight × v") };
    case WalkStep::Output:
        return { tr("Output"), tr("their sum") };
    case WalkStep::Concatenation:
        return { tr("All heads"), tr("side by side") };
    case WalkStep::OutputProjection:
        return { tr("Projection"), tr("times W_o") };
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
    return isKey ? tr("key %1 of %2").arg(at, count) : tr("number %1 of %2").arg(at, count);
}

QString stepNumber(double number, int decimals)
{
    const std::string exact = exactNumber(number);
    if (std::isfinite(number) && isShort(exact, decimals))
        return QString::fromStdString(exact).replace(QLatin1Char('-'), QChar(0x2212));
    return readoutNumber(number, decimals);
}

QString stepResult(double number, int decimals)
{
    const std::string exact = exactNumber(number);
    if (!std::isfinite(number) || !isShort(exact, decimals))
        return readoutNumber(number, decimals);
    QString text = stepNumber(number, decimals);
    return text.contains(QLatin1Char('.')) ? text : text + QStringLiteral(".0");
}

} // namespace attenscope
