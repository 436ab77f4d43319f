// SPDX-License-Identifier: GPL-3.0-or-later
// Orders, names and sentences of the vectors of one query.
#include "views/vectors/vectors_content.h"

#include "attention/mask.h"
#include "state/number_text.h"
#include "views/map/map_content.h"
#include "views/readout_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attenscope {

namespace {

QString tr(const char *words)
{
    return QCoreApplication::translate("Vectors", words);
}

QString number(double value)
{
    return shownNumber(value, 4);
}

QString placeText(const char *pattern, const std::vector<std::string> &tokens, Index position)
{
    const QString token = readout::tokenText(tokens, position);
    const QString place = tr(pattern).arg(readout::counted(position));
    return token == QString::number(position) ? place : place + u' ' + token;
}

QString queryPlace(const VectorsContent &content)
{
    return placeText("query %1", content.block().queryTokens, content.terms->row);
}

QString keyPlace(const VectorsContent &content, Index key)
{
    return placeText("key %1", content.block().keyTokens, key);
}

QString maskedSentence(const VectorsContent &content, Index key)
{
    const std::string why = maskedBecause(content.block(), content.spec().mask, content.head.element, content.terms->row, key);
    return tr("%1 → %2: masked: %3").arg(queryPlace(content), keyPlace(content, key), QString::fromStdString(why));
}

std::vector<double> unitsOf(const VectorsContent &content, Index key, bool isTerms)
{
    std::vector<double> numbers(static_cast<std::size_t>(content.terms->units()));
    isTerms ? content.terms->readTerms(key, numbers) : content.terms->readKey(key, numbers);
    return numbers;
}

std::vector<Index> inOrder(Index count)
{
    std::vector<Index> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), Index{ 0 });
    return order;
}

QString kvHeadNote(const VectorsContent &content)
{
    const int heads = headCount(content.block(), content.spec());
    const int kvHeads = kvHeadCount(content.block(), content.spec());
    if (kvHeads < 1 || kvHeads >= heads)
        return {};
    const int group = heads / kvHeads;
    const int kvHead = content.head.head / group;
    return tr("keys and values of K/V head %1, which serves heads %2 to %3").arg(kvHead).arg(kvHead * group).arg((kvHead + 1) * group - 1);
}

QStringList notesOf(const VectorsContent &content)
{
    QStringList notes;
    if (const QString kvHead = kvHeadNote(content); !kvHead.isEmpty())
        notes << kvHead;
    if (content.spec().rope)
        notes << tr("q and k after RoPE");
    const auto masked = std::count(content.terms->visible.begin(), content.terms->visible.end(), false);
    if (masked > 0)
        notes << tr("%1 of %2 masked: %3")
                     .arg(readout::counted(masked), readout::keysText(content.terms->keys()),
                         QString::fromStdString(maskName(content.spec().mask)));
    if (content.orderedBy >= 0)
        notes << tr("%1s by what they add for %2").arg(content.names.unit, keyPlace(content, content.orderedBy));
    if (content.block().isUntrained)
        notes << tr("untrained, random weights");
    return notes;
}

} // namespace

VectorNames vectorNames(const AttentionSpec &spec)
{
    switch (spec.score) {
    case ScoreFunction::General:
        return { QStringLiteral("q W"), QStringLiteral("k"), QStringLiteral("q W × k"), tr("dimension") };
    case ScoreFunction::Linear:
        return { QStringLiteral("φ(q)"), QStringLiteral("φ(k)"), QStringLiteral("φ(q) × φ(k)"), tr("dimension") };
    case ScoreFunction::Additive:
        return { tr("W_dec q"), tr("W_enc k"), tr("v × tanh(W_dec q + W_enc k)"), tr("unit") };
    case ScoreFunction::Concat:
        return { tr("query side"), tr("key side"), tr("v × tanh(query side + key side)"), tr("unit") };
    case ScoreFunction::ScaledDot:
    case ScoreFunction::Dot:
        break;
    }
    return { QStringLiteral("q"), QStringLiteral("k"), QStringLiteral("q × k"), tr("dimension") };
}

Index VectorsContent::placeOf(Index key) const
{
    return static_cast<Index>(std::find(keys.begin(), keys.end(), key) - keys.begin());
}

VectorsContent vectorsContent(std::shared_ptr<const AttentionInput> input, const HeadRef &head, std::shared_ptr<const ScoreTerms> terms,
    const ViewState &view, std::optional<Index> picked)
{
    VectorsContent content{ std::move(input), head, std::move(terms), {}, {}, -1, {}, {}, {} };
    const ScoreTerms &found = *content.terms;
    content.names = vectorNames(found.operands->spec);
    content.keys = view.sortsKeys ? found.keysByWeight() : inOrder(found.keys());
    content.units = inOrder(found.units());
    if (view.sortsDimensions) {
        const bool isUsable = picked && *picked >= 0 && *picked < found.keys() && content.isVisible(*picked);
        const Index largest = isUsable ? *picked : found.keysByWeight().front();
        if (content.isVisible(largest)) {
            content.orderedBy = largest;
            content.units = found.unitsByTerm(largest);
        }
    }
    const double range = found.largest > 0.0 ? found.largest : 1.0;
    content.colors = ColorMap(divergingTable(), -range, range, false);
    content.notes = notesOf(content);
    return content;
}

std::vector<Stage> scoreStages(const ScoreTerms &terms)
{
    std::vector<Stage> stages{ Stage::Scores };
    const Explanation &found = terms.stages;
    for (const auto &[stage, numbers] : { std::pair{ Stage::Scaled, &found.scaled }, { Stage::Capped, &found.capped },
             { Stage::Biased, &found.biased }, { Stage::Tempered, &found.tempered } }) {
        if (numbers->size() > 0)
            stages.push_back(stage);
    }
    stages.push_back(Stage::Weights);
    return stages;
}

double stageNumber(const ScoreTerms &terms, Stage stage, Index key)
{
    const Explanation &found = terms.stages;
    switch (stage) {
    case Stage::Scaled:
        return found.scaled(0, key);
    case Stage::Capped:
        return found.capped(0, key);
    case Stage::Biased:
        return found.biased(0, key);
    case Stage::Tempered:
        return found.tempered(0, key);
    case Stage::Weights:
        return found.weights(0, key);
    default:
        return found.scores(0, key);
    }
}

QString termSentence(const VectorsContent &content, Index key, Index unit)
{
    if (!content.isVisible(key))
        return maskedSentence(content, key);
    const ScoreTerms &terms = *content.terms;
    const QString q = number(terms.query(unit));
    const QString k = number(unitsOf(content, key, false)[static_cast<std::size_t>(unit)]);
    const QString term = number(unitsOf(content, key, true)[static_cast<std::size_t>(unit)]);
    const QString place = tr("%1 · %2 %3: ").arg(keyPlace(content, key), content.names.unit, QString::number(unit));
    if (terms.scoreVector.size() > 0)
        return place
            + tr("v %1 × tanh(%2 %3 + %4 %5) = %6")
                  .arg(number(terms.scoreVector(unit)), content.names.query, q, content.names.key, k, term);
    return place + tr("%1 %2 × %3 %4 = %5").arg(content.names.query, q, content.names.key, k, term);
}

QString querySentence(const VectorsContent &content, Index unit)
{
    return tr("%1 · %2 %3: %4 %5")
        .arg(queryPlace(content), content.names.unit, QString::number(unit), content.names.query, number(content.terms->query(unit)));
}

QString valueSentence(const VectorsContent &content, Index key, Index dimension)
{
    if (!content.isVisible(key))
        return maskedSentence(content, key);
    const ScoreTerms &terms = *content.terms;
    return tr("%1 · value dimension %2: weight %3 × v %4 = %5")
        .arg(keyPlace(content, key), QString::number(dimension), number(terms.weight(key)), number(terms.operands->v.at(key, dimension)),
            number(terms.weightedValue(key, dimension)));
}

QString keySentence(const VectorsContent &content, Index key)
{
    if (!content.isVisible(key))
        return maskedSentence(content, key);
    const ScoreTerms &terms = *content.terms;
    QString sentence = tr("%1 → %2: %3 = %4")
                           .arg(queryPlace(content), keyPlace(content, key), readout::scoreLabel(content.spec(), terms.units()),
                               number(terms.score(key)));
    for (const Stage stage : scoreStages(terms)) {
        if (stage != Stage::Scores)
            sentence += QStringLiteral(" · ") + stageNoun(stage, false) + u' ' + number(stageNumber(terms, stage, key));
    }
    return sentence;
}

QString reasonForNoVectors(const Document &document)
{
    if (const QString blank = reasonForBlank(document); !blank.isEmpty())
        return blank;
    if (document.wholeBlock().hasWeightsOnly())
        return tr(
            "The weights are recorded, and the file has no queries, keys and values that vectors could be drawn of: show the map, lines "
            "or text, or open a file with q and k.");
    return document.block().isReduced()
        ? tr("Tokens are left out or merged, and what is shown of them has no queries, keys and values of its own: show every token to see "
             "vectors.")
        : QString();
}

} // namespace attenscope
