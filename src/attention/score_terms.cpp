// SPDX-License-Identifier: GPL-3.0-or-later
// Scores taken apart into the numbers that are added up.
#include "attention/score_terms.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace attenscope {

namespace {

std::span<double> numbersOf(Vector &vector)
{
    return { vector.data(), static_cast<std::size_t>(vector.size()) };
}

/// Where a number stands when the largest come first.
double rankOf(double number)
{
    return std::isnan(number) ? std::numeric_limits<double>::infinity() : number;
}

template <typename Rank>
std::vector<Index> largestFirst(Index count, const Rank &rank)
{
    std::vector<Index> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), Index{ 0 });
    std::stable_sort(order.begin(), order.end(), [&rank](Index a, Index b) { return rank(a) > rank(b); });
    return order;
}

double largestOf(double largest, std::span<const double> numbers)
{
    for (const double number : numbers)
        largest = std::isfinite(number) ? std::max(largest, std::abs(number)) : largest;
    return largest;
}

Result<void> measure(ScoreTerms &terms, const Run &run)
{
    constexpr Index keysPerLook = 256;
    terms.largest = largestOf(0.0, numbersOf(terms.query));
    std::vector<double> units(static_cast<std::size_t>(terms.units()));
    std::vector<double> value(static_cast<std::size_t>(terms.values()));
    for (Index key = 0; key < terms.keys(); ++key) {
        if (key % keysPerLook == 0 && run.stopped())
            return Error::cancelled();
        if (!terms.visible[static_cast<std::size_t>(key)])
            continue;
        terms.readKey(key, units);
        terms.largest = largestOf(terms.largest, units);
        terms.readTerms(key, units);
        terms.largest = largestOf(terms.largest, units);
        terms.readValue(key, value);
        terms.largest = largestOf(terms.largest, value);
    }
    return {};
}

} // namespace

void ScoreTerms::readKey(Index key, std::span<double> out) const
{
    operands->scoreK.readRow(key, 0, out);
}

void ScoreTerms::readTerms(Index key, std::span<double> out) const
{
    readKey(key, out);
    for (std::size_t unit = 0; unit < out.size(); ++unit) {
        const double of = query(static_cast<Index>(unit));
        out[unit] = scoreVector.size() > 0 ? scoreVector(static_cast<Index>(unit)) * std::tanh(of + out[unit]) : of * out[unit];
    }
}

void ScoreTerms::readValue(Index key, std::span<double> out) const
{
    if (!out.empty())
        operands->v.readRow(key, 0, out);
}

std::vector<Index> ScoreTerms::unitsByTerm(Index key) const
{
    std::vector<double> terms(static_cast<std::size_t>(units()));
    readTerms(key, terms);
    return largestFirst(units(), [&terms](Index unit) { return rankOf(std::abs(terms[static_cast<std::size_t>(unit)])); });
}

std::vector<Index> ScoreTerms::keysByWeight() const
{
    return largestFirst(keys(), [this](Index key) { return visible[static_cast<std::size_t>(key)] ? rankOf(weight(key)) : -1.0; });
}

Result<ScoreTerms> scoreTerms(std::shared_ptr<const HeadOperands> operands, Index row, const Run &run)
{
    Result<Explanation> stages = explain(*operands, { row, row + 1 }, run);
    if (!stages)
        return stages.error();
    ScoreTerms terms;
    terms.operands = std::move(operands);
    terms.row = row;
    terms.stages = std::move(stages).value();
    terms.query.resize(terms.operands->scoreQ.cols());
    terms.operands->scoreQ.readRow(row, 0, numbersOf(terms.query));
    const AttentionSpec &spec = terms.operands->spec;
    if (spec.score == ScoreFunction::Additive || spec.score == ScoreFunction::Concat)
        terms.scoreVector = spec.parameters.v.toMatrix().col(0);
    terms.visible.assign(static_cast<std::size_t>(terms.keys()), false);
    std::vector<Range> seen;
    terms.operands->mask.visible(row, seen);
    for (const Range &keys : seen)
        std::fill(terms.visible.begin() + keys.first, terms.visible.begin() + keys.end, true);
    if (Result<void> measured = measure(terms, run); !measured)
        return measured.error();
    return terms;
}

} // namespace attenscope
