// SPDX-License-Identifier: GPL-3.0-or-later
// The places of a walk: which of an axis are shown, and which comes next.
#include "views/readout_text.h"
#include "views/steps/steps_page.h"
#include "views/steps/steps_words.h"

#include <algorithm>

namespace attenscope {

namespace {

} // namespace

Index FoldedAxis::hiddenBefore(std::size_t place) const
{
    const Index before = place == 0 ? -1 : shown[place - 1];
    const Index next = place == shown.size() ? size : shown[place];
    return next - before - 1;
}

std::size_t StepFolds::limitOf(StepAxis axis) const
{
    const auto unfolded = more.find(axis);
    const auto fit = fitted.find(axis);
    return (fit == fitted.end() ? limit : fit->second) + (unfolded == more.end() ? 0 : unfolded->second);
}

FoldedAxis folded(Index size, std::size_t limit, Index pinned)
{
    FoldedAxis result{ size, {} };
    const auto most = static_cast<Index>(std::max<std::size_t>(limit, 3));
    // A fold takes the place of a number, so that it hides two at least.
    const auto show = [&result](Index place) {
        if (!result.shown.empty() && place == result.shown.back() + 2)
            result.shown.push_back(place - 1);
        result.shown.push_back(place);
    };
    if (size <= most) {
        for (Index place = 0; place < size; ++place)
            show(place);
        return result;
    }
    // Between the first and the last; the last part is as long as the others.
    const Index part = most - 2;
    const Index inner = pinned >= size - 1 ? 1 : std::max<Index>(pinned, 1);
    const Index first = std::min(1 + (inner - 1) / part * part, size - 1 - part);
    show(0);
    for (Index place = first; place < first + part; ++place)
        show(place);
    show(size - 1);
    return result;
}

std::set<StepAxis> StepPage::foldedAxes() const
{
    std::set<StepAxis> axes;
    for (const StepGrid &grid : grids) {
        for (const auto &[axis, places] : { std::pair{ grid.rowAxis, &grid.rows }, std::pair{ grid.colAxis, &grid.cols } }) {
            if (static_cast<Index>(places->shown.size()) < places->size)
                axes.insert(axis);
        }
    }
    return axes;
}

QString foldText(StepAxis axis, Index hidden)
{
    const QString count = readout::counted(hidden);
    switch (axis) {
    case StepAxis::Keys:
        return stepsWords("%1 more keys").arg(count);
    case StepAxis::Queries:
        return stepsWords("%1 more queries").arg(count);
    case StepAxis::Units:
        return stepsWords("%1 more units").arg(count);
    default:
        return stepsWords("%1 more numbers").arg(count);
    }
}

QString columnFoldText(StepAxis axis, Index hidden)
{
    if (axis == StepAxis::Keys || axis == StepAxis::Queries)
        return foldText(axis, hidden);
    return stepsWords("%1 more").arg(readout::counted(hidden));
}

StepAxis placesOf(WalkStep step)
{
    switch (step) {
    case WalkStep::Maximum:
    case WalkStep::Sum:
    case WalkStep::Concatenation:
        return StepAxis::None;
    case WalkStep::Embedding:
    case WalkStep::Query:
    case WalkStep::RotatedQuery:
    case WalkStep::PreparedQuery:
    case WalkStep::Output:
    case WalkStep::OutputProjection:
        return dimAxis(step);
    default:
        return StepAxis::Keys;
    }
}

StepAxis dimAxis(WalkStep step)
{
    switch (step) {
    case WalkStep::Embedding:
    case WalkStep::KeyEmbedding:
        return StepAxis::Inputs;
    case WalkStep::Query:
    case WalkStep::Key:
    case WalkStep::RotatedQuery:
    case WalkStep::RotatedKey:
        return StepAxis::Dimensions;
    case WalkStep::PreparedQuery:
    case WalkStep::PreparedKey:
    case WalkStep::Units:
        return StepAxis::Units;
    case WalkStep::Value:
    case WalkStep::WeightedValues:
    case WalkStep::Output:
        return StepAxis::Values;
    case WalkStep::OutputProjection:
        return StepAxis::Outputs;
    default:
        return StepAxis::None;
    }
}

Index dimCount(const StepContent &content, WalkStep step)
{
    const RowWalk &walk = content.walk;
    switch (dimAxis(step)) {
    case StepAxis::Inputs:
        return walk.embedding.size();
    case StepAxis::Dimensions:
        return walk.operands->q.cols();
    case StepAxis::Units:
        return walk.operands->scoreQ.cols();
    case StepAxis::Values:
        return walk.operands->v.cols();
    case StepAxis::Outputs:
        return walk.projected.size();
    default:
        return 1;
    }
}

Index placeCount(const StepContent &content, WalkStep step)
{
    const StepAxis places = placesOf(step);
    return places == StepAxis::Keys ? content.walk.keys() : places == StepAxis::None ? 1 : dimCount(content, step);
}

StepPosition clamped(const StepContent &content, StepPosition position)
{
    const std::vector<WalkStep> &steps = content.walk.steps;
    const auto next = std::lower_bound(steps.begin(), steps.end(), position.step);
    position.step = next == steps.end() ? steps.back() : *next;
    position.key = std::clamp<Index>(position.key, 0, content.walk.keys() - 1);
    position.dim = std::clamp<Index>(position.dim, 0, dimCount(content, position.step) - 1);
    return position;
}

namespace {

std::optional<StepPosition> neighbour(
    const StepContent &content, const StepPosition &position, const StepFolds &folds, int direction, bool passesKeys)
{
    const std::vector<WalkStep> &steps = content.walk.steps;
    const auto step = std::find(steps.begin(), steps.end(), position.step);
    const StepAxis places = placesOf(*step);
    StepPosition next = position;
    if (places != StepAxis::None) {
        const Index count = placeCount(content, *step);
        Index &place = places == StepAxis::Keys ? next.key : next.dim;
        Index beside = place + direction;
        if (places != StepAxis::Keys || passesKeys) {
            const FoldedAxis shown = folded(count, folds.limitOf(places), place);
            const auto here = std::lower_bound(shown.shown.begin(), shown.shown.end(), place);
            if (direction > 0)
                beside = here + 1 == shown.shown.end() ? count : *(here + 1);
            else
                beside = here == shown.shown.begin() ? -1 : *(here - 1);
        }
        place = beside;
        if (place >= 0 && place < count)
            return next;
    }
    if (direction > 0 ? step + 1 == steps.end() : step == steps.begin())
        return std::nullopt;
    next = { *(step + direction), position.key, 0 };
    if (const StepAxis nextPlaces = placesOf(next.step); nextPlaces != StepAxis::None) {
        const Index end = placeCount(content, next.step) - 1;
        (nextPlaces == StepAxis::Keys ? next.key : next.dim) = direction > 0 ? 0 : end;
    }
    return next;
}

} // namespace

std::optional<StepPosition> nextPosition(const StepContent &content, const StepPosition &position, const StepFolds &folds, int direction)
{
    return neighbour(content, position, folds, direction, false);
}

std::optional<StepPosition> playedPosition(const StepContent &content, const StepPosition &position, const StepFolds &folds)
{
    return neighbour(content, position, folds, 1, true);
}

} // namespace attenscope
