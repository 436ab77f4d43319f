// SPDX-License-Identifier: GPL-3.0-or-later
// Pages of the steps that have one number per key, from scores to weights, and of the values: matrices, arithmetic, the row so far.
#include "views/steps/steps_page.h"

#include "views/readout_text.h"
#include "views/steps/steps_parts.h"
#include "views/steps/steps_words.h"

#include <algorithm>
#include <cmath>

namespace attenscope {

namespace {

using namespace steps;

std::vector<Symbol> litSymbols(WalkStep step)
{
    switch (step) {
    case WalkStep::RotatedQuery:
    case WalkStep::RotatedKey:
        return { Symbol::Rope };
    case WalkStep::Scaled:
        return { Symbol::Score, Symbol::Scale };
    case WalkStep::Capped:
        return { Symbol::SoftCap };
    case WalkStep::Biased:
        return { Symbol::Bias };
    case WalkStep::Tempered:
        return { Symbol::Temperature };
    case WalkStep::Masked:
        return { Symbol::Mask };
    case WalkStep::Maximum:
    case WalkStep::Exponentials:
    case WalkStep::Sum:
    case WalkStep::Weights:
        return { Symbol::Softmax };
    case WalkStep::Value:
    case WalkStep::WeightedValues:
    case WalkStep::Output:
    case WalkStep::Concatenation:
    case WalkStep::OutputProjection:
        return { Symbol::Values };
    default:
        return { Symbol::Score };
    }
}

/// The numbers of the row before and after a step that has one number per key; null where there are none.
struct RowNumbers {
    const Vector *before = nullptr;
    const Vector *after = nullptr;
};

const Vector &last(const RowWalk &walk, WalkStep before)
{
    const Vector *found = walk.has(WalkStep::Recorded) ? &walk.recorded : &walk.scores;
    for (const auto &[step, numbers] : { std::pair{ WalkStep::Scaled, &walk.scaled }, std::pair{ WalkStep::Capped, &walk.capped },
             std::pair{ WalkStep::Biased, &walk.biased }, std::pair{ WalkStep::Tempered, &walk.tempered } }) {
        if (step < before && walk.has(step))
            found = numbers;
    }
    return *found;
}

/// What the weights are made of by dividing it by its sum.
const Vector &summands(const RowWalk &walk)
{
    return walk.has(WalkStep::Recorded) ? walk.masked : walk.exponentials;
}

RowNumbers rowNumbers(const RowWalk &walk, WalkStep step)
{
    switch (step) {
    case WalkStep::Scores:
        return { nullptr, &walk.scores };
    case WalkStep::Recorded:
        return { nullptr, &walk.recorded };
    case WalkStep::Scaled:
        return { &walk.scores, &walk.scaled };
    case WalkStep::Capped:
        return { &last(walk, step), &walk.capped };
    case WalkStep::Biased:
        return { &last(walk, step), &walk.biased };
    case WalkStep::Tempered:
        return { &last(walk, step), &walk.tempered };
    case WalkStep::Masked:
        return { &last(walk, step), &walk.masked };
    case WalkStep::Maximum:
        return { nullptr, &walk.masked };
    case WalkStep::Exponentials:
        return { &walk.masked, &walk.exponentials };
    case WalkStep::Sum:
        return { nullptr, &summands(walk) };
    case WalkStep::Weights:
        return { &summands(walk), &walk.weights };
    case WalkStep::WeightedValues:
    case WalkStep::Output:
        return { nullptr, &walk.weights };
    default:
        return {};
    }
}

/// What a row is called after a step.
QString resultName(WalkStep step)
{
    switch (step) {
    case WalkStep::Capped:
        return stepsWords("capped");
    case WalkStep::Biased:
        return stepsWords("biased");
    case WalkStep::Tempered:
        return stepsWords("tempered");
    case WalkStep::Masked:
        return stepsWords("masked");
    case WalkStep::Exponentials:
        return stepsWords("exponentials");
    default:
        return stepsWords("weights");
    }
}

class RowPageMaker : public GridMaker {
public:
    using GridMaker::GridMaker;

    StepPage make()
    {
        addChips();
        switch (position.step) {
        case WalkStep::Scores:
        case WalkStep::Scaled:
            scores();
            break;
        case WalkStep::Recorded:
            recorded();
            break;
        case WalkStep::Capped:
        case WalkStep::Biased:
        case WalkStep::Tempered:
        case WalkStep::Masked:
        case WalkStep::Exponentials:
        case WalkStep::Weights:
            perKey();
            break;
        case WalkStep::Maximum:
        case WalkStep::Sum:
            wholeRow();
            break;
        case WalkStep::WeightedValues:
            weightedValues();
            break;
        case WalkStep::Output:
            output();
            break;
        default:
            break;
        }
        return std::move(page);
    }

private:
    void addChips()
    {
        const RowNumbers numbers = rowNumbers(walk, position.step);
        if (!numbers.after)
            return;
        page.chipsTitle = stepsWords("Row “%1” so far").arg(content.queryName());
        const FoldedAxis keys = axis(StepAxis::Keys, walk.keys());
        const bool isByKey = placesOf(position.step) == StepAxis::Keys;
        for (std::size_t at = 0; at < keys.shown.size(); ++at) {
            const Index key = keys.shown[at];
            StepChip chip{ key, content.keyName(key), {}, {}, false };
            chip.isActive = isByKey ? key == position.key : position.step == WalkStep::Maximum && walk.masked(key) == walk.max;
            if (numbers.before)
                chip.before = stepNumber((*numbers.before)(key), content.decimals);
            // What comes later is not there yet.
            if (!isByKey || key <= position.key || position.step == WalkStep::WeightedValues)
                chip.after = stepResult((*numbers.after)(key), content.decimals);
            page.chips.push_back(std::move(chip));
            page.hiddenChips.push_back(keys.hiddenBefore(at));
        }
        page.hiddenChips.push_back(keys.hiddenBefore(keys.shown.size()));
    }

    void scores()
    {
        const HeadOperands &operands = *walk.operands;
        const bool isScaled = position.step == WalkStep::Scaled;
        const Vector &result = isScaled ? walk.scaled : walk.scores;
        const StepAxis axisOfSum = hasPreparedQuery(content.spec()) ? StepAxis::Units : StepAxis::Dimensions;
        Reader left;
        Reader right;
        if (walk.units.size() > 0) {
            left = colOf(content.spec().parameters.v, 0);
            right = [this](Index unit) { return walk.units(position.key, unit); };
            add(rowGrid(QStringLiteral("vᵀ"), StepAxis::Units, walk.units.cols(), left, {}), {});
            page.grids.back().rowNames.clear();
            add(grid(
                    QStringLiteral("tanhᵀ"), StepAxis::Units, walk.units.cols(), StepAxis::Keys, walk.units.rows(),
                    [this](Index unit, Index key) { return walk.units(key, unit); }, {}, position.key),
                QStringLiteral("·"));
        } else {
            const SharedMatrix &keys = operands.scoreK;
            left = rowOf(operands.scoreQ, walk.row);
            right = rowOf(keys, position.key);
            add(matrixGrid(scoreLeftName(content.spec()), StepAxis::Queries, axisOfSum, operands.scoreQ, walk.row, {}), {});
            add(grid(
                    scoreRightName(content.spec()), axisOfSum, keys.cols(), StepAxis::Keys, keys.rows(),
                    [&keys](Index dim, Index key) { return keys.at(key, dim); }, {}, position.key),
                QStringLiteral("·"));
        }
        add(mapGrid(isScaled ? stepsWords("scaled") : stepsWords("scores"), result), QStringLiteral("="));
        QString sum = product(axisOfSum, operands.scoreQ.cols(), left, right);
        if (content.spec().score == ScoreFunction::Linear)
            sum = QStringLiteral("log(%1)").arg(sum);
        if (isScaled && !content.spec().scale)
            sum = QStringLiteral("(%1) / √%2").arg(sum).arg(operands.k.cols());
        else if (isScaled)
            sum = QStringLiteral("(%1) · %2").arg(sum, inner(*content.spec().scale));
        put(place(keyPlace()), sum, result(position.key));
    }

    void recorded()
    {
        add(keysGrid(stepsWords("recorded"), walk.recorded, false, position.key), {});
        put(place(keyPlace()), stepsWords("weight in the file"), walk.recorded(position.key));
        page.remark = stepsWords("The file has weights alone, no queries and keys: this is where the arithmetic begins.");
        if (!walk.has(WalkStep::Masked))
            page.remark += u' ' + stepsWords("Nothing is hidden, so that they stay as they are.");
    }

    /// Of recorded weights.
    void hidden(double before, bool isVisible, QString &text)
    {
        text = QStringLiteral("%1 · %2").arg(operand(before)).arg(isVisible ? 1 : 0);
        if (!walk.has(WalkStep::Sum))
            page.remark += u' ' + stepsWords("The hidden keys had no weight, so that the others stay as they are.");
    }

    void perKey()
    {
        const RowNumbers numbers = rowNumbers(walk, position.step);
        const double before = (*numbers.before)(position.key);
        const double after = (*numbers.after)(position.key);
        const bool isVisible = walk.visible[static_cast<std::size_t>(position.key)];
        const bool isAfterMask = position.step > WalkStep::Masked;
        add(keysGrid(stepsWords("before"), *numbers.before, isAfterMask, position.key), {});
        QString text;
        switch (position.step) {
        case WalkStep::Capped: {
            const QString cap = operand(*content.spec().softCap);
            text = QStringLiteral("%1 · tanh(%2 / %1)").arg(cap, operand(before));
            break;
        }
        case WalkStep::Biased:
            add(keysGrid(stepsWords("bias"), walk.bias, false, position.key), QStringLiteral("+"));
            text = QStringLiteral("%1 + %2").arg(operand(before), inner(walk.bias(position.key)));
            if (content.spec().hasAlibi)
                page.remark = stepsWords("ALiBi: − %1 for every position between query and key.").arg(operand(walk.operands->alibiSlope));
            break;
        case WalkStep::Tempered:
            text = QStringLiteral("%1 / %2").arg(operand(before), inner(content.spec().temperature));
            break;
        case WalkStep::Masked: {
            text = QStringLiteral("%1 + %2").arg(operand(before), isVisible ? QStringLiteral("0") : QStringLiteral("(−∞)"));
            const std::string reason = maskedBecause(content.block(), content.spec().mask, walk.ref.element, walk.row, position.key);
            page.remark = isVisible ? stepsWords("This key is visible to the query.")
                                    : stepsWords("The query may not see this key: %1.").arg(QString::fromStdString(reason));
            if (walk.has(WalkStep::Recorded))
                hidden(before, isVisible, text);
            break;
        }
        case WalkStep::Exponentials:
            text = isVisible ? QStringLiteral("exp(%1 − %2)").arg(operand(before), inner(walk.reference)) : QStringLiteral("exp(−∞)");
            page.remark = walk.reference == walk.max
                ? stepsWords("The largest score is taken away first, so that no exponential overflows; the weights do not change.")
                : stepsWords("The one in the denominator counts as a score of 0, which is the largest here.");
            break;
        default:
            text = QStringLiteral("%1 / %2").arg(operand(before), operand(walk.sum));
            if (walk.sum == 0.0)
                page.remark = nothingSeen();
            break;
        }
        add(keysGrid(resultName(position.step), *numbers.after, position.step >= WalkStep::Masked, position.key), QStringLiteral("→"));
        put(place(keyPlace()), text, after);
    }

    void wholeRow()
    {
        const bool isMax = position.step == WalkStep::Maximum;
        const Vector &numbers = isMax ? walk.masked : summands(walk);
        add(keysGrid(isMax                         ? stepsWords("masked")
                    : walk.has(WalkStep::Recorded) ? stepsWords("kept")
                                                   : stepsWords("exponentials"),
                numbers, true, {}),
            {});
        const FoldedAxis keys = axis(StepAxis::Keys, numbers.size());
        QStringList terms;
        if (!isMax && content.spec().normalization == Normalization::Softmax1)
            terms << stepsWords("%1 for the one").arg(operand(walk.one));
        Index hidden = 0;
        for (std::size_t at = 0; at <= keys.shown.size(); ++at) {
            if ((hidden = keys.hiddenBefore(at)) > 0)
                terms << stepsWords("… %1 more").arg(readout::counted(hidden));
            if (at < keys.shown.size() && walk.visible[static_cast<std::size_t>(keys.shown[at])])
                terms << operand(numbers(keys.shown[at]));
        }
        put(place({}), isMax ? QStringLiteral("max(%1)").arg(terms.join(QStringLiteral(", "))) : terms.join(QStringLiteral(" + ")),
            isMax ? walk.max : walk.sum);
        if (walk.sum == 0.0)
            page.remark = nothingSeen();
    }

    [[nodiscard]] QString nothingSeen() const
    {
        return walk.has(WalkStep::Recorded) ? stepsWords("No key that is kept has a weight: all weights are 0.")
                                            : stepsWords("This query may see no key: its weights and its output are 0.");
    }

    void weightedValues()
    {
        const double weight = walk.weights(position.key);
        add(grid(stepsWords("weights"), StepAxis::Keys, walk.weights.size(), StepAxis::None, 1,
                [this](Index key, Index) { return walk.weights(key); }, position.key, {}),
            {});
        add(matrixGrid(QStringLiteral("V"), StepAxis::Keys, StepAxis::Values, walk.operands->v, position.key, position.dim),
            QStringLiteral("×"));
        add(matrixGrid(stepsWords("weighted values"), StepAxis::Keys, StepAxis::Values, walk.weightedValues, position.key, position.dim),
            QStringLiteral("="));
        put(place(keyPlace() + QStringLiteral(" · ") + dimPlace()),
            QStringLiteral("%1 · %2").arg(operand(weight), inner(walk.operands->v.at(position.key, position.dim))),
            walk.weightedValues(position.key, position.dim));
    }

    void output()
    {
        add(keysGrid(stepsWords("weights"), walk.weights, true, {}), {});
        add(matrixGrid(QStringLiteral("V"), StepAxis::Keys, StepAxis::Values, walk.operands->v, {}, position.dim), QStringLiteral("·"));
        add(rowGrid(stepsWords("output"), StepAxis::Values, walk.output.size(), reader(walk.output), position.dim), QStringLiteral("="));
        put(place(dimPlace()), product(StepAxis::Keys, walk.weights.size(), reader(walk.weights), colOf(walk.operands->v, position.dim)),
            walk.output(position.dim));
    }
};

} // namespace

StepPage stepPage(const StepContent &content, const StepPosition &position, const StepFolds &folds)
{
    StepPage page = isVectorStep(position.step) ? vectorPage(content, position, folds) : RowPageMaker(content, position, folds).make();
    page.lit = litSymbols(position.step);
    return page;
}

} // namespace attenscope
