// SPDX-License-Identifier: GPL-3.0-or-later
// Recorded weights of generated tokens: one array per step of generation becomes a few rows of one block.
#include "core/memory.h"
#include "core/text.h"
#include "session/interpret_parts.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace attenscope {

namespace {

/// What one step adds.
struct Step {
    TensorStack weights;
    Index firstRow = 0;
    int number = 0;
    ElementType type = ElementType::F32; ///< That holds the numbers of all its arrays.
    std::vector<std::shared_ptr<const ByteSource>> sources;
};

/// The steps as one array layers x batch x heads x queries x keys: rows are read where they are, and filled up with 0.
class StepBytes final : public ByteSource {
public:
    StepBytes(std::vector<Step> steps, Index rows, Index keys, ElementType type)
        : m_steps(std::move(steps))
        , m_rows(rows)
        , m_keys(keys)
        , m_type(type)
    {
    }

    [[nodiscard]] std::uint64_t size() const override
    {
        const TensorStack &first = m_steps.front().weights;
        return static_cast<std::uint64_t>(first.layers()) * static_cast<std::uint64_t>(first.batch())
            * static_cast<std::uint64_t>(first.heads()) * static_cast<std::uint64_t>(m_rows * m_keys) * elementSize(m_type);
    }
    void read(std::uint64_t offset, std::span<std::byte> out) const override
    {
        if (m_type == ElementType::F32)
            readAs<float>(offset, out);
        else
            readAs<double>(offset, out);
    }
    [[nodiscard]] bool isInMemory() const override
    {
        return allOf([](const ByteSource &source) { return source.isInMemory(); });
    }
    [[nodiscard]] std::optional<Error> error() const override
    {
        std::optional<Error> first;
        (void)allOf([&first](const ByteSource &source) {
            first = source.error();
            return !first;
        });
        return first;
    }

private:
    template <typename Test>
    [[nodiscard]] bool allOf(Test test) const
    {
        return std::all_of(m_steps.begin(), m_steps.end(), [&](const Step &step) {
            return std::all_of(step.sources.begin(), step.sources.end(), [&](const auto &source) { return test(*source); });
        });
    }

    /// Cells from @p element on, at most to the end of their row.
    template <typename Number>
    void readCells(std::uint64_t element, std::span<Number> out) const
    {
        const auto keys = static_cast<std::uint64_t>(m_keys);
        const auto rows = static_cast<std::uint64_t>(m_rows);
        const auto key = static_cast<Index>(element % keys);
        const auto row = static_cast<Index>(element / keys % rows);
        const auto matrix = static_cast<int>(element / keys / rows);
        const auto step = std::prev(
            std::upper_bound(m_steps.begin(), m_steps.end(), row, [](Index wanted, const Step &next) { return wanted < next.firstRow; }));
        const TensorStack &weights = step->weights;
        const int perLayer = weights.batch() * weights.heads();
        const Index present = std::clamp<Index>(weights.cols() - key, 0, static_cast<Index>(out.size()));
        const auto there = out.first(static_cast<std::size_t>(present));
        if (present > 0)
            weights.matrix(matrix / perLayer, matrix % perLayer / weights.heads(), matrix % weights.heads())
                .readRow(row - step->firstRow, key, there);
        std::fill(out.begin() + present, out.end(), Number{ 0 });
    }

    template <typename Number>
    void readAs(std::uint64_t offset, std::span<std::byte> out) const
    {
        std::vector<Number> row;
        const auto keys = static_cast<std::uint64_t>(m_keys);
        while (!out.empty()) {
            const std::uint64_t element = offset / sizeof(Number);
            const std::size_t skipped = offset % sizeof(Number);
            const std::uint64_t wanted = (skipped + out.size() + sizeof(Number) - 1) / sizeof(Number);
            row.resize(std::min(wanted, keys - element % keys));
            readCells(element, std::span(row));
            const std::size_t count = std::min(out.size(), row.size() * sizeof(Number) - skipped);
            std::memcpy(out.data(), std::as_bytes(std::span(row)).data() + skipped, count);
            out = out.subspan(count);
            offset += count;
        }
    }

    std::vector<Step> m_steps;
    Index m_rows = 0;
    Index m_keys = 0;
    ElementType m_type = ElementType::F32;
};

bool fitsSingle(ElementType type)
{
    return type == ElementType::F32 || type == ElementType::F16 || type == ElementType::BF16;
}

Result<Step> makeStep(std::span<const BlockTensors::Entry> entries)
{
    auto stack = stackOf(entries);
    if (!stack)
        return stack.error();
    Step step{ std::move(stack).value(), 0, entries.front().use.step, ElementType::F32, {} };
    for (const BlockTensors::Entry &entry : entries) {
        const Tensor &tensor = entry.tensor->tensor;
        if (!fitsSingle(tensor.type()))
            step.type = ElementType::F64;
        if (std::find(step.sources.begin(), step.sources.end(), tensor.source()) == step.sources.end())
            step.sources.push_back(tensor.source());
    }
    return step;
}

std::string sizeOf(const TensorStack &weights)
{
    return groupedCount(weights.rows()) + (weights.rows() == 1 ? " query, " : " queries, ") + groupedCount(weights.cols())
        + (weights.cols() == 1 ? " key" : " keys");
}

/// Why @p next cannot come after @p before.
Error brokenStep(const std::string &what, const Step &before, const Step &next)
{
    return Error{ what,
        "After " + shortened(before.weights.name(), 60) + " (" + sizeOf(before.weights) + ") comes " + shortened(next.weights.name(), 60)
            + " (" + sizeOf(next.weights) + ").",
        "Each step has the keys of the one before and one for each of its own queries, or the same keys; use only those that go on.", {} };
}

} // namespace

Result<AttentionBlock> makeDecoded(std::span<const BlockTensors::Entry> entries, BlockRole role)
{
    std::vector<Step> steps;
    Index rows = 0;
    Index keys = 0;
    std::vector<Index> rowLengths;
    bool grows = true;
    for (std::size_t first = 0; first < entries.size();) {
        std::size_t end = first + 1;
        while (end < entries.size() && entries[end].use.step == entries[first].use.step)
            ++end;
        auto made = makeStep(entries.subspan(first, end - first));
        if (!made)
            return made.error();
        Step step = std::move(made).value();
        const TensorStack &weights = step.weights;
        if (!steps.empty()) {
            const Step &before = steps.back();
            if (weights.layers() != before.weights.layers() || weights.batch() != before.weights.batch()
                || weights.heads() != before.weights.heads())
                return Error{ "The steps of generation have different layers or heads.",
                    before.weights.shapeSentence() + ", " + weights.shapeSentence() + ".",
                    "Use those of one model, and all layers of each step.", {} };
            if (steps.size() == 1)
                grows = weights.cols() != before.weights.cols();
            const bool isMissing = step.number > before.number + 1;
            const bool goesOn = grows ? weights.cols() == before.weights.cols() + weights.rows() : weights.cols() == before.weights.cols();
            if (!goesOn || (!grows && isMissing))
                return brokenStep(
                    isMissing ? "A step of generation is missing." : "The steps of generation contradict each other.", before, step);
        }
        step.firstRow = rows;
        rows += weights.rows();
        keys = std::max(keys, weights.cols());
        rowLengths.insert(rowLengths.end(), static_cast<std::size_t>(weights.rows()), weights.cols());
        steps.push_back(std::move(step));
        first = end;
    }

    const TensorStack &weights = steps.front().weights;
    AttentionBlock block;
    block.role = role;
    block.queries = rows;
    block.keys = keys;
    block.layers = weights.layers();
    block.batch = weights.batch();
    block.heads = block.kvHeads = weights.heads();
    const bool areSingle = std::all_of(steps.begin(), steps.end(), [](const Step &step) { return step.type == ElementType::F32; });
    const ElementType type = areSingle ? ElementType::F32 : ElementType::F64;
    const std::vector<Index> shape{ block.layers, block.batch, block.heads, rows, keys };
    std::uint64_t bytes = elementSize(type);
    for (const Index size : shape)
        bytes = saturatingProduct(bytes, static_cast<std::uint64_t>(size));
    if (bytes > static_cast<std::uint64_t>(std::numeric_limits<Index>::max()))
        return Error{ "The steps of generation are too many to be shown as one map.", weights.shapeSentence() + ".", "Open fewer of them.",
            {} };

    const Tensor all(std::make_shared<StepBytes>(std::move(steps), rows, keys, type), 0, type, shape);
    RecordedData data;
    if (rowLengths.front() != keys)
        data.rowLengths = std::move(rowLengths);
    for (Index layer = 0; layer < block.layers; ++layer)
        for (Index element = 0; element < block.batch; ++element)
            for (Index head = 0; head < block.heads; ++head)
                data.weights.emplace_back(all.at(layer).at(element).at(head));
    block.data = std::move(data);
    return block;
}

} // namespace attenscope
