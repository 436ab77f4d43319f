// SPDX-License-Identifier: GPL-3.0-or-later
// Telling the steps of generation from the layers of a model among arrays whose names differ in numbers.
#include "session/recognise_parts.h"
#include "session/tensor_names.h"

#include <algorithm>
#include <map>
#include <set>

namespace attenscope {

namespace {

/// Heads and whatever else is before queries and keys.
std::vector<Index> outerShape(const std::vector<Index> &shape)
{
    return { shape.begin(), shape.end() - 2 };
}

Index queriesOf(const std::vector<Index> &shape)
{
    return shape[shape.size() - 2];
}

/// The shape of every step at @p place; empty where arrays of one step differ.
std::map<std::int64_t, std::vector<Index>> shapesByStep(const std::vector<NumberedArray> &arrays, std::size_t place)
{
    std::map<std::int64_t, std::vector<Index>> shapes;
    for (const NumberedArray &array : arrays)
        if (shapes.try_emplace(array.numbers[place], array.shape).first->second != array.shape)
            return {};
    return shapes;
}

} // namespace

std::vector<NumberedArray> numberedArrays(const TensorSet &set, const std::vector<std::size_t> &group)
{
    std::vector<NumberedArray> named;
    std::vector<NumberedArray> inFiles;
    for (const std::size_t entry : group) {
        const NamedTensor &array = set.tensors[entry];
        named.push_back({ meaningOfTensor(array.name).numbers, array.tensor.shape() });
        inFiles.push_back({ meaningOfTensor(array.file).numbers, array.tensor.shape() });
    }
    for (std::size_t place = 0; place < named.front().numbers.size(); ++place)
        if (varies(named, place))
            return named;
    return inFiles;
}

bool varies(const std::vector<NumberedArray> &arrays, std::size_t place)
{
    std::set<std::int64_t> found;
    for (const NumberedArray &array : arrays) {
        if (place >= array.numbers.size() || array.numbers[place] < 0 || array.numbers[place] >= numberLimit)
            return false;
        found.insert(array.numbers[place]);
    }
    return found.size() > 1;
}

std::optional<std::size_t> stepPlace(
    const std::vector<NumberedArray> &arrays, const std::vector<bool> &countsSteps, std::optional<std::size_t> known)
{
    if (arrays.empty() || arrays.front().shape.size() < 2)
        return {};
    const std::vector<Index> &first = arrays.front().shape;
    const bool areAlike = std::all_of(arrays.begin(), arrays.end(),
        [&](const NumberedArray &array) { return array.shape.size() == first.size() && outerShape(array.shape) == outerShape(first); });
    if (!areAlike)
        return {};
    for (std::size_t place = 0; place < arrays.front().numbers.size(); ++place) {
        if (!varies(arrays, place))
            continue;
        const auto shapes = shapesByStep(arrays, place);
        const bool isSaid = known == place || (place < countsSteps.size() && countsSteps[place]);
        const bool haveOneQuery = !shapes.empty()
            && std::all_of(std::next(shapes.begin()), shapes.end(), [](const auto &step) { return queriesOf(step.second) == 1; });
        const bool differ
            = std::any_of(shapes.begin(), shapes.end(), [&](const auto &step) { return step.second != shapes.begin()->second; });
        if (!shapes.empty() && (isSaid || (haveOneQuery && differ)))
            return place;
    }
    return {};
}

} // namespace attenscope
