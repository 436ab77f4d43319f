// SPDX-License-Identifier: GPL-3.0-or-later
// Which terms a cell has: computed, compared, recorded, combined over heads, an output, or a whole row.
#include "views/readout_terms.h"

#include "attention/summary.h"
#include "session/token_groups.h"
#include "state/head_pattern.h"
#include "state/number_text.h"
#include "views/readout_text.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attenscope {

using namespace readout;

namespace {

using Look = ReadoutTerm::Look;
using Narrow = ReadoutTerm::Narrow;
using Terms = std::vector<ReadoutTerm>;

/// A row of weights, masked and absent cells left out.
struct RowFacts {
    RowKind kind = RowKind::Distribution;
    double sum = 0.0;
    double entropy = 0.0;
    Index visible = 0;
    Index rank = 1; ///< Of the cell asked for: 1 is the largest. In a row with NaN there is none.
    Index largest = -1; ///< Its column.
};

RowFacts factsOf(const std::vector<double> &row, Index col)
{
    RowFacts facts;
    facts.kind = rowKind(row);
    facts.entropy = rowEntropy(row);
    const double own = col >= 0 ? row[static_cast<std::size_t>(col)] : 0.0;
    for (Index key = 0; key < static_cast<Index>(row.size()); ++key) {
        const double weight = row[static_cast<std::size_t>(key)];
        if (cell::isHidden(weight))
            continue;
        ++facts.visible;
        facts.sum += weight;
        if (weight > own)
            ++facts.rank;
        if (facts.largest < 0 || weight > row[static_cast<std::size_t>(facts.largest)])
            facts.largest = key;
    }
    return facts;
}

std::vector<double> rowOf(const MapField &field, Index row)
{
    std::vector<double> cells(static_cast<std::size_t>(field.cols()));
    field.row(row, 0, cells);
    return cells;
}

/// Weights of an explained row as cells of the map.
std::vector<double> rowOf(const Explanation &stages, const Mask &mask, Index row)
{
    std::vector<double> cells(static_cast<std::size_t>(stages.weights.cols()), cell::masked<double>());
    std::vector<Range> visible;
    mask.visible(row, visible);
    for (const Range &keys : visible) {
        for (Index key = keys.first; key < keys.end; ++key)
            cells[static_cast<std::size_t>(key)] = stages.weights(0, key);
    }
    return cells;
}

ReadoutTerm shareTerm(double weight, const RowFacts &facts)
{
    ReadoutTerm term{ {}, text("share of row"), {}, {}, {}, {}, {}, Look::Plain, Narrow::DropShare };
    const double percent = 100.0 * weight / facts.sum;
    term.value = std::isfinite(percent) ? shownNumber(percent, 2) + QStringLiteral(" %") : QStringLiteral("—");
    term.isOfRow = true;
    if (std::isfinite(percent))
        term.copied = exact(percent);
    return term;
}

ReadoutTerm rankTerm(const RowFacts &facts)
{
    const QString rank
        = facts.kind == RowKind::Nan ? QStringLiteral("—") : text("%1 of %2").arg(counted(facts.rank), counted(facts.visible));
    return { {}, text("rank"), rank, {}, {}, {}, {}, Look::Plain, Narrow::DropShare };
}

ReadoutTerm maskedWeightTerm()
{
    return { QStringLiteral("→"), text("weight"), shownNumber(0.0, 4), {}, exact(0.0), {}, {}, Look::Result, Narrow::Keep };
}

/// Everything up to the mask: the score, what is done to it, and its name in the next term. Returns the masked score's value.
double addScore(Terms &terms, const HeadOperands &operands, const Explanation &stages, Index col, QString &name)
{
    const AttentionSpec &spec = operands.spec;
    double last = stages.scores(0, col);
    name = text("score");
    ReadoutTerm score = numberTerm({}, scoreLabel(spec, operands.q.cols()), last, 3);
    score.shortLabel = shortScoreLabel(spec);
    score.narrow = Narrow::DropScore;
    terms.push_back(std::move(score));
    // A term and the number it leads to: "÷ √8" and "= scaled".
    const auto step = [&](ReadoutTerm by, const QString &result, const Matrix &stage) {
        by.narrow = Narrow::DropScore;
        terms.push_back(std::move(by));
        last = stage(0, col);
        name = result;
        terms.push_back(numberTerm(QStringLiteral("="), result, last, 3));
    };
    if (!spec.scale && spec.score == ScoreFunction::ScaledDot) {
        const auto d = static_cast<double>(operands.q.cols());
        step(numberTerm(QStringLiteral("÷"), QStringLiteral("√%1").arg(operands.q.cols()), std::sqrt(d), 3), text("scaled"), stages.scaled);
    } else if (spec.scale && *spec.scale != 1.0) {
        step(numberTerm(QStringLiteral("×"), text("scale"), *spec.scale, 3), text("scaled"), stages.scaled);
    }
    if (stages.capped.size() > 0) {
        last = stages.capped(0, col);
        name = text("capped");
        const QString label = text("soft cap %1").arg(shownNumber(spec.softCap.value_or(0.0), 1));
        terms.push_back(numberTerm(QStringLiteral("→"), label, last, 3));
    }
    if (stages.biased.size() > 0)
        step(numberTerm(QStringLiteral("+"), spec.hasAlibi ? text("ALiBi bias") : text("bias"), stages.biased(0, col) - last, 3),
            text("biased"), stages.biased);
    if (stages.tempered.size() > 0)
        step(numberTerm(QStringLiteral("÷"), text("temperature"), spec.temperature, 2), text("tempered"), stages.tempered);
    return last;
}

/// Where the head looks, if it has a name.
void addPattern(Terms &terms, const Document &document)
{
    const HeadPattern found = headPattern(document, document.head());
    if (!found.pattern)
        return;
    ReadoutTerm term{ {}, text("pattern of this head"), found.name, found.rule, {}, {}, {}, Look::Plain, Narrow::DropPattern };
    term.copied = found.name + QStringLiteral(": ") + found.rule;
    terms.push_back(std::move(term));
}

/// A weight of tokens that are left out or merged: how many cells it is made of, and what its row was divided by.
void addReduced(Terms &terms, const ReducedData &data, const std::vector<double> &row, const CellRef &cell)
{
    const Index queries = data.queries[static_cast<std::size_t>(cell.row)].size();
    const Index keys = data.keys[static_cast<std::size_t>(cell.col)].size();
    if (queries > 1 || keys > 1)
        terms.push_back({ {}, text("made of"),
            text("%1, %2 added").arg(queries > 1 ? text("mean of %1 rows").arg(counted(queries)) : text("1 row"), keysText(keys)), {}, {},
            {}, {}, Look::Plain, Narrow::DropScore });
    const double weight = row[static_cast<std::size_t>(cell.col)];
    const RowFacts facts = factsOf(row, cell.col);
    terms.push_back(numberTerm({}, data.renormalizes ? text("weight ÷ what is left of the row") : text("weight"), weight, 4, Look::Result));
    terms.back().shortLabel = text("weight");
    terms.push_back(shareTerm(weight, facts));
    terms.push_back(rankTerm(facts));
    terms.push_back(entropyTerm(facts.kind, facts.entropy));
}

void addRecorded(Terms &terms, const Document &document, const HeadResult &head, const CellRef &cell)
{
    const AttentionBlock &block = document.block();
    const MapFieldPtr field = head.field(Stage::Weights);
    const std::vector<double> row = rowOf(*field, cell.row);
    const double weight = row[static_cast<std::size_t>(cell.col)];
    if (cell::kind(weight) == cell::Kind::Absent) {
        terms.push_back({ {}, text("weight"), text("absent"), text("the row ends before"), {}, {}, {}, Look::Plain, Narrow::Keep });
        return;
    }
    if (cell::kind(weight) == cell::Kind::Masked) {
        const CellRef whole{ wholeQuery(block, cell.row), wholeKey(block, cell.col) };
        terms.push_back(maskTerm(document.wholeBlock(), wholeSpec(block, document.result()->spec).mask, head.ref.element, whole));
        terms.push_back(maskedWeightTerm());
        return;
    }
    if (block.isReduced()) {
        addReduced(terms, std::get<ReducedData>(block.data), row, cell);
        return;
    }
    const auto &data = std::get<RecordedData>(block.data);
    const auto place = static_cast<std::size_t>((head.ref.layer * block.batch + head.ref.element) * block.heads + head.ref.head);
    const double recorded = data.weights[place].at(cell.row, cell.col);
    const RowFacts facts = factsOf(row, cell.col);
    const bool isRenormalised = recorded != weight && !std::isnan(weight);
    if (isRenormalised) {
        terms.push_back(numberTerm({}, text("weight, as recorded"), recorded, 4));
        ReadoutTerm kept = numberTerm(QStringLiteral("÷"), text("kept weights of the row"), recorded / weight, 4);
        kept.shortLabel = text("kept");
        kept.isOfRow = true;
        terms.push_back(std::move(kept));
    }
    terms.push_back(numberTerm(isRenormalised ? QStringLiteral("=") : QString(),
        isRenormalised ? text("weight") : text("weight, as recorded"), weight, 4, Look::Result));
    terms.back().shortLabel = text("weight");
    terms.push_back(shareTerm(weight, facts));
    terms.push_back(rankTerm(facts));
    terms.push_back(entropyTerm(facts.kind, facts.entropy));
}

/// Values of the shown fields alone: several heads combined, recorded maps compared, outputs compared.
void addValues(Terms &terms, const Document &document, const CellRef &cell, const QString &noun)
{
    const MapFieldPtr main = document.field(Side::Main);
    const MapFieldPtr comparison = document.field(Side::Comparison);
    if (!main) {
        terms.push_back(waitingTerm(document));
        return;
    }
    const double first = main->at(cell.row, cell.col);
    const bool isComparable = comparison && comparison->rows() == main->rows() && comparison->cols() == main->cols();
    if (!isComparable) {
        terms.push_back(cellTerm({}, noun, first, Look::Result));
        return;
    }
    const auto [firstName, secondName] = sideNames(document);
    addDifference(terms, firstName + u' ' + noun, first, secondName + u' ' + noun, comparison->at(cell.row, cell.col));
}

} // namespace

std::vector<ReadoutTerm> ReadoutArithmetic::terms(const Document &document, const CellRef &cell)
{
    const AttentionBlock &block = document.block();
    const bool isOutput = document.stage() == Stage::Output;
    const auto head = document.result()->find(document.head());
    const MapFieldPtr field = document.field(Side::Main);
    const Index cols = isOutput && field ? field->cols() : block.keys;
    if (!document.hasPicture() || cell.row >= block.queries || cell.col >= cols || (cell.row < 0 && cell.col < 0))
        return {};
    Terms terms{ placeTerm(document, cell, isOutput) };
    const auto other = document.comparisonResult();
    const auto second = other ? other->find(clamped(document.head(), *document.input(), other->spec)) : nullptr;
    const bool isSingle = document.session().view.headsShown == HeadsShown::Single;
    const bool isReady = head && (!other || second);
    const bool isRow = cell.row < 0 || cell.col < 0;
    // A preview knows the exact cell too.
    if (!isReady && field && !isOutput && !isRow)
        addValues(terms, document, cell, isSingle ? text("weight") : combinedNoun(document));
    else if (!isReady)
        terms.push_back(waitingTerm(document));
    else if (isRow)
        addRow(terms, document, cell.row);
    else if (!isSingle)
        addValues(terms, document, cell, combinedNoun(document));
    else if (isOutput && second)
        addValues(terms, document, cell, text("output"));
    else if (isOutput)
        addOutput(terms, document, *head, cell);
    else if (second && head->operands && second->operands)
        addCompared(terms, document, *head, *second, cell);
    else if (second)
        addValues(terms, document, cell, text("weight"));
    else if (head->operands && document.session().view.shown == ShownView::Steps && document.result()->spec.algorithm == Algorithm::Flash)
        addFlash(terms, document, *head, cell);
    else if (head->operands)
        addComputed(terms, document, *head, cell);
    else
        addRecorded(terms, document, *head, cell);
    if (head && isSingle && !other && document.stage() == Stage::Weights && cell.row >= 0 && cell.col >= 0)
        addPattern(terms, document);
    return terms;
}

const Explanation *ReadoutArithmetic::explained(Side side, const std::shared_ptr<const HeadOperands> &operands, Index row)
{
    ExplainedRow &known = m_rows[side == Side::Comparison ? 1 : 0];
    if (known.operands != operands || known.row != row) {
        auto stages = explain(*operands, { row, row + 1 });
        if (!stages)
            return nullptr;
        known = { operands, row, std::move(stages).value() };
    }
    return &known.stages;
}

void ReadoutArithmetic::addComputed(Terms &terms, const Document &document, const HeadResult &head, const CellRef &cell)
{
    const Explanation *stages = explained(Side::Main, head.operands, cell.row);
    if (!stages)
        return;
    const HeadOperands &operands = *head.operands;
    QString name;
    const double score = addScore(terms, operands, *stages, cell.col, name);
    terms.push_back(maskTerm(document.block(), operands.spec.mask, head.ref.element, cell));
    if (!operands.mask.isVisible(cell.row, cell.col)) {
        terms.push_back(maskedWeightTerm());
        return;
    }
    const double weight = stages->weights(0, cell.col);
    ReadoutTerm exponential = numberTerm(QStringLiteral("→"), text("exp(%1 − row max %2)").arg(name, shownNumber(stages->rowMax(0), 3)),
        std::exp(score - stages->rowMax(0)), 3);
    exponential.shortLabel = QStringLiteral("exp");
    exponential.narrow = Narrow::DropExponential;
    terms.push_back(std::move(exponential));
    const bool isSoftmax1 = operands.spec.normalization == Normalization::Softmax1;
    ReadoutTerm sum = numberTerm(QStringLiteral("÷"),
        isSoftmax1 ? text("sum of exponentials and softmax1’s one") : text("sum of exponentials"), stages->rowSum(0), 3);
    sum.shortLabel = text("Σ exp");
    sum.isOfRow = true;
    sum.narrow = Narrow::DropExponential;
    terms.push_back(std::move(sum));
    const bool isValueWeighted = document.stage() == Stage::ValueWeighted;
    terms.push_back(numberTerm(QStringLiteral("="), text("weight"), weight, 4, isValueWeighted ? Look::Bold : Look::Result));
    terms.back().shortOp = QStringLiteral("→");
    if (isValueWeighted) {
        double product = 0.0;
        explainRow(operands, Stage::ValueWeighted, cell.row, cell.col, { &product, 1 });
        Matrix value = operands.v.rowRange({ cell.col, cell.col + 1 });
        if (!operands.wo.isEmpty())
            value = value * operands.wo.toMatrix();
        const QString norm = operands.wo.isEmpty() ? QStringLiteral("‖v‖") : QStringLiteral("‖v W_O‖");
        terms.push_back(numberTerm(QStringLiteral("×"), norm, value.norm(), 3));
        terms.push_back(numberTerm(QStringLiteral("="), text("weight × ") + norm, product, 4, Look::Result));
        return;
    }
    const RowFacts facts = factsOf(rowOf(*stages, operands.mask, cell.row), cell.col);
    ReadoutTerm share = shareTerm(weight, facts);
    if (!std::isnan(weight))
        share.note = rankText(facts.rank, facts.visible);
    terms.push_back(std::move(share));
}

void ReadoutArithmetic::addCompared(
    Terms &terms, const Document &document, const HeadResult &first, const HeadResult &second, const CellRef &cell)
{
    const Explanation *a = explained(Side::Main, first.operands, cell.row);
    const Explanation *b = explained(Side::Comparison, second.operands, cell.row);
    if (!a || !b)
        return;
    const auto [firstName, secondName] = sideNames(document);
    Terms steps;
    QString name;
    QString otherName;
    const double score = addScore(steps, *first.operands, *a, cell.col, name);
    const double otherScore = addScore(steps, *second.operands, *b, cell.col, otherName);
    if (name == otherName && (score == otherScore || (std::isnan(score) && std::isnan(otherScore)))) {
        const QString shortName = name == text("score") ? name : text("%1 score").arg(name);
        terms.push_back(numberTerm({}, text("%1, the same in both").arg(shortName), score, 3));
        terms.back().shortLabel = name;
    } else {
        terms.push_back(numberTerm({}, name + QStringLiteral(", ") + firstName, score, 3));
        terms.push_back(numberTerm({}, otherName + QStringLiteral(", ") + secondName, otherScore, 3));
    }
    for (auto term = terms.begin() + 1; term != terms.end(); ++term)
        term->narrow = Narrow::DropScore;
    const auto addSum = [&](const Explanation &stages, const HeadResult &head, const QString &side) {
        ReadoutTerm sum = numberTerm({}, text("sum of exponentials, %1").arg(side), stages.rowSum(0), 3);
        sum.shortLabel = text("Σ exp, %1").arg(side);
        sum.note = keysText(head.operands->mask.visibleCount(cell.row));
        sum.isOfRow = true;
        sum.narrow = Narrow::DropExponential;
        terms.push_back(std::move(sum));
    };
    addSum(*a, first, firstName);
    addSum(*b, second, secondName);
    const auto weightOf = [&](const Explanation &stages, const HeadResult &head) {
        return head.operands->mask.isVisible(cell.row, cell.col) ? stages.weights(0, cell.col) : cell::masked<double>();
    };
    addDifference(terms, firstName + u' ' + text("weight"), weightOf(*a, first), secondName + u' ' + text("weight"), weightOf(*b, second));
}

void ReadoutArithmetic::addOutput(Terms &terms, const Document &document, const HeadResult &head, const CellRef &cell)
{
    const Explanation *stages = explained(Side::Main, head.operands, cell.row);
    if (!stages || stages->output.cols() <= cell.col)
        return;
    const HeadOperands &operands = *head.operands;
    const double output = stages->output(0, cell.col);
    terms.push_back(numberTerm(
        {}, text("output, sum of weight × v over %1").arg(keysText(operands.mask.visibleCount(cell.row))), output, 4, Look::Result));
    terms.back().shortLabel = text("output");
    Index largest = -1;
    double part = 0.0;
    for (Index key = 0; key < stages->weights.cols(); ++key) {
        const double product = stages->weights(0, key) * operands.v.at(key, cell.col);
        if (std::abs(product) > std::abs(part)) {
            part = product;
            largest = key;
        }
    }
    if (largest < 0)
        return;
    ReadoutTerm term = numberTerm(
        {}, text("largest part, from key %1 %2").arg(counted(largest), tokenText(document.block().keyTokens, largest)), part, 4);
    term.note
        = QStringLiteral("%1 × %2").arg(shownNumber(stages->weights(0, largest), 4), shownNumber(operands.v.at(largest, cell.col), 3));
    term.narrow = Narrow::DropShare;
    terms.push_back(std::move(term));
}

void ReadoutArithmetic::addRow(Terms &terms, const Document &document, Index row)
{
    const MapFieldPtr field = document.field(Side::Main);
    if (row < 0 || !field || document.stage() != Stage::Weights)
        return;
    const std::vector<double> weights = rowOf(*field, row);
    const RowFacts facts = factsOf(weights, -1);
    // Recorded weights do not say which keys the model hid: hidden ones are 0.
    const bool isRecorded = document.wholeBlock().hasWeightsOnly();
    const auto count = isRecorded
        ? static_cast<Index>(std::count_if(weights.begin(), weights.end(), [](double weight) { return weight > 0.0; }))
        : facts.visible;
    terms.push_back({ {}, isRecorded ? text("keys with weight, as recorded") : text("visible keys"),
        text("%1 of %2").arg(counted(count), counted(document.block().keys)), {}, {}, isRecorded ? text("keys with weight") : QString(), {},
        Look::Plain, Narrow::DropShare });
    if (facts.largest >= 0 && facts.sum > 0.0) {
        terms.push_back(numberTerm({}, text("largest weight"), weights[static_cast<std::size_t>(facts.largest)], 4, Look::Result));
        terms.back().note = keyText(document.block(), facts.largest);
    }
    terms.push_back(entropyTerm(facts.kind, facts.entropy));
}

} // namespace attenscope
