// SPDX-License-Identifier: GPL-3.0-or-later
// Explaining head after head and collecting what was asked for.
#include "cli/head_arrays.h"

#include "attention/explain.h"
#include "attention/field.h"
#include "attention/summary.h"
#include "core/memory.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace attenscope {

namespace {

enum class Kind { Map, LogSumExp, Entropy, LayerOutput };

struct Row {
    const char *name;
    Kind kind;
    Stage stage = Stage::Scores; ///< Of a map.
};

constexpr std::array table{
    Row{ "scores", Kind::Map, Stage::Scores },
    Row{ "scaled", Kind::Map, Stage::Scaled },
    Row{ "capped", Kind::Map, Stage::Capped },
    Row{ "biased", Kind::Map, Stage::Biased },
    Row{ "tempered", Kind::Map, Stage::Tempered },
    Row{ "masked", Kind::Map, Stage::Masked },
    Row{ "weights", Kind::Map, Stage::Weights },
    Row{ "weights_x_values", Kind::Map, Stage::ValueWeighted },
    Row{ "output", Kind::Map, Stage::Output },
    Row{ "logsumexp", Kind::LogSumExp },
    Row{ "entropy", Kind::Entropy },
    Row{ "layer_output", Kind::LayerOutput },
};

bool hasLayerOutput(const AttentionBlock &block, const AttentionSpec &spec, const HeadSelection &heads)
{
    const auto *embedded = std::get_if<EmbeddedData>(&block.data);
    return embedded != nullptr && block.hasValues() && heads.heads == Range{ 0, headCount(block, spec) }
    && std::none_of(embedded->layers.begin(), embedded->layers.end(), [](const Projections &layer) { return layer.wo.isEmpty(); });
}

const Matrix &stageOf(const Explanation &explanation, Stage stage)
{
    switch (stage) {
    case Stage::Scores:
        return explanation.scores;
    case Stage::Scaled:
        return explanation.scaled;
    case Stage::Capped:
        return explanation.capped;
    case Stage::Biased:
        return explanation.biased;
    case Stage::Tempered:
        return explanation.tempered;
    case Stage::Masked:
        return explanation.masked;
    case Stage::Output:
        return explanation.output;
    case Stage::Weights:
    case Stage::ValueWeighted:
        break;
    }
    return explanation.weights;
}

/// An array that is filled from its beginning.
struct Collected {
    Row row;
    NumbersArray array;
};

class Collection {
public:
    Collection(const AttentionInput &input, const AttentionSpec &spec, const HeadSelection &heads, const std::vector<std::string> &names)
        : m_input(input)
        , m_block(input.blocks[static_cast<std::size_t>(heads.block)])
        , m_spec(spec)
        , m_heads(heads)
    {
        for (const Row &row : table)
            if (std::find(names.begin(), names.end(), row.name) != names.end())
                m_arrays.push_back({ row, {} });
    }

    Result<std::vector<NumbersArray>> compute(const Run &run)
    {
        if (auto prepared = prepare(run); !prepared)
            return prepared.error();
        const Index total = m_heads.layers.size() * m_heads.elements.size() * m_heads.heads.size();
        Index done = 0;
        HeadRef ref{ m_heads.block, 0, 0, 0 };
        for (ref.layer = static_cast<int>(m_heads.layers.first); ref.layer < m_heads.layers.end; ++ref.layer) {
            for (ref.element = static_cast<int>(m_heads.elements.first); ref.element < m_heads.elements.end; ++ref.element) {
                m_headOutputs.clear();
                for (ref.head = static_cast<int>(m_heads.heads.first); ref.head < m_heads.heads.end; ++ref.head) {
                    if (auto head = m_block.hasWeightsOnly() ? readHead(ref, run) : explainHead(ref, run); !head)
                        return head.error();
                    run.report(static_cast<double>(++done) / static_cast<double>(total));
                }
                if (Collected *layer = find(Kind::LayerOutput))
                    append(*layer, explainLayer(m_block, ref.layer, m_headOutputs).output);
            }
        }
        std::vector<NumbersArray> arrays;
        for (Collected &collected : m_arrays)
            arrays.push_back(std::move(collected.array));
        return arrays;
    }

private:
    Collected *find(Kind kind)
    {
        const auto found
            = std::find_if(m_arrays.begin(), m_arrays.end(), [kind](const Collected &collected) { return collected.row.kind == kind; });
        return found == m_arrays.end() ? nullptr : &*found;
    }

    static void append(Collected &collected, const Matrix &rows)
    {
        collected.array.numbers.insert(collected.array.numbers.end(), rows.data(), rows.data() + rows.size());
    }
    static void append(Collected &collected, const Vector &rows)
    {
        collected.array.numbers.insert(collected.array.numbers.end(), rows.data(), rows.data() + rows.size());
    }

    /// Shapes of all arrays, and whether there is memory for them.
    Result<void> prepare(const Run &run)
    {
        Index valueCols = 0;
        Index outputCols = 0;
        if (!m_block.hasWeightsOnly()) {
            const HeadRef first{ m_heads.block, static_cast<int>(m_heads.layers.first), static_cast<int>(m_heads.heads.first),
                static_cast<int>(m_heads.elements.first) };
            const auto operands = headOperands(m_block, m_spec, first, run);
            if (!operands)
                return operands.error();
            valueCols = (*operands)->v.cols();
            outputCols = (*operands)->wo.cols();
        }
        std::uint64_t bytes = 0;
        for (Collected &collected : m_arrays) {
            std::vector<Index> &shape = collected.array.shape;
            collected.array.name = collected.row.name;
            shape.push_back(m_heads.layers.size());
            if (m_block.batch > 1)
                shape.push_back(m_heads.elements.size());
            if (collected.row.kind != Kind::LayerOutput)
                shape.push_back(m_heads.heads.size());
            shape.push_back(m_block.queries);
            if (collected.row.kind == Kind::LayerOutput)
                shape.push_back(outputCols);
            else if (collected.row.kind == Kind::Map)
                shape.push_back(collected.row.stage == Stage::Output ? valueCols : m_block.keys);
            std::uint64_t size = sizeof(double);
            for (const Index count : shape)
                size = saturatingProduct(size, static_cast<std::uint64_t>(count));
            if (__builtin_add_overflow(bytes, size, &bytes))
                bytes = std::numeric_limits<std::uint64_t>::max();
        }
        Result<void> enough = checkMemory(bytes, "The result");
        if (enough)
            return enough;
        Error error = enough.error();
        error.remedy
            = "Write fewer arrays with --stages, pooled maps with attenscope-compute stream, or a part of a map with attenscope render "
              "--region 0:512,0:512.";
        return error;
    }

    Result<void> explainHead(const HeadRef &ref, const Run &run)
    {
        const auto operands = headOperands(m_block, m_spec, ref, run);
        if (!operands)
            return operands.error();
        // An explanation has about ten matrices of rows × keys.
        constexpr Index cellsAtOnce = 1'000'000;
        const Index step = std::clamp<Index>(cellsAtOnce / std::max<Index>(m_block.keys, 1), 1, std::max<Index>(m_block.queries, 1));
        Matrix output(m_block.queries, (*operands)->v.cols());
        Run quiet;
        quiet.stop = run.stop;
        for (Index first = 0; first < m_block.queries; first += step) {
            const Range rows{ first, std::min(first + step, m_block.queries) };
            const auto explanation = explain(**operands, rows, quiet);
            if (!explanation)
                return explanation.error();
            for (Collected &collected : m_arrays)
                take(collected, **operands, *explanation);
            if (output.cols() > 0)
                output.middleRows(rows.first, rows.size()) = explanation->output;
        }
        if (find(Kind::LayerOutput) != nullptr)
            m_headOutputs.push_back(std::move(output));
        return {};
    }

    static void take(Collected &collected, const HeadOperands &operands, const Explanation &explanation)
    {
        if (collected.row.kind == Kind::LogSumExp) {
            append(collected, explanation.logSumExp);
        } else if (collected.row.kind == Kind::Entropy) {
            append(collected, explanation.entropy);
        } else if (collected.row.kind == Kind::Map && collected.row.stage == Stage::ValueWeighted) {
            std::vector<double> cells(static_cast<std::size_t>(explanation.weights.cols()));
            for (Index row = explanation.rows.first; row < explanation.rows.end; ++row) {
                explainRow(operands, Stage::ValueWeighted, row, 0, cells);
                std::transform(cells.begin(), cells.end(), std::back_inserter(collected.array.numbers), plainWeight);
            }
        } else if (collected.row.kind == Kind::Map) {
            append(collected, stageOf(explanation, collected.row.stage));
        }
    }

    /// Masked weights are 0; what is absent or NaN is NaN.
    static double plainWeight(double cell)
    {
        const cell::Kind kind = cell::kind(cell);
        return kind == cell::Kind::Masked ? 0.0 : kind == cell::Kind::Number ? cell : std::numeric_limits<double>::quiet_NaN();
    }

    Result<void> readHead(const HeadRef &ref, const Run &run)
    {
        const auto field = headField(m_input, m_spec, ref, Stage::Weights, run);
        if (!field)
            return field.error();
        std::vector<double> cells(static_cast<std::size_t>(m_block.keys));
        for (Index row = 0; row < m_block.queries; ++row) {
            if (run.stopped())
                return Error::cancelled();
            (*field)->row(row, 0, cells);
            const double entropy = rowEntropy(cells);
            std::transform(cells.begin(), cells.end(), cells.begin(), plainWeight);
            for (Collected &collected : m_arrays) {
                std::vector<double> &numbers = collected.array.numbers;
                if (collected.row.kind == Kind::Entropy)
                    numbers.push_back(entropy);
                else
                    numbers.insert(numbers.end(), cells.begin(), cells.end());
            }
        }
        return {};
    }

    const AttentionInput &m_input;
    const AttentionBlock &m_block;
    const AttentionSpec &m_spec;
    HeadSelection m_heads;
    std::vector<Collected> m_arrays;
    std::vector<Matrix> m_headOutputs; ///< Of one layer and element.
};

} // namespace

std::vector<std::string> arrayNames()
{
    std::vector<std::string> names;
    for (const Row &row : table)
        names.emplace_back(row.name);
    return names;
}

std::vector<std::string> availableArrays(const AttentionBlock &block, const AttentionSpec &spec, const HeadSelection &heads)
{
    const std::vector<Stage> stages = stagesOf(block, spec);
    std::vector<std::string> names;
    for (const Row &row : table) {
        const bool isMap = row.kind == Kind::Map && std::find(stages.begin(), stages.end(), row.stage) != stages.end();
        const bool isRowNumber = row.kind == Kind::Entropy || (row.kind == Kind::LogSumExp && !block.hasWeightsOnly());
        if (isMap || isRowNumber || (row.kind == Kind::LayerOutput && hasLayerOutput(block, spec, heads)))
            names.emplace_back(row.name);
    }
    return names;
}

Result<std::vector<NumbersArray>> computeArrays(const AttentionInput &input, const AttentionSpec &spec, const HeadSelection &heads,
    const std::vector<std::string> &names, const Run &run)
{
    return Collection(input, spec, heads, names).compute(run);
}

} // namespace attenscope
