// SPDX-License-Identifier: GPL-3.0-or-later
// Axes of tensors: what they can be, and reading by them.
#include "session/tensor_axes.h"

#include "core/text.h"

#include <algorithm>
#include <array>

namespace attenscope {

namespace {

bool isMap(TensorRole role)
{
    return role == TensorRole::Weights || role == TensorRole::KeyPadding || role == TensorRole::PaddedKeys
        || role == TensorRole::AllowedMask || role == TensorRole::HiddenMask;
}

std::string roleWord(TensorRole role)
{
    return isMap(role) ? "queries and keys" : "rows and dimensions";
}

bool contains(const std::vector<Axis> &axes, Axis axis)
{
    return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

bool hasTwice(const std::vector<Axis> &axes)
{
    for (const Axis axis : axes)
        if (axis != Axis::Ignored && std::count(axes.begin(), axes.end(), axis) > 1)
            return true;
    return false;
}

using Choices = std::vector<std::vector<Axis>>;

/// The orders that files have, best guess first.
Choices usualAxes(const Tensor &tensor, TensorRole role)
{
    using enum Axis;
    const auto of = [&](std::initializer_list<Choices> byCount) {
        const auto count = static_cast<std::size_t>(tensor.axes());
        return count >= 1 && count <= byCount.size() ? *(byCount.begin() + (count - 1)) : Choices();
    };
    switch (role) {
    case TensorRole::Queries:
    case TensorRole::Keys:
    case TensorRole::Values:
    case TensorRole::KeysAndValues:
        return of({ {}, { { Row, Dimension }, { Dimension, Row } },
            { { Head, Row, Dimension }, { Batch, Row, Dimension }, { Row, Head, Dimension }, { Layer, Row, Dimension },
                { Row, Batch, Dimension } },
            { { Batch, Head, Row, Dimension }, { Batch, Row, Head, Dimension }, { Layer, Head, Row, Dimension },
                { Layer, Row, Head, Dimension }, { Layer, Batch, Row, Dimension }, { Row, Batch, Head, Dimension } },
            { { Layer, Batch, Head, Row, Dimension }, { Layer, Batch, Row, Head, Dimension }, { Batch, Layer, Head, Row, Dimension } } });
    case TensorRole::X:
    case TensorRole::Y:
        return of({ {}, { { Row, Dimension }, { Dimension, Row } },
            { { Batch, Row, Dimension }, { Row, Batch, Dimension }, { Layer, Row, Dimension } },
            { { Layer, Batch, Row, Dimension }, { Batch, Layer, Row, Dimension } } });
    case TensorRole::Wq:
    case TensorRole::Wk:
    case TensorRole::Wv:
    case TensorRole::Wo:
        return of({ {}, { { Row, Dimension }, { Dimension, Row } }, { { Layer, Row, Dimension }, { Layer, Dimension, Row } } });
    case TensorRole::Bq:
    case TensorRole::Bk:
    case TensorRole::Bv:
    case TensorRole::Bo:
        return of({ { { Dimension } }, { { Layer, Dimension }, { Ignored, Dimension }, { Dimension, Ignored } } });
    case TensorRole::Weights:
        return of({ { { Key } }, { { Query, Key } },
            { { Head, Query, Key }, { Layer, Query, Key }, { Batch, Query, Key }, { Query, Key, Head }, { Query, Head, Key } },
            { { Layer, Head, Query, Key }, { Batch, Head, Query, Key }, { Layer, Batch, Query, Key }, { Batch, Layer, Query, Key },
                { Batch, Query, Head, Key }, { Batch, Query, Key, Head }, { Layer, Query, Key, Head } },
            { { Layer, Batch, Head, Query, Key }, { Batch, Layer, Head, Query, Key }, { Layer, Head, Batch, Query, Key } } });
    case TensorRole::KeyPadding:
    case TensorRole::PaddedKeys:
        return of({ { { Key } }, { { Batch, Key }, { Key, Batch } } });
    case TensorRole::AllowedMask:
    case TensorRole::HiddenMask:
        return of({ {}, { { Query, Key }, { Key, Query } }, { { Batch, Query, Key }, { Ignored, Query, Key } },
            { { Batch, Ignored, Query, Key }, { Ignored, Batch, Query, Key } } });
    case TensorRole::Unused:
    case TensorRole::QueryTokens:
    case TensorRole::KeyTokens:
    case TensorRole::Tokens:
        break;
    }
    return {};
}

} // namespace

std::vector<std::vector<Axis>> axisChoices(const Tensor &tensor, TensorRole role)
{
    Choices choices = usualAxes(tensor, role);
    // Then every other order of the same axes.
    const Choices usual = choices;
    for (std::vector<Axis> order : usual) {
        std::sort(order.begin(), order.end());
        do {
            if (std::find(choices.begin(), choices.end(), order) == choices.end())
                choices.push_back(order);
        } while (std::next_permutation(order.begin(), order.end()));
    }
    return choices;
}

Result<TensorStack::Part> TensorStack::makePart(const NamedTensor &named, const TensorUse &use)
{
    const Tensor &tensor = named.tensor;
    const std::string shape = named.name + " is " + (tensor.axes() == 0 ? "a single number" : shapeText(tensor.shape())) + ".";
    std::vector<Axis> axes = use.axes;
    if (axes.empty()) {
        const auto choices = axisChoices(tensor, use.role);
        if (choices.empty())
            return Error{ "An array has the wrong number of axes.", shape, "Use it as something else, or not.", {} };
        axes = choices.front();
    }
    if (use.isTransposed) {
        for (Axis &axis : axes)
            axis = axis == Axis::Query ? Axis::Key : axis == Axis::Key ? Axis::Query : axis;
    }
    const Axis rowAxis = isMap(use.role) ? Axis::Query : Axis::Row;
    const Axis colAxis = isMap(use.role) ? Axis::Key : Axis::Dimension;
    const bool hasStrangers = std::any_of(axes.begin(), axes.end(), [&](Axis axis) {
        return axis != rowAxis && axis != colAxis && axis != Axis::Layer && axis != Axis::Batch && axis != Axis::Head
            && axis != Axis::Ignored;
    });
    if (static_cast<int>(axes.size()) != tensor.axes() || hasTwice(axes) || hasStrangers
        || (!contains(axes, rowAxis) && !contains(axes, colAxis)))
        return Error{ "The axes of an array do not say what is " + roleWord(use.role) + ".", shape, "Choose what each axis is.", {} };
    if (std::any_of(tensor.shape().begin(), tensor.shape().end(), [](Index size) { return size < 1; }))
        return Error{ "An array is empty.", shape, "Use it as nothing, or save it again.", {} };

    Part part;
    part.tensor = &named;
    // Ignored axes come first, so that they can be cut off; then the order in which matrix() steps through.
    std::vector<int> order;
    for (const Axis wanted : { Axis::Ignored, Axis::Layer, Axis::Batch, Axis::Head, rowAxis, colAxis }) {
        for (std::size_t axis = 0; axis < axes.size(); ++axis)
            if (axes[axis] == wanted)
                order.push_back(static_cast<int>(axis));
    }
    part.view = tensor.transposed(order);
    for (auto ignored = std::count(axes.begin(), axes.end(), Axis::Ignored); ignored > 0; --ignored)
        part.view = part.view.at(0);
    const auto size = [&](Axis axis) {
        const auto place = std::find(axes.begin(), axes.end(), axis) - axes.begin();
        return contains(axes, axis) ? tensor.shape()[static_cast<std::size_t>(place)] : Index(1);
    };
    part.hasLayers = contains(axes, Axis::Layer);
    part.hasBatch = contains(axes, Axis::Batch);
    part.hasHeads = contains(axes, Axis::Head);
    const std::array counts{ size(Axis::Layer), size(Axis::Batch), size(Axis::Head) };
    // One by one, so that the product cannot overflow.
    Index matrices = 1;
    for (const Index count : counts) {
        if (count > maxMatrices / matrices)
            return Error{ "An array has too many layers, batch elements and heads.",
                shape + " At most " + groupedCount(maxMatrices) + " maps can be opened.", "Choose what each axis is.", {} };
        matrices *= count;
    }
    part.layers = static_cast<int>(counts[0]);
    part.batch = static_cast<int>(counts[1]);
    part.heads = static_cast<int>(counts[2]);
    part.rows = size(rowAxis);
    part.cols = size(colAxis);
    return part;
}

Result<TensorStack> TensorStack::make(std::vector<const NamedTensor *> tensors, const std::vector<TensorUse> &uses)
{
    TensorStack stack;
    stack.m_layers = 0;
    for (std::size_t place = 0; place < tensors.size(); ++place) {
        auto made = makePart(*tensors[place], uses[place]);
        if (!made)
            return made.error();
        Part part = std::move(made).value();
        if (!stack.m_parts.empty()) {
            const Part &first = stack.m_parts.front();
            if (part.batch != first.batch || part.heads != first.heads || part.rows != first.rows || part.cols != first.cols)
                return Error{ "The layers have different shapes.",
                    first.tensor->name + " is " + shapeText(first.tensor->tensor.shape()) + ", " + part.tensor->name + " is "
                        + shapeText(part.tensor->tensor.shape()) + ".",
                    "Use those of one shape, and not the others.", {} };
        }
        stack.m_layers += part.layers;
        stack.m_parts.push_back(std::move(part));
    }
    const Part &first = stack.m_parts.front();
    stack.m_batch = first.batch;
    stack.m_heads = first.heads;
    stack.m_rows = first.rows;
    stack.m_cols = first.cols;
    if (static_cast<Index>(stack.m_layers) * first.batch * first.heads > maxMatrices)
        return Error{ "There are too many layers, batch elements and heads.",
            "At most " + groupedCount(maxMatrices) + " maps can be opened.", "Open fewer files.", {} };
    return stack;
}

std::string TensorStack::shapeSentence() const
{
    return name() + " is " + shapeText(m_parts.front().tensor->tensor.shape());
}

SharedMatrix TensorStack::matrix(int layer, int element, int head) const
{
    auto part = m_parts.begin();
    while (layer >= part->layers) {
        layer -= part->layers;
        ++part;
    }
    Tensor view = part->view;
    if (part->hasLayers)
        view = view.at(layer);
    if (part->hasBatch)
        view = view.at(element);
    if (part->hasHeads)
        view = view.at(head);
    if (view.axes() == 2)
        return SharedMatrix(std::move(view));
    if (view.isContiguous())
        return SharedMatrix(view.reshaped({ part->rows, part->cols }));
    const std::vector<double> numbers = view.toNumbers();
    return SharedMatrix(Matrix(Eigen::Map<const Matrix>(numbers.data(), part->rows, part->cols)));
}

} // namespace attenscope
